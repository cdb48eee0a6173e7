import type { DeliveryStatus } from '../../core/delivery.ts'
import { TEST_EVENT_TYPE } from '../../core/event.ts'
import { given } from '../../core/given.ts'
import { dayOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import {
  demandPlans,
  endDemands,
  type Part,
  type Present,
  part,
  pipeline,
  present,
  type RowOf,
  send,
} from '../../platform/db/sql.ts'
import type { Attempt } from '../deliveries/attempt.ts'
import {
  candidateLimit,
  candidates,
  lastCandidate,
  remainingCondition,
  returnsAllCandidates,
  seenFrom,
  type Walk,
} from './candidates.ts'
import type { HistoryFilter, HistoryScope } from './scope.ts'

/*
 * The history reads the tables of the slice deliveries: `deliveries` for unfinished deliveries, `outcomes` for finished ones, and `attempts`.
 * It also reads whether a hook is active, and until when its breaker is open.
 */

interface Row {
  notificationId: string
  hookId: string
  deliveryUrl: string
  body: string
  /** A TEST, or the sample of an event. */
  isTest: boolean
  /** Attempts so far. */
  attempts: number
  status: DeliveryStatus
  /** The reason of an ERRORED delivery. */
  reason: string | null
  /** Null if the delivery has ended or its hook is inactive. */
  nextAttemptAt: Date | null
}

export type HistoryEntry = Present<Row>

/** One page of results. `next` is a cursor; a page with `next` may be short. */
export interface HistoryRows {
  readonly entries: readonly HistoryEntry[]
  readonly next?: string
}

/** Newest first. Inside a transaction. */
export async function listHistory(
  sql: Sql,
  filter: HistoryFilter,
  { limit, before }: { limit: number; before?: string },
): Promise<HistoryRows> {
  const walk: Walk = { direction: 'newest first', ...given({ beyond: before }) }
  const [, page] = await pipeline([demandPlans(sql, { plans: 'once' }), findPage(sql, filter, walk, limit)])
  return page
}

async function findPage(sql: Sql, filter: HistoryFilter, walk: Walk, limit: number): Promise<HistoryRows> {
  const rowsToCheck = await send<Found[]>(sql, candidates(filter, walk, limit + 1))
  const rows = await findRows(sql, rowsToCheck, { columns: COLUMNS, filter, limit: limit + 1 })
  const entries = rows.slice(0, limit).map(row => present(row as Row))
  const next = rows.length > limit ? entries.at(-1)?.notificationId : await nextCursor(sql, filter, walk, rowsToCheck)
  return given({ entries, next })
}

export interface FoundIds {
  readonly found: readonly Found[]
  /** A cursor, as in `HistoryRows`. */
  readonly next?: string
}

interface Found {
  readonly notificationId: string
  readonly hookId: string
}

/** Oldest first, after the id `after`. Inside a transaction. */
export async function listIds(
  sql: Sql,
  filter: HistoryFilter,
  { limit, after }: { limit: number; after?: string },
): Promise<FoundIds> {
  const walk: Walk = { direction: 'oldest first', ...given({ beyond: after }) }
  const [, ids] = await pipeline([demandPlans(sql, { plans: 'once' }), findIds(sql, filter, walk, limit)])
  await endDemands(sql)
  return ids
}

async function findIds(sql: Sql, filter: HistoryFilter, walk: Walk, limit: number): Promise<FoundIds> {
  const rowsToCheck = await send<Found[]>(sql, candidates(filter, walk, limit))
  const needsLookup = remainingCondition(filter, STATUS) !== null
  const found = needsLookup ? await findRows(sql, rowsToCheck, { columns: IDS, filter, limit }) : rowsToCheck
  const next = found.length === limit ? found.at(-1)?.notificationId : await nextCursor(sql, filter, walk, rowsToCheck)
  return given({ found, next })
}

interface Rows {
  readonly columns: Part
  readonly filter: HistoryFilter
  readonly limit: number
}

/** The first matches in the given order. Each lookup names the day of its partition, so other partitions stay closed. */
async function findRows<R extends Found>(
  sql: Sql,
  found: readonly Found[],
  { columns, filter, limit }: Rows,
): Promise<readonly R[]> {
  const ids = found.map(({ notificationId }) => notificationId)
  const days = ids.map(dayOfId)
  const [one, other] = [days.at(0), days.at(-1)]
  if (one === undefined || other === undefined) return []
  const [first, last] = one < other ? [one, other] : [other, one]
  const rest = remainingCondition(filter, STATUS)
  return send<R[]>(
    sql,
    part`
      select ${columns}
      from unnest(${ids}::uuid[], ${days}::text[]::date[]) with ordinality as x (id, day, location)
      cross join lateral (
        select n.* from notifications as n
        where n.recorded_day = x.day and n.notification_id = x.id and n.recorded_day between ${first}::date and ${last}::date
        limit 1) as n
      left join lateral (
        select o.attempts, o.status, o.reason, o.finished_at from outcomes as o
        where o.recorded_day = x.day and o.notification_id = x.id and o.recorded_day between ${first}::date and ${last}::date
        limit 1) as o on true
      ${QUEUED}
      ${rest === null ? part`` : part`where ${rest}`}
      order by x.location
      limit ${limit}`,
  )
}

/** The cursor of a short page that reached the limit of candidates. */
async function nextCursor(
  sql: Sql,
  filter: HistoryFilter,
  walk: Walk,
  rowsToCheck: readonly Found[],
): Promise<string | undefined> {
  if (returnsAllCandidates(filter)) return rowsToCheck[candidateLimit(filter) - 1]?.notificationId
  const [row] = await send<{ notificationId: string }[]>(sql, lastCandidate(filter, walk))
  return row?.notificationId
}

export async function findHistory(sql: Sql, notificationId: string, scope: HistoryScope): Promise<HistoryEntry | null> {
  const day = dayOfId(notificationId)
  // An id that is not a UUIDv7 can encode any day, including one that PostgreSQL cannot represent.
  if (!/^\d{4}-/.test(day)) return null
  const [row] = await send<Row[]>(
    sql,
    part`
      select ${COLUMNS} from notifications as n ${PROGRESS}
      where n.recorded_day = ${day}::date and n.notification_id = ${notificationId} and ${within(scope)}`,
  )
  return row ? present(row) : null
}

/** Above the number of hooks that can receive an app's event of one merchant. */
const MOST_OF_EVENT = 200

/** The notifications of the same event, one for each hook, the oldest first. */
export async function findHistoryOfEvent(
  sql: Sql,
  notificationId: string,
  scope: HistoryScope,
): Promise<readonly HistoryEntry[]> {
  const rows = await send<Row[]>(
    sql,
    part`
      select ${COLUMNS} from notifications as e
      join notifications as n on n.resource_id = e.resource_id and n.resource_seq = e.resource_seq
        and n.app_id = e.app_id and n.event_type = e.event_type
      ${PROGRESS}
      where e.recorded_day = ${dayOfId(notificationId)}::date and e.notification_id = ${notificationId} and ${within(scope)}
      order by n.notification_id
      limit ${MOST_OF_EVENT}`,
  )
  return rows.map(row => present(row))
}

/** Nine retry schedules, 100 KiB with the endpoints' answers. Replays can add attempts without limit. */
export const SHOWN_ATTEMPTS = 100

export interface Attempts {
  /** At most `SHOWN_ATTEMPTS`, in the order of their ids, which is the order of the attempts. */
  readonly latest: readonly Attempt[]
  /** Whether earlier attempts exist. */
  readonly hasEarlier: boolean
}

export async function findAttempts(sql: Sql, notificationId: string): Promise<Attempts> {
  const rows = await sql<RowOf<Attempt>[]>`
    select attempt_id as "attemptId", attempted_at as "attemptedAt", duration_ms as "durationMs", http_status as "httpStatus", reason, answer
    from attempts
    where recorded_day = ${dayOfId(notificationId)}::date and notification_id = ${notificationId}
    order by attempt_id desc
    limit ${SHOWN_ATTEMPTS + 1}`
  const latest = rows.slice(0, SHOWN_ATTEMPTS).reverse()
  return { latest: latest.map(row => present(row)), hasEarlier: rows.length > SHOWN_ATTEMPTS }
}

const QUEUED = part`
  left join deliveries as d on d.notification_id = n.notification_id
  left join hooks as h on h.hook_id = d.hook_id
  left join hook_health as b on b.hook_id = d.hook_id`

const PROGRESS = part`
  ${QUEUED}
  left join outcomes as o on o.recorded_day = n.recorded_day and o.notification_id = n.notification_id`

const STATUS = part`
  case
    when d.attempts = 0 then 'SCHEDULED'
    when d.attempts > 0 then 'ERRORED_RETRYING'
    else coalesce(o.status, 'SCHEDULED')
  end`

const IDS = part`n.notification_id as "notificationId", n.hook_id as "hookId"`

const COLUMNS = part`
  n.notification_id as "notificationId", n.hook_id as "hookId", n.delivery_url as "deliveryUrl", n.body,
  n.event_type = ${TEST_EVENT_TYPE} as "isTest",
  coalesce(d.attempts, o.attempts, 0) as attempts,
  ${STATUS} as status,
  case when d.notification_id is null then o.reason end as reason,
  case when h.active then greatest(d.due_at, b.open_until) end as "nextAttemptAt"`

function within({ appId, businessId, organizationId, seenFrom: location, since }: HistoryScope): Part {
  return part`
    n.recorded_at >= ${since}
    ${appId ? part`and n.app_id = ${appId}` : part``}
    ${businessId ? part`and n.business_id = ${businessId}` : part``}
    ${location ? seenFrom(part`n`, location) : part``}
    ${
      organizationId
        ? part`and n.app_id in (select a.app_id from apps as a where a.organization_id = ${organizationId})`
        : part``
    }`
}
