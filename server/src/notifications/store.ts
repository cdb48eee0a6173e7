import type { Sql } from '../db/db.ts'
import type { QueuedDelivery } from '../deliveries/store.ts'

/** A fact for one hook: never changed once it is recorded. */
export interface Notification extends QueuedDelivery {
  readonly eventType: string
  readonly deliveryUrl: string
  /** The bytes of every attempt. */
  readonly body: string
}

/** One statement for all of them. */
export async function insertNotifications(sql: Sql, rows: readonly Notification[], now: Date): Promise<void> {
  await sql`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select x.notification_id, x.recorded_day, x.hook_id, x.app_id, x.business_id, x.event_type, x.resource_id,
      x.resource_seq, x.delivery_url, x.body, ${now}
    from unnest(
      ${rows.map(row => row.notificationId)}::uuid[], ${rows.map(row => row.recordedDay)}::text[]::date[],
      ${rows.map(row => row.hookId)}::uuid[], ${rows.map(row => row.appId)}::uuid[],
      ${rows.map(row => row.businessId)}::uuid[], ${rows.map(row => row.eventType)}::text[],
      ${rows.map(row => row.resourceId)}::uuid[], ${rows.map(row => row.resourceSeq)}::integer[],
      ${rows.map(row => row.deliveryUrl)}::text[], ${rows.map(row => row.body)}::text[])
      as x (notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq,
        delivery_url, body)`
}
