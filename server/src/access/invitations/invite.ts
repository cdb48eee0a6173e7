import { findOrganization } from '../../catalog/organizations/store.ts'
import { assert } from '../../core/assert.ts'
import { isSameWorkspace, type PersonRole, rolesOf, type Workspace } from '../../core/membership.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { isMember } from '../memberships/store.ts'
import { findUserByEmail } from '../users/store.ts'
import {
  countInvitations,
  findInvitation,
  type Invitation,
  insertInvitation,
  lockInvitations,
  markRevoked,
  revokeEarlier,
} from './store.ts'
import { invitationMail } from './words.ts'

/** Long enough for a holiday, and short enough that a forgotten mail soon becomes useless. */
const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000

interface InviteInput {
  readonly workspace: Workspace
  readonly email: string
  readonly role: PersonRole
  /** Absent: the operator, by the key. */
  readonly invitedBy?: string
  /** Id of a form that may be sent twice: the second submission finds the first invitation. */
  readonly invitationId?: string
}

type InvitePorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>

/**
 * Invites an address with a link that only its mailbox receives. Invitation and mail are written together. An earlier open invitation of
 * the same address to the same workspace ends.
 */
export function invite(
  ports: InvitePorts,
  { workspace, email, role, invitedBy, invitationId = ports.newId() }: InviteInput,
): Promise<Invitation | Rejection> {
  const { db, clock, settings } = ports
  const [secret, now] = [makeSecret(), clock.now()]
  return db.transaction(async tx => {
    const { sql } = tx
    const rejection =
      (await problemOf(sql, workspace, email, role)) ?? (await throttled(sql, { email, invitedBy, now }))
    if (rejection !== null) return rejection
    const isNew = await insertInvitation(sql, {
      ...{ invitationId, secretHash: hashSecret(secret), workspace, email, role, invitedBy: invitedBy ?? null },
      ...{ createdAt: now, expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS) },
    })
    const invitation = await findInvitation(sql, invitationId)
    assert(invitation !== null, 'an invitation just made is there')
    if (!isNew) return isSameWorkspace(invitation.workspace, workspace) ? invitation : unknownInvitation()
    await revokeEarlier(sql, invitation, now)
    const link = `${settings.baseUrl}/invitations/accept?secret=${secret}`
    await recordMail({ ...ports, db: tx }, invitationMail(invitation, link))
    return invitation
  })
}

/** A person who invites a whole company needs fewer; a stolen session that mails strangers needs more. Both per day. */
const MOST_BY_ONE_INVITER = 50
const MOST_TO_ONE_ADDRESS = 5
const DAY_MS = 24 * 3_600_000

/** Invitations are mail to strangers in our name. Renewed and revoked ones count: each was a mail. */
async function throttled(
  sql: Sql,
  { email, invitedBy, now }: { readonly email: string; readonly invitedBy: string | undefined; readonly now: Date },
): Promise<Rejection | null> {
  await lockInvitations(sql)
  const since = new Date(now.getTime() - DAY_MS)
  const sent = await countInvitations(sql, { email, since, ...(invitedBy !== undefined && { invitedBy }) })
  const isOver =
    sent.toAddress >= MOST_TO_ONE_ADDRESS || (invitedBy !== undefined && sent.byInviter >= MOST_BY_ONE_INVITER)
  if (!isOver) return null
  const problem =
    `A person sends at most ${MOST_BY_ONE_INVITER} invitations a day, and an address receives at most ${MOST_TO_ONE_ADDRESS}. ` +
    'Try again tomorrow.'
  return reject('TOO_MANY_REQUESTS', problem, { retryAfterSeconds: 3_600 })
}

async function problemOf(sql: Sql, workspace: Workspace, email: string, role: PersonRole): Promise<Rejection | null> {
  if (!rolesOf(workspace.kind).includes(role))
    return rejectField('role', `must be one of ${rolesOf(workspace.kind).join(', ')}`)
  if (workspace.kind === 'DEVELOPER' && (await findOrganization(sql, workspace.organizationId)) === null) {
    return reject('ORGANIZATION_NOT_FOUND', 'There is no organization with this id.')
  }
  const user = await findUserByEmail(sql, email)
  if (user !== null && (await isMember(sql, workspace, user.userId))) {
    return reject('ALREADY_MEMBER', 'This person is a member already. Change their role instead.')
  }
  return null
}

/**
 * Sends a new link in place of an open or expired one, which stops working. An accepted, revoked or renewed invitation stays unchanged, so
 * pressing twice sends one mail.
 */
export function renewInvitation(
  ports: Parameters<typeof invite>[0],
  { invitationId, workspace, email, role }: Invitation,
  invitedBy: string,
): Promise<'renewed' | Rejection> {
  return ports.db.transaction(async db => {
    if (!(await markRevoked(db.sql, invitationId, ports.clock.now()))) return 'renewed' as const
    const made = await invite({ ...ports, db }, { workspace, email, role, invitedBy })
    return isRejection(made) ? made : 'renewed'
  })
}

/** Ends an invitation and its link. An ended or accepted invitation stays unchanged. */
export function revokeInvitation(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  invitationId: string,
): Promise<'revoked' | Rejection> {
  return db.transaction(async ({ sql }) => {
    if ((await findInvitation(sql, invitationId)) === null) {
      return unknownInvitation()
    }
    await markRevoked(sql, invitationId, clock.now())
    return 'revoked'
  })
}

export function unknownInvitation(): Rejection {
  return reject('INVITATION_NOT_FOUND', 'There is no invitation with this id.')
}
