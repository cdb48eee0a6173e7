import { Type } from 'typebox'
import { changeStatus } from '../../access/accounts/change-status.ts'
import { changeRole, removePerson } from '../../access/memberships/change.ts'
import type { PersonOfWorkspace } from '../../access/memberships/store.ts'
import { isRejection } from '../../core/rejection.ts'
import type { UserStatus } from '../../core/user.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { notice } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  confirmation,
  form,
  linkButton,
  type Problems,
} from '../../platform/web/components/form.ts'
import { html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import { say } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { pathAfter } from './pages.ts'
import {
  findOwnPerson,
  framed,
  lastAdminWords,
  type OwnWorkspace,
  roleChoices,
  roleOf,
  workspacePage,
} from './workspace-page.ts'

const rolePath = `${PEOPLE_PATH}/:membershipId/role`
const params = Type.Object({ membershipId: Uuid })

export function changeRolePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  return [
    workspacePage({
      ...{ method: 'GET', path: rolePath, params, name: 'showRole', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : show(call, own, person)
      },
    }),
    workspacePage({
      ...{ method: 'POST', path: rolePath, params, name: 'sendRole', operation: 'people.manage' },
      form: Type.Object({ role: Text(20, 0) }),
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        if (isRejection(person)) return person
        const role = roleOf(own.workspace, call.form.role)
        if (role === null) return show(call, own, person, { role: say`Choose a role.` })
        const changed = await changeRole({ ...ports, db: call.db }, person.membershipId, role)
        if (!isRejection(changed)) return redirect(pathAfter('role'))
        if (changed.rejected !== 'LAST_ADMIN') return changed
        return show(call, own, person, { role: lastAdminWords(own.workspace) }, 409)
      },
    }),
  ]
}

function show(
  call: PageCall,
  { workspace, membershipId }: OwnWorkspace,
  person: PersonOfWorkspace,
  problems: Problems = {},
  status?: number,
) {
  const isOwn = person.membershipId === membershipId
  const main = html`<h1>${say`Change the role of ${person.name}`}</h1>
<p class="lead">${person.email}</p>
<p>${isOwn ? say`The new role applies from your next request. You may lose access to this page.` : say`The new role applies from their next request.`}</p>
${form({
  csrf: call.csrf,
  problems,
  body: html`${choices({ name: 'role', legend: say`Role`, value: person.role, options: roleChoices(workspace), problem: problems.role })}
${buttons(button(say`Change the role`, { kind: 'primary' }), linkButton(say`Go back`, PEOPLE_PATH))}`,
})}`
  return framed(call, { title: say`Change a role`, main, problems }, { status })
}

const removalPath = `${PEOPLE_PATH}/:membershipId/remove`

/** Removes a person from the workspace after a confirmation that says what happens. */
export function removePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  return [
    workspacePage({
      ...{ method: 'GET', path: removalPath, params, name: 'askBeforeRemoving', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : askRemoval(call, own, person)
      },
    }),
    workspacePage({
      ...{ method: 'POST', path: removalPath, params, name: 'removeOwnPerson', operation: 'people.manage' },
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        // Pressed twice, or removed by another admin: already gone.
        if (isRejection(person)) return redirect(PEOPLE_PATH)
        const removed = await removePerson({ ...ports, db: call.db }, person.membershipId)
        if (isRejection(removed))
          return removed.rejected === 'LAST_ADMIN' ? askRemoval(call, own, person, 409) : removed
        // A person who removed themselves is signed out.
        if (person.membershipId === own.membershipId) return redirect('/sign-in', [{ purpose: 'session', value: '' }])
        return redirect(pathAfter('removed'))
      },
    }),
  ]
}

function askRemoval(
  call: PageCall,
  { workspace, name, membershipId }: OwnWorkspace,
  person: PersonOfWorkspace,
  status = 200,
) {
  const isOwn = person.membershipId === membershipId
  const main = html`${status !== 200 && notice('bad', say`Nobody was removed`, lastAdminWords(workspace))}
${confirmation(call, {
  title: isOwn ? say`Leave ${name}?` : say`Remove ${person.name}?`,
  words: html`<ul>
<li>${isOwn ? say`You are signed out of ${name} at once, and cannot sign in there any more.` : say`${person.email} is signed out of ${name} at once, and cannot sign in there any more.`}</li>
<li>${isOwn ? say`Your account stays active in other workspaces.` : say`Their account stays active in other workspaces.`}</li>
<li>${say`To return, they need a new invitation.`}</li>
</ul>`,
  verb: isOwn ? say`Leave` : say`Remove`,
  isDangerous: true,
  backHref: PEOPLE_PATH,
  backText: say`Go back`,
})}`
  return framed(call, { title: isOwn ? say`Leave` : say`Remove a member`, main }, { status })
}

/** Disables and enables accounts of the operator's own people, in all their workspaces. */
export function disablePages(ports: Pick<Ports, 'db' | 'clock'>): AnyPage[] {
  const ways = [
    { word: 'disable', name: 'Disabling', status: 'DISABLED', outcome: 'disabled' },
    { word: 'enable', name: 'Enabling', status: 'ACTIVE', outcome: 'enabled' },
  ] as const
  return ways.flatMap(({ word, name, status, outcome }) => [
    workspacePage({
      ...{ method: 'GET', path: `${PEOPLE_PATH}/:membershipId/${word}`, params, name: `askBefore${name}` },
      operation: 'users.manage',
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        return isRejection(person) ? person : askStatus(call, own, person, status)
      },
    }),
    workspacePage({
      ...{ method: 'POST', path: `${PEOPLE_PATH}/:membershipId/${word}`, params, name: `${word}OwnPerson` },
      operation: 'users.manage',
      async handle(call, own) {
        const person = await findOwnPerson(call.db.sql, own, call.params.membershipId)
        if (isRejection(person)) return person
        const changed = await changeStatus({ ...ports, db: call.db }, person.userId, { status })
        if (!isRejection(changed)) return redirect(pathAfter(outcome))
        return changed.rejected === 'LAST_ADMIN' ? askStatus(call, own, person, status, 409) : changed
      },
    }),
  ])
}

function askStatus(
  call: PageCall,
  { workspace }: OwnWorkspace,
  { name, email }: PersonOfWorkspace,
  to: UserStatus,
  status = 200,
) {
  const isDisabling = to === 'DISABLED'
  const words = isDisabling
    ? html`<ul>
<li>${say`${email} is signed out everywhere at once, in every workspace, and cannot sign in.`}</li>
<li>${say`Their memberships stay. When the account is enabled again, they sign in as before.`}</li>
</ul>`
    : html`<p>${say`${email} can sign in again to all their workspaces.`}</p>`
  const main = html`${status !== 200 && notice('bad', say`Nobody was disabled`, lastAdminWords(workspace))}
${confirmation(call, {
  title: isDisabling ? say`Disable the account of ${name}?` : say`Enable the account of ${name}?`,
  words,
  verb: isDisabling ? say`Disable` : say`Enable`,
  isDangerous: isDisabling,
  backHref: PEOPLE_PATH,
})}`
  return framed(call, { title: isDisabling ? say`Disable an account` : say`Enable an account`, main }, { status })
}
