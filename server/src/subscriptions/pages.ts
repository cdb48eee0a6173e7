import { assert } from '../core/assert.ts'
import type { EndReason, PaymentStatus, Phase, SubscriptionStatus } from '../core/subscription.ts'
import type { Sql } from '../db/db.ts'
import { beforeSpanOf, type CountedList, type Fragment, finestSpan, spanAt, totalOf } from './counts.ts'

/** What the wire shows of a subscription. `At`: an instant, as it is held where the subscription comes from. */
export interface Shown<At> {
  readonly subscriptionId: string
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly bundleId: string
  readonly storeId?: string | null
  readonly deviceId?: string | null
  readonly amount: number
  readonly phase: Phase
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  readonly startAt: At
  readonly trialEndAt?: At | null
  readonly currentPeriodStart: At
  readonly currentPeriodEnd: At
  readonly nextRetryAt?: At | null
  readonly cancelAt?: At | null
  readonly endedAt?: At | null
  readonly endReason?: EndReason | null
  readonly createdAt: At
  readonly updatedAt: At
}

/** Instants are as PostgreSQL writes them, in UTC: whoever only shows them need not compute with them. */
export type ShownSubscription = Shown<string>

export interface SubscriptionFilter {
  readonly appId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly planId?: string
  readonly status: SubscriptionStatus | 'ALL'
}

/** Where a page begins: at an offset, at an instant, or after a subscription of the app. */
export type PageBegin = { readonly offset: number } | { readonly createdFrom: Date } | { readonly after: string }

export interface ReadPage {
  readonly rows: readonly ShownSubscription[]
  /** The offset of the first row, or of where it would be. */
  readonly start: number
  /** Of the filtered list. */
  readonly total: number
}

export async function findShown(sql: Sql, subscriptionId: string): Promise<ShownSubscription | null> {
  const [row] = await sql<Row[]>`select ${shown(sql)} from subscriptions where subscription_id = ${subscriptionId}`
  return row ? shownOf(row) : null
}

/** One statement, so that rows, start and total are of one moment. */
export async function readPage(
  sql: Sql,
  filter: SubscriptionFilter,
  { begin, limit }: { begin: PageBegin; limit: number },
): Promise<ReadPage> {
  const { tables, sums, where } = partsOf(sql, filter, begin)
  const rows = await sql<(Row & Sums)[]>`
    ${tables}
    select ${shown(sql)}, ${sums}
    from ${rowsOf(sql, filter, { where, limit: sql`${limit}` })}
    order by created_at, subscription_id
    limit ${limit}`
  // Where there is no row to carry the sums, they are asked for alone.
  const [first] = rows.length > 0 ? rows : await sql<Sums[]>`${tables} select ${sums}`
  assert(first, 'sums are always there')
  const start = 'offset' in begin ? begin.offset : first.start
  return { rows: rows.map(shownOf), start, total: first.total }
}

interface Sums {
  readonly total: number
  /** Where it is not known beforehand. */
  readonly start: number
}

/** What the statement of a page is put together from. */
interface PageParts {
  /** Common table expressions. */
  readonly tables: Fragment
  readonly sums: Fragment
  /** Of the rows of the list, those from the beginning of the page on. */
  readonly where: Fragment
}

function partsOf(sql: Sql, filter: SubscriptionFilter, begin: PageBegin): PageParts {
  const list = countedList(filter)
  const ofList = matching(sql, filter)
  const total = list ? totalOf(sql, list) : counting(sql, filter, ofList)
  if ('offset' in begin) {
    const sums = sql`${total} as total`
    if (begin.offset === 0) return { tables: sql``, sums, where: ofList }
    const from = sql`((select created_at from first), (select subscription_id from first))`
    const where = sql`${ofList} and (created_at, subscription_id) >= ${from}`
    return { tables: sql`with ${firstAt(sql, filter, begin.offset)}`, sums, where }
  }
  if ('createdFrom' in begin) {
    const at = sql`${begin.createdFrom}::timestamptz`
    const sums = sql`${total} as total, ${rankOf(sql, filter, at, sql`created_at < ${at}`)} as start`
    return { tables: sql``, sums, where: sql`${ofList} and created_at >= ${at}` }
  }
  const at = sql`(select created_at from after)`
  const upTo = sql`(created_at, subscription_id) <= (${at}, ${begin.after}::uuid)`
  return {
    tables: sql`with after as (select created_at from subscriptions where subscription_id = ${begin.after})`,
    sums: sql`${total} as total, ${rankOf(sql, filter, at, upTo)} as start`,
    where: sql`${ofList} and (created_at, subscription_id) > (${at}, ${begin.after}::uuid)`,
  }
}

/** As near to the beginning, or in a list of few, the rows before are passed over faster than the counts are walked. */
const NEAR = 1_000

/** Common table expressions that end in `first (created_at, subscription_id)`: the key of the row at an offset. */
function firstAt(sql: Sql, filter: SubscriptionFilter, offset: number): Fragment {
  const list = countedList(filter)
  const where = matching(sql, filter)
  if (list === undefined || offset <= NEAR) return keyAfter(sql, filter, where, sql`${offset}::bigint`)
  const inSpan = sql`${where} and created_at >= (select begins_at from span)`
  const passedOver = sql`${offset} - (select before from span)`
  return sql`${spanAt(sql, list, offset)}, ${keyAfter(sql, filter, inSpan, passedOver)}`
}

const keyAfter = (sql: Sql, filter: SubscriptionFilter, where: Fragment, passedOver: Fragment) => sql`
  first as (
    select created_at, subscription_id
    from ${rowsOf(sql, filter, { where, limit: sql`${passedOver} + 1`, keysOnly: true })}
    order by created_at, subscription_id
    offset ${passedOver} limit 1)`

/** How many of the list come before a place at the instant `at`; `before` tells that place. */
function rankOf(sql: Sql, filter: SubscriptionFilter, at: Fragment, before: Fragment): Fragment {
  const list = countedList(filter)
  const where = sql`${matching(sql, filter)} and ${before}`
  if (list === undefined) return counting(sql, filter, where)
  const ofSpan = sql`${where} and created_at >= date_trunc(${finestSpan(sql, list)}, ${at}, 'UTC')`
  return sql`(${beforeSpanOf(sql, list, at)} + ${counting(sql, filter, ofSpan)})::integer`
}

const counting = (sql: Sql, filter: SubscriptionFilter, where: Fragment) => sql`
  (select count(*)::integer from subscriptions
    where status = any(${statusesOf(filter) as string[]}::text[]) and ${where})`

/** The rows of a status stand in order in an index. Where there are several statuses, the first rows of each are merged. */
function rowsOf(
  sql: Sql,
  filter: SubscriptionFilter,
  { where, limit, keysOnly = false }: { where: Fragment; limit: Fragment; keysOnly?: boolean },
): Fragment {
  const ofStatus = (status: SubscriptionStatus): Fragment => sql`subscriptions where status = ${status} and ${where}`
  if (filter.status !== 'ALL') return ofStatus(filter.status)
  const columns = keysOnly ? sql`created_at, subscription_id` : stored(sql)
  const firstOf = (status: SubscriptionStatus): Fragment => sql`
    (select ${columns} from ${ofStatus(status)} order by created_at, subscription_id limit ${limit})`
  return sql`(${firstOf('ACTIVE')} union all ${firstOf('ENDED')}) as subscriptions`
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
function matching(sql: Sql, { appId, businessId, storeId, deviceId, planId }: SubscriptionFilter): Fragment {
  const conditions = [sql`app_id = ${appId}`]
  if (businessId) conditions.push(sql`business_id = ${businessId}`)
  if (storeId) conditions.push(sql`store_id = ${storeId}`, sql`business_id = ${ownerOf.store(sql, storeId)}`)
  if (deviceId) conditions.push(sql`device_id = ${deviceId}`, sql`business_id = ${ownerOf.device(sql, deviceId)}`)
  if (planId) conditions.push(sql`plan_id = ${planId}`)
  return conditions.reduce((all, more) => sql`${all} and ${more}`)
}

const ownerOf = {
  store: (sql: Sql, storeId: string) => sql`(select business_id from stores where store_id = ${storeId})`,
  device: (sql: Sql, deviceId: string) => sql`(select business_id from devices where device_id = ${deviceId})`,
}

const stored = (sql: Sql) => sql`
  subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, amount, phase, status, payment_status,
  start_at, trial_end_at, current_period_start, current_period_end, next_retry_at, cancel_at, ended_at, end_reason,
  created_at, updated_at`

/** The driver takes longer over a cell than over what is in it: what is always there travels in one. */
const shown = (sql: Sql) => sql`
  concat_ws(
    '|', subscription_id, app_id, business_id, plan_id, bundle_id, amount, phase, status, payment_status, start_at,
    current_period_start, current_period_end, created_at, updated_at) as always,
  store_id as "storeId", device_id as "deviceId", trial_end_at::text as "trialEndAt", next_retry_at::text as "nextRetryAt",
  cancel_at::text as "cancelAt", ended_at::text as "endedAt", end_reason as "endReason"`

interface Row {
  /** Ids, a number, words and instants: none of them has a bar in it. */
  readonly always: string
  readonly storeId: string | null
  readonly deviceId: string | null
  readonly trialEndAt: string | null
  readonly nextRetryAt: string | null
  readonly cancelAt: string | null
  readonly endedAt: string | null
  readonly endReason: EndReason | null
}

type Always = readonly [
  ...[subscriptionId: string, appId: string, businessId: string, planId: string, bundleId: string, amount: string],
  ...[phase: Phase, status: SubscriptionStatus, paymentStatus: PaymentStatus, startAt: string],
  ...[currentPeriodStart: string, currentPeriodEnd: string, createdAt: string, updatedAt: string],
]

function shownOf(row: Row): ShownSubscription {
  const always = row.always.split('|') as readonly string[] as Always
  return {
    subscriptionId: always[0],
    appId: always[1],
    businessId: always[2],
    planId: always[3],
    bundleId: always[4],
    amount: Number(always[5]),
    phase: always[6],
    status: always[7],
    paymentStatus: always[8],
    startAt: always[9],
    currentPeriodStart: always[10],
    currentPeriodEnd: always[11],
    createdAt: always[12],
    updatedAt: always[13],
    storeId: row.storeId,
    deviceId: row.deviceId,
    trialEndAt: row.trialEndAt,
    nextRetryAt: row.nextRetryAt,
    cancelAt: row.cancelAt,
    endedAt: row.endedAt,
    endReason: row.endReason,
  }
}
