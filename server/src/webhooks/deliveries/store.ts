import { CLOCKS_APART_MS, GIVE_UP_AFTER_MS, type GivenUpReason } from '../../core/delivery.ts'
import { ORDER_EVENT_TYPES, TEST_EVENT_TYPE } from '../../core/event.ts'
import { dayOfId, firstIdAt } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part, send } from '../../platform/db/sql.ts'
import { clearFailures } from '../../platform/set-aside/store.ts'
import type { GivenUp } from '../../ports.ts'
import { resetHookHealth } from '../hooks/health.ts'
import { skipQueued } from '../hooks/store.ts'

/** A notification on its way to its hook. */
export interface QueuedDelivery {
  readonly notificationId: string
  readonly recordedDay: string
  readonly hookId: string
  readonly appId: string
  readonly businessId: string
  readonly resourceId: string
  readonly resourceSeq: number
}

/** A lease that first attempts may be inserted under, and for which of them. */
export interface OfferedLease {
  readonly leaseId: string
  readonly leasedUntil: Date
  readonly notificationIds: ReadonlySet<string>
}

/** What is to be known of them beside the deliveries themselves. */
export interface InsertOptions {
  readonly offered?: OfferedLease | null
  /** Hooks that the service has disabled. */
  readonly disabled?: ReadonlySet<string>
}

/** Ids of what went into the queue. */
export interface Inserted {
  /** Under the lease that was offered. */
  readonly leased: ReadonlySet<string>
  /** Behind a breaker that is open: no claim takes them now. */
  readonly parked: ReadonlySet<string>
}

/**
 * Due now; one statement for all of them, and for the notifications themselves: `recorded` inserts those and returns their columns that
 * the queue has too, so that they travel once. Those that a lease is offered for are inserted under it, but for one that must
 * wait: for an earlier one of its hook and resource that was never tried, in the queue or before it in the list, and for a
 * breaker that is open. What a disabled hook misses is not queued: it ends at once, as ERRORED `hook_inactive`.
 */
export async function insertDeliveries(
  sql: Sql,
  recorded: Part,
  deliveries: readonly QueuedDelivery[],
  now: Date,
  { offered = null, disabled = new Set() }: InsertOptions = {},
): Promise<Inserted> {
  const rows = await send<{ notificationId: string; isLeased: boolean }[]>(
    sql,
    part`
    with u as (${recorded}),
    missed as (${disabled.size === 0 ? part`select 1` : missedBy(disabled, now)}),
    x as materialized (
      select u.notification_id, u.recorded_day, u.hook_id, u.app_id, u.business_id, u.resource_id, u.resource_seq,
        u.notification_id = any(${firstOfEach(deliveries, offered)}::uuid[])
          and (
            select e.resource_seq from deliveries as e
            where e.hook_id = u.hook_id and e.resource_id = u.resource_id and e.lane = 'FIRST'
              and e.resource_seq < u.resource_seq
            order by e.resource_seq desc
            limit 1) is null as is_free,
        (select b.open_until from hook_health as b where b.hook_id = u.hook_id) as open_until
      from u
      where u.hook_id <> all(${[...disabled]}::uuid[])),
    y as materialized (
      select x.notification_id, x.recorded_day, x.hook_id, x.app_id, x.business_id, x.resource_id, x.resource_seq,
        x.is_free and x.open_until is null as is_leased, x.open_until > ${now} as is_parked
      from x),
    queued as (
      insert into deliveries (
        notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts,
        due_at, recorded_at, lease_id, leased_until)
      select y.notification_id, y.recorded_day, y.hook_id, y.app_id, y.business_id, y.resource_id, y.resource_seq,
        'FIRST', 0, ${now}, ${now}, case when y.is_leased then ${offered?.leaseId ?? null}::uuid end,
        case when y.is_leased then ${offered?.leasedUntil ?? null}::timestamptz end
      from y)
    select y.notification_id as "notificationId", y.is_leased as "isLeased" from y where y.is_leased or y.is_parked`,
  )
  const idsOf = (isLeased: boolean) => rows.filter(row => row.isLeased === isLeased).map(row => row.notificationId)
  return { leased: new Set(idsOf(true)), parked: new Set(idsOf(false)) }
}

function missedBy(disabled: ReadonlySet<string>, now: Date): Part {
  return part`
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    select u.recorded_day, u.notification_id, u.hook_id, u.app_id, u.business_id, 'ERRORED', 'hook_inactive', 0, ${now}
    from u where u.hook_id = any(${[...disabled]}::uuid[])`
}

/** Which of them are offered a lease: of those of one hook and resource only the first one can be sent at once. */
function firstOfEach(deliveries: readonly QueuedDelivery[], offered: OfferedLease | null): string[] {
  if (offered === null) return []
  const first = new Map<string, number>()
  const keyOf = ({ hookId, resourceId }: QueuedDelivery) => `${hookId} ${resourceId}`
  for (const row of deliveries) {
    first.set(keyOf(row), Math.min(row.resourceSeq, first.get(keyOf(row)) ?? row.resourceSeq))
  }
  return deliveries
    .filter(row => offered.notificationIds.has(row.notificationId) && row.resourceSeq === first.get(keyOf(row)))
    .map(({ notificationId }) => notificationId)
}

/**
 * Sends notifications again, the same bytes and ids, in the lane of replays: each with a schedule of its own, that begins
 * now. What was never tried goes among the first attempts, which keep their order. One that still waits for a retry is due
 * now instead, one that waits for its first attempt stays as it is. Passed over are unknown ids, what is about orders of a
 * merchant that does not approve of the app now (read from `approvals`, and so until the transaction ends), and a TEST, which
 * is sent once. What was missed and is still queued ends first, as it would end soon, and is then queued as what has ended. Returns the ids
 * that are queued. Reads `hooks`.
 */
export async function queueReplay(sql: Sql, notificationIds: readonly string[], now: Date): Promise<string[]> {
  if (notificationIds.length === 0) return []
  const ids = notificationIds as string[]
  const missed = sql`
    notification_id = any(array(
      select d.notification_id from deliveries as d
      where d.notification_id = any(${ids}::uuid[])
        and d.recorded_at < (select h.skip_before from hooks as h where h.hook_id = d.hook_id)))`
  await end(sql, missed, { reason: 'hook_inactive', now })
  const ofOrders = [...ORDER_EVENT_TYPES]
  const rows = await sql<{ notificationId: string }[]>`
    with asked as materialized (
      select n.notification_id, n.recorded_day, n.hook_id, n.app_id, n.business_id, n.resource_id, n.resource_seq,
        n.event_type = any(${ofOrders}) as is_of_order
      from unnest(${ids}::uuid[], ${ids.map(dayOfId)}::text[]::date[])
        as x (notification_id, recorded_day)
      join notifications as n on n.recorded_day = x.recorded_day and n.notification_id = x.notification_id
      where n.event_type <> ${TEST_EVENT_TYPE}),
    approved as materialized (
      select a.app_id, a.business_id from approvals as a
      where a.revoked_at is null
        and (a.app_id, a.business_id) in (select q.app_id, q.business_id from asked as q where q.is_of_order)
      for share)
    insert into deliveries as d (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts,
      due_at, recorded_at)
    select q.notification_id, q.recorded_day, q.hook_id, q.app_id, q.business_id, q.resource_id, q.resource_seq,
      coalesce((
        select 'REPLAY' from attempts as t
        where t.recorded_day = q.recorded_day and t.notification_id = q.notification_id
        limit 1), 'FIRST'),
      0, ${now}, ${now}
    from asked as q
    where not q.is_of_order or (q.app_id, q.business_id) in (select a.app_id, a.business_id from approved as a)
    on conflict (notification_id) do update set due_at = least(d.due_at, excluded.due_at)
    where d.lane <> 'FIRST'
    returning d.notification_id as "notificationId"`
  return rows.map(row => row.notificationId)
}

/**
 * Goes on with a hook that was made active again, in the same transaction: its breaker is closed and what waits for its first attempt is due
 * now, or, where that was missed, ends. The queue before the breaker, as claims and saves take them: each would wait for the other. Returns
 * what has ended.
 */
export async function resumeHook(
  sql: Sql,
  hookId: string,
  { wasMissed, now }: { wasMissed: boolean; now: Date },
): Promise<GivenUp[]> {
  const missed = wasMissed ? await endMissed(sql, hookId, now) : []
  await sql`
    update deliveries set due_at = ${now}
    where hook_id = ${hookId} and lane = 'FIRST' and due_at > ${now} and lease_id is null`
  await resetHookHealth(sql, [hookId])
  return missed
}

/** What one request ends of a queue, beside all else that it does: under a second's work. What is left, claims end, and `parked.ts`. */
const END_AT_ONCE = 10_000

/**
 * Ends, as ERRORED, what waits for a hook; of a longer queue so much, and others end the rest. Attempts that are under way are still
 * recorded, and change nothing. Returns what.
 */
export async function endDeliveriesOfHook(
  sql: Sql,
  { hookId, reason, now }: { hookId: string; reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ofHook = sql`
    notification_id = any(array(
      select d.notification_id from deliveries as d where d.hook_id = ${hookId} limit ${END_AT_ONCE}))`
  return end(sql, ofHook, { reason, now })
}

/**
 * A hook is to listen again, and what waits for it was missed: it ends. The rest of a longer queue is skipped by claims, and ends by them
 * and by `parked.ts`. What was recorded in the last moments may be, on a clock that is behind, what happens after this: it stays. In
 * the transaction that changes the hook. Returns what has ended.
 */
export async function endMissed(sql: Sql, hookId: string, now: Date): Promise<GivenUp[]> {
  const ended = await endDeliveriesOfHook(sql, { hookId, reason: 'hook_inactive', now })
  if (ended.length === END_AT_ONCE) {
    await skipQueued(sql, hookId, new Date(now.getTime() - CLOCKS_APART_MS))
  }
  return ended
}

/** The same of what waits to tell an app of a merchant's orders. Reads `notifications` for what is an order's. */
export async function endOrderDeliveries(
  sql: Sql,
  { appId, businessId, reason, now }: { appId: string; businessId: string; reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ofOrders = sql`
    notification_id = any(array(
      select n.notification_id from notifications as n
      join deliveries as d on d.recorded_day = n.recorded_day and d.notification_id = n.notification_id
      where d.app_id = ${appId} and d.business_id = ${businessId} and n.event_type = any(${[...ORDER_EVENT_TYPES]})
      limit ${END_AT_ONCE}))`
  return end(sql, ofOrders, { reason, now })
}

/**
 * Ends, as ERRORED, at most so many of what waits for hooks that are gone, and so many of what was missed: of hooks that the service has
 * disabled, and of those that listen again what was recorded before. What is under way ends by itself. Returns what.
 */
export async function endUnheardDeliveries(sql: Sql, { limit, now }: { limit: number; now: Date }): Promise<GivenUp[]> {
  const gone = { hooks: sql`h.hook_id is null`, rows: sql`true`, reason: 'hook_deleted' } as const
  const skips = sql`h.skip_before > ${new Date(now.getTime() - GIVE_UP_AFTER_MS)}`
  const missed = {
    hooks: sql`(h.disabled_reason is not null or ${skips})`,
    rows: sql`(u.disabled_reason is not null or d.recorded_at < u.skip_before)`,
    reason: 'hook_inactive',
  } as const
  const ended: GivenUp[] = []
  for (const { hooks, rows, reason } of [gone, missed]) {
    // Hooks with a queue are found by skipping along the index, as claims do.
    const unheard = sql`
      notification_id = any(array(
        with recursive queues as (
          (select d.hook_id from deliveries as d order by d.hook_id limit 1)
          union all
          select (select d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1)
          from queues as q where q.hook_id is not null),
        unheard as materialized (
          select q.hook_id, h.disabled_reason, h.skip_before
          from queues as q left join hooks as h on h.hook_id = q.hook_id
          where q.hook_id is not null and ${hooks})
        select o.notification_id from unheard as u
        cross join lateral (
          select d.notification_id from deliveries as d
          where d.hook_id = u.hook_id and (d.leased_until is null or d.leased_until <= ${now}) and ${rows}
          limit ${limit}
          for update of d skip locked) as o
        limit ${limit}))`
    ended.push(...(await end(sql, unheard, { reason, now })))
  }
  return ended
}

/**
 * Ends, as ERRORED, at most so many of what waits to tell apps of orders of merchants that do not approve of them any more. What is under way
 * ends by itself. Nothing waits for longer than 72 h, so older revocations are left out: else each run would look up all that waits of merchants
 * who ever revoked, none of which is of an order. Reads `approvals`, and `notifications`: the limit keeps that a look-up for each. Returns what.
 */
export async function endDeliveriesOfNoApproval(
  sql: Sql,
  { limit, now }: { limit: number; now: Date },
): Promise<GivenUp[]> {
  const since = new Date(now.getTime() - GIVE_UP_AFTER_MS)
  const revoked = sql`
    notification_id = any(array(
      select d.notification_id from deliveries as d
      join approvals as a on a.business_id = d.business_id and a.app_id = d.app_id and a.revoked_at > ${since}
      cross join lateral (
        select n.event_type from notifications as n
        where n.recorded_day = d.recorded_day and n.notification_id = d.notification_id
        limit 1) as n
      where n.event_type = any(${[...ORDER_EVENT_TYPES]}) and (d.leased_until is null or d.leased_until <= ${now})
      limit ${limit}
      for update of d skip locked))`
  return end(sql, revoked, { reason: 'approval_revoked', now })
}

/** Ends deliveries of which this lease is still held. Returns which. */
export async function endLeased(
  sql: Sql,
  { ids, leaseId, reason, now }: { ids: readonly string[]; leaseId: string; reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  if (ids.length === 0) return []
  return end(sql, leased(sql, ids, leaseId), { reason, now })
}

/**
 * Ends, as ERRORED, what was recorded before an instant and has waited since for a hook that does not listen, or whose
 * breaker is open; at most so many. What is under way ends by itself. Reads `hooks` and `hook_health`. Returns what.
 */
export async function endParkedDeliveries(
  sql: Sql,
  { recordedBefore, limit, now }: { recordedBefore: Date; limit: number; now: Date },
): Promise<GivenUp[]> {
  // What is recorded was named in the same moment, or long before where it is sent again. So the younger ids, nearly all of a long queue, are not read.
  const younger = firstIdAt(new Date(recordedBefore.getTime() + CLOCKS_APART_MS))
  const ended: GivenUp[] = []
  for (const [reason, isParked] of [
    ['hook_inactive', sql`not h.active`],
    [
      'expired',
      sql`h.active and exists (
      select 1 from hook_health as b where b.hook_id = h.hook_id and b.open_until > ${now})`,
    ],
  ] as const) {
    const parked = sql`
      notification_id in (
        select d.notification_id from deliveries as d join hooks as h on h.hook_id = d.hook_id
        where d.notification_id < ${younger} and d.recorded_at <= ${recordedBefore}
          and (d.leased_until is null or d.leased_until <= ${now}) and ${isParked}
        order by d.notification_id
        limit ${limit}
        for update of d skip locked)`
    ended.push(...(await end(sql, parked, { reason, now })))
  }
  return ended
}

/** Gives up leases without an attempt: due again at `dueAt`. What is under another lease by now stays as it is. */
export async function postponeLeased(
  sql: Sql,
  deliveries: readonly { readonly notificationId: string; readonly leaseId: string }[],
  dueAt: Date,
): Promise<void> {
  if (deliveries.length === 0) return
  const ids = deliveries.map(({ notificationId }) => notificationId)
  const leaseIds = deliveries.map(({ leaseId }) => leaseId)
  await sql`
    update deliveries set due_at = ${dueAt}, lease_id = null, leased_until = null
    where notification_id = any(${ids}::uuid[])
      and (notification_id, lease_id) in (
        select u.notification_id, u.lease_id from unnest(${ids}::uuid[], ${leaseIds}::uuid[]) as u (notification_id, lease_id))`
}

/** Of which this lease is still held: nobody ends or takes those until the transaction ends. */
export async function lockLeased(
  sql: Sql,
  { ids, leaseId }: { ids: readonly string[]; leaseId: string },
): Promise<Set<string>> {
  const rows = await sql<{ notificationId: string }[]>`
    select notification_id as "notificationId" from deliveries
    where ${leased(sql, ids, leaseId)} order by notification_id for update`
  return new Set(rows.map(row => row.notificationId))
}

/** As `postponeLeased`, each until the instant to which it stands aside. Reads `set_aside`. */
export async function postponeSetAside(
  sql: Sql,
  { ids, leaseId }: { ids: readonly string[]; leaseId: string },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update deliveries as d set due_at = s.blocked_until, lease_id = null, leased_until = null
    from set_aside as s
    where s.kind = 'delivery' and s.row_id = d.notification_id and ${leased(sql, ids, leaseId)}`
}

async function end(
  sql: Sql,
  which: ReturnType<typeof leased>,
  { reason, now }: { reason: GivenUpReason; now: Date },
): Promise<GivenUp[]> {
  const ended = await sql<{ notificationId: string; hookId: string }[]>`
    with ended as (
      delete from deliveries where ${which}
      returning recorded_day, notification_id, hook_id, app_id, business_id, attempts)
    insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, reason, attempts, finished_at)
    select recorded_day, notification_id, hook_id, app_id, business_id, 'ERRORED', ${reason}, attempts, ${now}
    from ended
    on conflict (recorded_day, notification_id) do update set
      status = excluded.status, reason = excluded.reason, attempts = excluded.attempts,
      finished_at = excluded.finished_at
    returning notification_id as "notificationId", hook_id as "hookId"`
  const ids = ended.map(row => row.notificationId)
  await clearFailures(sql, 'delivery', ids)
  return ended.map(row => ({ ...row, reason }))
}

const leased = (sql: Sql, ids: readonly string[], leaseId: string) => sql`
  notification_id = any(${ids as string[]}::uuid[]) and lease_id = ${leaseId}`
