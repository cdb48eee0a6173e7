import { Type } from 'typebox'
import { removePerson } from '../../access/memberships/change.ts'
import type { PersonOfPlace } from '../../access/memberships/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { confirmation } from '../../platform/web/components/confirm.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findOwnPerson } from './find-own.ts'
import { pathAfter } from './list-people.ts'
import { framed, type OwnPlace, placePage } from './own-place.ts'
import { keeperWords } from './words.ts'

const path = `${PEOPLE_PATH}/:membershipId/remove`
const params = Type.Object({ membershipId: Uuid })

/** Takes somebody out of the place. Asks first, saying what happens. */
export function removePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  return [
    placePage({
      ...{ method: 'GET', path, params, name: 'askBeforeRemoving', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : ask(call, own, person)
      },
    }),
    placePage({
      ...{ method: 'POST', path, params, name: 'removeOwnPerson', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        // Pressed twice, or taken out by somebody else meanwhile: they are not there.
        if (isRejection(person)) return redirect(PEOPLE_PATH)
        const removed = await removePerson({ ...ports, db: call.db }, person.membershipId)
        if (isRejection(removed)) return removed.rejected === 'LAST_KEEPER' ? ask(call, own, person, 409) : removed
        // Who took themselves out is signed in here no more.
        if (person.membershipId === own.membershipId) return redirect('/sign-in', [{ purpose: 'session', value: '' }])
        return redirect(pathAfter('removed'))
      },
    }),
  ]
}

function ask(
  call: PageCall<unknown, unknown, unknown>,
  { place, name, membershipId }: OwnPlace,
  person: PersonOfPlace,
  status = 200,
) {
  const isOwn = person.membershipId === membershipId
  const main = html`${status !== 200 && notice('bad', 'Nobody was removed', keeperWords(place))}
${confirmation({
  title: isOwn ? `Leave ${name}?` : `Remove ${person.name}?`,
  words: html`<ul>
<li>${isOwn ? 'You are' : `${person.email} is`} signed out of ${name} at once, and cannot sign in there any more.</li>
<li>${isOwn ? 'Your account' : 'Their account'} stays, for other places.</li>
<li>Coming back takes a new invitation.</li>
</ul>`,
  verb: isOwn ? 'Leave' : 'Remove',
  isDangerous: true,
  backHref: PEOPLE_PATH,
  backText: 'Go back',
  csrf: call.csrf,
})}`
  return framed(call, { title: isOwn ? 'Leave' : 'Remove somebody', main }, { status })
}
