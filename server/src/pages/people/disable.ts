import { Type } from 'typebox'
import { changeStatus } from '../../access/accounts/change-status.ts'
import type { PersonOfPlace } from '../../access/memberships/store.ts'
import { isRejection } from '../../core/rejection.ts'
import type { UserStatus } from '../../core/user.ts'
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

const params = Type.Object({ membershipId: Uuid })

/** The account itself, wherever it belongs: the operator's to disable and to enable, of its own people here. */
export function disablePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  const ways = [
    { word: 'disable', name: 'Disabling', status: 'DISABLED', deed: 'disabled' },
    { word: 'enable', name: 'Enabling', status: 'ACTIVE', deed: 'enabled' },
  ] as const
  return ways.flatMap(({ word, name, status, deed }) => [
    placePage({
      ...{ method: 'GET', path: `${PEOPLE_PATH}/:membershipId/${word}`, params, name: `askBefore${name}` },
      operation: 'users.manage',
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : ask(call, own, person, status)
      },
    }),
    placePage({
      ...{ method: 'POST', path: `${PEOPLE_PATH}/:membershipId/${word}`, params, name: `${word}OwnPerson` },
      operation: 'users.manage',
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        if (isRejection(person)) return person
        const changed = await changeStatus({ ...ports, db: call.db }, person.userId, { status })
        if (!isRejection(changed)) return redirect(pathAfter(deed))
        return changed.rejected === 'LAST_KEEPER' ? ask(call, own, person, status, 409) : changed
      },
    }),
  ])
}

function ask(
  call: PageCall<unknown, unknown, unknown>,
  { place }: OwnPlace,
  { name, email }: PersonOfPlace,
  to: UserStatus,
  status = 200,
) {
  const isDisabling = to === 'DISABLED'
  const words = isDisabling
    ? html`<ul>
<li>${email} is signed out everywhere at once, also as one of other places, and cannot sign in.</li>
<li>What they belong to stays as it is: an account that is enabled again signs in as before.</li>
</ul>`
    : html`<p>${email} can sign in again, as one of whatever they belong to.</p>`
  const main = html`${status !== 200 && notice('bad', 'Nobody was disabled', keeperWords(place))}
${confirmation({
  title: isDisabling ? `Disable the account of ${name}?` : `Enable the account of ${name}?`,
  words,
  verb: isDisabling ? 'Disable' : 'Enable',
  isDangerous: isDisabling,
  backHref: PEOPLE_PATH,
  csrf: call.csrf,
})}`
  return framed(call, { title: isDisabling ? 'Disable an account' : 'Enable an account', main }, { status })
}
