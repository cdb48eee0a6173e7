import { addDays } from '../../core/calendar.ts'
import { PURGED_AT_ONCE, type Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'

/** The code that carries a merchant's consent to an app. */
export interface AuthorizationCode {
  readonly codeHash: Buffer
  readonly appId: string
  readonly businessId: string
  readonly redirectUri: string
  /** False: the app has a single callback URL and did not name it. */
  readonly redirectUriNamed: boolean
  /** RFC 7636, S256. */
  readonly codeChallenge?: string
  readonly expiresAt: Date
  readonly createdAt: Date
  /** The grant for which the code was exchanged. */
  readonly grantId?: string
}

export async function insertAuthorizationCode(sql: Sql, code: AuthorizationCode): Promise<void> {
  await sql`
    insert into authorization_codes (
      code_hash, app_id, business_id, redirect_uri, redirect_uri_named, code_challenge, expires_at, created_at)
    values (
      ${code.codeHash}, ${code.appId}, ${code.businessId}, ${code.redirectUri}, ${code.redirectUriNamed},
      ${code.codeChallenge ?? null},      ${code.expiresAt}, ${code.createdAt})`
}

/** Locks the code until the transaction ends: of two concurrent uses one waits. */
export async function lockAuthorizationCode(sql: Sql, codeHash: Buffer): Promise<AuthorizationCode | null> {
  const [row] = await sql<RowOf<AuthorizationCode>[]>`
    select code_hash as "codeHash", app_id as "appId", business_id as "businessId", redirect_uri as "redirectUri",
      redirect_uri_named as "redirectUriNamed", code_challenge as "codeChallenge", expires_at as "expiresAt", created_at as "createdAt",
      grant_id as "grantId"
    from authorization_codes where code_hash = ${codeHash} for update`
  return row ? present(row) : null
}

/** The row must be locked. */
export async function useAuthorizationCode(
  sql: Sql,
  used: { codeHash: Buffer; grantId: string; now: Date },
): Promise<void> {
  await sql`
    update authorization_codes set grant_id = ${used.grantId}, used_at = ${used.now}
    where code_hash = ${used.codeHash}`
}

/** A second use of a remembered code ends its grant. No attacker waits longer than a day. */
const KEPT_DAYS = 1

/** Deletes one batch of codes that expired long ago. Returns how many. */
export async function purgeCodes({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const deleted = await db.sql`
    delete from authorization_codes where code_hash in (
      select code_hash from authorization_codes where expires_at < ${addDays(clock.now(), -KEPT_DAYS)}
      order by expires_at limit ${PURGED_AT_ONCE} for update skip locked)`
  return deleted.count
}
