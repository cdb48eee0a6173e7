import type { Sql } from '../../platform/db/db.ts'

/** A terminal's refresh token and the access tokens issued from it. */
export interface DeviceGrant {
  readonly grantId: string
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
}

/**
 * Like `grantOnce` in store.ts, for a terminal. The key stays active until the transaction ends, so that a new activation happens entirely before
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
 * Call it in the transaction that revokes the terminal's key, after writing the key's row. Ends the terminal's own grants and those of its
 * users. Returns the ended grants.
 */
export async function revokeGrantsOfDevice(sql: Sql, deviceId: string, now: Date): Promise<string[]> {
  const rows = await sql<{ grantId: string }[]>`
    update grants set revoked_at = ${now} where device_id = ${deviceId} and revoked_at is null
    returning grant_id as "grantId"`
  return rows.map(({ grantId }) => grantId)
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
export async function revokeGrantsOfUser(
  sql: Sql,
  businessUserId: string,
  now: Date,
  deviceId?: string,
): Promise<string[]> {
  const rows = await sql<{ grantId: string }[]>`
    update grants set revoked_at = ${now}
    where business_user_id = ${businessUserId} and revoked_at is null
      and (${deviceId ?? null}::uuid is null or device_id = ${deviceId ?? null})
    returning grant_id as "grantId"`
  return rows.map(({ grantId }) => grantId)
}
