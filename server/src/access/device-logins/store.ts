import type { DeviceDecision, DeviceLoginState } from '../../core/device-login.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

export interface NewDeviceLogin {
  readonly deviceLoginId: string
  readonly deviceCodeHash: Buffer
  readonly userCode: string
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

export type OpenDeviceLogin = Pick<NewDeviceLogin, 'userCode' | 'address' | 'agent' | 'createdAt' | 'expiresAt'>

export interface DeviceLogin extends DeviceLoginState {
  readonly deviceLoginId: string
  readonly address: string
  readonly agent: string
  /** Set with the decision. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly membershipId: string | null
}

/** Returns false if another login has this user code. */
export async function insertDeviceLogin(sql: Sql, login: NewDeviceLogin): Promise<boolean> {
  const { deviceLoginId, deviceCodeHash, userCode, address, agent, createdAt, expiresAt } = login
  const inserted = await sql`
    insert into device_logins (device_login_id, device_code_hash, user_code, address, agent, created_at, expires_at)
    values (${deviceLoginId}, ${deviceCodeHash}, ${userCode}, ${address}, ${agent}, ${createdAt}, ${expiresAt})
    on conflict on constraint device_logins_user_code_once do nothing`
  return inserted.count === 1
}

export async function lockDeviceLogin(sql: Sql, deviceCodeHash: Buffer): Promise<DeviceLogin | null> {
  const [row] = await sql<DeviceLogin[]>`
    select device_login_id as "deviceLoginId", address, agent, expires_at as "expiresAt", polled_at as "polledAt",
      decision, user_id as "userId", session_id as "sessionId", membership_id as "membershipId", used_at as "usedAt"
    from device_logins where device_code_hash = ${deviceCodeHash} for update`
  return row ?? null
}

export async function recordPoll(sql: Sql, deviceLoginId: string, now: Date): Promise<void> {
  await sql`update device_logins set polled_at = ${now} where device_login_id = ${deviceLoginId}`
}

export async function useDeviceLogin(sql: Sql, deviceLoginId: string, now: Date): Promise<void> {
  await sql`update device_logins set used_at = ${now} where device_login_id = ${deviceLoginId}`
}

/** A login that waits for a decision. */
export async function findOpenDeviceLogin(sql: Sql, userCode: string, now: Date): Promise<OpenDeviceLogin | null> {
  const [row] = await sql<OpenDeviceLogin[]>`
    select user_code as "userCode", address, agent, created_at as "createdAt", expires_at as "expiresAt"
    from device_logins where user_code = ${userCode} and decision is null and expires_at > ${now}`
  return row ?? null
}

export interface Decided {
  readonly userCode: string
  readonly decision: DeviceDecision
  readonly userId: string
  readonly sessionId: string
  readonly membershipId: string
}

/** Returns false if the login has expired or was decided. */
export async function decideDeviceLogin(sql: Sql, decided: Decided, now: Date): Promise<boolean> {
  const { userCode, decision, userId, sessionId, membershipId } = decided
  const updated = await sql`
    update device_logins set decision = ${decision}, user_id = ${userId}, session_id = ${sessionId},
      membership_id = ${membershipId}
    where user_code = ${userCode} and decision is null and expires_at > ${now}`
  return updated.count === 1
}

/** Deletes one batch of expired logins and returns its size. */
export async function purgeDeviceLogins({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.sql`
    delete from device_logins where device_login_id in (
      select device_login_id from device_logins where expires_at < ${clock.now()}
      limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}
