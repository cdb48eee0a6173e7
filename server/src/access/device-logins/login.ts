import { randomInt } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import {
  DEVICE_LOGIN_LIFETIME_MS,
  type DeviceDecision,
  pollOutcome,
  readUserCode,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
} from '../../core/device-login.ts'
import type { SignedIn } from '../../core/principal.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { countAttempt, deviceCodeThrottle, uncountAttempt } from '../../platform/throttles/throttle.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { SESSION_PREFIX } from '../sessions/find.ts'
import type { Origin } from '../sessions/sign-in.ts'
import { insertSession, listSessionsOfUser } from '../sessions/store.ts'
import { findUser } from '../users/store.ts'
import {
  type DeviceLogin,
  decideDeviceLogin,
  findOpenDeviceLogin,
  insertDeviceLogin,
  lockDeviceLogin,
  type OpenDeviceLogin,
  recordPoll,
  useDeviceLogin,
} from './store.ts'

export interface Started {
  /** Returned once. */
  readonly deviceCode: string
  readonly userCode: string
  readonly expiresInSeconds: number
}

/** Starts a login that waits for a person's decision (RFC 8628, 3.1). */
export async function startDeviceLogin(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { address, agent }: Origin,
): Promise<Started> {
  const deviceCode = makeSecret()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + DEVICE_LOGIN_LIFETIME_MS)
  const userCode = makeUserCode()
  const hashed = { deviceLoginId: newId(), deviceCodeHash: hashSecret(deviceCode), userCode }
  const isNew = await insertDeviceLogin(db.sql, { ...hashed, address, agent, createdAt, expiresAt })
  // A duplicate is rare: there are 20^8 codes, and a login expires after 15 minutes.
  assert(isNew, 'a user code that no other login has')
  return { deviceCode, userCode, expiresInSeconds: DEVICE_LOGIN_LIFETIME_MS / 1_000 }
}

function makeUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
  const code = readUserCode(letters.join(''))
  assert(code !== null, 'a user code is readable')
  return code
}

type PollPorts = Pick<Ports, 'db' | 'clock' | 'newId'>

/**
 * The token of a new session once a person has approved the login, and otherwise the rejection of RFC 8628, 3.5. Session and use change in
 * one transaction, so a device code gives one session. A device that loses the answer starts a new login.
 */
export function pollDeviceLogin(ports: PollPorts, deviceCode: string): Promise<{ token: string } | Rejection> {
  const now = ports.clock.now()
  return ports.db.transaction(async ({ sql }) => {
    const login = await lockDeviceLogin(sql, hashSecret(deviceCode))
    if (login === null) return expired()
    const outcome = pollOutcome(login, now)
    if (outcome === 'EXPIRED') return expired()
    if (outcome === 'TOO_EARLY') return tooEarly()
    await recordPoll(sql, login.deviceLoginId, now)
    if (outcome === 'PENDING') return pending()
    if (outcome === 'DENIED') return denied('The person denied the login.')
    const token = await openSession(sql, ports, login, now)
    if (token === null) return denied('The session that approved the login has ended.')
    await useDeviceLogin(sql, login.deviceLoginId, now)
    return { token }
  })
}

/** Null: the approving session has ended, the membership was removed, or the person was disabled. */
async function openSession(
  sql: Sql,
  { newId }: PollPorts,
  { userId, sessionId, membershipId, address, agent }: DeviceLogin,
  now: Date,
): Promise<string | null> {
  assert(userId !== null && membershipId !== null, 'a decision names the person and the membership')
  const sessions = await listSessionsOfUser(sql, userId)
  const approving = sessions.find(session => session.sessionId === sessionId)
  const user = await findUser(sql, userId)
  if (approving === undefined || user === null) return null
  const token = `${SESSION_PREFIX}${makeSecret()}`
  const isOpen = await insertSession(sql, {
    ...{ sessionId: newId(), tokenHash: hashSecret(token), userId, membershipId, address, agent, createdAt: now },
    ...{ mfaVerifiedAt: approving.mfaVerifiedAt, passwordHash: user.passwordHash },
  })
  return isOpen ? token : null
}

function pending(): Rejection {
  const problem = 'The person has not decided yet. Poll again after the interval.'
  return reject('AUTHORIZATION_PENDING', problem, { oauthError: 'authorization_pending' })
}

function tooEarly(): Rejection {
  const problem = 'The last poll was less than 5 s ago. Poll every 5 s more slowly than before.'
  return reject('SLOW_DOWN', problem, { oauthError: 'slow_down' })
}

function denied(problem: string): Rejection {
  return reject('ACCESS_DENIED', `${problem} Start a new login.`, { oauthError: 'access_denied' })
}

function expired(): Rejection {
  const problem = 'deviceCode: is unknown, used, or older than 15 minutes. Start a new login.'
  return reject('EXPIRED_TOKEN', problem, { oauthError: 'expired_token' })
}

interface Typed {
  readonly code: string
  readonly person: SignedIn
  readonly address: string
}

/**
 * The open login of a code. A code that was decided, has expired or never existed gets one answer and counts as a guess. `ports.db` is the
 * database of the process: a transaction could roll the count back.
 */
export async function findLoginOfCode(
  ports: Pick<Ports, 'db' | 'clock'>,
  { code, person, address }: Typed,
): Promise<OpenDeviceLogin | Rejection> {
  const attempts = deviceCodeThrottle(person.userId, address)
  const rejection = await countAttempt(ports, attempts)
  if (rejection !== null) return rejection
  const userCode = readUserCode(code)
  const login = userCode === null ? null : await findOpenDeviceLogin(ports.db.sql, userCode, ports.clock.now())
  if (login === null) return unknownCode()
  await uncountAttempt(ports, attempts)
  return login
}

/** Approves or denies the login for the person's current workspace, once. */
export async function decideLogin(
  ports: Pick<Ports, 'db' | 'clock'>,
  typed: Typed & { readonly decision: DeviceDecision },
): Promise<'decided' | Rejection> {
  const login = await findLoginOfCode(ports, typed)
  if (isRejection(login)) return login
  const { person, decision } = typed
  const decided = { userCode: login.userCode, decision, ...person }
  const isDecided = await decideDeviceLogin(ports.db.sql, decided, ports.clock.now())
  return isDecided ? 'decided' : unknownCode()
}

function unknownCode(): Rejection {
  return reject('DEVICE_LOGIN_NOT_FOUND', 'No login with this code waits for a decision.')
}
