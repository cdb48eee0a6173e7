import { addDays } from '../../core/calendar.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

export interface PasswordReset {
  readonly resetId: string
  readonly userId: string
  readonly secretHash: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertResetRequest(
  sql: Sql,
  { requestId, sealed, createdAt }: { requestId: string; sealed: Buffer; createdAt: Date },
): Promise<void> {
  await sql`
    insert into password_reset_requests (request_id, sealed, created_at) values (${requestId}, ${sealed}, ${createdAt})`
}

/** Deletes the oldest requests and returns their sealed addresses. */
export async function takeResetRequests(sql: Sql, limit: number): Promise<Buffer[]> {
  const rows = await sql<{ sealed: Buffer }[]>`
    delete from password_reset_requests where request_id in (
      select request_id from password_reset_requests order by created_at limit ${limit} for update skip locked)
    returning sealed`
  return rows.map(({ sealed }) => sealed)
}

export async function insertReset(sql: Sql, reset: PasswordReset): Promise<void> {
  const { resetId, userId, secretHash, createdAt, expiresAt } = reset
  await sql`
    insert into password_resets (reset_id, user_id, secret_hash, created_at, expires_at)
    values (${resetId}, ${userId}, ${secretHash}, ${createdAt}, ${expiresAt})`
}

/** The user of a link; null if the link is unknown, used or expired. */
export async function findUserOfReset(sql: Sql, secretHash: Buffer, now: Date): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select r.user_id as "userId" from password_resets as r join users as u on u.user_id = r.user_id
    where r.secret_hash = ${secretHash} and r.used_at is null and r.expires_at > ${now} and u.status = 'ACTIVE'`
  return row?.userId ?? null
}

/** Returns false if the link was used or has expired. A concurrent second use waits and gets false. The user's other links end. */
export async function useReset(sql: Sql, userId: string, secretHash: Buffer, now: Date): Promise<boolean> {
  const rows = await sql`
    update password_resets set used_at = ${now}
    where secret_hash = ${secretHash} and used_at is null and expires_at > ${now} returning 1`
  if (rows.length === 0) return false
  await sql`update password_resets set used_at = ${now} where user_id = ${userId} and used_at is null`
  return true
}

const KEPT_DAYS = 30

/** Deletes one batch of links that expired long ago. Returns the number. */
export async function purgeResets({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.sql`
    delete from password_resets where reset_id in (
      select reset_id from password_resets where expires_at < ${addDays(clock.now(), -KEPT_DAYS)}
      limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}
