import { assert } from '../../core/assert.ts'
import { pollOutcome } from '../../core/device-login.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { SESSION_PREFIX } from '../sessions/find.ts'
import { insertSession, listSessionsOfUser } from '../sessions/store.ts'
import { findUser } from '../users/store.ts'
import { type DeviceLogin, lockDeviceLogin, recordPoll, useDeviceLogin } from './store.ts'

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
