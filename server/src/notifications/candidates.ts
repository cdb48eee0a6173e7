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
const LOOK_UP_AT_MOST = 500

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
    where ${fits(filter, walk)}
    order by s.notification_id ${order(walk)}
    limit ${limit}`
}

/** The last that may be looked at, when there were so many: where the next page begins. */
export function lastLooked(filter: HistoryFilter, walk: Walk): Part {
  return part`
    select k.notification_id as "notificationId" from (${candidates(indexFor(filter), filter, walk)}) as k
    order by k.notification_id ${order(walk)}
    offset ${lookAtMost(filter) - 1} limit 1`
}

function lookAtMost({ status, seenFrom: place }: HistoryFilter): number {
  return status === undefined && place === undefined ? LOOK_AT_MOST : LOOK_UP_AT_MOST
}

function looked(filter: HistoryFilter, walk: Walk): Part {
  const index = indexFor(filter)
  const facts = part`n.recorded_at, n.app_id, n.business_id, n.hook_id, n.event_type, n.resource_id`
  if (index.table === NOTIFICATIONS) {
    return part`
      select c.recorded_day, c.notification_id, c.recorded_at, c.app_id, c.business_id, c.hook_id, c.event_type, c.resource_id
      ${inOrder(index, filter, walk)}`
  }
  // The limit keeps it a look-up for each: a join of all with all would be read before the first row.
  return part`
    select k.recorded_day, k.notification_id, ${facts}
    from (${candidates(index, filter, walk)}) as k
    cross join lateral (
      select ${facts} from notifications as n
      where n.recorded_day = k.recorded_day and n.notification_id = k.notification_id ${inDays(part`n`, filter, walk)}
      limit 1) as n`
}

function candidates(index: Index, filter: HistoryFilter, walk: Walk): Part {
  if (index.table === DELIVERIES) return queued(index, filter, walk)
  return part`select c.recorded_day, c.notification_id ${inOrder(index, filter, walk)}`
}

function inOrder({ table, column, value, also }: Index, filter: HistoryFilter, walk: Walk): Part {
  const { above, isFrom, below } = idRange(filter, walk)
  return part`
    from ${table} as c
    where ${column} = ${value}::uuid ${also}
      and c.notification_id ${isFrom} ${above}::uuid
      ${below === undefined ? part`` : part`and c.notification_id < ${below}::uuid`} ${inDays(part`c`, filter, walk)}
    order by c.notification_id ${order(walk)}
    limit ${lookAtMost(filter)}`
}

/**
 * Of the queue. Rows are compared, and ordered by all that the index has: asked for one owner's in the order of ids alone, PostgreSQL
 * takes the primary key where it thinks that much is the owner's, and reads through the queues of all others.
 */
function queued({ column, value, also }: Index, filter: HistoryFilter, walk: Walk): Part {
  const { above, isFrom, below = LAST_ID } = idRange(filter, walk)
  const place = part`(${column}, least(c.attempts, 1), c.notification_id)`
  const at = (id: string) => part`(${value}::uuid, ${also}, ${id}::uuid)`
  const by = order(walk)
  return part`
    select q.recorded_day, q.notification_id
    from (
      select c.recorded_day, c.notification_id from deliveries as c
      where ${place} ${isFrom} ${at(above)} and ${place} < ${at(below)}
      order by ${column} ${by}, least(c.attempts, 1) ${by}, c.notification_id ${by}
      limit ${lookAtMost(filter)}) as q
    order by q.notification_id ${by}`
}

const NOTIFICATIONS = part`notifications`
const OUTCOMES = part`outcomes`
const DELIVERIES = part`deliveries`

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

interface Index {
  readonly table: Part
  readonly column: Part
  readonly value: string | undefined
  /** What else it serves. Of the queue: whether never tried (0) or tried (1). */
  readonly also: Part
}

/** What narrows it down most, of what an index has in the order of ids. */
function indexFor(filter: HistoryFilter): Index {
  const { hookId, businessId, eventType, resourceId, status } = filter
  if (resourceId !== undefined) {
    return { table: NOTIFICATIONS, column: part`c.resource_id`, value: resourceId, also: part`` }
  }
  const owner = ownerOf(filter)
  if (status === 'ERRORED') return { table: OUTCOMES, ...owner, also: part`and c.status = 'ERRORED'` }
  if (status === 'SCHEDULED') return { table: DELIVERIES, ...owner, also: part`0` }
  if (status === 'ERRORED_RETRYING') return { table: DELIVERIES, ...owner, also: part`1` }
  const isOfType = hookId === undefined && businessId === undefined && eventType !== undefined
  return { table: NOTIFICATIONS, ...owner, also: isOfType ? part`and c.event_type = ${eventType}` : part`` }
}

function ownerOf({ hookId, businessId, appId }: HistoryFilter): Pick<Index, 'column' | 'value'> {
  if (hookId !== undefined) return { column: part`c.hook_id`, value: hookId }
  if (businessId !== undefined) return { column: part`c.business_id`, value: businessId }
  return { column: part`c.app_id`, value: appId }
}

/** Between which ids a page lies; `isFrom` compares with the lower one. */
interface IdRange {
  readonly above: string
  readonly isFrom: Part
  readonly below?: string
}

function idRange({ since, startAt, endAt }: HistoryFilter, { direction, beyond }: Walk): IdRange {
  const first = firstIdAt(new Date(Math.max(since.getTime(), startAt?.getTime() ?? 0) - BETWEEN_READINGS_MS))
  const last = endAt && firstIdAt(new Date(endAt.getTime() + BETWEEN_READINGS_MS))
  // In lower case ids are in the order of their letters.
  const reached = beyond?.toLowerCase()
  if (direction === 'newest first') {
    const below = [last, reached].filter(id => id !== undefined).sort()[0]
    return { above: first, isFrom: part`>=`, ...(below === undefined ? {} : { below }) }
  }
  const isBeyond = reached !== undefined && reached >= first
  return {
    ...(isBeyond ? { above: reached, isFrom: part`>` } : { above: first, isFrom: part`>=` }),
    ...(last === undefined ? {} : { below: last }),
  }
}

/** The days are named as well, so that nothing is planned for the partitions of others, and they stay closed. */
function inDays(table: Part, filter: HistoryFilter, walk: Walk): Part {
  const { above, below } = idRange(filter, walk)
  return part`${ofDay(table, part`>=`, above)} ${below === undefined ? part`` : ofDay(table, part`<=`, below)}`
}

/** An id that is no UUIDv7 can name any day, also one that is no date to the database. */
function ofDay(table: Part, comparison: Part, id: string): Part {
  const day = dayOfId(id)
  return /^\d{4}-/.test(day) ? part`and ${table}.recorded_day ${comparison} ${day}::date` : part``
}

/** All of the filter, but for a status that the table of the index has told. */
function fits(filter: HistoryFilter, walk: Walk): Part {
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
    ${status ? ofStatus(status, filter, walk) : part``}`
}

/** Each a look-up for a row, for the same reason as above. */
function ofStatus(status: NonNullable<HistoryFilter['status']>, filter: HistoryFilter, walk: Walk): Part {
  const { table } = indexFor(filter)
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
          where o.recorded_day = s.recorded_day and o.notification_id = s.notification_id ${inDays(part`o`, filter, walk)})
          = ${status}`
  }
}

function order({ direction }: Walk): Part {
  return direction === 'newest first' ? part`desc` : part`asc`
}
