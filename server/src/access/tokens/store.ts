import type postgres from 'postgres'
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

interface NewGrant extends Grant {
  readonly appId: string
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

/** Ends the grants that match. Returns their ids: empty if they had ended. */
async function endGrants(sql: Sql, where: postgres.Fragment, now: Date): Promise<string[]> {
  const rows = await sql<{ grantId: string }[]>`
    update grants set revoked_at = ${now} where ${where} and revoked_at is null returning grant_id as "grantId"`
  return rows.map(({ grantId }) => grantId)
}

export function revokeGrant(sql: Sql, grantId: string, now: Date): Promise<string[]> {
  return endGrants(sql, sql`grant_id = ${grantId}`, now)
}

export function revokeGrantOfRefreshToken(sql: Sql, hash: Buffer, now: Date): Promise<string[]> {
  return endGrants(sql, sql`refresh_token_hash = ${hash}`, now)
}

/** Call it in the transaction that revokes the approval. Ends the grants bound to the merchant. */
export function revokeGrantsOfBusiness(
  sql: Sql,
  { appId, businessId, now }: { appId: string; businessId: string; now: Date },
): Promise<string[]> {
  return endGrants(sql, sql`app_id = ${appId} and business_id = ${businessId}`, now)
}

/** Call it in the transaction that revokes the key, after writing the key's row. */
export function revokeGrantsOfKey(sql: Sql, appId: string, kid: string, now: Date): Promise<string[]> {
  return endGrants(sql, sql`app_id = ${appId} and kid = ${kid}`, now)
}

/** The grant of a terminal. */
type DeviceGrant = Required<Omit<Grant, 'appId'>>

/**
 * Like `grantEachOnce`, for a terminal. The key stays active until the transaction ends, so that a new activation happens entirely before
 * or after the grant.
 */
export async function grantDeviceOnce(
  sql: Sql,
  grant: DeviceGrant & { readonly kid: string; readonly refreshTokenHash: Buffer },
  use: { jti: string; expiresAt: Date; now: Date },
): Promise<'granted' | 'key is over' | 'used before'> {
  const [row] = await sql<{ isHeld: boolean; isNew: boolean }[]>`
    with held as (
      select device_id from device_keys
      where device_id = ${grant.deviceId} and kid = ${grant.kid} and revoked_at is null
      for share),
    noted as (
      insert into assertion_uses (issuer_id, jti, expires_at) select device_id, ${use.jti}, ${use.expiresAt} from held
      on conflict (issuer_id, jti) do update set expires_at = excluded.expires_at
        where assertion_uses.expires_at <= ${use.now}
      returning issuer_id),
    granted as (
      insert into grants (
        grant_id, business_id, store_id, device_id, kid, refresh_token_hash, created_at, used_at)
      select ${grant.grantId}::uuid, ${grant.businessId}::uuid, ${grant.storeId}::uuid, issuer_id, ${grant.kid},
        ${grant.refreshTokenHash}::bytea, ${use.now}, ${use.now}
      from noted)
    select exists (select 1 from held) as "isHeld", exists (select 1 from noted) as "isNew"`
  if (row?.isHeld !== true) return 'key is over'
  return row.isNew ? 'granted' : 'used before'
}

/**
 * Call it in the transaction that revokes the terminal's key, after writing the key's row. Ends the terminal's own grants and those of its users.
 */
export function revokeGrantsOfDevice(sql: Sql, deviceId: string, now: Date): Promise<string[]> {
  return endGrants(sql, sql`device_id = ${deviceId}`, now)
}

/** The grant of a token that a terminal issues to an app for its user. The token cannot be refreshed. */
export async function insertUserGrant(
  sql: Sql,
  grant: DeviceGrant & { readonly appId: string; readonly businessUserId: string },
  now: Date,
): Promise<void> {
  await sql`
    insert into grants (grant_id, app_id, business_id, store_id, device_id, business_user_id, created_at, used_at)
    values (${grant.grantId}, ${grant.appId}, ${grant.businessId}, ${grant.storeId}, ${grant.deviceId},
      ${grant.businessUserId}, ${now}, ${now})`
}

/** Call it in the transaction that ends the user's session, or all sessions if no terminal is named. */
export function revokeGrantsOfUser(sql: Sql, businessUserId: string, now: Date, deviceId?: string): Promise<string[]> {
  const atDevice = deviceId === undefined ? sql`` : sql`and device_id = ${deviceId}`
  return endGrants(sql, sql`business_user_id = ${businessUserId} ${atDevice}`, now)
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
