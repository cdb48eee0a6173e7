import type { Sql } from '../../platform/db/db.ts'
import type { GatewayName } from '../gateway/gateway.ts'

export interface StoredEvent {
  readonly gateway: GatewayName
  readonly eventId: string
  readonly kind: string
  readonly gatewayChargeId: string
  readonly pollCount: number
}

/** Stores an event once. True: new. */
export async function insertEvent(sql: Sql, event: Omit<StoredEvent, 'pollCount'> & { now: Date }): Promise<boolean> {
  const result = await sql`
    insert into gateway_events (gateway, event_id, kind, gateway_charge_id, received_at, next_poll_at, poll_count)
    values (${event.gateway}, ${event.eventId}, ${event.kind}, ${event.gatewayChargeId}, ${event.now}, ${event.now}, 0)
    on conflict (gateway, event_id) do nothing`
  return result.count === 1
}

export async function claimEvents(
  sql: Sql,
  claim: { now: Date; leasedUntil: Date; limit: number },
): Promise<StoredEvent[]> {
  return await sql<StoredEvent[]>`
    update gateway_events set next_poll_at = ${claim.leasedUntil}, poll_count = poll_count + 1
    where (gateway, event_id) in (
      select gateway, event_id from gateway_events where next_poll_at <= ${claim.now}
      order by next_poll_at limit ${claim.limit} for no key update skip locked)
    returning gateway, event_id as "eventId", kind, gateway_charge_id as "gatewayChargeId", poll_count as "pollCount"`
}

/** Null: done. */
export async function scheduleNextPoll(
  sql: Sql,
  of: Pick<StoredEvent, 'gateway' | 'eventId'> & { nextPollAt: Date | null },
): Promise<void> {
  await sql`
    update gateway_events set next_poll_at = ${of.nextPollAt} where gateway = ${of.gateway} and event_id = ${of.eventId}`
}

export async function deleteEvents(sql: Sql, of: { receivedBefore: Date; limit: number }): Promise<number> {
  const result = await sql`
    delete from gateway_events where (gateway, event_id) in (
      select gateway, event_id from gateway_events where received_at < ${of.receivedBefore} limit ${of.limit})`
  return result.count
}
