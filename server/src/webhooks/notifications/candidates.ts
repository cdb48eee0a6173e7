import { CLOCKS_APART_MS, GIVE_UP_AFTER_MS } from '../../core/delivery.ts'
import { dayOfId, firstIdAt } from '../../core/id.ts'
import type { Location } from '../../core/subscription.ts'
import { type Part, part } from '../../platform/db/sql.ts'
import type { HistoryFilter } from './scope.ts'

/*
 * Finds notifications by a filter, in the order of their ids, from one index and up to a limit. A page of results costs the same for any
 * number of notifications. docs/decisions/0012-history-at-size.md names the index of each filter.
 */

/** A page reads at most this many candidates, and fewer if each needs a lookup. The next page continues with the rest. */
const MAX_CANDIDATES = 2_000
const MAX_LOOKUPS = 500

/** The maximum difference between `recordedAt` and the instant in the id: a process reads its clock once for each, shortly after each other. */
const BETWEEN_READINGS_MS = 10_000

export interface Walk {
  readonly direction: 'newest first' | 'oldest first'
  /** Only beyond this id. */
  readonly beyond?: string
}

/**
 * The first `limit` matches among the rows that may be read: `notificationId`, `hookId`. If this table cannot decide the whole filter, the
 * rows are candidates and `remainingCondition` needs a lookup.
 */
export function candidates(filter: HistoryFilter, walk: Walk, limit: number): Part {
  const most = candidateLimit(filter)
  const ids = part`c.notification_id as "notificationId", c.hook_id as "hookId"`
  if (returnsAllCandidates(filter)) return read(filter, walk, ids, part`limit ${most}`)
  return part`
    select ${ids}
    from (${read(filter, walk, FACTS, part`limit ${most}`)}) as c
    where ${conditions(part`c`, filter)}
    order by ${order(filter, walk)}
    limit ${filter.status === undefined ? limit : most}`
}

/** Whether `candidates` returns every row that may be read, so that its last row is the next page's cursor. */
export function returnsAllCandidates(filter: HistoryFilter): boolean {
  return indexFor(filter).table !== NOTIFICATIONS
}

/** The part of the filter that `candidates` cannot decide, for a notification `n`, its outcome `o` and its `status`. Null: nothing is left. */
export function remainingCondition(filter: HistoryFilter, status: Part): Part | null {
  if (filter.status === undefined) return null
  // Checks the status again: an outcome may be older than a redelivery of the notification.
  return part`${conditions(part`n`, filter)} and ${status} = ${filter.status} ${wasUndelivered(filter)}`
}

/** Selects deliveries that were undelivered at an instant. A replayed notification may be much older than its last delivery. Clocks may differ. */
function wasUndelivered({ undeliveredSince }: HistoryFilter): Part {
  if (undeliveredSince === undefined) return part``
  const recordedSince = new Date(undeliveredSince.getTime() - GIVE_UP_AFTER_MS)
  const endedSince = new Date(undeliveredSince.getTime() - CLOCKS_APART_MS)
  return part`and (n.recorded_at >= ${recordedSince} or o.finished_at >= ${endedSince})`
}

/** The last candidate within the limit, if there are more: where the next page begins. */
export function lastCandidate(filter: HistoryFilter, walk: Walk): Part {
  return read(
    filter,
    walk,
    part`c.notification_id as "notificationId"`,
    part`offset ${candidateLimit(filter) - 1} limit 1`,
  )
}

export function candidateLimit({ status, seenFrom: location }: HistoryFilter): number {
  return status === undefined && location === undefined ? MAX_CANDIDATES : MAX_LOOKUPS
}

const FACTS = part`c.notification_id, c.recorded_at, c.app_id, c.business_id, c.hook_id, c.event_type, c.resource_id`

/**
 * The row comparison and the order use every column of the index, so PostgreSQL always chooses this index. Ordered by id alone, a plan may
 * use the primary key and read every owner's rows. Naming the days keeps all other partitions closed.
 */
function read(filter: HistoryFilter, walk: Walk, columns: Part, bound: Part): Part {
  const index = indexFor(filter)
  const { above, below } = idRange(filter, walk)
  const location = part`(${listed(index.columns)}, c.notification_id)`
  const at = (id: string) => part`(${listed(index.values)}, ${id}::uuid)`
  return part`
    select ${columns} from ${index.table} as c
    where ${location} > ${at(above)} and ${location} < ${at(below)} ${index.also}
      and c.recorded_day >= ${dayOf(above)}::text::date and c.recorded_day <= ${dayOf(below)}::text::date
    order by ${order(filter, walk)} ${bound}`
}

function order(filter: HistoryFilter, { direction }: Walk): Part {
  const by = direction === 'newest first' ? part`desc` : part`asc`
  return listed([...indexFor(filter).columns, part`c.notification_id`].map(column => part`${column} ${by}`))
}

function listed(parts: readonly Part[]): Part {
  return parts.reduce((all, one) => part`${all}, ${one}`)
}

const NOTIFICATIONS = part`notifications`
const OUTCOMES = part`outcomes`
const DELIVERIES = part`deliveries`

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

interface Index {
  readonly table: Part
  /** The index columns before the id, and their values. */
  readonly columns: readonly Part[]
  readonly values: readonly Part[]
  /** A condition on the rows of the index. */
  readonly also: Part
}

/** The most selective index in the order of ids. */
function indexFor(filter: HistoryFilter): Index {
  const { hookId, businessId, eventType, resourceId, status } = filter
  if (resourceId !== undefined) return indexOf(NOTIFICATIONS, [part`c.resource_id`, part`${resourceId}::uuid`])
  const owner = ownerOf(filter)
  const attempted = part`least(c.attempts, 1)`
  if (status === 'ERRORED') return { ...indexOf(OUTCOMES, owner), also: part`and c.status = 'ERRORED'` }
  if (status === 'SCHEDULED') return indexOf(DELIVERIES, owner, [attempted, part`0`])
  if (status === 'ERRORED_RETRYING') return indexOf(DELIVERIES, owner, [attempted, part`1`])
  const isOfType = hookId === undefined && businessId === undefined && eventType !== undefined
  return isOfType
    ? indexOf(NOTIFICATIONS, owner, [part`c.event_type`, part`${eventType}::text`])
    : indexOf(NOTIFICATIONS, owner)
}

type Asked = readonly [column: Part, value: Part]

function indexOf(table: Part, ...asked: readonly Asked[]): Index {
  return { table, columns: asked.map(([column]) => column), values: asked.map(([, value]) => value), also: part`` }
}

function ownerOf({ hookId, businessId, appId }: HistoryFilter): Asked {
  if (hookId !== undefined) return [part`c.hook_id`, part`${hookId}::uuid`]
  if (businessId !== undefined) return [part`c.business_id`, part`${businessId}::uuid`]
  return [part`c.app_id`, part`${appId}::uuid`]
}

/** The ids around a page, both excluded: the first id of an instant belongs to no row. */
interface IdRange {
  readonly above: string
  readonly below: string
}

function idRange({ since, startAt, endAt }: HistoryFilter, { direction, beyond }: Walk): IdRange {
  const first = firstIdAt(new Date(Math.max(since.getTime(), startAt?.getTime() ?? 0) - BETWEEN_READINGS_MS))
  const last = endAt ? firstIdAt(new Date(endAt.getTime() + BETWEEN_READINGS_MS)) : LAST_ID
  // Lower-case ids sort like text.
  const reached = beyond?.toLowerCase()
  if (reached === undefined) return { above: first, below: last }
  return direction === 'newest first'
    ? { above: first, below: reached < last ? reached : last }
    : { above: reached > first ? reached : first, below: last }
}

/** Conditions on a row of notifications. Absent filters are null, so the filters share one SQL text, and a connection makes few plans. */
function conditions(table: Part, filter: HistoryFilter): Part {
  const { appId, businessId, organizationId, seenFrom: location, since, startAt, endAt } = filter
  const { hookId, eventType, resourceId } = filter
  const from = startAt && startAt > since ? startAt : since
  const asked = (column: Part, value: string | undefined, type: Part) =>
    part`and coalesce(${table}.${column} = ${value ?? null}::${type}, true)`
  return part`
    ${table}.recorded_at >= ${from} and ${table}.recorded_at < coalesce(${endAt ?? null}::timestamptz, 'infinity')
    ${asked(part`app_id`, appId, part`uuid`)}
    ${asked(part`business_id`, businessId, part`uuid`)}
    ${asked(part`hook_id`, hookId, part`uuid`)}
    ${asked(part`event_type`, eventType, part`text`)}
    ${asked(part`resource_id`, resourceId, part`uuid`)}
    ${organizationId ? part`and (select a.organization_id from apps as a where a.app_id = ${table}.app_id) = ${organizationId}` : part``}
    ${location ? seenFrom(table, location) : part``}`
}

/**
 * Filters a table with `resource_id` to notifications that concern a location (core/location.ts), by the current location of their
 * subscription or order. Costs a lookup per row, so callers without a location skip it.
 */
export function seenFrom(table: Part, { storeId, deviceId }: Location): Part {
  return part`${concerns(table, part`store_id`, storeId)} ${concerns(table, part`device_id`, deviceId)}`
}

/** A resource of the whole business has no location and concerns every location. */
function concerns(table: Part, column: Part, own: string | undefined): Part {
  if (own === undefined) return part``
  return part`
    and coalesce(
      (select p.${column} from subscriptions as p where p.subscription_id = ${table}.resource_id),
      (select p.${column} from orders as p where p.order_id = ${table}.resource_id),
      ${own}::uuid) = ${own}::uuid`
}

/** An id that is not a UUIDv7 can encode any day, including a year that PostgreSQL cannot represent. */
function dayOf(id: string): string {
  const day = dayOfId(id)
  return /^\d{4}-/.test(day) ? day : 'infinity'
}
