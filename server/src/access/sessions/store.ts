import type { Language } from '../../core/mail-kind.ts'
import type { Membership, PersonRole, WorkspaceKind } from '../../core/membership.ts'
import { LONGEST_SESSION_MS } from '../../core/session.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { workspaceOfRow } from '../memberships/store.ts'

export interface Session {
  readonly sessionId: string
  readonly membership: Membership
  readonly workspaceName: string | null
  readonly userName: string
  readonly email: string
  /** Null: the language of the browser. */
  readonly language: Language | null
  readonly address: string
  readonly agent: string
  /** Time of the last correct second factor in this session. */
  readonly mfaVerifiedAt: Date | null
  readonly createdAt: Date
  readonly usedAt: Date
}

interface Row extends Omit<Session, 'membership'> {
  readonly membershipId: string
  readonly userId: string
  readonly kind: WorkspaceKind
  readonly organizationId: string | null
  readonly businessId: string | null
  readonly role: PersonRole
  readonly memberSince: Date
}

export interface NewSession {
  readonly sessionId: string
  readonly tokenHash: Buffer
  readonly userId: string
  readonly membershipId: string
  readonly address: string
  readonly agent: string
  readonly mfaVerifiedAt: Date | null
  readonly createdAt: Date
}

/** Returns false if the user was disabled or changed the password since the check: that change ended this session as well. */
export async function insertSession(
  sql: Sql,
  session: NewSession & { readonly passwordHash: string },
): Promise<boolean> {
  const { sessionId, tokenHash, userId, membershipId, address, agent, mfaVerifiedAt, createdAt } = session
  const inserted = await sql`
    insert into sessions (session_id, token_hash, user_id, membership_id, address, agent, second_factor_at, created_at,
      used_at)
    select ${sessionId}, ${tokenHash}, user_id, ${membershipId}, ${address}, ${agent}, ${mfaVerifiedAt}, ${createdAt},
      ${createdAt}
    from (
      select user_id from users
      where user_id = ${userId} and password_hash = ${session.passwordHash} and status = 'ACTIVE'
      for share) as held`
  return inserted.count === 1
}

/** Excludes disabled users and removed memberships: they end the session. */
export async function findSessionByToken(sql: Sql, tokenHash: Buffer): Promise<Session | null> {
  const [row] = await select(sql, sql`s.token_hash = ${tokenHash}`)
  return row ?? null
}

/** Most recently used first. The caller must check whether a session has expired. */
export function listSessionsOfUser(sql: Sql, userId: string): Promise<Session[]> {
  return select(sql, sql`s.user_id = ${userId}`)
}

export async function noteUse(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`update sessions set used_at = ${now} where session_id = ${sessionId} and used_at < ${now}`
}

export async function recordMfa(sql: Sql, sessionId: string, now: Date): Promise<void> {
  await sql`update sessions set second_factor_at = ${now} where session_id = ${sessionId}`
}

/** Ends the MFA verification of all sessions. */
export async function forgetProof(sql: Sql, userId: string): Promise<void> {
  await sql`update sessions set second_factor_at = null where user_id = ${userId} and ended_at is null`
}

export async function moveSession(sql: Sql, sessionId: string, membershipId: string): Promise<void> {
  await sql`update sessions set membership_id = ${membershipId} where session_id = ${sessionId} and ended_at is null`
}

/** Returns false if the user has no such open session. */
export async function endSession(sql: Sql, { userId, sessionId }: { userId: string; sessionId: string }, now: Date) {
  const rows = await sql`
    update sessions set ended_at = ${now}
    where session_id = ${sessionId} and user_id = ${userId} and ended_at is null returning 1`
  return rows.length === 1
}

/** Ends all sessions except `butFor`. */
export async function endSessionsOfUser(sql: Sql, userId: string, now: Date, butFor: string | null): Promise<void> {
  await sql`
    update sessions set ended_at = ${now}
    where user_id = ${userId} and ended_at is null and session_id is distinct from ${butFor}`
}

/** Long enough to look at who signed in, after something has happened. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Deletes one batch of sessions that ended long ago. Returns the number. */
export async function purgeSessions({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LONGEST_SESSION_MS - KEPT_MS)
  const deleted = await db.sql`
    delete from sessions where session_id in (
      select session_id from sessions where created_at < ${before} limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}

async function select(sql: Sql, where: ReturnType<Sql>): Promise<Session[]> {
  const rows = await sql<Row[]>`
    select s.session_id as "sessionId", s.membership_id as "membershipId", s.user_id as "userId", m.kind,
      m.organization_id as "organizationId", m.business_id as "businessId", m.role, m.created_at as "memberSince",
      coalesce(o.name, b.doing_business_as) as "workspaceName", u.name as "userName", u.email, u.language, s.address, s.agent,
      s.second_factor_at as "mfaVerifiedAt", s.created_at as "createdAt", s.used_at as "usedAt"
    from sessions as s
    join users as u on u.user_id = s.user_id
    join memberships as m on m.membership_id = s.membership_id
    left join organizations as o on o.organization_id = m.organization_id
    left join businesses as b on b.business_id = m.business_id
    where ${where} and s.ended_at is null and m.removed_at is null and u.status = 'ACTIVE'
    order by s.used_at desc, s.session_id desc
    limit 100`
  return rows.map(({ membershipId, userId, kind, organizationId, businessId, role, memberSince, ...session }) => ({
    ...session,
    membership: {
      ...{ membershipId, userId, role, createdAt: memberSince },
      workspace: workspaceOfRow({ kind, organizationId, businessId }),
    },
  }))
}
