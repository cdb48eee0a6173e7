import type { Business } from '../../core/business.ts'
import type { BusinessRecord, Device, Store } from '../../core/business-record.ts'
import type { TaxTerms } from '../../core/tax.ts'
import type { TaxIdStatus } from '../../core/tax-id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { present, type RowOf } from '../../platform/db/sql.ts'

export async function findBusiness(sql: Sql, businessId: string): Promise<BusinessRecord | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from businesses where business_id = ${businessId}`
  return row ? toBusiness(row) : null
}

/** Newest first. Unknown ids are missing from the result. */
export async function findBusinesses(sql: Sql, businessIds: readonly string[]): Promise<BusinessRecord[]> {
  if (businessIds.length === 0) return []
  const rows = await sql<Row[]>`
    select ${columns(sql)} from businesses where business_id = any(${businessIds as string[]}::uuid[])
    order by business_id desc`
  return rows.map(toBusiness)
}

/** Locks the business until the transaction ends. */
export async function lockBusiness(sql: Sql, businessId: string): Promise<BusinessRecord | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from businesses where business_id = ${businessId} for no key update`
  return row ? toBusiness(row) : null
}

/** The facts that billing needs of each business. Unknown ids are missing from the result. */
export async function findBusinessesForBilling(
  sql: Sql,
  businessIds: readonly string[],
): Promise<Map<string, Business>> {
  if (businessIds.length === 0) return new Map()
  const rows = await sql<BillingRow[]>`
    select ${billingColumns(sql)} from businesses where business_id = any(${businessIds as string[]}::uuid[])`
  return new Map(rows.map(row => [row.businessId, toBusiness(row)]))
}

/** The facts about buyers that decide the tax, by business. */
export async function findBuyers(sql: Sql, businessIds: readonly string[]): Promise<Map<string, TaxTerms['buyer']>> {
  const rows = await sql<
    { businessId: string; country: string; taxId: string | null; taxIdStatus: TaxIdStatus | null }[]
  >`
    select business_id as "businessId", country, tax_id as "taxId", tax_id_status as "taxIdStatus" from businesses
    where business_id = any(${businessIds as string[]}::uuid[])`
  return new Map(rows.map(({ businessId, ...buyer }) => [businessId, present(buyer)]))
}

export async function findBusinessOfDevice(sql: Sql, deviceId: string): Promise<BusinessRecord | null> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from businesses
    where business_id = (select d.business_id from devices as d where d.device_id = ${deviceId})`
  return row ? toBusiness(row) : null
}

export async function countTestMerchants(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from businesses where organization_id = ${organizationId}`
  return row?.count ?? 0
}

export async function insertBusiness(sql: Sql, business: BusinessRecord): Promise<void> {
  await sql`
    insert into businesses (
      business_id, organization_id, type, status, legal_name, doing_business_as, email_address, phone, address,
      country, timezone, billing_email, tax_id, tax_id_status, tax_id_check_at,
      tax_rate_check_at, language, mails_off, created_at, updated_at)
    values (
      ${business.businessId}, ${business.organizationId ?? null}, ${business.type}, ${business.status},
      ${business.legalName}, ${business.doingBusinessAs}, ${business.emailAddress},
      ${business.phone ? sql.json({ ...business.phone }) : null},
      ${business.address ? sql.json({ ...business.address }) : null}, ${business.country}, ${business.timezone},
      ${business.billingEmail ?? null}, ${business.taxId ?? null}, ${business.taxIdStatus ?? null},
      ${business.taxIdCheckAt ?? null}, ${business.taxRateCheckAt ?? null}, ${business.language},
      ${[...business.mailsOff]}::text[], ${business.createdAt}, ${business.updatedAt})
    on conflict (business_id) do nothing`
}

/** Writes the editable columns. The row must be locked. */
export async function saveBusiness(sql: Sql, business: BusinessRecord): Promise<void> {
  await sql`
    update businesses set
      legal_name = ${business.legalName}, doing_business_as = ${business.doingBusinessAs},
      email_address = ${business.emailAddress}, phone = ${business.phone ? sql.json({ ...business.phone }) : null},
      address = ${business.address ? sql.json({ ...business.address }) : null}, country = ${business.country},
      timezone = ${business.timezone}, billing_email = ${business.billingEmail ?? null},
      tax_id = ${business.taxId ?? null}, tax_id_status = ${business.taxIdStatus ?? null},
      tax_id_check_at = ${business.taxIdCheckAt ?? null},
      tax_rate_check_at = ${business.taxRateCheckAt ?? null}, language = ${business.language}, mails_off = ${[...business.mailsOff]}::text[],
      updated_at = ${business.updatedAt}
    where business_id = ${business.businessId}`
}

/** Puts the business on a test clock, moves the clock, or (null) returns the business to real time. Decisions 10. */
export async function setClock(
  sql: Sql,
  businessId: string,
  clock: { testClockId: string; now: Date } | null,
): Promise<void> {
  await sql`
    update businesses set test_clock_id = ${clock?.testClockId ?? null}, clock_now = ${clock?.now ?? null}
    where business_id = ${businessId}`
}

/** A store of the business. A store of another business is not found. */
export async function findStore(sql: Sql, businessId: string, storeId: string): Promise<Store | null> {
  const [row] = await sql<Store[]>`
    select ${storeColumns(sql)} from stores where store_id = ${storeId} and business_id = ${businessId}`
  return row ?? null
}

/** A device of the business. A device of another business is not found. */
export async function findDevice(sql: Sql, businessId: string, deviceId: string): Promise<Device | null> {
  const [row] = await sql<RowOf<Device>[]>`
    select ${deviceColumns(sql)} from devices where device_id = ${deviceId} and business_id = ${businessId}`
  return row ? present(row) : null
}

export interface TillQuery {
  readonly businessId: string
  readonly storeId?: string
  readonly deviceId?: string
}

export interface Till {
  readonly business: Business
  /** Whether the business has the store, and the store is open. */
  readonly hasStore: boolean
  /** The store of the device; null if the business has no such device in use. */
  readonly storeOfDevice: string | null
}

/**
 * One entry per query, by one statement: the business with its terminal, or null if the business does not exist. `unnest` would make
 * PostgreSQL plan the statement for each call (220 µs), because it expects fewer rows from a short array than from an unknown one. The
 * lateral subquery keeps the plan to the index, whatever the size of the table was when the plan was made.
 */
export async function findTills(sql: Sql, queries: readonly TillQuery[]): Promise<(Till | null)[]> {
  const rows = await sql<(BillingRow & { location: number; hasStore: boolean; storeOfDevice: string | null })[]>`
    select x.location, b.*,
      exists (select 1 from stores as s where s.store_id = x.store and s.business_id = x.business
        and s.status <> 'CLOSED') as "hasStore",
      (select d.store_id from devices as d where d.device_id = x.device and d.business_id = x.business
        and d.status <> 'CLOSED') as "storeOfDevice"
    from jsonb_to_recordset(${JSON.stringify(queries.map(toLocated))}::text::jsonb) as x (
      business uuid, store uuid, device uuid, location integer)
    cross join lateral (select ${billingColumns(sql)} from businesses where business_id = x.business limit 1) as b`
  const tills: (Till | null)[] = queries.map(() => null)
  for (const { location, hasStore, storeOfDevice, ...business } of rows) {
    tills[location] = { business: toBusiness(business), hasStore, storeOfDevice }
  }
  return tills
}

function toLocated({ businessId, storeId, deviceId }: TillQuery, location: number) {
  return { business: businessId, store: storeId, device: deviceId, location }
}

export async function findStores(sql: Sql, businessId: string): Promise<Store[]> {
  return await sql<Store[]>`
    select ${storeColumns(sql)} from stores where business_id = ${businessId} order by created_at, store_id`
}

export async function findDevices(sql: Sql, businessId: string): Promise<Device[]> {
  const rows = await sql<RowOf<Device>[]>`
    select ${deviceColumns(sql)} from devices where business_id = ${businessId} order by created_at, device_id`
  return rows.map(row => present(row))
}

export async function insertStore(sql: Sql, store: Store): Promise<void> {
  await sql`
    insert into stores (store_id, business_id, display_name, status, created_at, updated_at)
    values (${store.storeId}, ${store.businessId}, ${store.displayName}, ${store.status}, ${store.createdAt},
      ${store.updatedAt})
    on conflict (store_id) do nothing`
}

/** Closes a store permanently. The business must be locked; the caller closes the store's terminals. */
export async function closeStoreRow(
  sql: Sql,
  { businessId, storeId, now }: { businessId: string; storeId: string; now: Date },
): Promise<void> {
  await sql`
    update stores set status = 'CLOSED', updated_at = ${now}
    where store_id = ${storeId} and business_id = ${businessId} and status <> 'CLOSED'`
}

/** Only the hash of the activation code is stored. */
export async function insertDevice(
  sql: Sql,
  device: Device,
  activation: { codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into devices (
      device_id, business_id, store_id, name, serial_number, status, activation_code_hash, activation_expires_at,
      created_at, updated_at)
    values (
      ${device.deviceId}, ${device.businessId}, ${device.storeId}, ${device.name}, ${device.serialNumber},
      ${device.status}, ${activation.codeHash}, ${activation.expiresAt}, ${device.createdAt}, ${device.updatedAt})
    on conflict (device_id) do nothing`
}

type BillingRow = RowWithClock<Business>
type Row = RowWithClock<BusinessRecord>
type RowWithClock<B extends Business> = RowOf<Omit<B, 'clock'>> & {
  readonly testClockId: string | null
  readonly clockNow: Date | null
}

function toBusiness<R extends BillingRow>(row: R) {
  const { testClockId, clockNow, ...rest } = row
  const clock = testClockId !== null && clockNow !== null ? { testClockId, now: clockNow } : null
  return present({ ...rest, clock })
}

const billingColumns = (sql: Sql) => sql`
  business_id as "businessId", organization_id as "organizationId", type, country, test_clock_id as "testClockId",
  clock_now as "clockNow"`

const columns = (sql: Sql) => sql`
  ${billingColumns(sql)}, status, legal_name as "legalName", doing_business_as as "doingBusinessAs",
  email_address as "emailAddress", phone, address, timezone, billing_email as "billingEmail",
  tax_id as "taxId", tax_id_status as "taxIdStatus", tax_id_check_at as "taxIdCheckAt",
  tax_rate_check_at as "taxRateCheckAt", language, mails_off as "mailsOff", created_at as "createdAt", updated_at as "updatedAt"`

const storeColumns = (sql: Sql) => sql`
  store_id as "storeId", business_id as "businessId", display_name as "displayName", status,
  created_at as "createdAt", updated_at as "updatedAt"`

const deviceColumns = (sql: Sql) => sql`
  device_id as "deviceId", business_id as "businessId", store_id as "storeId", name, serial_number as "serialNumber",
  status, last_seen_at as "lastSeenAt", created_at as "createdAt", updated_at as "updatedAt"`
