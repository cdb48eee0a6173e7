import { insertOrganization } from '../../catalog/organizations/store.ts'
import { assert } from '../../core/assert.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { passwordProblem, type User } from '../../core/user.ts'
import type { Message } from '../../platform/mail/mail.ts'
import { recordMail } from '../../platform/mail/outbox.ts'
import { countAttempt, joinThrottle } from '../../platform/throttles/throttle.ts'
import { hashPassword } from '../../platform/vault/password.ts'
import { openFromText, sealAsText } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { insertMembership } from '../memberships/store.ts'
import { type Opened, type Origin, signIn } from '../sessions/sign-in.ts'
import { findUserByEmail, insertUser } from '../users/store.ts'

/** The address of the mailed link. */
export const CONFIRM_PATH = '/join/confirm'

const PURPOSE = 'developer sign-up'
const LINK_LIFETIME_MS = 24 * 3_600_000

export interface SignUp {
  readonly organization: string
  readonly email: string
}

type JoinPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault' | 'settings'>

/**
 * Mails a link that confirms the address. The link contains the sealed form; the database stores no form before the confirmation. An address that has an
 * account receives a mail that says so, and the caller learns nothing. Rejects: TOO_MANY_REQUESTS.
 */
export async function requestSignUp(
  ports: JoinPorts,
  { organization, email, address }: SignUp & { readonly address: string },
): Promise<'asked' | Rejection> {
  const { db, clock, vault, settings } = ports
  const wait = await countAttempt(ports, joinThrottle(email, address))
  if (wait !== null) return wait
  const expiresAt = clock.now().getTime() + LINK_LIFETIME_MS
  const secret = sealAsText(vault, PURPOSE, { organization, email, expiresAt })
  const isKnown = (await findUserByEmail(db.sql, email)) !== null
  const mail = isKnown
    ? knownMail(email, settings.baseUrl)
    : confirmMail({ organization, email }, `${settings.baseUrl}${CONFIRM_PATH}?secret=${secret}`)
  await db.transaction(tx => recordMail({ ...ports, db: tx }, mail))
  return 'asked'
}

/** The form behind a link. Null: the link is too old, was altered, or its address has an account. */
export async function findSignUp({ db, clock, vault }: JoinPorts, secret: string): Promise<SignUp | null> {
  const signUp = openFromText<SignUp & { readonly expiresAt: number }>(vault, PURPOSE, secret)
  if (signUp === null || signUp.expiresAt <= clock.now().getTime()) return null
  return (await findUserByEmail(db.sql, signUp.email)) === null ? signUp : null
}

/**
 * Creates the organization, its administrator and the session. If two calls run at once, one call succeeds. Rejects: INVITATION_NOT_FOUND for a
 * link that is not valid, INVALID_PARAMETER for a weak password.
 */
export async function confirmSignUp(
  ports: JoinPorts,
  { secret, name, password, from }: { secret: string; name: string; password: string; from: Origin },
): Promise<Opened | Rejection> {
  const { db, clock, newId } = ports
  const signUp = await findSignUp(ports, secret)
  if (signUp === null) return notValid()
  const { email, organization } = signUp
  const problem = passwordProblem('password', password, [email, name, organization])
  if (problem !== null) return problem
  const [organizationId, now, passwordHash] = [newId(), clock.now(), await hashPassword(password)]
  const times = { createdAt: now, updatedAt: now }
  const user: User = { userId: newId(), email, name, passwordHash, status: 'ACTIVE', ...times }
  const made = await db.transaction(async ({ sql }): Promise<'made' | Rejection> => {
    if (!(await insertUser(sql, user))) return notValid()
    await insertOrganization(sql, { organizationId, name: organization, email, ...times })
    const membership = { membershipId: newId(), userId: user.userId, role: 'ADMIN', createdAt: now } as const
    const isNew = await insertMembership(sql, { ...membership, workspace: { kind: 'DEVELOPER', organizationId } })
    assert(isNew, `a new account that is a member already: ${user.userId}`)
    return 'made'
  })
  return isRejection(made) ? made : signIn(ports, { email, password, from })
}

function notValid(): Rejection {
  return reject('INVITATION_NOT_FOUND', 'The link was used, is older than a day, or is not complete.')
}

function confirmMail({ organization, email }: SignUp, link: string): Message {
  return {
    to: email,
    subject: 'Confirm your address',
    text: [
      `Open this link to create the developer account of ${organization}. It is valid for 24 hours:`,
      link,
      '',
      'If you did not ask for this, do nothing.',
      '',
    ].join('\n'),
  }
}

function knownMail(email: string, baseUrl: string): Message {
  return {
    to: email,
    subject: 'You have an account',
    text: [
      'Somebody asked for a developer account with this address, which has an account already. Sign in here:',
      `${baseUrl}/sign-in`,
      '',
      'If you forgot the password, choose “Forgot your password?” there. If you did not ask for this, do nothing.',
      '',
    ].join('\n'),
  }
}
