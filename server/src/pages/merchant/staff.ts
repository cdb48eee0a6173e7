import { type Static, Type } from 'typebox'
import { createBusinessUser } from '../../access/business-users/create.ts'
import { findBusinessUsers } from '../../access/business-users/store.ts'
import { removeBusinessUser, updateBusinessUser } from '../../access/business-users/update.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import {
  BUSINESS_USER_ROLES,
  BUSINESS_USER_STATUSES,
  type BusinessUser,
  type BusinessUserRole,
  passcodeProblem,
} from '../../core/business-user.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { type AnyPage, type PageAnswer, type PageCall, redirect } from '../../platform/http/page.ts'
import { Line, Text, Uuid } from '../../platform/http/wire.ts'
import { badge, emptyState, toast } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  confirmation,
  form,
  linkButton,
  type Problems,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { html } from '../../platform/web/html.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { framed, ownPage, PATHS, type Shop } from './own-page.ts'

const path = PATHS.staff
const params = Type.Object({ businessUserId: Uuid })
const USER_ID = /^[A-Za-z0-9._@+-]{1,64}$/
/** As at the REST route. */
const SHORTEST_PASSCODE = 4

const DONE = {
  added: english('Added'),
  saved: english('Saved'),
  removed: english('Removed'),
} as const

const ROLES: Readonly<Record<BusinessUserRole, readonly [name: string, detail: string]>> = {
  MANAGER: [english('Manager'), english('Takes orders, subscribes to apps and changes plans')],
  CLERK: [english('Clerk'), english('Takes orders')],
}

type StaffPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'> & { readonly revocations: Revocations }
/** The people who sign in on the terminals of the business. */
export function staffPages(ports: StaffPorts): AnyPage[] {
  return [listPage(ports), ...addPages(ports), ...changePages(ports), ...removePages(ports)]
}

function listPage(ports: StaffPorts): AnyPage {
  return ownPage(ports, {
    ...{ method: 'GET', path, name: 'showOwnStaff', operation: 'people.read' },
    query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as (keyof typeof DONE)[])) }),
    async handle(call, shop) {
      const users = await findBusinessUsers(call.db.sql, shop.businessId)
      const { done } = call.query
      const mayChange = shop.may('people.manage')
      const main = html`${pageHead({
        title: say`Staff`,
        lead: say`These people sign in on your terminals with a user ID and a passcode.`,
        actions: mayChange && linkButton(say`Add a person`, `${path}/new`, { kind: 'primary' }),
      })}
${done && toast(sayText(DONE[done]))}
${
  users.length === 0
    ? emptyState(say`No staff yet`, say`Without staff, nobody can sign in on your terminals.`)
    : table<BusinessUser>({
        caption: say`Staff`,
        rows: users,
        columns: [
          { name: say`Name`, cell: ({ name }) => name },
          { name: say`User ID`, cell: ({ userId }) => html`<code>${userId}</code>` },
          { name: say`Role`, cell: ({ role }) => sayText(ROLES[role][0]) },
          {
            name: say`State`,
            cell: ({ status }) => (status === 'ACTIVE' ? badge(say`Active`, 'good') : badge(say`Disabled`)),
          },
          mayChange && {
            name: say`Change`,
            cell: ({ businessUserId, name }) =>
              linkButton(say`Change`, `${path}/${businessUserId}`, { size: 'small', about: name }),
          },
        ],
      })
}`
      return framed(call, shop, { title: say`Staff`, part: 'staff', main })
    },
  })
}

const NewPerson = Type.Object({
  businessUserId: Uuid,
  name: Line(255, 0),
  userId: Text(64, 0),
  passcode: Text(64, 0),
  role: Type.Enum(BUSINESS_USER_ROLES),
})

function addPages(ports: StaffPorts): AnyPage[] {
  const definition = { path: `${path}/new`, operation: 'people.manage' } as const
  return [
    ownPage(ports, {
      ...{ ...definition, method: 'GET', name: 'showNewStaff' },
      handle: async (call, shop) =>
        addForm(call, shop, { businessUserId: ports.newId(), name: '', userId: '', passcode: '', role: 'CLERK' }),
    }),
    ownPage(ports, {
      ...{ ...definition, method: 'POST', name: 'addOwnStaff', form: NewPerson },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const entered = { ...call.form, name: call.form.name.trim(), userId: call.form.userId.trim() }
        const passcode = passcodeWords(entered.passcode, entered.userId)
        const problems: Problems = {
          ...(entered.name === '' && { name: say`Enter a name.` }),
          ...(!USER_ID.test(entered.userId) && { userId: say`Use letters, digits and the characters . _ @ + - only.` }),
          ...(passcode !== undefined && { passcode }),
        }
        if (Object.keys(problems).length > 0) return addForm(call, shop, entered, problems)
        const businessUserId = entered.businessUserId
        const made = await createBusinessUser(
          { ...ports, db: call.db },
          { ...entered, businessUserId, businessId: shop.businessId },
        )
        if (!isRejection(made)) return redirect(`${path}?done=added`)
        if (made.rejected !== 'USER_ID_TAKEN') return made
        return addForm(call, shop, entered, { userId: say`Another user of this business has this user ID.` })
      },
    }),
  ]
}

function addForm(call: PageCall, shop: Shop, entered: Static<typeof NewPerson>, problems: Problems = {}): PageAnswer {
  const { businessUserId, name, userId, passcode, role } = entered
  const main = html`<h1>${say`Add a person`}</h1>
${form({
  csrf: call.csrf,
  hidden: { businessUserId },
  problems,
  body: html`${textField({ name: 'name', label: say`Name`, maxlength: 255, autocomplete: 'off', value: name, problem: problems.name })}
${textField({ name: 'userId', label: say`User ID`, hint: say`Typed on the terminal to sign in.`, maxlength: 64, autocomplete: 'off', value: userId, problem: problems.userId })}
${passcodeField(passcode, problems.passcode)}
${roleChoices(role)}
${buttons(button(say`Add the person`, { kind: 'primary' }), linkButton(say`Go back`, path))}`,
})}`
  return framed(call, shop, { title: say`Add a person`, part: 'staff', width: 'narrow', main, problems })
}

const Change = Type.Object({
  name: Line(255, 0),
  passcode: Text(64, 0),
  role: Type.Enum(BUSINESS_USER_ROLES),
  status: Type.Enum(BUSINESS_USER_STATUSES),
})

function changePages(ports: StaffPorts): AnyPage[] {
  const definition = { path: `${path}/:businessUserId`, params, operation: 'people.manage' } as const
  return [
    ownPage(ports, {
      ...{ ...definition, method: 'GET', name: 'showChangeStaff' },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const user = await findOwnUser(call, shop, call.params.businessUserId)
        return isRejection(user) ? user : changeForm(call, shop, user, { ...user, passcode: '' })
      },
    }),
    ownPage(ports, {
      ...{ ...definition, method: 'POST', name: 'changeOwnStaff', form: Change },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const user = await findOwnUser(call, shop, call.params.businessUserId)
        if (isRejection(user)) return user
        const { passcode, ...entered } = { ...call.form, name: call.form.name.trim() }
        const isNewCode = passcode !== ''
        const problem = isNewCode ? passcodeWords(passcode, user.userId) : undefined
        const problems: Problems = {
          ...(entered.name === '' && { name: say`Enter a name.` }),
          ...(problem !== undefined && { passcode: problem }),
        }
        if (Object.keys(problems).length > 0) return changeForm(call, shop, user, { ...entered, passcode }, problems)
        const { businessId } = shop
        const { businessUserId } = user
        const edit = { ...entered, ...(isNewCode && { passcode }) }
        const saved = await updateBusinessUser({ ...ports, db: call.db }, { businessId, businessUserId, edit })
        return isRejection(saved) ? saved : redirect(`${path}?done=saved`)
      },
    }),
  ]
}

function changeForm(
  call: PageCall,
  shop: Shop,
  { businessUserId, userId, name: before }: BusinessUser,
  { name, passcode, role, status }: Static<typeof Change>,
  problems: Problems = {},
): PageAnswer {
  const main = html`<h1>${before}</h1>
<p>${say`User ID`}: <code>${userId}</code></p>
${form({
  csrf: call.csrf,
  problems,
  body: html`${textField({ name: 'name', label: say`Name`, maxlength: 255, autocomplete: 'off', value: name, problem: problems.name })}
${textField({ name: 'passcode', label: say`New passcode`, hint: say`Leave the field empty to keep the passcode. A new passcode ends the sessions on all terminals.`, isOptional: true, inputmode: 'numeric', maxlength: 64, autocomplete: 'off', value: passcode, problem: problems.passcode })}
${roleChoices(role)}
${choices({
  ...{ name: 'status', legend: say`State`, value: status },
  options: [
    { value: 'ACTIVE', text: say`Active`, detail: say`Signs in on the terminals` },
    { value: 'DISABLED', text: say`Disabled`, detail: say`Is signed out of all terminals` },
  ],
})}
${buttons(button(say`Save`, { kind: 'primary' }), linkButton(say`Remove`, `${path}/${businessUserId}/remove`), linkButton(say`Go back`, path))}`,
})}`
  return framed(call, shop, { title: before, part: 'staff', width: 'narrow', main, problems })
}

function removePages(ports: StaffPorts): AnyPage[] {
  const definition = { path: `${path}/:businessUserId/remove`, params, operation: 'people.manage' } as const
  return [
    ownPage(ports, {
      ...{ ...definition, method: 'GET', name: 'askBeforeRemovingStaff' },
      async handle(call, shop): Promise<PageAnswer | Rejection> {
        const user = await findOwnUser(call, shop, call.params.businessUserId)
        if (isRejection(user)) return user
        const title = say`Remove ${user.name}?`
        const main = confirmation(call, {
          ...{
            title,
            verb: say`Remove`,
            isDangerous: true,
            backHref: `${path}/${user.businessUserId}`,
          },
          words: html`<p>${say`The person is signed out of all terminals at once and can no longer sign in.`}</p>`,
        })
        return framed(call, shop, { title, part: 'staff', width: 'narrow', main })
      },
    }),
    ownPage(ports, {
      ...{ ...definition, method: 'POST', name: 'removeOwnStaff' },
      async handle(call, { businessId }) {
        const businessUserId = call.params.businessUserId
        const rejection = await removeBusinessUser({ ...ports, db: call.db }, { businessId, businessUserId })
        // Pressed twice: the person is gone.
        if (rejection !== null && rejection.rejected !== 'USER_NOT_FOUND') return rejection
        return redirect(`${path}?done=removed`)
      },
    }),
  ]
}

async function findOwnUser(call: PageCall, { businessId }: Shop, id: string): Promise<BusinessUser | Rejection> {
  const users = await findBusinessUsers(call.db.sql, businessId)
  const user = users.find(({ businessUserId }) => businessUserId === id)
  return user ?? reject('USER_NOT_FOUND', 'The business has no user with this id.')
}

function passcodeWords(passcode: string, userId: string): string | undefined {
  if (passcode.length < SHORTEST_PASSCODE) return say`Use at least ${SHORTEST_PASSCODE} characters.`
  return passcodeProblem(passcode, userId) === null
    ? undefined
    : say`A thief would try this passcode first. Choose another.`
}

function passcodeField(value: string, problem: string | undefined) {
  const hint = say`At least ${SHORTEST_PASSCODE} digits or letters. Tell the passcode to the person.`
  const rest = { inputmode: 'numeric', maxlength: 64, autocomplete: 'off', value, problem } as const
  return textField({ name: 'passcode', label: say`Passcode`, hint, ...rest })
}

function roleChoices(value: BusinessUserRole) {
  const options = BUSINESS_USER_ROLES.map(role => {
    const [text, detail] = ROLES[role]
    return { value: role, text: sayText(text), detail: sayText(detail) }
  })
  return choices({ name: 'role', legend: say`Role`, value, options })
}
