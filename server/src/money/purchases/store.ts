import type { Purchase } from '../../core/purchase.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

/** A purchase, with the hash of the secret in the URL of a terminal's screen. */
export interface StoredPurchase extends Purchase {
  readonly secretHash?: Buffer
}

export async function insertPurchase(sql: Sql, purchase: StoredPurchase): Promise<void> {
  await sql`
    insert into purchases (
      purchase_id, app_id, business_id, store_id, device_id, business_user_id, terminal_session_id, kind, plan_id,
      subscription_id, status, opened_by, secret_hash, created_at, expires_at)
    values (
      ${purchase.purchaseId}, ${purchase.appId}, ${purchase.businessId}, ${purchase.storeId ?? null},
      ${purchase.deviceId ?? null}, ${purchase.businessUserId ?? null}, ${purchase.terminalSessionId ?? null},
      ${purchase.kind}, ${purchase.planId},
      ${purchase.subscriptionId ?? null}, ${purchase.status}, ${purchase.openedBy}, ${purchase.secretHash ?? null},
      ${purchase.createdAt}, ${purchase.expiresAt})`
}

export async function findPurchase(sql: Sql, purchaseId: string): Promise<StoredPurchase | null> {
  const [row] = await sql<RowOf<StoredPurchase>[]>`
    select ${columns(sql)} from purchases where purchase_id = ${purchaseId}`
  return row ? present(row) : null
}

/** Locks a purchase: it is completed or cancelled once. */
export async function lockPurchase(sql: Sql, purchaseId: string): Promise<StoredPurchase | null> {
  const [row] = await sql<RowOf<StoredPurchase>[]>`
    select ${columns(sql)} from purchases where purchase_id = ${purchaseId} for no key update`
  return row ? present(row) : null
}

/** Writes the end of a locked purchase. */
export async function endPurchase(
  sql: Sql,
  purchase: Pick<Purchase, 'purchaseId' | 'status' | 'subscriptionId' | 'invoiceId' | 'endedAt'>,
): Promise<void> {
  await sql`
    update purchases set status = ${purchase.status}, subscription_id = ${purchase.subscriptionId ?? null},
      invoice_id = ${purchase.invoiceId ?? null}, ended_at = ${purchase.endedAt ?? null}
    where purchase_id = ${purchase.purchaseId}`
}

/** Skips purchases that are being completed at this moment. Returns how many. */
export async function expirePurchases(sql: Sql, due: { now: Date; limit: number }): Promise<number> {
  const expired = await sql`
    update purchases set status = 'EXPIRED', ended_at = expires_at
    where purchase_id in (
      select purchase_id from purchases where status = 'OPEN' and expires_at <= ${due.now}
      order by expires_at limit ${due.limit} for update skip locked)`
  return expired.count
}

/** Deletes purchases that ended before an instant without being completed. Returns how many. */
export async function purgeNeverCompleted(sql: Sql, before: Date, limit: number): Promise<number> {
  const deleted = await sql`
    delete from purchases where purchase_id in (
      select purchase_id from purchases where status in ('CANCELLED', 'EXPIRED') and ended_at < ${before}
      order by ended_at limit ${limit} for update skip locked)`
  return deleted.count
}

/** Counts the open purchases of an app at a locked business, up to `limit`. */
export async function countOpen(
  sql: Sql,
  of: { appId: string; businessId: string; now: Date; limit: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from purchases
      where app_id = ${of.appId} and business_id = ${of.businessId} and status = 'OPEN' and expires_at > ${of.now}
      limit ${of.limit}) as open`
  return row?.count ?? 0
}

/** Cancels the open purchases of a terminal, after a completion that is running. */
export async function cancelPurchasesOfDevice(sql: Sql, deviceId: string, now: Date): Promise<void> {
  await sql`
    update purchases set status = 'CANCELLED', ended_at = ${now} where device_id = ${deviceId} and status = 'OPEN'`
}

const columns = (sql: Sql) => sql`
  purchase_id as "purchaseId", app_id as "appId", business_id as "businessId", store_id as "storeId",
  device_id as "deviceId", business_user_id as "businessUserId", terminal_session_id as "terminalSessionId",
  kind, plan_id as "planId",
  subscription_id as "subscriptionId", invoice_id as "invoiceId", status, opened_by as "openedBy",
  secret_hash as "secretHash", created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt"`
