import type { BusinessUserRole } from '../../core/business-user.ts'
import type { TerminalUser } from '../../core/principal.ts'
import type { Sql } from '../../platform/db/db.ts'

export interface NewTerminalSession {
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly businessUserId: string
  readonly deviceId: string
}

/** False where the user was disabled, changed their passcode or was deleted since it was read. */
export async function insertTerminalSession(
  sql: Sql,
  session: NewTerminalSession & { readonly passcodeHash: string },
  now: Date,
): Promise<boolean> {
  const inserted = await sql`
    insert into terminal_sessions (session_id, token_hash, business_user_id, device_id, created_at, used_at)
    select ${session.sessionId}, ${session.tokenHash}, business_user_id, ${session.deviceId}, ${now}, ${now}
    from (
      select business_user_id from business_users
      where business_user_id = ${session.businessUserId} and passcode_hash = ${session.passcodeHash}
        and status = 'ACTIVE'
      for share) as held`
  return inserted.count === 1
}

/** Finds a session of that terminal and records its use in one statement; null if the session has ended or was idle too long. */
export async function useTerminalSession(
  sql: Sql,
  session: { tokenHash: Buffer; deviceId: string },
  use: { now: Date; idleSince: Date },
): Promise<TerminalUser | null> {
  const [row] = await sql<{ sessionId: string; businessUserId: string; role: BusinessUserRole }[]>`
    update terminal_sessions as s set used_at = greatest(used_at, ${use.now})
    from business_users as u
    where token_hash = ${session.tokenHash} and device_id = ${session.deviceId} and ended_at is null
      and used_at > ${use.idleSince} and u.business_user_id = s.business_user_id and u.status = 'ACTIVE'
    returning session_id as "sessionId", s.business_user_id as "businessUserId", role`
  return row ?? null
}

/** Locks a session until the transaction ends, so that a sign-out comes before or after. Returns false if the session has ended. */
export async function holdTerminalSession(sql: Sql, sessionId: string): Promise<boolean> {
  const held = await sql`
    select 1 from terminal_sessions where session_id = ${sessionId} and ended_at is null for share`
  return held.length === 1
}

/**
 * The role of the session's user, locked until the transaction ends: disabling the user, changing the role or ending the session comes before or
 * after. Null if the session has ended or was idle too long.
 */
export async function holdRoleInSession(sql: Sql, of: SessionAt): Promise<BusinessUserRole | null> {
  const [row] = await sql<{ role: BusinessUserRole }[]>`${roleInSession(sql, of)} for share`
  return row?.role ?? null
}

/** The same without a lock. */
export async function findRoleInSession(sql: Sql, of: SessionAt): Promise<BusinessUserRole | null> {
  const [row] = await sql<{ role: BusinessUserRole }[]>`${roleInSession(sql, of)}`
  return row?.role ?? null
}

/** Using a screen that the terminal shows counts as using the session. An ended session is unaffected. */
export async function noteUseOfSession(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`
    update terminal_sessions set used_at = greatest(used_at, ${now})
    where session_id = ${sessionId} and ended_at is null`
}

interface SessionAt {
  readonly sessionId: string
  readonly idleSince: Date
}

/** Locks the user first, in the same order as disabling the user does. */
const roleInSession = (sql: Sql, { sessionId, idleSince }: SessionAt) => sql`
  select u.role from business_users as u join terminal_sessions as s on s.business_user_id = u.business_user_id
  where s.session_id = ${sessionId} and s.ended_at is null and s.used_at > ${idleSince} and u.status = 'ACTIVE'`

export async function endTerminalSession(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`update terminal_sessions set ended_at = ${now} where session_id = ${sessionId} and ended_at is null`
}

/** To be called in the transaction that locks the user out, after their row is written. */
export async function endSessionsOfUser(sql: Sql, businessUserId: string, now: Date): Promise<void> {
  await sql`
    update terminal_sessions set ended_at = ${now} where business_user_id = ${businessUserId} and ended_at is null`
}

/** Call it in the transaction that gives the terminal another key. */
export async function endSessionsOfDevice(sql: Sql, deviceId: string, now: Date): Promise<void> {
  await sql`update terminal_sessions set ended_at = ${now} where device_id = ${deviceId} and ended_at is null`
}

/** Deletes at most `limit` sessions last used before `before`. Returns how many. */
export async function purgeTerminalSessions(sql: Sql, before: Date, limit: number): Promise<number> {
  const deleted = await sql`
    delete from terminal_sessions where session_id in (
      select session_id from terminal_sessions where used_at < ${before}
      order by used_at limit ${limit} for update skip locked)`
  return deleted.count
}
