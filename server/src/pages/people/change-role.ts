import { Type } from 'typebox'
import { changeRole } from '../../access/memberships/change.ts'
import type { PersonOfPlace } from '../../access/memberships/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { choices } from '../../platform/web/components/choice.ts'
import { form, type Problems } from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findOwnPerson } from './find-own.ts'
import { pathAfter } from './list-people.ts'
import { framed, type OwnPlace, placePage } from './own-place.ts'
import { keeperWords, roleChoices, roleOf } from './words.ts'

const path = `${PEOPLE_PATH}/:membershipId/role`
const params = Type.Object({ membershipId: Uuid })

export function changeRolePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  return [
    placePage({
      ...{ method: 'GET', path, params, name: 'showRole', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : show(call, own, person)
      },
    }),
    placePage({
      ...{ method: 'POST', path, params, name: 'sendRole', operation: 'people.manage' },
      form: Type.Object({ role: Text(20, 0) }),
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        if (isRejection(person)) return person
        const role = roleOf(own.place, call.form.role)
        if (role === null) return show(call, own, person, { role: 'Choose one of these.' }, 400)
        const changed = await changeRole({ ...ports, db: call.db }, person.membershipId, role)
        if (!isRejection(changed)) return redirect(pathAfter('role'))
        if (changed.rejected !== 'LAST_KEEPER') return changed
        return show(call, own, person, { role: keeperWords(own.place) }, 409)
      },
    }),
  ]
}

function show(
  call: PageCall<unknown, unknown, unknown>,
  { place, membershipId }: OwnPlace,
  person: PersonOfPlace,
  problems: Problems = {},
  status = 200,
) {
  const isOwn = person.membershipId === membershipId
  const main = html`<h1>Change the role of ${person.name}</h1>
<p class="lead">${person.email}</p>
<p>${isOwn ? 'It counts from the next page on: you may lose the way back to this one.' : 'It counts from the next thing that they do.'}</p>
${form({
  csrf: call.csrf,
  problems,
  body: html`${choices({ name: 'role', legend: 'Role', value: person.role, options: roleChoices(place), problem: problems.role })}
${buttons(button('Change the role', { kind: 'primary' }), linkButton('Go back', PEOPLE_PATH))}`,
})}`
  return framed(call, { title: 'Change a role', main }, { status })
}
