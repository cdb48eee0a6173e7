import type { GivenUpReason } from '../core/delivery.ts'
import { ORDER_EVENT_TYPES } from '../core/event.ts'
import type { Sql } from '../db/db.ts'
import { clearFailures } from '../set-aside/store.ts'

/** A notification on its way to its hook. */
export interface QueuedDelivery {
  readonly notificationId: string
  readonly recordedDay: string
  readonly hookId: string
  readonly appId: string
  readonly businessId: string
  readonly resourceId: string
  readonly resourceSeq: number
  readonly body: string
}

/** Due now, and leased to nobody. One statement for all of them. */
export async function insertDeliveries(sql: Sql, deliveries: readonly QueuedDelivery[], now: Date): Promise<void> {
  await sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, body, attempts, due_at,
      recorded_at)
    select x.notification_id, x.recorded_day, x.hook_id, x.app_id, x.business_id, x.resource_id, x.resource_seq, x.body,
      0, ${now}, ${now}
    from unnest(
      ${deliveries.map(row => row.notificationId)}::uuid[], ${deliveries.map(row => row.recordedDay)}::text[]::date[],
      ${deliveries.map(row => row.hookId)}::uuid[], ${deliveries.map(row => row.appId)}::uuid[],
      ${deliveries.map(row => row.businessId)}::uuid[], ${deliveries.map(row => row.resourceId)}::uuid[],
      ${deliveries.map(row => row.resourceSeq)}::integer[], ${deliveries.map(row => row.body)}::text[])
      as x (notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, body)`
}

/** Ends, as ERRORED, all that waits for a hook. Attempts that are under way are still recorded, and change nothing. */
export async function endDeliveriesOfHook(
  sql: Sql,
  { hookId, reason, now }: { hookId: string; reason: GivenUpReason; now: Date },
): Promise<void> {
  await end(sql, sql`hook_id = ${hookId}`, { reason, now })
}

/** Ends, as ERRORED, what waits to tell an app of a merchant's orders. Reads `notifications` for what is an order's. */
export async function endOrderDeliveries(
  sql: Sql,
  { appId, businessId, reason, now }: { appId: string; businessId: string; reason: GivenUpReason; now: Date },
): Promise<void> {
  const ofOrders = sql`
    (recorded_day, notification_id) in (
      select n.recorded_day, n.notification_id from notifications as n
      join deliveries as d on d.recorded_day = n.recorded_day and d.notification_id = n.notification_id
      where d.app_id = ${appId} and d.business_id = ${businessId} and n.event_type = any(${[...ORDER_EVENT_TYPES]}))`
  await end(sql, ofOrders, { reason, now })
}

/** Ends deliveries of which this lease is still held. */
export async function endLeased(
  sql: Sql,
  { ids, leaseId, reason, now }: { ids: readonly string[]; leaseId: string; reason: GivenUpReason; now: Date },
): Promise<void> {
  if (ids.length === 0) return
  await end(sql, leased(sql, ids, leaseId), { reason, now })
}

/** Gives up the lease without an attempt: due again at `dueAt`. */
export async function postponeLeased(
  sql: Sql,
  { ids, leaseId, dueAt }: { ids: readonly string[]; leaseId: string; dueAt: Date },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update deliveries set due_at = ${dueAt}, lease_id = null, leased_until = null where ${leased(sql, ids, leaseId)}`
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
): Promise<void> {
  const ended = await sql<{ notificationId: string }[]>`
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
    returning notification_id as "notificationId"`
  const ids = ended.map(row => row.notificationId)
  await clearFailures(sql, 'delivery', ids)
}

const leased = (sql: Sql, ids: readonly string[], leaseId: string) => sql`
  notification_id = any(${ids as string[]}::uuid[]) and lease_id = ${leaseId}`
