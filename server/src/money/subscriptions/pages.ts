import { assert } from '../../core/assert.ts'
import type { Place, SubscriptionStatus } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/part.ts'
import { beforeSpanOf, type CountedList, finestSpan, spanAt, totalOf } from './counts.ts'
import { BETWEEN_ROWS, type Columns, SHOWN, type ShownSubscription, shownOf, VERSIONS, versionsOf } from './shown.ts'

export interface SubscriptionFilter {
  readonly appId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly planId?: string
  /** Of one business: only what is seen from there. */
  readonly seenFrom?: Place
  readonly status: SubscriptionStatus | 'ALL'
}

/** Where a page begins: at an offset, at an instant, or after a subscription of the app. */
export type PageBegin = { readonly offset: number } | { readonly createdFrom: Date } | { readonly after: string }

export interface PagePlace {
  readonly begin: PageBegin
  readonly limit: number
}

export interface ReadPage<Row> {
  readonly rows: readonly Row[]
  /** The offset of the first row, or of where it would be. */
  readonly start: number
  /** Of the filtered list. */
  readonly total: number
  /** Of the server that read it, since its start: versions of one life are not those of another. */
  readonly life: string
}

export async function readPage(
  sql: Sql,
  filter: SubscriptionFilter,
  place: PagePlace,
): Promise<ReadPage<ShownSubscription>> {
  const { cell, ...page } = await readColumns(sql, filter, place, SHOWN)
  return { rows: shownOf(cell), ...page }
}

/** The same page, of whose rows it tells no more than which version each is of: for a third of the work. */
export async function readVersions(sql: Sql, filter: SubscriptionFilter, place: PagePlace): Promise<ReadPage<string>> {
  const { cell, ...page } = await readColumns(sql, filter, place, VERSIONS)
  return { rows: versionsOf(cell), ...page }
}

/** One statement, so that rows, start and total are of one moment. */
async function readColumns(
  sql: Sql,
  filter: SubscriptionFilter,
  { begin, limit }: PagePlace,
  columns: Columns,
): Promise<Omit<ReadPage<never>, 'rows'> & { cell: string | null }> {
  const { tables, sums, where } = partsOf(filter, begin)
  const { columns: wanted, from } = rowsOf(filter, { where, limit: part`${limit}`, columns })
  const [row] = await send<(Sums & { cell: string | null; life: string })[]>(
    sql,
    part`
      ${tables}
      select ${sums}, pg_postmaster_start_time()::text as life, (
        select string_agg(${columns.printed}, ${BETWEEN_ROWS} order by created_at, subscription_id)
        from (
          select ${wanted} from ${from}
          order by created_at, subscription_id
          limit ${limit}) as page) as cell`,
  )
  assert(row, 'a page is one row, however many are on it')
  const { total, life, cell } = row
  return { start: 'offset' in begin ? begin.offset : row.start, total, life, cell }
}

interface Sums {
  readonly total: number
  /** Where it is not known beforehand. */
  readonly start: number
}

/** What the statement of a page is put together from. */
interface PageParts {
  /** Common table expressions. */
  readonly tables: Part
  readonly sums: Part
  /** Of the rows of the list, those from the beginning of the page on. */
  readonly where: Part
}

function partsOf(filter: SubscriptionFilter, begin: PageBegin): PageParts {
  const list = countedList(filter)
  const ofList = matching(filter)
  const total = list ? totalOf(list) : counting(filter, ofList)
  if ('offset' in begin) {
    const sums = part`${total} as total`
    if (begin.offset === 0) return { tables: part``, sums, where: ofList }
    const from = part`((select created_at from first), (select subscription_id from first))`
    const where = part`${ofList} and (created_at, subscription_id) >= ${from}`
    return { tables: part`with ${firstAt(filter, begin.offset)}`, sums, where }
  }
  if ('createdFrom' in begin) {
    const at = part`${begin.createdFrom}::timestamptz`
    const sums = part`${total} as total, ${rankOf(filter, at, part`created_at < ${at}`)} as start`
    return { tables: part``, sums, where: part`${ofList} and created_at >= ${at}` }
  }
  const at = part`(select created_at from after)`
  const upTo = part`(created_at, subscription_id) <= (${at}, ${begin.after}::uuid)`
  return {
    tables: part`with after as (select created_at from subscriptions where subscription_id = ${begin.after})`,
    sums: part`${total} as total, ${rankOf(filter, at, upTo)} as start`,
    where: part`${ofList} and (created_at, subscription_id) > (${at}, ${begin.after}::uuid)`,
  }
}

/** As near to the beginning, or in a list of few, the rows before are passed over faster than the counts are walked. */
const NEAR = 1_000

/** Common table expressions that end in `first (created_at, subscription_id)`: the key of the row at an offset. */
function firstAt(filter: SubscriptionFilter, offset: number): Part {
  const list = countedList(filter)
  const where = matching(filter)
  if (list === undefined || offset <= NEAR) return keyAfter(filter, where, part`${offset}::bigint`)
  const inSpan = part`${where} and created_at >= (select begins_at from span)`
  const passedOver = part`${offset} - (select before from span)`
  return part`${spanAt(list, offset)}, ${keyAfter(filter, inSpan, passedOver)}`
}

const keyAfter = (filter: SubscriptionFilter, where: Part, passedOver: Part) => {
  const { columns, from } = rowsOf(filter, { where, limit: part`${passedOver} + 1`, columns: KEYS })
  return part`
    first as (
      select ${columns} from ${from}
      order by created_at, subscription_id
      offset ${passedOver} limit 1)`
}

const KEY = part`created_at, subscription_id`
const KEYS = { stored: KEY, named: KEY }

/** How many of the list come before a place at the instant `at`; `before` tells that place. */
function rankOf(filter: SubscriptionFilter, at: Part, before: Part): Part {
  const list = countedList(filter)
  const where = part`${matching(filter)} and ${before}`
  if (list === undefined) return counting(filter, where)
  const ofSpan = part`${where} and created_at >= date_trunc(${finestSpan(list)}, ${at}, 'UTC')`
  return part`(${beforeSpanOf(list, at)} + ${counting(filter, ofSpan)})::integer`
}

const counting = (filter: SubscriptionFilter, where: Part) => part`
  (select count(*)::integer from subscriptions
    where status = any(${statusesOf(filter) as string[]}::text[]) and ${where})`

/** The rows of a status stand in order in an index. Where there are several statuses, the first rows of each are merged. */
function rowsOf(
  filter: SubscriptionFilter,
  { where, limit, columns }: { where: Part; limit: Part; columns: Pick<Columns, 'stored' | 'named'> },
): { columns: Part; from: Part } {
  const ofStatus = (status: SubscriptionStatus): Part => part`subscriptions where status = ${status} and ${where}`
  if (filter.status !== 'ALL') return { columns: columns.stored, from: ofStatus(filter.status) }
  const firstOf = (status: SubscriptionStatus): Part => part`
    (select ${columns.stored} from ${ofStatus(status)} order by created_at, subscription_id limit ${limit})`
  return { columns: columns.named, from: part`(${firstOf('ACTIVE')} union all ${firstOf('ENDED')}) as subscriptions` }
}

/** The list of which counts are kept. Others are of one merchant: few, and counted. */
function countedList(filter: SubscriptionFilter): CountedList | undefined {
  const { appId, businessId, storeId, deviceId, planId } = filter
  if (businessId || storeId || deviceId) return undefined
  return { appId, statuses: statusesOf(filter), ...(planId === undefined ? {} : { planId }) }
}

const statusesOf = ({ status }: SubscriptionFilter): readonly SubscriptionStatus[] =>
  status === 'ALL' ? ['ACTIVE', 'ENDED'] : [status]

/** A store or device is of one business, whose subscriptions are few and have an index. */
function matching({ appId, businessId, storeId, deviceId, planId, seenFrom = {} }: SubscriptionFilter): Part {
  const conditions = [part`app_id = ${appId}`]
  if (businessId) conditions.push(part`business_id = ${businessId}`)
  if (storeId) conditions.push(part`store_id = ${storeId}`, part`business_id = ${ownerOf.store(storeId)}`)
  if (deviceId) conditions.push(part`device_id = ${deviceId}`, part`business_id = ${ownerOf.device(deviceId)}`)
  if (planId) conditions.push(part`plan_id = ${planId}`)
  // As core/place.ts has it.
  if (seenFrom.storeId) conditions.push(part`(store_id is null or store_id = ${seenFrom.storeId})`)
  if (seenFrom.deviceId) conditions.push(part`(device_id is null or device_id = ${seenFrom.deviceId})`)
  return conditions.reduce((all, more) => part`${all} and ${more}`)
}

const ownerOf = {
  store: (storeId: string) => part`(select business_id from stores where store_id = ${storeId})`,
  device: (deviceId: string) => part`(select business_id from devices where device_id = ${deviceId})`,
}
