import type postgres from 'postgres'
import type { GivenUpReason } from '../../core/delivery.ts'
import { ORDER_EVENT_TYPES, TEST_EVENT_TYPE } from '../../core/event.ts'
import { dayOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/sql.ts'
import type { GivenUp } from '../../ports.ts'
import type { PostedAttempt } from './attempt.ts'

/** A notification queued for a hook. */
export interface QueuedDelivery {
  readonly notificationId: string
  readonly recordedDay: string
  readonly hookId: string
  readonly appId: string
  readonly businessId: string
  readonly resourceId: string
  readonly resourceSeq: number
}

/** The place of a delivery in the queue. */
export interface Place {
  readonly notificationId: string
  readonly seq: number
  /** The preceding delivery of the same hook and resource, if it has no attempt yet. */
  readonly previousId: string | null
  readonly previousSeq: number | null
}

/**
 * Queues first attempts, due now, in the statement that inserts the notifications; `recorded` inserts the notifications and returns their
 * columns. A notification for a hook that the service disabled is not queued: it ends as ERRORED `hook_inactive`.
 */
export async function insertDeliveries(
  sql: Sql,
  recorded: Part,
  { now, disabled }: { readonly now: Date; readonly disabled: ReadonlySet<string> },
): Promise<Place[]> {
  return await send<Place[]>(
    sql,
    part`
    with u as (${recorded}),
    missed as (${disabled.size === 0 ? part`select 1` : missedBy(disabled, now)}),
    queued as (
      insert into deliveries (
        notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, priority, attempts,
        due_at, recorded_at)
      select u.notification_id, u.recorded_day, u.hook_id, u.app_id, u.business_id, u.resource_id,
        u.resource_seq, 'FIRST', 0, ${now}, ${now}
      from u
      where u.hook_id <> all(${[...disabled]}::uuid[])
      order by u.resource_seq
      returning notification_id, hook_id, resource_id, resource_seq, seq)
    select q.notification_id as "notificationId", q.seq, e.notification_id as "previousId", e.seq as "previousSeq"
    from queued as q
    left join lateral (
      select d.notification_id, d.seq from deliveries as d
      where q.resource_seq > 1 and d.hook_id = q.hook_id and d.resource_id = q.resource_id and d.priority = 'FIRST'
        and d.resource_seq < q.resource_seq
      order by d.resource_seq desc limit 1) as e on true
    order by q.resource_seq`,
  )
}

function missedBy(disabled: ReadonlySet<string>, now: Date): Part {
  return part`
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    select u.recorded_day, u.notification_id, u.hook_id, u.app_id, u.business_id, 'ERRORED', 'hook_inactive', 0, ${now}
    from u where u.hook_id = any(${[...disabled]}::uuid[])`
}

/**
 * Replays notifications: the same bytes and ids, with a new retry schedule. A delivery that waits for a retry becomes due now; a delivery
 * that waits for its first attempt is unchanged. Skips TEST notifications, and orders of merchants without an approval. Returns the queued
 * ids. Reads `notifications`, and locks `approvals` until the transaction ends.
 */
export async function queueReplay(sql: Sql, notificationIds: readonly string[], now: Date): Promise<string[]> {
  if (notificationIds.length === 0) return []
  const ids = notificationIds as string[]
  const rows = await sql<{ notificationId: string }[]>`
    with asked as materialized (
      select n.notification_id, n.recorded_day, n.hook_id, n.app_id, n.business_id, n.resource_id, n.resource_seq,
        n.event_type = any(${[...ORDER_EVENT_TYPES]}) as is_order
      from unnest(${ids}::uuid[], ${ids.map(dayOfId)}::text[]::date[]) as x (notification_id, recorded_day)
      join notifications as n on n.recorded_day = x.recorded_day and n.notification_id = x.notification_id
      where n.event_type <> ${TEST_EVENT_TYPE}),
    approved as materialized (
      select a.app_id, a.business_id from approvals as a
      where a.revoked_at is null
        and (a.app_id, a.business_id) in (select q.app_id, q.business_id from asked as q where q.is_order)
      for share)
    insert into deliveries as d (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, priority, attempts,
      due_at, recorded_at)
    select q.notification_id, q.recorded_day, q.hook_id, q.app_id, q.business_id, q.resource_id, q.resource_seq,
      'REPLAY', 0, ${now}, ${now}
    from asked as q
    where not q.is_order or (q.app_id, q.business_id) in (select a.app_id, a.business_id from approved as a)
    on conflict (notification_id) do update set due_at = least(d.due_at, excluded.due_at)
    where d.priority <> 'FIRST'
    returning d.notification_id as "notificationId"`
  return rows.map(row => row.notificationId)
}

/** The deliveries that one statement ends in well under a second. `end-undeliverable.ts` ends the rest. */
export const ENDED_AT_ONCE = 10_000

/** Ends the waiting deliveries of a hook as ERRORED. An attempt in progress is still recorded and changes nothing. */
export async function endDeliveriesOfHook(
  sql: Sql,
  { hookId, reason, now }: { hookId: string; reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ids = sql`select d.notification_id from deliveries as d where d.hook_id = ${hookId} limit ${ENDED_AT_ONCE}`
  return endDeliveries(sql, ids, { reason, now })
}

/** Ends the waiting deliveries to an app about a merchant's orders as ERRORED. Reads `notifications`. */
export async function endOrderDeliveries(
  sql: Sql,
  { appId, businessId, reason, now }: { appId: string; businessId: string; reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ids = sql`
    select n.notification_id from notifications as n
    join deliveries as d on d.recorded_day = n.recorded_day and d.notification_id = n.notification_id
    where d.app_id = ${appId} and d.business_id = ${businessId} and n.event_type = any(${[...ORDER_EVENT_TYPES]})
    limit ${ENDED_AT_ONCE}`
  return endDeliveries(sql, ids, { reason, now })
}

/** Ends deliveries by their ids. */
export async function endDeliveries(
  sql: Sql,
  ids: postgres.Fragment,
  { reason, now }: { reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ended = await sql<{ notificationId: string; hookId: string }[]>`
    with ended as (
      delete from deliveries where notification_id = any(array(${ids}))
      returning recorded_day, notification_id, hook_id, app_id, business_id, attempts)
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    select recorded_day, notification_id, hook_id, app_id, business_id, 'ERRORED', ${reason}, attempts, ${now}
    from ended
    on conflict (recorded_day, notification_id) do update set
      status = excluded.status, reason = excluded.reason, attempts = excluded.attempts,
      finished_at = excluded.finished_at
    returning notification_id as "notificationId", hook_id as "hookId"`
  return ended.map(row => ({ ...row, reason }))
}

/** Makes the retry of a quarantined delivery due. The owner of the shard reads its queue within 10 s. */
export async function retryDelivery(sql: Sql, of: { notificationId: string; now: Date }): Promise<void> {
  await sql`
    update deliveries set due_at = ${of.now}
    where notification_id = ${of.notificationId} and failures > 0 and due_at > ${of.now}`
}

/** An endpoint that was off for days has more. The count ends here, so that a list of endpoints stays fast. */
export const MOST_COUNTED = 1_000

/** The unfinished deliveries of each hook. `MOST_COUNTED + 1` stands for more. */
export async function countQueued(sql: Sql, hookIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ hookId: string; queued: number }[]>`
    select h.hook_id as "hookId", counted.queued
    from unnest(${hookIds as string[]}::uuid[]) as h (hook_id) cross join lateral (
      select count(*)::integer as queued
      from (select from deliveries as d where d.hook_id = h.hook_id limit ${MOST_COUNTED + 1}) as first_rows) as counted`
  return new Map(rows.map(({ hookId, queued }) => [hookId, queued]))
}

/** A delivery of one attempt, made while the caller waits. The delivery never enters the queue. */
export interface SingleAttempt extends PostedAttempt {
  readonly notificationId: string
}

/** Records the attempt and its outcome. The caller has inserted the notification. */
export async function saveSingle(
  sql: Sql,
  { recordedDay, hookId, appId, businessId }: Pick<QueuedDelivery, 'recordedDay' | 'hookId' | 'appId' | 'businessId'>,
  attempt: SingleAttempt,
): Promise<void> {
  const { notificationId, attemptId, attemptedAt, durationMs, httpStatus, reason, answer } = attempt
  const [status, ended] = attempt.acknowledged ? ['DELIVERED', null] : ['ERRORED', 'test_failed']
  await sql`
    with ended as (
      insert into outcomes (
        recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
      values (
        ${recordedDay}, ${notificationId}, ${hookId}, ${appId}, ${businessId}, ${status}, ${ended}, 1,
        ${attempt.finishedAt}))
    insert into attempts (
      recorded_day, notification_id, attempt_id, attempt, attempted_at, duration_ms, http_status, reason, answer)
    values (
      ${recordedDay}, ${notificationId}, ${attemptId}, 1, ${attemptedAt}, ${durationMs}, ${httpStatus ?? null},
      ${reason ?? null}, ${answer})`
}
