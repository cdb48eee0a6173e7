import { assert } from '../../core/assert.ts'
import type { Membership } from '../../core/membership.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { passwordProblem, type User } from '../../core/user.ts'
import type { Ready } from '../../platform/db/db.ts'
import { clearAttempts, countAttempt, passwordThrottle, type Source } from '../../platform/throttles/throttle.ts'
import { hashPassword, verifyPassword } from '../../platform/vault/password.ts'
import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import type { NamedMembership } from '../memberships/store.ts'
import { insertMembership } from '../memberships/store.ts'
import { findUserByEmail, insertUser } from '../users/store.ts'
import { findInvitationBySecret, type Invitation, lockOpenInvitation, markAccepted } from './store.ts'

export interface AcceptInput extends Source {
  readonly secret: string
  /** Required for a new account. */
  readonly name?: string
  readonly password: string
}

type AcceptPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

/** The invitation of a link while the invitation can be accepted, else null. */
export async function findOpenInvitation(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  secret: string,
): Promise<Invitation | null> {
  const found = await findInvitationBySecret(db.sql, hashSecret(secret))
  const isOpen =
    found !== null && found.acceptedAt === null && found.revokedAt === null && found.expiresAt > clock.now()
  return isOpen ? found : null
}

/**
 * Makes the invited person a member, with a new account or with the existing account and its password. Account and membership are written
 * together; of two concurrent calls one succeeds. Counting the password attempt, which must survive a rollback, and hashing, which takes too
 * long, happen before the transaction.
 */
export async function proveAcceptance(
  ports: AcceptPorts,
  input: AcceptInput,
): Promise<Ready<NamedMembership> | Rejection> {
  const invitation = await findOpenInvitation(ports, input.secret)
  if (invitation === null) return notOpen()
  const known = await findUserByEmail(ports.db.sql, invitation.email)
  return known === null ? joinAnew(ports, invitation, input) : joinKnown(ports, invitation, known, input)
}

async function joinAnew(
  ports: AcceptPorts,
  invitation: Invitation,
  { name, password }: AcceptInput,
): Promise<Ready<NamedMembership> | Rejection> {
  if (name === undefined) {
    return reject('MISSING_PARAMETER', 'name is required: there is no account with this address yet.', {
      fields: [{ path: 'name', problem: 'is required' }],
    })
  }
  const problem = passwordProblem('password', password, [invitation.email, name])
  if (problem !== null) return problem
  const now = ports.clock.now()
  const passwordHash = await hashPassword(password)
  const user: User = {
    ...{ userId: ports.newId(), email: invitation.email, name, passwordHash, status: 'ACTIVE' },
    ...{ createdAt: now, updatedAt: now },
  }
  return join(ports, invitation, user, 'new')
}

async function joinKnown(
  ports: AcceptPorts,
  invitation: Invitation,
  user: User,
  { password, ...source }: AcceptInput,
): Promise<Ready<NamedMembership> | Rejection> {
  const throttle = passwordThrottle(user.email, source)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  if (!(await verifyPassword(password, user.passwordHash)) || user.status !== 'ACTIVE') {
    return reject('INVALID_CREDENTIALS', 'An account with this address exists: send its password.')
  }
  await clearAttempts(ports, throttle)
  return join(ports, invitation, user, 'known')
}

/** Rejects before anything is written: the caller's transaction stores the rejection as its answer. */
function join(
  { clock, newId }: AcceptPorts,
  invitation: Invitation,
  user: User,
  account: 'new' | 'known',
): Ready<NamedMembership> {
  const { workspace, workspaceName, role, invitationId } = invitation
  const [membershipId, now] = [newId(), clock.now()]
  const membership: Membership = { membershipId, userId: user.userId, workspace, role, createdAt: now }
  return db =>
    db.transaction(async ({ sql }): Promise<NamedMembership | Rejection> => {
      if (!(await lockOpenInvitation(sql, invitationId, now))) return notOpen()
      if (account === 'new' && !(await insertUser(sql, user))) {
        return reject(
          'ACCOUNT_EXISTS',
          'The address now has an account. Repeat the request with the password of the account.',
        )
      }
      if (!(await insertMembership(sql, membership))) {
        assert(account === 'known', `a new account that is a member already: ${user.userId}`)
        return reject('ALREADY_MEMBER', 'This account is a member already.')
      }
      assert(
        await markAccepted(sql, invitationId, user.userId, now),
        `an open invitation, not accepted: ${invitationId}`,
      )
      return { ...membership, workspaceName }
    })
}

function notOpen(): Rejection {
  return reject(
    'INVITATION_NOT_FOUND',
    'No open invitation has this secret. The secret is wrong, or the invitation was used, was revoked or has expired.',
  )
}
