import { dayOfId, firstIdAt } from '../core/id.ts'
import { type Part, part } from '../db/part.ts'
import type { HistoryFilter } from './history-filter.ts'
import { seenFrom } from './seen-from.ts'

/*
 * Which notifications fit a filter, in the order of their ids, read from one index and no further than a bound: so a page
 * costs the same however many there are. docs/decisions/0012-history-at-size.md says which index serves which filter.
 */

/** A page looks at so many at most, and at fewer where each is looked up: what it has not reached is for the next one. */
const LOOK_AT_MOST = 2_000
const LOOK_UP_AT_MOST = 1_000

/** `recordedAt` and the instant in the id are read one after the other, by one process. */
const BETWEEN_READINGS_MS = 10_000

export interface Walk {
  readonly direction: 'newest first' | 'oldest first'
  /** Only beyond this id. */
  readonly beyond?: string
}

/** The first `limit` that fit, of those that may be looked at: recorded_day, notification_id, hook_id. */
export function fitting(filter: HistoryFilter, walk: Walk, limit: number): Part {
  return part`
    select s.recorded_day, s.notification_id, s.hook_id
    from (${looked(filter, walk)}) as s
    where ${fits(filter)}
    order by s.notification_id ${order(walk)}
    limit ${limit}`
}

/** The last that may be looked at, when there were so many: where the next page begins. */
export function lastLooked(filter: HistoryFilter, walk: Walk): Part {
  return part`
    select s.notification_id as "notificationId" from (${looked(filter, walk)}) as s
    order by s.notification_id ${order(walk)}
    offset ${lookAtMost(filter) - 1} limit 1`
}

function lookAtMost({ status, seenFrom: place }: HistoryFilter): number {
  return status === undefined && place === undefined ? LOOK_AT_MOST : LOOK_UP_AT_MOST
}

function looked(filter: HistoryFilter, walk: Walk): Part {
  const { table, served } = indexFor(filter)
  const bounded = part`
    from ${table} as c
    where ${served} ${idBounds(filter, walk)}
    order by c.notification_id ${order(walk)}
    limit ${lookAtMost(filter)}`
  const facts = part`n.recorded_at, n.app_id, n.business_id, n.hook_id, n.event_type, n.resource_id`
  if (table === NOTIFICATIONS) {
    return part`
      select c.recorded_day, c.notification_id, c.recorded_at, c.app_id, c.business_id, c.hook_id, c.event_type, c.resource_id
      ${bounded}`
  }
  // The limit keeps it a look-up for each: a join of all with all would be read before the first row.
  return part`
    select k.recorded_day, k.notification_id, ${facts}
    from (select c.recorded_day, c.notification_id ${bounded}) as k
    cross join lateral (
      select ${facts} from notifications as n
      where n.recorded_day = k.recorded_day and n.notification_id = k.notification_id limit 1) as n`
}

const NOTIFICATIONS = part`notifications`
const OUTCOMES = part`outcomes`
const DELIVERIES = part`deliveries`

/** What narrows it down most, of what an index has in the order of ids. */
function indexFor(filter: HistoryFilter): { table: Part; served: Part } {
  const { appId, businessId, hookId, eventType, resourceId, status } = filter
  if (resourceId !== undefined) return { table: NOTIFICATIONS, served: part`c.resource_id = ${resourceId}` }
  const owner =
    (hookId !== undefined && part`c.hook_id = ${hookId}`) ||
    (businessId !== undefined && part`c.business_id = ${businessId}`) ||
    part`c.app_id = ${appId ?? null}::uuid`
  if (status === 'ERRORED') return { table: OUTCOMES, served: part`${owner} and c.status = 'ERRORED'` }
  // Only what is unfinished, so that there are never many.
  if (status === 'SCHEDULED') return { table: DELIVERIES, served: part`${owner} and c.attempts = 0` }
  if (status === 'ERRORED_RETRYING') return { table: DELIVERIES, served: part`${owner} and c.attempts > 0` }
  if (hookId === undefined && businessId === undefined && eventType !== undefined) {
    return { table: NOTIFICATIONS, served: part`${owner} and c.event_type = ${eventType}` }
  }
  return { table: NOTIFICATIONS, served: owner }
}

function idBounds({ since, startAt, endAt }: HistoryFilter, { direction, beyond }: Walk): Part {
  const from = firstIdAt(new Date(Math.max(since.getTime(), startAt?.getTime() ?? 0) - BETWEEN_READINGS_MS))
  const until = endAt && firstIdAt(new Date(endAt.getTime() + BETWEEN_READINGS_MS))
  const isNewestFirst = direction === 'newest first'
  return part`
    ${notBefore(from)}
    ${until === undefined ? part`` : part`and c.notification_id < ${until}::uuid ${untilDay(until)}`}
    ${beyond === undefined ? part`` : isNewestFirst ? before(beyond) : part`and c.notification_id > ${beyond}::uuid`}`
}

/** The days are named as well, so that the partitions of others stay closed. */
function notBefore(id: string): Part {
  return part`and c.notification_id >= ${id}::uuid and c.recorded_day >= ${dayOfId(id)}::date`
}

function before(id: string): Part {
  return part`and c.notification_id < ${id}::uuid ${untilDay(id)}`
}

/** An id that is no UUIDv7 can name any day, also one that is no date to the database. */
function untilDay(id: string): Part {
  const day = dayOfId(id)
  return /^\d{4}-/.test(day) ? part`and c.recorded_day <= ${day}::date` : part``
}

/** All of the filter, but for a status that the table of the index has told. */
function fits(filter: HistoryFilter): Part {
  const { appId, businessId, organizationId, seenFrom: place, since, startAt, endAt } = filter
  const { hookId, eventType, resourceId, status } = filter
  return part`
    s.recorded_at >= ${since}
    ${startAt ? part`and s.recorded_at >= ${startAt}` : part``}
    ${endAt ? part`and s.recorded_at < ${endAt}` : part``}
    ${appId ? part`and s.app_id = ${appId}` : part``}
    ${businessId ? part`and s.business_id = ${businessId}` : part``}
    ${organizationId ? part`and (select a.organization_id from apps as a where a.app_id = s.app_id) = ${organizationId}` : part``}
    ${place ? seenFrom(part`s`, place) : part``}
    ${hookId ? part`and s.hook_id = ${hookId}` : part``}
    ${eventType ? part`and s.event_type = ${eventType}` : part``}
    ${resourceId ? part`and s.resource_id = ${resourceId}` : part``}
    ${status ? ofStatus(status, indexFor(filter).table) : part``}`
}

/** Each a look-up for a row, for the same reason as above. */
function ofStatus(status: NonNullable<HistoryFilter['status']>, table: Part): Part {
  if (table === DELIVERIES) return part``
  const attempts = part`(select d.attempts from deliveries as d where d.notification_id = s.notification_id)`
  switch (status) {
    case 'SCHEDULED':
      return part`and ${attempts} = 0`
    case 'ERRORED_RETRYING':
      return part`and ${attempts} > 0`
    default:
      // Its outcome may be of the time before it was sent again.
      if (table === OUTCOMES) return part`and ${attempts} is null`
      return part`
        and ${attempts} is null
        and (select o.status from outcomes as o
          where o.recorded_day = s.recorded_day and o.notification_id = s.notification_id) = ${status}`
  }
}

function order({ direction }: Walk): Part {
  return direction === 'newest first' ? part`desc` : part`asc`
}
