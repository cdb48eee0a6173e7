import type { Hook } from '../../core/hook.ts'
import { dayOfId } from '../../core/id.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type Part, part } from '../../platform/db/sql.ts'
import type { QueuedDelivery } from '../deliveries/store.ts'

/** An event for one hook. Never changed once recorded. */
export interface Notification extends QueuedDelivery {
  readonly eventType: string
  readonly deliveryUrl: string
  /** The bytes of every attempt. */
  readonly body: string
}

/** The statement, or part of a larger statement, that inserts all rows. Returns the queue's columns. */
export function insertionOf(rows: readonly Notification[], now: Date): Part {
  return part`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select n.notification_id, n.recorded_day, n.hook_id, n.app_id, n.business_id, n.event_type, n.resource_id,
      n.resource_seq, n.delivery_url, n.body, ${now}
    from unnest(
      ${rows.map(row => row.notificationId)}::uuid[], ${rows.map(row => row.recordedDay)}::text[]::date[],
      ${rows.map(row => row.hookId)}::uuid[], ${rows.map(row => row.appId)}::uuid[],
      ${rows.map(row => row.businessId)}::uuid[], ${rows.map(row => row.eventType)}::text[],
      ${rows.map(row => row.resourceId)}::uuid[], ${rows.map(row => row.resourceSeq)}::integer[],
      ${rows.map(row => row.deliveryUrl)}::text[], ${rows.map(row => row.body)}::text[])
      as n (notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq,
        delivery_url, body)
    returning notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq`
}

/** Records the event of a notification for another hook: a new id, the same facts. */
export async function copyNotification(
  sql: Sql,
  of: { readonly notificationId: string; readonly body: string },
  { to, newId, now }: { readonly to: Hook; readonly newId: string; readonly now: Date },
): Promise<void> {
  const { hookId, deliveryUrl } = to
  // JSON.parse keeps the order of the keys, so the copy has the bytes that the hook would have received.
  const body = JSON.stringify({ ...JSON.parse(of.body), id: newId, hookId })
  await sql`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select ${newId}, ${dayOfId(newId)}::text::date, ${hookId}, n.app_id, n.business_id, n.event_type, n.resource_id,
      n.resource_seq, ${deliveryUrl}, ${body}, ${now}
    from notifications as n
    where n.recorded_day = ${dayOfId(of.notificationId)}::text::date and n.notification_id = ${of.notificationId}`
}
