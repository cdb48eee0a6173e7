import { type Rejection, reject } from '../../core/rejection.ts'
import type { User } from '../../core/user.ts'
import {
  clearAttempts,
  codeThrottle,
  countAttempt,
  passwordThrottle,
  type Source,
  uncountAttempt,
} from '../../platform/throttles/throttle.ts'
import { hashPassword, isOutdated, verifyPassword } from '../../platform/vault/password.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { listMembershipsOfUser, type NamedMembership } from '../memberships/store.ts'
import { isGiven, proveSecondFactor, type SecondCode } from '../second-factors/prove.ts'
import { findSecondFactor } from '../second-factors/store.ts'
import { findUserByEmail, replaceHash } from '../users/store.ts'
import { SESSION_PREFIX } from './find.ts'
import { isProof } from './proof.ts'
import { insertSession } from './store.ts'

interface SignInInput extends SecondCode {
  readonly email: string
  /** The password, or the proof of a password that was just checked (proof.ts). */
  readonly password: string | { readonly proof: string }
  /** Membership to use. Absent: the oldest. */
  readonly membershipId?: string
  readonly from: Origin
}

/** Address and browser, so that people recognise their sessions. */
export interface Origin extends Source {
  readonly agent: string
}

export interface Opened {
  /** Returned only once. */
  readonly token: string
  readonly memberships: readonly NamedMembership[]
}

type SignInPorts = Pick<Ports, 'db' | 'clock' | 'newId' | 'vault'>

/**
 * Opens a session by address and password, and by a code if the person has a second factor. An unknown address, a wrong password or code, a
 * disabled person and a person without a workspace get the same response after the same time. Each attempt counts.
 */
export async function signIn(ports: SignInPorts, input: SignInInput): Promise<Opened | Rejection> {
  const throttle = passwordThrottle(input.email, input.from)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  const user = await findUserByEmail(ports.db.sql, input.email)
  const isRight = await isPasswordOf(ports, user, input.password)
  if (user === null || !isRight || user.status !== 'ACTIVE') return invalidCredentials()

  const memberships = await listMembershipsOfUser(ports.db.sql, user.userId)
  const chosen = chosenOf(memberships, input.membershipId)
  if (chosen === undefined) return invalidCredentials()
  const hasFactor = await hasSecondFactor(ports, user.userId)
  if (hasFactor && !isGiven(input)) {
    await uncountAttempt(ports, throttle)
    return reject(
      'SECOND_FACTOR_REQUIRED',
      'The password is correct. Repeat the request with totp, or with recoveryCode.',
    )
  }
  const wrongCode = hasFactor ? await problemOfCode(ports, user, input) : null
  if (wrongCode !== null) return wrongCode
  const token = await openSession(ports, { user, chosen, from: input.from, isMfaVerified: hasFactor })
  // The password may have changed since the check.
  if (token === null) return invalidCredentials()
  await clearAttempts(ports, throttle)
  await hashAnew(ports, user, input.password)
  return { token, memberships }
}

async function isPasswordOf(
  { vault, clock }: Pick<Ports, 'vault' | 'clock'>,
  user: User | null,
  password: SignInInput['password'],
): Promise<boolean> {
  if (typeof password !== 'string') return isProof(vault, password.proof, user, clock.now())
  return verifyPassword(password, user?.passwordHash ?? null)
}

async function hasSecondFactor({ db }: Pick<Ports, 'db'>, userId: string): Promise<boolean> {
  const factor = await findSecondFactor(db.sql, userId)
  return factor !== null && factor.confirmedAt !== null
}

/** Code attempts have their own count: resetting the password does not give more attempts to a thief of the mailbox. */
async function problemOfCode(
  ports: SignInPorts,
  { userId }: User,
  { from, ...code }: SecondCode & Pick<SignInInput, 'from'>,
): Promise<Rejection | null> {
  const throttle = codeThrottle(userId, from)
  const rejection = await countAttempt(ports, throttle)
  if (rejection !== null) return rejection
  if (!(await proveSecondFactor(ports, userId, code))) return invalidCredentials()
  await clearAttempts(ports, throttle)
  return null
}

function chosenOf(memberships: readonly NamedMembership[], membershipId?: string): NamedMembership | undefined {
  if (membershipId === undefined) return memberships[0]
  return memberships.find(one => one.membershipId === membershipId.toLowerCase())
}

async function openSession(
  { db, clock, newId }: SignInPorts,
  { user, chosen, from, isMfaVerified }: { user: User; chosen: NamedMembership; from: Origin; isMfaVerified: boolean },
): Promise<string | null> {
  const token = `${SESSION_PREFIX}${makeSecret()}`
  const now = clock.now()
  const isOpen = await insertSession(db.sql, {
    ...{ sessionId: newId(), tokenHash: hashSecret(token), userId: user.userId, membershipId: chosen.membershipId },
    ...{ address: from.address, agent: from.agent, mfaVerifiedAt: isMfaVerified ? now : null, createdAt: now },
    passwordHash: user.passwordHash,
  })
  return isOpen ? token : null
}

/** Only now is the password known, so only now can it be hashed at today's cost. */
async function hashAnew({ db }: Pick<Ports, 'db'>, user: User, password: SignInInput['password']): Promise<void> {
  if (typeof password === 'string' && isOutdated(user.passwordHash))
    await replaceHash(db.sql, user, await hashPassword(password))
}

export function invalidCredentials(): Rejection {
  return reject(
    'INVALID_CREDENTIALS',
    'The address, the password or the code is wrong, or the person belongs to no workspace.',
  )
}

/** Enough to distinguish a phone from a computer. A user agent can be arbitrarily long. */
const LONGEST_AGENT = 200

/** Headers are Latin-1 on the wire and may contain anything. The result is plain text that pages can show. */
export function originOf(address: string, headers: Readonly<Record<string, string | string[] | undefined>>): Origin {
  const agent = headers['user-agent']
  const text = typeof agent === 'string' ? agent : ''
  return { address, agent: text.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_AGENT) }
}
