import { Type } from 'typebox'
import { renewInvitation } from '../../access/invitations/renew.ts'
import { revokeInvitation } from '../../access/invitations/revoke.ts'
import { statusOf } from '../../access/invitations/schema.ts'
import { type Invitation, listInvitations } from '../../access/invitations/store.ts'
import { listPeople, type PersonOfPlace } from '../../access/memberships/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { type AnyPage, redirect } from '../../platform/http/page.ts'
import { Uuid } from '../../platform/http/wire.ts'
import { button, buttons, linkButton } from '../../platform/web/components/button.ts'
import { badge } from '../../platform/web/components/card.ts'
import { notice } from '../../platform/web/components/notice.ts'
import { table } from '../../platform/web/components/table.ts'
import { day } from '../../platform/web/dates.ts'
import { type Html, html } from '../../platform/web/html.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import type { Ports } from '../../ports.ts'
import { findOwnInvitation } from './find-own.ts'
import { framed, type OwnPlace, placePage } from './own-place.ts'
import { lastKeeperOf, roleWord } from './words.ts'

/** What was just done, as the page after it says. */
const DONE = {
  invited: 'The invitation is on its way',
  resent: 'A new link is on its way. The one before it is no longer good.',
  revoked: 'The invitation is taken back',
  role: 'The role is changed',
  removed: 'The person is removed',
  disabled: 'The account is disabled',
  enabled: 'The account is enabled',
} as const

type Deed = keyof typeof DONE

export function pathAfter(deed: Deed): string {
  return `${PEOPLE_PATH}?done=${deed}`
}

const params = Type.Object({ invitationId: Uuid })

/** Who belongs to the place and who is invited, and what is done without asking first: a link sent again or taken back. */
export function listPeoplePages(ports: Parameters<typeof renewInvitation>[0]): AnyPage[] {
  return [
    placePage({
      ...{ method: 'GET', path: PEOPLE_PATH, name: 'showPeople', operation: 'people.read' },
      query: Type.Object({ done: Type.Optional(Type.Enum(Object.keys(DONE) as Deed[])) }),
      async handle(call, own) {
        const { sql } = call.db
        const people = await listPeople(sql, own.place)
        const invited = await listOpen(sql, own, ports.clock.now())
        const { done } = call.query
        const main = html`<h1>People</h1>
<p class="lead">Who may sign in for ${own.name}.</p>
${done !== undefined && notice('good', DONE[done])}
${peopleTable(own, people)}
${invited.length > 0 && invitationTable(call.csrf, own, invited, ports.clock.now())}
${own.may('people.manage') && buttons(linkButton('Invite somebody', `${PEOPLE_PATH}/invite`, { kind: 'primary' }))}`
        return framed(call, { title: 'People', main, width: 'wide' })
      },
    }),
    placePage({
      ...{ method: 'POST', path: `${PEOPLE_PATH}/invitations/:invitationId/resend`, name: 'resendInvitation', params },
      operation: 'people.manage',
      async handle(call, own) {
        const invitation = await findOwnInvitation(call.db.sql, own, call.params.invitationId)
        if (isRejection(invitation)) return invitation
        const renewed = await renewInvitation({ ...ports, db: call.db }, invitation, own.userId)
        return isRejection(renewed) ? renewed : redirect(pathAfter('resent'))
      },
    }),
    placePage({
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

/** Waiting to be accepted, and those that nobody accepted in time. */
async function listOpen(sql: Ports['db']['sql'], { place }: OwnPlace, now: Date): Promise<Invitation[]> {
  const all = await listInvitations(sql, place)
  return all.filter(one => ['PENDING', 'EXPIRED'].includes(statusOf(one, now)))
}

function peopleTable(own: OwnPlace, people: readonly PersonOfPlace[]): Html {
  const last = lastKeeperOf(own.place, people)
  const actions = { name: 'Change', cell: (person: PersonOfPlace) => actionsOf(own, person, person === last) }
  return table({
    caption: 'Members',
    rows: people,
    columns: [
      { name: 'Name', cell: person => nameCell(own, person) },
      { name: 'E-mail', cell: ({ email }) => email },
      { name: 'Role', cell: ({ role }) => roleWord(role) },
      { name: 'Since', cell: ({ createdAt }) => day(createdAt) },
      ...(own.may('people.manage') ? [actions] : []),
    ],
  })
}

function nameCell({ membershipId }: OwnPlace, person: PersonOfPlace): Html {
  return html`${person.name} ${person.membershipId === membershipId && badge('You')}${person.status === 'DISABLED' && badge('Disabled', 'warn')}`
}

function actionsOf(own: OwnPlace, { membershipId, name, status }: PersonOfPlace, isLast: boolean): Html {
  if (isLast) return html`<span class="fine">Stays: only they can let people in</span>`
  const to = (what: string) => `${PEOPLE_PATH}/${membershipId}/${what}`
  const link = (text: string, what: string, about = name) => linkButton(text, to(what), { size: 'small', about })
  // The account, not only the place: who it is of other places ends there, too. So it is the operator's alone, of its own people.
  const isOperators = own.place.kind === 'OPERATOR' && own.may('users.manage')
  const ofAccount = status === 'ACTIVE' ? link('Disable', 'disable') : link('Enable', 'enable')
  return html`<span class="actions">${link('Change role', 'role', `of ${name}`)} ${link('Remove', 'remove')} ${isOperators && ofAccount}</span>`
}

function invitationTable(csrf: string, own: OwnPlace, invited: readonly Invitation[], now: Date): Html {
  const isOver = ({ expiresAt }: Invitation) => expiresAt <= now
  const actions = { name: 'Change', cell: (invitation: Invitation) => invitationActions(csrf, invitation) }
  return table({
    caption: 'Invited',
    rows: invited,
    columns: [
      { name: 'E-mail', cell: ({ email }) => email },
      { name: 'Role', cell: ({ role }) => roleWord(role) },
      {
        name: 'Link is good until',
        cell: one => (isOver(one) ? html`${day(one.expiresAt)} ${badge('Over', 'warn')}` : day(one.expiresAt)),
      },
      ...(own.may('people.manage') ? [actions] : []),
    ],
  })
}

function invitationActions(csrf: string, { invitationId, email }: Invitation): Html {
  const act = (text: string, what: string, about: string) =>
    html`<form ${{ method: 'post', action: `${PEOPLE_PATH}/invitations/${invitationId}/${what}` }}><input type="hidden" name="csrf" value="${csrf}">${button(text, { size: 'small', about })}</form>`
  return html`<span class="actions">${act('Send again', 'resend', `to ${email}`)} ${act('Take back', 'revoke', `from ${email}`)}</span>`
}
