import type { Static } from 'typebox'
import { Type } from 'typebox'
import { invite, renewInvitation, revokeInvitation } from '../../access/invitations/invite.ts'
import { statusOf } from '../../access/invitations/schema.ts'
import { type Invitation, listInvitations } from '../../access/invitations/store.ts'
import { listPeople, type PersonOfWorkspace } from '../../access/memberships/store.ts'
import { problemsOf } from '../../access/users/form-words.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, type PageCall, redirect } from '../../platform/http/page.ts'
import { PROBLEMS } from '../../platform/http/problems.ts'
import { Text, Uuid } from '../../platform/http/wire.ts'
import { badge, toast } from '../../platform/web/components/content.ts'
import {
  button,
  buttons,
  choices,
  EMAIL,
  form,
  linkButton,
  type Problems,
  press,
  textField,
} from '../../platform/web/components/form.ts'
import { pageHead } from '../../platform/web/components/page-head.ts'
import { table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/format.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import { english, say, sayText } from '../../platform/web/say.ts'
import type { Ports } from '../../ports.ts'
import { changeRolePages, disablePages, removePages } from './change-person.ts'
import {
  findOwnInvitation,
  framed,
  humblestRole,
  lastAdminOf,
  type OwnWorkspace,
  roleChoices,
  roleOf,
  roleWord,
  workspacePage,
} from './workspace-page.ts'

/** People of a workspace and their roles. */
export function peoplePages(ports: Ports): AnyPage[] {
  return [
    ...listPeoplePages(ports),
    ...invitePages(ports),
    ...changeRolePages(ports),
    ...removePages(ports),
    ...disablePages(ports),
  ]
}

/** The action just done, named in the address. */
const DONE = {
  invited: english('Invitation sent'),
  resent: english('A new link was sent. The previous link no longer works.'),
  revoked: english('Invitation revoked'),
  role: english('Role changed'),
  removed: english('Member removed'),
  disabled: english('Account disabled'),
  enabled: english('Account enabled'),
} as const

type Outcome = keyof typeof DONE

export function pathAfter(outcome: Outcome): string {
  return `${PEOPLE_PATH}?done=${outcome}`
}

const params = Type.Object({ invitationId: Uuid })

/** Members and invitations, with the actions that need no confirmation: resend and revoke. */
function listPeoplePages(ports: Parameters<typeof renewInvitation>[0]): AnyPage[] {
  return [
    workspacePage({
      ...{ method: 'GET', path: PEOPLE_PATH, name: 'showPeople', operation: 'people.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as Outcome[])) }),
      async handle(call, own) {
        const { sql } = call.db
        const people = await listPeople(sql, own.workspace)
        const invited = await listOpen(sql, own, ports.clock.now())
        const { done } = call.query
        const main = html`${pageHead({
          title: say`People`,
          lead:
            own.workspace.kind === 'OPERATOR'
              ? say`People who work for the operator.`
              : say`People with access to ${own.name}.`,
          actions:
            own.may('people.manage') && linkButton(say`Invite a member`, `${PEOPLE_PATH}/invite`, { kind: 'primary' }),
        })}
${done !== undefined && toast(sayText(DONE[done]))}
${peopleTable(own, people)}
${invited.length > 0 && invitationTable(call.csrf, own, invited, ports.clock.now())}`
        return framed(call, { title: say`People`, main, width: 'wide' })
      },
    }),
    workspacePage({
      ...{ method: 'POST', path: `${PEOPLE_PATH}/invitations/:invitationId/resend`, name: 'resendInvitation', params },
      operation: 'people.manage',
      async handle(call, own) {
        const invitation = await findOwnInvitation(call.db.sql, own, call.params.invitationId)
        if (isRejection(invitation)) return invitation
        const renewed = await renewInvitation({ ...ports, db: call.db }, invitation, own.userId)
        return isRejection(renewed) ? renewed : redirect(pathAfter('resent'))
      },
    }),
    workspacePage({
      ...{
        method: 'POST',
        path: `${PEOPLE_PATH}/invitations/:invitationId/revoke`,
        name: 'takeInvitationBack',
        params,
      },
      operation: 'people.manage',
      async handle(call, own) {
        const invitation = await findOwnInvitation(call.db.sql, own, call.params.invitationId)
        if (isRejection(invitation)) return invitation
        const revoked = await revokeInvitation({ ...ports, db: call.db }, invitation.invitationId)
        return isRejection(revoked) ? revoked : redirect(pathAfter('revoked'))
      },
    }),
  ]
}

/** Open and expired invitations. */
async function listOpen(sql: Ports['db']['sql'], { workspace }: OwnWorkspace, now: Date): Promise<Invitation[]> {
  const all = await listInvitations(sql, workspace)
  return all.filter(one => ['PENDING', 'EXPIRED'].includes(statusOf(one, now)))
}

function peopleTable(own: OwnWorkspace, people: readonly PersonOfWorkspace[]): Html {
  const last = lastAdminOf(own.workspace, people)
  const actions = { name: say`Change`, cell: (person: PersonOfWorkspace) => actionsOf(own, person, person === last) }
  return table({
    caption: say`Members`,
    rows: people,
    sortable: 'members',
    columns: [
      { name: say`Name`, cell: person => nameCell(own, person), sort: ({ name }) => name },
      { name: say`E-mail`, cell: ({ email }) => email, sort: ({ email }) => email },
      { name: say`Role`, cell: ({ role }) => roleWord(role), sort: ({ role }) => roleWord(role) },
      { name: say`Since`, cell: ({ createdAt }) => day(createdAt), sort: ({ createdAt }) => createdAt },
      ...(own.may('people.manage') ? [actions] : []),
    ],
  })
}

function nameCell({ membershipId }: OwnWorkspace, person: PersonOfWorkspace): Html {
  return html`${person.name} ${person.membershipId === membershipId && badge(say`You`)}${person.status === 'DISABLED' && badge(say`Disabled`, 'warn')}`
}

function actionsOf(own: OwnWorkspace, { membershipId, name, status }: PersonOfWorkspace, isLast: boolean): Html {
  if (isLast) return html`<span class="fine">${say`The last administrator cannot be removed`}</span>`
  const to = (what: string) => `${PEOPLE_PATH}/${membershipId}/${what}`
  const link = (text: string, what: string, about = name) => linkButton(text, to(what), { size: 'small', about })
  // Disabling an account ends all its workspaces, so only the operator does it, for its own people.
  const isOperators = own.workspace.kind === 'OPERATOR' && own.may('users.manage')
  const ofAccount = status === 'ACTIVE' ? link('Disable', 'disable') : link('Enable', 'enable')
  return html`<span class="actions">${link(say`Change role`, 'role', say`of ${name}`)} ${link(say`Remove`, 'remove')} ${isOperators && ofAccount}</span>`
}

function invitationTable(csrf: string, own: OwnWorkspace, invited: readonly Invitation[], now: Date): Html {
  const isOver = ({ expiresAt }: Invitation) => expiresAt <= now
  const actions = { name: say`Change`, cell: (invitation: Invitation) => invitationActions(csrf, invitation) }
  return table({
    caption: say`Invitations`,
    rows: invited,
    columns: [
      { name: say`E-mail`, cell: ({ email }) => email },
      { name: say`Role`, cell: ({ role }) => roleWord(role) },
      {
        name: say`Expires`,
        cell: one => (isOver(one) ? html`${day(one.expiresAt)} ${badge(say`Expired`, 'warn')}` : day(one.expiresAt)),
      },
      ...(own.may('people.manage') ? [actions] : []),
    ],
  })
}

function invitationActions(csrf: string, { invitationId, email }: Invitation): Html {
  const act = (text: string, what: string, about: string) =>
    press(`${PEOPLE_PATH}/invitations/${invitationId}/${what}`, csrf, text, about)
  return html`<span class="actions">${act(say`Send again`, 'resend', say`to ${email}`)} ${act(say`Revoke`, 'revoke', say`the invitation of ${email}`)}</span>`
}

const path = `${PEOPLE_PATH}/invite`

/** The id makes a form that is sent twice one invitation. */
const Entered = Type.Object({ invitationId: Uuid, email: Text(254, 0), role: Text(20, 0) })

/** Invites a person by a link to the mailbox. */
function invitePages(ports: Parameters<typeof invite>[0]): AnyPage[] {
  return [
    workspacePage({
      ...{ method: 'GET', path, name: 'showInvite', operation: 'people.manage' },
      handle: async (call, own) =>
        show(call, own, { invitationId: ports.newId(), email: '', role: humblestRole(own.workspace) }),
    }),
    workspacePage({
      ...{ method: 'POST', path, name: 'sendInvite', operation: 'people.manage' },
      form: Entered,
      async handle(call, own) {
        const email = call.form.email.trim()
        const role = roleOf(own.workspace, call.form.role)
        const again = (problems: Problems, status?: number) =>
          show(call, own, { ...call.form, email }, problems, status)
        if (!EMAIL.test(email)) return again({ email: say`Enter an e-mail address.` })
        if (role === null) return again({ role: say`Choose a role.` })
        const asked = { workspace: own.workspace, email, role, invitedBy: own.userId }
        const invitationId = call.form.invitationId
        const made = await invite({ ...ports, db: call.db }, { ...asked, invitationId })
        if (!isRejection(made)) return redirect(pathAfter('invited'))
        if (made.rejected !== 'ALREADY_MEMBER') return again(problemsOf(made), PROBLEMS[made.rejected].status)
        return again({ email: say`This person is already a member.` }, 409)
      },
    }),
  ]
}

function show(
  call: PageCall,
  { workspace, name }: OwnWorkspace,
  { invitationId, email, role }: Static<typeof Entered>,
  problems: Problems = {},
  status?: number,
) {
  const main = html`<h1>${say`Invite a member`}</h1>
<p>${say`We e-mail them a link to join ${name}. The link works once and expires after seven days.`}</p>
${form({
  csrf: call.csrf,
  action: path,
  hidden: { invitationId },
  problems,
  body: html`${textField({ name: 'email', label: say`E-mail`, type: 'email', autocomplete: 'off', maxlength: 254, value: email, problem: problems.email })}
${choices({ name: 'role', legend: say`Role`, value: role, options: roleChoices(workspace), problem: problems.role })}
${buttons(button(say`Send the invitation`, { kind: 'primary' }), linkButton(say`Go back`, PEOPLE_PATH))}`,
})}`
  return framed(call, { title: say`Invite a member`, main, problems }, { status })
}
