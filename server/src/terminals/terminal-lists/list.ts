import type { MerchantType } from '../../core/business.ts'
import type { Device } from '../../core/business-record.ts'
import { type Listed, listed, type Slice } from '../../core/page.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { parseSearch, type Search } from '../../core/search.ts'
import type { Sql } from '../../platform/db/db.ts'
import { matching } from '../../platform/db/search.ts'
import { type Present, present } from '../../platform/db/sql.ts'
import type { Ports } from '../../ports.ts'

export interface TerminalsQuery {
  /** Terminals with an app of this organization, and those of its test merchants. Absent: all. */
  readonly organizationId?: string
  readonly appId?: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly status?: Device['status']
  readonly merchantType?: MerchantType
  /** An id, or words that begin words of the name or the serial number. */
  readonly q?: string
}

interface Row {
  deviceId: string
  businessId: string
  businessName: string
  merchantType: MerchantType
  storeId: string
  storeName: string
  name: string
  serialNumber: string
  status: Device['status']
  lastSeenAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type ListedTerminal = Present<Row>

/** Lists terminals, newest first. */
export async function pageOfTerminals(
  { db }: Pick<Ports, 'db'>,
  { q, ...exact }: TerminalsQuery,
  slice: Slice,
): Promise<Listed<ListedTerminal> | Rejection> {
  const search = q === undefined ? undefined : parseSearch(q)
  if (isRejection(search)) return search
  const more = { ...slice, limit: slice.limit + 1 }
  const rows = await listTerminals(db.sql, { ...exact, ...(search && { search }) }, more)
  return listed(rows, slice.limit, ({ deviceId }) => deviceId)
}

type Filter = Omit<TerminalsQuery, 'q'> & { readonly search?: Search }

async function listTerminals(sql: Sql, filter: Filter, { limit, after }: Slice): Promise<ListedTerminal[]> {
  const { businessId, storeId, deviceId, status, merchantType, search } = filter
  const rows = await sql<Row[]>`
    select d.device_id as "deviceId", d.business_id as "businessId",
      coalesce(nullif(b.doing_business_as, ''), b.legal_name) as "businessName", b.type as "merchantType",
      d.store_id as "storeId", s.display_name as "storeName", d.name, d.serial_number as "serialNumber", d.status,
      d.last_seen_at as "lastSeenAt", d.created_at as "createdAt", d.updated_at as "updatedAt"
    from devices as d join businesses as b on b.business_id = d.business_id join stores as s on s.store_id = d.store_id
    where true
      ${ofApps(sql, filter)}
      ${businessId ? sql`and d.business_id = ${businessId}` : sql``}
      ${storeId ? sql`and d.store_id = ${storeId}` : sql``}
      ${deviceId ? sql`and d.device_id = ${deviceId}` : sql``}
      ${status ? sql`and d.status = ${status}` : sql``}
      ${merchantType ? sql`and b.type = ${merchantType}` : sql``}
      ${search ? sql`and ${matching(sql, search, { id: 'device_id', words: words(sql) })}` : sql``}
      ${after ? sql`and d.device_id < ${after}` : sql``}
    order by d.device_id desc limit ${limit}`
  return rows.map(row => present(row))
}

const words = (sql: Sql) => sql`search_words(d.name || ' ' || d.serial_number)`

/** Terminals where an app is installed. An organization also sees the terminals of its own test merchants. */
function ofApps(sql: Sql, { organizationId, appId }: Filter) {
  if (organizationId === undefined && appId === undefined) return sql``
  const owned = sql`
    union all
    select device_id from devices where business_id in (
      select business_id from businesses where organization_id = ${organizationId ?? null})`
  return sql`
    and d.device_id in (
      select i.device_id from installed_apps as i join apps as a on a.app_id = i.app_id
      where true
        ${organizationId ? sql`and a.organization_id = ${organizationId}` : sql``}
        ${appId ? sql`and a.app_id = ${appId}` : sql``}
      ${organizationId !== undefined && appId === undefined ? owned : sql``})`
}
