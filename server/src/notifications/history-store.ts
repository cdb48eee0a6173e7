import type { DeliveryStatus } from '../core/delivery-status.ts'
import { dayOfId } from '../core/id.ts'
import type { Sql } from '../db/db.ts'
import { type Part, part, send } from '../db/part.ts'
import { demandPlans } from '../db/planned.ts'
import { type Present, present } from '../db/rows.ts'
import { together } from '../db/together.ts'
import { fitting, lastLooked, type Walk } from './candidates.ts'
import type { HistoryFilter, HistoryScope } from './history-filter.ts'
import { seenFrom } from './seen-from.ts'

/*
 * The history reads what the slice deliveries writes: the queue for what is under way, outcomes for what is over,
 * attempts; and of a hook whether it listens, and until when its breaker is open.
 */

interface Row {
  notificationId: string
  hookId: string
  deliveryUrl: string
  body: string
  /** Made so far. */
  attempts: number
  status: DeliveryStatus
  /** Why it ended without being acknowledged. */
  reason: string | null
  /** Null where there is none: it is over, or its hook does not listen. */
  nextAttemptAt: Date | null
}

export type HistoryEntry = Present<Row>

export interface Attempt {
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
}

/** A page. With `next` there may be more: it is where they begin, also where this page is not full. */
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
  const walk: Walk = { direction: 'newest first', ...(before === undefined ? {} : { beyond: before }) }
  const found = await find(sql, filter, walk, limit + 1)
  const shown = found.slice(0, limit)
  const next = found.length > limit ? shown.at(-1)?.notificationId : await nextToLook(sql, filter, walk)
  const entries = await findRows(sql, shown)
  return { entries, ...(next === undefined ? {} : { next }) }
}

export interface FoundIds {
  readonly found: readonly { readonly notificationId: string; readonly hookId: string }[]
  /** As of a page. */
  readonly next?: string
}

/** Oldest first; beyond an id, as a walk through all goes on. Inside a transaction. */
export async function listIds(
  sql: Sql,
  filter: HistoryFilter,
  { limit, after }: { limit: number; after?: string },
): Promise<FoundIds> {
  const walk: Walk = { direction: 'oldest first', ...(after === undefined ? {} : { beyond: after }) }
  const found = await find(sql, filter, walk, limit)
  const next = found.length === limit ? found.at(-1)?.notificationId : await nextToLook(sql, filter, walk)
  return { found, ...(next === undefined ? {} : { next }) }
}

interface Found {
  readonly notificationId: string
  readonly hookId: string
}

function find(sql: Sql, filter: HistoryFilter, walk: Walk, limit: number): Promise<Found[]> {
  return sendPlanned(
    sql,
    part`select f.notification_id as "notificationId", f.hook_id as "hookId" from (${fitting(filter, walk, limit)}) as f`,
  )
}

/** In the order in which they are given. Each is looked up in the partition of its day, so that a plan made once for a connection is good for all. */
async function findRows(sql: Sql, found: readonly Found[]): Promise<HistoryEntry[]> {
  if (found.length === 0) return []
  const ids = found.map(({ notificationId }) => notificationId)
  const [, rows] = await together([
    demandPlans(sql, { plans: 'once' }),
    send<Row[]>(
      sql,
      part`
        select ${COLUMNS}
        from unnest(${ids}::uuid[], ${ids.map(dayOfId)}::text[]::date[]) with ordinality as x (id, day, place)
        cross join lateral (
          select n.notification_id, n.hook_id, n.delivery_url, n.body from notifications as n
          where n.recorded_day = x.day and n.notification_id = x.id limit 1) as n
        left join lateral (
          select o.attempts, o.status, o.reason from outcomes as o
          where o.recorded_day = x.day and o.notification_id = x.id limit 1) as o on true
        ${QUEUED}
        order by x.place`,
    ),
  ])
  return rows.map(row => present(row))
}

async function nextToLook(sql: Sql, filter: HistoryFilter, walk: Walk): Promise<string | undefined> {
  const [row] = await sendPlanned<{ notificationId: string }>(sql, lastLooked(filter, walk))
  return row?.notificationId
}

/**
 * Planned for these very values each time. A plan kept for any values knows neither how many days a page can lie in nor how
 * rare what it asks for is, and reads for seconds (docs/decisions/0012-history-at-size.md).
 */
async function sendPlanned<R extends object>(sql: Sql, statement: Part): Promise<R[]> {
  const [, rows] = await together([
    sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`,
    send<R[]>(sql, statement),
  ])
  return [...rows]
}

export async function findHistory(sql: Sql, notificationId: string, scope: HistoryScope): Promise<HistoryEntry | null> {
  const day = dayOfId(notificationId)
  // An id that is no UUIDv7 can name any day, also one that is no date to the database.
  if (!/^\d{4}-/.test(day)) return null
  const [row] = await send<Row[]>(
    sql,
    part`
      select ${COLUMNS} from notifications as n ${PROGRESS}
      where n.recorded_day = ${day}::date and n.notification_id = ${notificationId} and ${within(scope)}`,
  )
  return row ? present(row) : null
}

/** In the order in which they were made. */
export async function findAttempts(sql: Sql, notificationId: string): Promise<Attempt[]> {
  const rows = await sql<AttemptRow[]>`
    select attempted_at as "attemptedAt", duration_ms as "durationMs", http_status as "httpStatus", reason, answer
    from attempts
    where recorded_day = ${dayOfId(notificationId)}::date and notification_id = ${notificationId}
    order by attempted_at, attempt_id`
  return rows.map(row => present(row))
}

interface AttemptRow {
  attemptedAt: Date
  durationMs: number
  httpStatus: number | null
  reason: string | null
  answer: string
}

const QUEUED = part`
  left join deliveries as d on d.notification_id = n.notification_id
  left join hooks as h on h.hook_id = d.hook_id
  left join hook_health as b on b.hook_id = d.hook_id`

const PROGRESS = part`
  ${QUEUED}
  left join outcomes as o on o.recorded_day = n.recorded_day and o.notification_id = n.notification_id`

const COLUMNS = part`
  n.notification_id as "notificationId", n.hook_id as "hookId", n.delivery_url as "deliveryUrl", n.body,
  coalesce(d.attempts, o.attempts, 0) as attempts,
  case
    when d.attempts = 0 then 'SCHEDULED'
    when d.attempts > 0 then 'ERRORED_RETRYING'
    else coalesce(o.status, 'SCHEDULED')
  end as status,
  case when d.notification_id is null then o.reason end as reason,
  case when h.active then greatest(d.due_at, b.open_until) end as "nextAttemptAt"`

function within({ appId, businessId, organizationId, seenFrom: place, since }: HistoryScope): Part {
  return part`
    n.recorded_at >= ${since}
    ${appId ? part`and n.app_id = ${appId}` : part``}
    ${businessId ? part`and n.business_id = ${businessId}` : part``}
    ${place ? seenFrom(part`n`, place) : part``}
    ${
      organizationId
        ? part`and n.app_id in (select a.app_id from apps as a where a.organization_id = ${organizationId})`
        : part``
    }`
}
