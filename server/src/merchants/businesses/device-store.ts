import type { Device } from '../../core/business-record.ts'
import type { PublicJwk } from '../../core/public-key.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A terminal and its active key. */
export interface DeviceKeys {
  readonly businessId: string
  readonly storeId: string
  /** One, or none. */
  readonly keys: readonly { readonly kid: string; readonly publicJwk: PublicJwk }[]
}

/** The key of a terminal if terminal, store and business are open, else null. */
export async function findDeviceKeys(sql: Sql, deviceId: string): Promise<DeviceKeys | null> {
  const [row] = await sql<{ businessId: string; storeId: string; kid: string; publicJwk: PublicJwk }[]>`
    select d.business_id as "businessId", d.store_id as "storeId", kid, public_jwk as "publicJwk"
    from device_keys join ${working(sql)} using (device_id)
    where device_id = ${deviceId} and revoked_at is null`
  if (row === undefined) return null
  const { businessId, storeId, ...key } = row
  return { businessId, storeId, keys: [key] }
}

/** Whether terminal, store and business are open. */
export async function isDeviceWorking(sql: Sql, deviceId: string): Promise<boolean> {
  const rows = await sql`select 1 from ${working(sql)} where device_id = ${deviceId}`
  return rows.length > 0
}

/** Records that a terminal made contact, unless a contact after `before` is recorded. `updatedAt` stays. */
export async function recordDeviceSeen(sql: Sql, deviceId: string, seen: { now: Date; before: Date }): Promise<void> {
  await sql`
    update devices set last_seen_at = ${seen.now}
    where device_id = ${deviceId} and (last_seen_at is null or last_seen_at < ${seen.before})`
}

/** Replaces the activation code. Returns false if the business has no such open device. */
export async function saveActivationCode(
  sql: Sql,
  of: { businessId: string; deviceId: string; codeHash: Buffer; expiresAt: Date; now: Date },
): Promise<boolean> {
  const saved = await sql`
    update devices set activation_code_hash = ${of.codeHash}, activation_expires_at = ${of.expiresAt},
      updated_at = ${of.now}
    where device_id = ${of.deviceId} and business_id = ${of.businessId} and status <> 'CLOSED'`
  return saved.count === 1
}

/**
 * Uses an activation code and returns its terminal, locked; null if the code is unknown or expired. Of two concurrent uses one waits and
 * finds the code used.
 */
export async function useActivationCode(sql: Sql, code: { hash: Buffer; now: Date }): Promise<Device | null> {
  const [row] = await sql<RowOf<Device>[]>`
    update devices set status = 'ACTIVE', activation_code_hash = null, activation_expires_at = null,
      updated_at = ${code.now}
    where activation_code_hash = ${code.hash} and activation_expires_at > ${code.now}
      and exists (select 1 from ${working(sql)} where d.device_id = devices.device_id)
    returning device_id as "deviceId", business_id as "businessId", store_id as "storeId", name,
      serial_number as "serialNumber", status, last_seen_at as "lastSeenAt", created_at as "createdAt",
      updated_at as "updatedAt"`
  return row ? present(row) : null
}

/** The terminal must be locked. The caller ends the tokens of the previous key. */
export async function replaceDeviceKey(
  sql: Sql,
  key: {
    deviceKeyId: string
    device: Pick<Device, 'deviceId' | 'businessId'>
    kid: string
    publicJwk: PublicJwk
    now: Date
  },
): Promise<void> {
  const { deviceId, businessId } = key.device
  await revokeDeviceKey(sql, deviceId, key.now)
  await sql`
    insert into device_keys (device_key_id, device_id, business_id, kid, public_jwk, created_at)
    values (${key.deviceKeyId}, ${deviceId}, ${businessId}, ${key.kid}, ${sql.json({ ...key.publicJwk })}, ${key.now})`
}

/**
 * Closes a terminal permanently and voids its activation code. Returns null if the business has no such open terminal. The terminal stays
 * locked; the caller ends the tokens of its key.
 */
export async function closeDeviceRow(
  sql: Sql,
  { businessId, deviceId, now }: { businessId: string; deviceId: string; now: Date },
): Promise<'closed' | null> {
  const closed = await sql`
    update devices set status = 'CLOSED', activation_code_hash = null, activation_expires_at = null, updated_at = ${now}
    where device_id = ${deviceId} and business_id = ${businessId} and status <> 'CLOSED'`
  return closed.count === 1 ? 'closed' : null
}

/** The terminal must be locked. */
export async function revokeDeviceKey(sql: Sql, deviceId: string, now: Date): Promise<void> {
  await sql`update device_keys set revoked_at = ${now} where device_id = ${deviceId} and revoked_at is null`
}

const working = (sql: Sql) => sql`(
  select d.device_id, d.business_id, d.store_id
  from devices as d join stores as s on s.store_id = d.store_id join businesses as b on b.business_id = d.business_id
  where d.status <> 'CLOSED' and s.status = 'ACTIVE' and b.status = 'ACTIVE') as d`
