import type { Clock } from '../../../core/clock.ts'
import type { Db, Sql } from '../../../platform/db/db.ts'
import type { DisputeAtGateway } from '../gateway.ts'

export interface SandboxDispute {
  readonly gatewayChargeId: string
  readonly disputeId: string
  /** Minor units. */
  readonly amount: number
  readonly status: DisputeAtGateway['status']
}

/** Begins or decides a dispute, as the payer's bank does. For tests and demonstrations. */
export async function disputeAtGateway(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { gatewayChargeId, disputeId, amount, status }: SandboxDispute,
): Promise<void> {
  const now = clock.now()
  await db.sql`
    insert into sandbox_disputes (dispute_id, gateway_charge_id, amount, status, began_at, changed_at)
    values (${disputeId}, ${gatewayChargeId}, ${amount}, ${status}, ${now}, ${now})
    on conflict (dispute_id) do update set status = excluded.status, changed_at = excluded.changed_at`
}

export async function listDisputes(sql: Sql, gatewayChargeId: string): Promise<DisputeAtGateway[]> {
  return [
    ...(await sql<DisputeAtGateway[]>`
      select dispute_id as "gatewayDisputeId", amount, status, began_at as "beganAt" from sandbox_disputes
      where gateway_charge_id = ${gatewayChargeId} order by began_at, dispute_id`),
  ]
}

/** What no refund may give back, as the payer's bank has it or asks for it. Minor units. */
export async function sumDisputed(sql: Sql, gatewayChargeId: string): Promise<number> {
  const [row] = await sql<{ disputed: number }[]>`
    select coalesce(sum(amount), 0)::bigint as disputed from sandbox_disputes
    where gateway_charge_id = ${gatewayChargeId} and status <> 'won'`
  return row?.disputed ?? 0
}
