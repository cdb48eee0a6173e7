import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'
import type { AppKey, KeysOfApp } from './app-signature.ts'

/** A refresh token and the access tokens issued from it. */
export interface Grant {
  readonly grantId: string
  /** Absent: a terminal's. */
  readonly appId?: string
  /** Bounds the tokens to this business, store and device. */
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
}

export interface NewGrant {
  readonly grantId: string
  readonly appId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  /** Key of the app that proved the grant. */
  readonly kid: string
  readonly refreshTokenHash: Buffer
}

/** The grant of a refresh token, unless it is revoked or was last used before `idleSince`. */
export async function findGrantByRefreshToken(sql: Sql, hash: Buffer, idleSince: Date): Promise<Grant | null> {
  const [row] = await sql<RowOf<Grant>[]>`
    select grant_id as "grantId", app_id as "appId", business_id as "businessId", store_id as "storeId",
      device_id as "deviceId"
    from grants
    where refresh_token_hash = ${hash} and revoked_at is null and used_at > ${idleSince}`
  return row ? present(row) : null
}

export async function isGrantLive(sql: Sql, grantId: string): Promise<boolean> {
  const rows = await sql`select 1 from grants where grant_id = ${grantId} and revoked_at is null`
  return rows.length > 0
}

/** Records a use unless a use after `before` is recorded. */
export async function recordGrantUse(sql: Sql, grantId: string, use: { now: Date; before: Date }): Promise<void> {
  await sql`update grants set used_at = ${use.now} where grant_id = ${grantId} and used_at < ${use.before}`
}

/** Returns the ended grants: empty if the grant had ended. */
export async function revokeGrant(sql: Sql, grantId: string, now: Date): Promise<string[]> {
  return ids(
    await sql<IdRow[]>`
    update grants set revoked_at = ${now} where grant_id = ${grantId} and revoked_at is null
    returning grant_id as "grantId"`,
  )
}

export async function revokeGrantOfRefreshToken(sql: Sql, hash: Buffer, now: Date): Promise<string[]> {
  return ids(
    await sql<IdRow[]>`
    update grants set revoked_at = ${now} where refresh_token_hash = ${hash} and revoked_at is null
    returning grant_id as "grantId"`,
  )
}

/** Call it in the transaction that revokes the approval. Ends the grants bound to the merchant. */
export async function revokeGrantsOfBusiness(
  sql: Sql,
  of: { appId: string; businessId: string; now: Date },
): Promise<string[]> {
  return ids(
    await sql<IdRow[]>`
    update grants set revoked_at = ${of.now}
    where app_id = ${of.appId} and business_id = ${of.businessId} and revoked_at is null
    returning grant_id as "grantId"`,
  )
}

/** Call it in the transaction that revokes the key, after writing the key's row. Returns the ended grants. */
export async function revokeGrantsOfKey(sql: Sql, appId: string, kid: string, now: Date): Promise<string[]> {
  return ids(
    await sql<IdRow[]>`
    update grants set revoked_at = ${now} where app_id = ${appId} and kid = ${kid} and revoked_at is null
    returning grant_id as "grantId"`,
  )
}

/**
 * Grants revoked after `since`, and all disabled apps: reasons to reject a verified token. One round trip, since each process polls twice
 * a second.
 */
export async function findRevocations(
  sql: Sql,
  since: Date,
): Promise<{ grantIds: string[]; disabledAppIds: string[] }> {
  const rows = await sql<{ grantId: string | null; appId: string | null }[]>`
    select grant_id as "grantId", null::uuid as "appId" from grants where revoked_at > ${since}
    union all
    select null, app_id from apps where status = 'DISABLED'`
  return {
    grantIds: rows.flatMap(row => row.grantId ?? []),
    disabledAppIds: rows.flatMap(row => row.appId ?? []),
  }
}

/** The active keys of an enabled app, oldest first, and the app's organization. Null if there are none. */
export async function findAppKeys(sql: Sql, appId: string): Promise<KeysOfApp | null> {
  const keys = await sql<(AppKey & { organizationId: string })[]>`
    select organization_id as "organizationId", kid, public_jwk as "publicJwk"
    from apps join app_keys using (app_id)
    where app_id = ${appId} and status = 'ACTIVE' and revoked_at is null
    order by app_keys.created_at, kid`
  const [first] = keys
  return first ? { organizationId: first.organizationId, keys } : null
}

/** The use of an assertion, and the grant it creates. */
export interface GrantedUse extends NewGrant {
  readonly jti: string
  /** Until then the same `jti` is rejected. */
  readonly expiresAt: Date
  readonly now: Date
}

export type GrantOutcome = 'granted' | 'key is over' | 'used before'

/**
 * Writes the grants of many assertions and records their use, in one statement and one commit. Returns the outcome of each. The statement
 * locks each app and key, so that revoking a key waits and then finds the grant. A concurrent use of the same assertion waits; of two
 * equal assertions in one call the first is granted. Rows are taken in one order to avoid deadlocks. An expired record of use is
 * overwritten, so correctness never depends on the purge.
 */
export async function grantEachOnce(sql: Sql, uses: readonly GrantedUse[]): Promise<Map<string, GrantOutcome>> {
  const rows = uses.map(use => ({ ...use, refreshTokenHash: use.refreshTokenHash.toString('hex') }))
  const outcomes = await sql<{ grantId: string; isHeld: boolean; isNew: boolean }[]>`
    with asked as (
      select "grantId", "appId", "businessId", "storeId", "deviceId", "kid", "refreshTokenHash", "jti", "expiresAt", "now"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as x (
        "grantId" uuid, "appId" uuid, "businessId" uuid, "storeId" uuid, "deviceId" uuid, "kid" text, "refreshTokenHash" text, "jti" text,
        "expiresAt" timestamptz, "now" timestamptz)),
    held as (
      select app_id, kid from apps join app_keys using (app_id)
      where (app_id, kid) in (select "appId", "kid" from asked) and status = 'ACTIVE' and revoked_at is null
      order by app_id, kid
      for share),
    firsts as (
      select distinct on ("appId", "jti") asked.* from asked join held on app_id = "appId" and held.kid = asked."kid"
      order by "appId", "jti", "grantId"),
    noted as (
      insert into assertion_uses (issuer_id, jti, expires_at) select "appId", "jti", "expiresAt" from firsts
      order by "appId", "jti"
      on conflict (issuer_id, jti) do update set expires_at = excluded.expires_at
        where assertion_uses.expires_at <= (select max("now") from asked)
      returning issuer_id as app_id, jti),
    granted as (
      insert into grants (
        grant_id, app_id, business_id, store_id, device_id, kid, refresh_token_hash, created_at, used_at)
      select "grantId", "appId", "businessId", "storeId", "deviceId", "kid", decode("refreshTokenHash", 'hex'), "now", "now"
      from firsts join noted on app_id = "appId" and noted.jti = firsts."jti"
      returning grant_id)
    select "grantId", grant_id is not null as "isNew",
      exists (select from held where app_id = "appId" and held.kid = asked."kid") as "isHeld"
    from asked left join granted on grant_id = "grantId"`
  return new Map(outcomes.map(row => [row.grantId, outcomeOf(row)]))
}

function outcomeOf({ isHeld, isNew }: { isHeld: boolean; isNew: boolean }): GrantOutcome {
  if (!isHeld) return 'key is over'
  return isNew ? 'granted' : 'used before'
}

interface IdRow {
  grantId: string
}

function ids(rows: readonly IdRow[]): string[] {
  return rows.map(row => row.grantId)
}
