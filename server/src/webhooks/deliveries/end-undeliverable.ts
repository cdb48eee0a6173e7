import type postgres from 'postgres'
import { GIVE_UP_AFTER_MS, type GivenUpReason } from '../../core/delivery.ts'
import { ORDER_EVENT_TYPES } from '../../core/event.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { GivenUp, Ports } from '../../ports.ts'
import { ENDED_AT_ONCE, endDeliveries } from './store.ts'

/**
 * Ends deliveries that no owner of a queue sends: of deleted and disabled hooks, of revoked approvals, and after 72 h of inactive hooks and open
 * breakers. Returns how many. Source: decisions 7, Retries.
 */
export async function endUndeliverable(ports: Pick<Ports, 'db' | 'clock' | 'telemetry'>): Promise<number> {
  const { db, clock, telemetry } = ports
  const now = clock.now()
  const before = new Date(now.getTime() - GIVE_UP_AFTER_MS)
  const ended = await db.transaction(async ({ sql }) => {
    const isOld = sql`d.recorded_at <= ${before}`
    const rules: readonly { reason: GivenUpReason; hooks: postgres.Fragment; rows: postgres.Fragment }[] = [
      { reason: 'hook_deleted', hooks: sql`h.hook_id is null`, rows: sql`true` },
      { reason: 'hook_inactive', hooks: sql`h.disabled_reason is not null`, rows: sql`true` },
      { reason: 'hook_inactive', hooks: sql`not h.active`, rows: isOld },
      { reason: 'expired', hooks: sql`b.open_until > ${now}`, rows: isOld },
    ]
    const all: GivenUp[] = []
    for (const { reason, hooks, rows } of rules) {
      all.push(...(await endDeliveries(sql, ofHooks(sql, hooks, rows), { reason, now })))
    }
    const revoked = await endDeliveries(sql, ofRevokedApprovals(sql, before), { reason: 'approval_revoked', now })
    return [...all, ...revoked]
  })
  telemetry?.gaveUp(ended)
  return ended.length
}

/** Hooks with a queue are found by skipping along an index. Reads `hooks` and `hook_health`. */
function ofHooks(sql: Sql, hooks: postgres.Fragment, rows: postgres.Fragment) {
  return sql`
    with recursive queues as (
      (select d.hook_id from deliveries as d order by d.hook_id limit 1)
      union all
      select (select d.hook_id from deliveries as d where d.hook_id > q.hook_id order by d.hook_id limit 1)
      from queues as q where q.hook_id is not null),
    found as materialized (
      select q.hook_id from queues as q
      left join hooks as h on h.hook_id = q.hook_id
      left join hook_health as b on b.hook_id = q.hook_id
      where q.hook_id is not null and ${hooks})
    select o.notification_id from found
    cross join lateral (
      select d.notification_id from deliveries as d where d.hook_id = found.hook_id and ${rows}
      limit ${ENDED_AT_ONCE} for update of d skip locked) as o
    limit ${ENDED_AT_ONCE}`
}

/** Reads `approvals` and `notifications`. A delivery waits at most 72 h, so older revocations have no deliveries left. */
function ofRevokedApprovals(sql: Sql, since: Date) {
  return sql`
    select d.notification_id from deliveries as d
    join approvals as a on a.business_id = d.business_id and a.app_id = d.app_id and a.revoked_at > ${since}
    cross join lateral (
      select n.event_type from notifications as n
      where n.recorded_day = d.recorded_day and n.notification_id = d.notification_id limit 1) as n
    where n.event_type = any(${[...ORDER_EVENT_TYPES]})
    limit ${ENDED_AT_ONCE} for update of d skip locked`
}
