import { assert } from '../../core/assert.ts'
import { isSeenFrom } from '../../core/location.ts'
import { DEFAULT_COUNT, type PageRequest } from '../../core/page.ts'
import { type Rejection, rejectField } from '../../core/rejection.ts'
import type { EndReason, Location, PaymentStatus, Phase, SubscriptionStatus } from '../../core/subscription.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/sql.ts'
import { beforeSpanOf, type CountedList, finestSpan, spanAt, totalOf } from './counts.ts'
import { findOwner } from './store.ts'

export interface SubscriptionFilter {
  readonly appId: string
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly planId?: string
  /** Only subscriptions that a caller at this store or device may see. Needs a businessId. */
  readonly seenFrom?: Location
  readonly status: SubscriptionStatus | 'ALL'
}

interface ListInput extends PageRequest, SubscriptionFilter {
  /** The page of results begins after this subscription. Wins over `start`. */
  readonly after?: string
}

export interface SubscriptionPage {
  readonly list: readonly SubscriptionRecord[]
  /** The offset of the first item. */
  readonly start: number
  readonly total: number
  readonly next?: string
}

/** The fields of a subscription that the API shows. `At` is the type of an instant in the record. */
export interface SubscriptionFields<At> {
  readonly subscriptionId: string
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly bundleId: string
  readonly storeId?: string | null
  readonly deviceId?: string | null
  readonly amount: number
  readonly pendingPlanId?: string | null
  readonly pendingAmount?: number | null
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

/** A subscription as a list reads it. Instants stay the text that PostgreSQL writes, in UTC. */
export type SubscriptionRecord = SubscriptionFields<string>

/** Lists subscriptions of an app in the order createdAt, id. Source: interface, REST billing host; decisions 5, List. */
export async function listPage(
  { db }: { readonly db: Db },
  { after, start, count = DEFAULT_COUNT, ...filter }: ListInput,
): Promise<SubscriptionPage | Rejection> {
  if (after !== undefined && !(await isVisible(db.sql, filter, after))) {
    return rejectField('after', 'must be the id of a subscription of this list')
  }
  const begin = after === undefined ? (start ?? { offset: 0 }) : { after }
  const page = await readPage(db.sql, filter, { begin, limit: count + 1 })
  const list = page.rows.slice(0, count)
  const last = page.rows.length > count ? list.at(-1) : undefined
  return { list, start: page.start, total: page.total, ...(last === undefined ? {} : { next: last.subscriptionId }) }
}

/** A cursor outside the caller's view is rejected like an unknown id. */
async function isVisible(sql: Sql, filter: SubscriptionFilter, subscriptionId: string): Promise<boolean> {
  const { appId, businessId, seenFrom = {} } = filter
  const owner = await findOwner(sql, subscriptionId)
  if (owner?.appId !== appId || !isSeenFrom(seenFrom, owner)) return false
  return businessId === undefined || owner.businessId === businessId
}

/** A page of results begins at an offset, at an instant, or after a subscription of the app. */
export type PageBegin = { readonly offset: number } | { readonly createdFrom: Date } | { readonly after: string }

interface ReadPage {
  readonly rows: readonly SubscriptionRecord[]
  /** The offset of the first row, or of the position where the page would begin. */
  readonly start: number
  /** The length of the filtered list. */
  readonly total: number
}

/** Reads rows, start and total in one statement, so all three show the same moment. */
export async function readPage(
  sql: Sql,
  filter: SubscriptionFilter,
  { begin, limit }: { readonly begin: PageBegin; readonly limit: number },
): Promise<ReadPage> {
  const { tables, sums, where } = partsOf(filter, begin)
  const rows = rowsOf(filter, { where, limit: part`${limit}`, columns: RECORD })
  const [row] = await send<{ total: number; start: number; cell: string | null }[]>(
    sql,
    part`
      ${tables}
      select ${sums}, (
        select string_agg(${PRINTED}, E'\\n' order by created_at, subscription_id)
        from (
          select ${RECORD} from ${rows}
          order by created_at, subscription_id
          limit ${limit}) as page) as cell`,
  )
  assert(row, 'the statement of a page returns one row')
  return { rows: recordsOf(row.cell), start: 'offset' in begin ? begin.offset : row.start, total: row.total }
}

/** Finds subscriptions by id. Unknown ids are missing from the map. */
export async function findRecords(
  sql: Sql,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, SubscriptionRecord>> {
  const [row] = await send<{ cell: string | null }[]>(
    sql,
    part`
      select string_agg(${PRINTED}, E'\\n') as cell from (
        select ${RECORD} from subscriptions
        where subscription_id = any(${subscriptionIds as string[]}::uuid[])) as asked`,
  )
  return new Map(recordsOf(row?.cell ?? null).map(record => [record.subscriptionId, record]))
}

const RECORD = part`
  subscription_id, app_id, business_id, plan_id, bundle_id, store_id, device_id, pending_plan_id, start_at,
  current_period_start, current_period_end, created_at, updated_at, trial_end_at, next_retry_at, cancel_at, ended_at,
  phase, status, payment_status, end_reason, amount, pending_amount`

/*
 * All rows of a page travel in one text cell: parsing one cell is three times as fast as parsing 23 columns of 100 rows.
 * No value contains a bar or a line break, and an absent value is empty. Columns of one type stand side by side, because
 * PostgreSQL looks the output function up again whenever the type changes.
 */
const PRINTED = part`
  format(
    '%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s',
    ${RECORD})`

function recordsOf(cell: string | null): SubscriptionRecord[] {
  return cell === null ? [] : cell.split('\n').map(recordOf)
}

function recordOf(row: string): SubscriptionRecord {
  const [subscriptionId = '', appId = '', businessId = '', planId = '', bundleId = '', ...locations] = row.split('|')
  const [storeId, deviceId, pendingPlanId, startAt = '', currentPeriodStart = '', ...instants] = locations
  const [currentPeriodEnd = '', createdAt = '', updatedAt = '', trialEndAt, nextRetryAt, ...others] = instants
  const [cancelAt, endedAt, phase, status, paymentStatus, endReason, amount, pendingAmount] = others
  return {
    ...{ subscriptionId, appId, businessId, planId, bundleId, storeId: storeId || null, deviceId: deviceId || null },
    ...{ pendingPlanId: pendingPlanId || null, startAt, currentPeriodStart, currentPeriodEnd, createdAt, updatedAt },
    ...{ trialEndAt: trialEndAt || null, nextRetryAt: nextRetryAt || null, cancelAt: cancelAt || null },
    ...{ endedAt: endedAt || null, endReason: (endReason || null) as EndReason | null },
    ...{ phase: phase as Phase, status: status as SubscriptionStatus, paymentStatus: paymentStatus as PaymentStatus },
    ...{ amount: Number(amount), pendingAmount: pendingAmount ? Number(pendingAmount) : null },
  }
}

/** The parts of the statement that reads a page of results. */
interface PageParts {
  /** Common table expressions. */
  readonly tables: Part
  readonly sums: Part
  /** Selects the rows of the list from the beginning of the page on. */
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

/** Up to this offset, skipping rows is faster than reading the counts. */
const NEAR = 1_000

/** Common table expressions that end in `first (created_at, subscription_id)`: the key of the row at an offset. */
function firstAt(filter: SubscriptionFilter, offset: number): Part {
  const list = countedList(filter)
  const where = matching(filter)
  if (list === undefined || offset <= NEAR) return keyAfter(filter, where, part`${offset}::bigint`)
  const inSpan = part`${where} and created_at >= (select begins_at from span)`
  const skipped = part`${offset} - (select before from span)`
  return part`${spanAt(list, offset)}, ${keyAfter(filter, inSpan, skipped)}`
}

function keyAfter(filter: SubscriptionFilter, where: Part, skipped: Part): Part {
  const columns = part`created_at, subscription_id`
  return part`
    first as (
      select ${columns} from ${rowsOf(filter, { where, limit: part`${skipped} + 1`, columns })}
      order by created_at, subscription_id
      offset ${skipped} limit 1)`
}

/** Counts the rows of the list before a position that has the instant `at`. `before` selects these rows. */
function rankOf(filter: SubscriptionFilter, at: Part, before: Part): Part {
  const list = countedList(filter)
  const where = part`${matching(filter)} and ${before}`
  if (list === undefined) return counting(filter, where)
  const ofSpan = part`${where} and created_at >= date_trunc(${finestSpan(list)}, ${at}, 'UTC')`
  return part`(${beforeSpanOf(list, at)} + ${counting(filter, ofSpan)})::integer`
}

function counting(filter: SubscriptionFilter, where: Part): Part {
  return part`
  (select count(*)::integer from subscriptions
    where status = any(${statusesOf(filter) as string[]}::text[]) and ${where})`
}

/** An index holds the rows of one status in list order. For several statuses the first rows of each are merged. */
function rowsOf(
  filter: SubscriptionFilter,
  { where, limit, columns }: { where: Part; limit: Part; columns: Part },
): Part {
  const ofStatus = (status: SubscriptionStatus): Part => part`subscriptions where status = ${status} and ${where}`
  if (filter.status !== 'ALL') return ofStatus(filter.status)
  const firstOf = (status: SubscriptionStatus): Part => part`
    (select ${columns} from ${ofStatus(status)} order by created_at, subscription_id limit ${limit})`
  return part`(${firstOf('ACTIVE')} union all ${firstOf('ENDED')}) as subscriptions`
}

/** Counts are kept for whole apps and plans. The lists of one merchant are short and counted on demand. */
function countedList(filter: SubscriptionFilter): CountedList | undefined {
  const { appId, businessId, storeId, deviceId, planId } = filter
  if (businessId || storeId || deviceId) return undefined
  return { appId, statuses: statusesOf(filter), ...(planId === undefined ? {} : { planId }) }
}

const statusesOf = ({ status }: SubscriptionFilter): readonly SubscriptionStatus[] =>
  status === 'ALL' ? ['ACTIVE', 'ENDED'] : [status]

/** A store or a device belongs to one business, and the subscriptions of a business have an index. */
function matching({ appId, businessId, storeId, deviceId, planId, seenFrom = {} }: SubscriptionFilter): Part {
  const conditions = [part`app_id = ${appId}`]
  if (businessId) conditions.push(part`business_id = ${businessId}`)
  if (storeId) conditions.push(part`store_id = ${storeId}`, part`business_id = ${ownerOf.store(storeId)}`)
  if (deviceId) conditions.push(part`device_id = ${deviceId}`, part`business_id = ${ownerOf.device(deviceId)}`)
  if (planId) conditions.push(part`plan_id = ${planId}`)
  // Implements the rule of isSeenFrom in core/location.ts.
  if (seenFrom.storeId) conditions.push(part`(store_id is null or store_id = ${seenFrom.storeId})`)
  if (seenFrom.deviceId) conditions.push(part`(device_id is null or device_id = ${seenFrom.deviceId})`)
  return conditions.reduce((all, more) => part`${all} and ${more}`)
}

const ownerOf = {
  store: (storeId: string) => part`(select business_id from stores where store_id = ${storeId})`,
  device: (deviceId: string) => part`(select business_id from devices where device_id = ${deviceId})`,
}
