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
  const [row] = await sql<ShownSubscription[]>`
    select ${shown(sql)} from subscriptions where subscription_id = ${subscriptionId}`
  return row ?? null
}

/** One statement, so that rows, start and total are of one moment. */
export async function readPage(
  sql: Sql,
  filter: SubscriptionFilter,
  page: { begin: PageBegin; limit: number },
): Promise<ReadPage> {
  const { ctes, total, start, condition } = planOf(sql, filter, page.begin)
  const rows = await sql<(ShownSubscription & Omit<ReadPage, 'rows'>)[]>`
    ${ctes}
    select ${shown(sql)}, ${total} as total, ${start} as start
    from (${ofEachStatus(sql, filter, { columns: stored(sql), condition, limit: sql`${page.limit}` })}) as subscriptions
    order by created_at, subscription_id
    limit ${page.limit}`
  if (rows[0]) return { rows, start: rows[0].start, total: rows[0].total }
  // No row is there to carry them.
  const [sums] = await sql<Omit<ReadPage, 'rows'>[]>`${ctes} select ${total} as total, ${start} as start`
  return { rows, start: sums?.start ?? 0, total: sums?.total ?? 0 }
}

interface PagePlan {
  readonly ctes: Fragment
  readonly total: Fragment
  readonly start: Fragment
  /** Which rows of the list the page begins with. */
  readonly condition: Fragment
}

function planOf(sql: Sql, filter: SubscriptionFilter, begin: PageBegin): PagePlan {
  const list = countedList(filter)
  const total = list ? totalOf(sql, list) : counting(sql, filter, sql``)
  if ('offset' in begin) {
    const { offset } = begin
    const start = sql`${offset}::bigint`
    if (offset === 0) return { ctes: sql``, total, start, condition: sql`` }
    return { ctes: sql`with ${firstAt(sql, filter, offset)}`, total, start, condition: from(sql, '>=') }
  }
  if ('createdFrom' in begin) {
    const at = sql`${begin.createdFrom}::timestamptz`
    const start = rankOf(sql, filter, at, sql`created_at < ${at}`)
    return { ctes: sql``, total, start, condition: sql`and created_at >= ${at}` }
  }
  const first = sql`
    first as (select created_at, subscription_id from subscriptions where subscription_id = ${begin.after})`
  const upTo = sql`(created_at, subscription_id) <= ((select created_at from first), ${begin.after}::uuid)`
  const start = rankOf(sql, filter, sql`(select created_at from first)`, upTo)
  return { ctes: sql`with ${first}`, total, start, condition: from(sql, '>') }
}

const from = (sql: Sql, operator: '>' | '>=') => sql`
  and (created_at, subscription_id) ${operator === '>' ? sql`>` : sql`>=`}
    ((select created_at from first), (select subscription_id from first))`

/** As near to the beginning, or in a list of few, the rows before are passed over faster than the counts are walked. */
const NEAR = 1_000

/** The common table expression `first (created_at, subscription_id)`: the key of the row at an offset. */
function firstAt(sql: Sql, filter: SubscriptionFilter, offset: number): Fragment {
  const list = countedList(filter)
  const columns = sql`created_at, subscription_id`
  const one = (condition: Fragment, passedOver: Fragment) => sql`
    first as (
      select created_at, subscription_id
      from (${ofEachStatus(sql, filter, { columns, condition, limit: sql`${passedOver} + 1` })}) as keys
      order by created_at, subscription_id
      offset ${passedOver} limit 1)`
  if (list === undefined || offset <= NEAR) return one(sql``, sql`${offset}::bigint`)
  return sql`${spanAt(sql, list, offset)},
    ${one(sql`and created_at >= (select begins_at from span)`, sql`${offset} - (select before from span)`)}`
}

/** How many of the list come before a place at the instant `at`; `before` tells that place. */
function rankOf(sql: Sql, filter: SubscriptionFilter, at: Fragment, before: Fragment): Fragment {
  const list = countedList(filter)
  if (list === undefined) return counting(sql, filter, sql`and ${before}`)
  const ofSpan = sql`and created_at >= date_trunc(${finestSpan(sql, list)}, ${at}, 'UTC') and ${before}`
  return sql`(${beforeSpanOf(sql, list, at)} + ${counting(sql, filter, ofSpan)})`
}

const counting = (sql: Sql, filter: SubscriptionFilter, condition: Fragment) => sql`
  (select count(*) from subscriptions
    where status = any(${statusesOf(filter) as string[]}::text[]) and ${matching(sql, filter)} ${condition})`

/** The rows of each status stand in order in an index. Where there are several statuses, the first of each are merged. */
function ofEachStatus(
  sql: Sql,
  filter: SubscriptionFilter,
  { columns, condition, limit }: { columns: Fragment; condition: Fragment; limit: Fragment },
): Fragment {
  return statusesOf(filter)
    .map(
      (status): Fragment => sql`
        (select ${columns} from subscriptions where status = ${status} and ${matching(sql, filter)} ${condition}
        order by created_at, subscription_id limit ${limit})`,
    )
    .reduce((all, more) => sql`${all} union all ${more}`)
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
const matching = (sql: Sql, { appId, businessId, storeId, deviceId, planId }: SubscriptionFilter) => sql`
  app_id = ${appId}
  ${businessId ? sql`and business_id = ${businessId}` : sql``}
  ${storeId ? sql`and store_id = ${storeId} and business_id = (select business_id from stores where store_id = ${storeId})` : sql``}
  ${deviceId ? sql`and device_id = ${deviceId} and business_id = (select business_id from devices where device_id = ${deviceId})` : sql``}
  ${planId ? sql`and plan_id = ${planId}` : sql``}`

const stored = (sql: Sql) => sql`
  subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, amount, phase, status, payment_status,
  start_at, trial_end_at, current_period_start, current_period_end, next_retry_at, cancel_at, ended_at, end_reason,
  created_at, updated_at`

const shown = (sql: Sql) => sql`
  subscription_id as "subscriptionId", app_id as "appId", business_id as "businessId", plan_id as "planId",
  bundle_id as "bundleId", store_id as "storeId", device_id as "deviceId", amount, phase, status,
  payment_status as "paymentStatus", start_at::text as "startAt", trial_end_at::text as "trialEndAt",
  current_period_start::text as "currentPeriodStart", current_period_end::text as "currentPeriodEnd",
  next_retry_at::text as "nextRetryAt", cancel_at::text as "cancelAt", ended_at::text as "endedAt",
  end_reason as "endReason", created_at::text as "createdAt", updated_at::text as "updatedAt"`
