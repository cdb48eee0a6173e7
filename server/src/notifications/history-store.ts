import { addDays, startOfDay } from '../core/calendar.ts'
import type { DeliveryStatus } from '../core/delivery-status.ts'
import { dayOfId } from '../core/id.ts'
import type { Sql } from '../db/db.ts'
import { type Present, present } from '../db/rows.ts'

/*
 * The history reads what the slice deliveries writes: the queue for what is under way, outcomes for what is over,
 * attempts. One statement answers a page, as the status that it is filtered by lies in those tables.
 */

interface Row {
  notificationId: string
  deliveryUrl: string
  body: string
  /** Made so far. */
  attempts: number
  status: DeliveryStatus
  /** Why it ended without being acknowledged. */
  reason: string | null
  nextAttemptAt: Date | null
}

export type HistoryEntry = Present<Row>

/** Whose notifications. What is absent does not bound. */
export interface HistoryScope {
  readonly appId?: string
  readonly businessId?: string
  /** Only of apps of this organization. */
  readonly organizationId?: string
  /** No older ones. */
  readonly since: Date
}

export interface HistoryFilter extends HistoryScope {
  /** Recorded at or after. */
  readonly startAt?: Date
  /** Recorded before. */
  readonly endAt?: Date
  readonly hookId?: string
  readonly eventType?: string
  readonly resourceId?: string
  readonly status?: DeliveryStatus
}

export interface Attempt {
  readonly attemptedAt: Date
  readonly durationMs: number
  readonly httpStatus?: number
  readonly reason?: string
  readonly answer: string
}

/** Newest first. */
export async function listHistory(
  sql: Sql,
  filter: HistoryFilter,
  page: { limit: number; before?: string },
): Promise<HistoryEntry[]> {
  const { startAt, endAt, hookId, eventType, resourceId, status } = filter
  const rows = await sql<Row[]>`
    select ${columns(sql)} from ${tables(sql)}
    where ${within(sql, filter)}
      ${startAt ? sql`and n.recorded_at >= ${startAt} and n.recorded_day >= ${dayAround(startAt, -1)}::date` : sql``}
      ${endAt ? sql`and n.recorded_at < ${endAt} and n.recorded_day <= ${dayAround(endAt, 1)}::date` : sql``}
      ${hookId ? sql`and n.hook_id = ${hookId}` : sql``}
      ${eventType ? sql`and n.event_type = ${eventType}` : sql``}
      ${resourceId ? sql`and n.resource_id = ${resourceId}` : sql``}
      ${status ? ofStatus(sql, status) : sql``}
      ${page.before ? sql`and n.notification_id < ${page.before}` : sql``}
    order by n.notification_id desc
    limit ${page.limit}`
  return rows.map(row => present(row))
}

export async function findHistory(sql: Sql, notificationId: string, scope: HistoryScope): Promise<HistoryEntry | null> {
  const day = dayOfId(notificationId)
  // An id that is no UUIDv7 can name any day, also one that is no date to the database.
  if (!/^\d{4}-/.test(day)) return null
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from ${tables(sql)}
    where n.recorded_day = ${day}::date and n.notification_id = ${notificationId} and ${within(sql, scope)}`
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

const tables = (sql: Sql) => sql`
  notifications as n
  left join deliveries as d on d.notification_id = n.notification_id
  left join outcomes as o on o.recorded_day = n.recorded_day and o.notification_id = n.notification_id`

const columns = (sql: Sql) => sql`
  n.notification_id as "notificationId", n.delivery_url as "deliveryUrl", n.body,
  coalesce(d.attempts, o.attempts, 0) as attempts,
  case
    when d.attempts = 0 then 'SCHEDULED'
    when d.attempts > 0 then 'ERRORED_RETRYING'
    else coalesce(o.status, 'SCHEDULED')
  end as status,
  case when d.notification_id is null then o.reason end as reason,
  d.due_at as "nextAttemptAt"`

const within = (sql: Sql, { appId, businessId, organizationId, since }: HistoryScope) => sql`
  n.recorded_at >= ${since}
  ${appId ? sql`and n.app_id = ${appId}` : sql``}
  ${businessId ? sql`and n.business_id = ${businessId}` : sql``}
  ${
    organizationId
      ? sql`and n.app_id in (select a.app_id from apps as a where a.organization_id = ${organizationId})`
      : sql``
  }`

function ofStatus(sql: Sql, status: DeliveryStatus) {
  switch (status) {
    case 'SCHEDULED':
      return sql`and d.attempts = 0`
    case 'ERRORED_RETRYING':
      return sql`and d.attempts > 0`
    default:
      return sql`and o.status = ${status} and d.notification_id is null`
  }
}

/** Only to leave whole days unread: the ids that name the days come from another reading of the clock. */
function dayAround(at: Date, days: number): string {
  return startOfDay(addDays(at, days)).toISOString().slice(0, 10)
}
