import type { TObject } from 'typebox'
import { unknownInvitation } from '../../access/invitations/invite.ts'
import { findInvitation, type Invitation } from '../../access/invitations/store.ts'
import { wordOfRole } from '../../access/invitations/words.ts'
import { unknownMembership } from '../../access/memberships/change.ts'
import { listPeople, type PersonOfWorkspace } from '../../access/memberships/store.ts'
import { subjectOf } from '../../access/memberships/workspace.ts'
import { assert } from '../../core/assert.ts'
import {
  adminRoleOf,
  isSameWorkspace,
  type PersonRole,
  rolesOf,
  type Workspace,
  workspaceOfPerson,
} from '../../core/membership.ts'
import { signedIn } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Operation } from '../../core/rights.ts'
import { isTakenByRole } from '../../core/taken-by-role.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Framed, framedAt, type PageOf } from '../../platform/http/framed.ts'
import { type AnyPage, type MoreShown, type PageAnswer, type PageCall, page } from '../../platform/http/page.ts'
import type { Choice } from '../../platform/web/components/form.ts'
import { capital } from '../../platform/web/format.ts'
import { PEOPLE_PATH } from '../../platform/web/navigation.ts'
import { english, say, sayText } from '../../platform/web/say.ts'

/** The workspace of the page, with the rights of the signed-in person. */
export interface OwnWorkspace {
  readonly workspace: Workspace
  readonly name: string
  readonly userId: string
  readonly membershipId: string
  /** Whether the person's role allows the operation. Buttons for other operations are not shown. */
  may(operation: Operation): boolean
}

/** A page about the people of the session's workspace. The URL cannot select another workspace. */
export function workspacePage<P extends TObject, Q extends TObject, F extends TObject>({
  handle,
  ...definition
}: PageOf<OwnWorkspace, P, Q, F>): AnyPage {
  return page<P, Q, F>({
    ...definition,
    signIn: 'required',
    subject({ principal }) {
      const workspace = workspaceOfPerson(principal)
      return workspace === null ? reject('FORBIDDEN', 'These pages need a signed-in user.') : subjectOf(workspace)
    },
    async handle(call) {
      const { principal, session } = call
      const [workspace, person] = [workspaceOfPerson(principal), signedIn(principal)]
      assert(workspace !== null && person !== null && session !== null, 'the page requires a signed-in user')
      const { userId, membershipId } = person
      const may = (operation: Operation) => !isTakenByRole(principal, operation)
      return handle(call, { workspace, name: session.workspace.name, userId, membershipId, may })
    },
  })
}

export function framed(call: PageCall, frame: Framed, more?: MoreShown): PageAnswer {
  return framedAt(PEOPLE_PATH, call, { width: 'narrow', ...frame }, more)
}

/** A person of the workspace. A person of another workspace is not found. */
export async function findOwnPerson(
  sql: Sql,
  { workspace }: OwnWorkspace,
  membershipId: string,
): Promise<PersonOfWorkspace | Rejection> {
  const people = await listPeople(sql, workspace)
  return people.find(person => person.membershipId === membershipId) ?? unknownMembership()
}

/** An invitation to the workspace. An invitation to another workspace is not found. */
export async function findOwnInvitation(
  sql: Sql,
  { workspace }: OwnWorkspace,
  invitationId: string,
): Promise<Invitation | Rejection> {
  const invitation = await findInvitation(sql, invitationId)
  return invitation !== null && isSameWorkspace(invitation.workspace, workspace) ? invitation : unknownInvitation()
}

/** The rights of a role, for people who choose one. */
const MAY: Readonly<Record<Workspace['kind'], Partial<Record<PersonRole, string>>>> = {
  MERCHANT: {
    OWNER: english('Full access, including inviting people.'),
    MANAGER: english('Full access except inviting people.'),
    VIEWER: english('Read-only access.'),
  },
  DEVELOPER: {
    ADMIN: english('Full access, including inviting people.'),
    MEMBER: english('Full access except inviting people, creating keys and refunds.'),
    VIEWER: english('Read-only access.'),
  },
  OPERATOR: {
    ADMIN: english('Full access, including inviting people.'),
    VIEWER: english('Read-only access.'),
  },
}

export function roleChoices({ kind }: Workspace): Choice[] {
  return rolesOf(kind).map(role => ({
    value: role,
    text: capital(wordOfRole(role)),
    detail: sayText(MAY[kind][role] ?? ''),
  }))
}

/** The weakest role is the default. */
export function humblestRole({ kind }: Workspace): PersonRole {
  return rolesOf(kind).at(-1) ?? 'VIEWER'
}

/** The submitted role, if the workspace has it. */
export function roleOf({ kind }: Workspace, text: string): PersonRole | null {
  return rolesOf(kind).find(role => role === text) ?? null
}

export function roleWord(role: PersonRole): string {
  return capital(wordOfRole(role))
}

/** The only admin, if there is exactly one. */
export function lastAdminOf({ kind }: Workspace, people: readonly PersonOfWorkspace[]): PersonOfWorkspace | null {
  const admins = people.filter(({ role, status }) => role === adminRoleOf(kind) && status === 'ACTIVE')
  return admins.length === 1 ? (admins[0] ?? null) : null
}

export function lastAdminWords({ kind }: Workspace): string {
  return adminRoleOf(kind) === 'OWNER'
    ? say`The workspace needs an owner. Make somebody else an owner first.`
    : say`The workspace needs an administrator. Make somebody else an administrator first.`
}
