import { type BusinessUserRole, TERMINAL_SESSION_IDLE_MS } from '../../core/business-user.ts'
import { addDays } from '../../core/calendar.ts'
import type { TerminalUser } from '../../core/principal.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'

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

/**
 * The user who is signed in on a terminal with this token; null if the session has ended or was idle too long. Each lookup counts as a use, so that
 * only idle sessions end. Decisions 9.
 */
export async function findUserOfSession(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { token, deviceId }: { readonly token: string; readonly deviceId: string },
): Promise<TerminalUser | null> {
  const now = clock.now()
  const idleSince = new Date(now.getTime() - TERMINAL_SESSION_IDLE_MS)
  const [row] = await db.sql<TerminalUser[]>`
    update terminal_sessions as s set used_at = greatest(used_at, ${now})
    from business_users as u
    where token_hash = ${hashSecret(token)} and device_id = ${deviceId} and ended_at is null
      and used_at > ${idleSince} and u.business_user_id = s.business_user_id and u.status = 'ACTIVE'
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

/** Long enough for questions about who was signed in. */
const KEPT_DAYS = 30

/** Deletes one batch of sessions that ended long ago. Returns how many. */
export async function purgeTerminalSessions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.sql`
    delete from terminal_sessions where session_id in (
      select session_id from terminal_sessions where used_at < ${addDays(clock.now(), -KEPT_DAYS)}
      order by used_at limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}
