import type { Sql } from '../../platform/db/db.ts'
import type { GatewayName } from '../gateway/gateway.ts'

/** A dispute that the payer's bank has decided, as the gateway told it. */
export interface Dispute {
  readonly disputeId: string
  readonly gateway: GatewayName
  readonly gatewayDisputeId: string
  readonly invoiceId: string
  /** Minor units. */
  readonly amount: number
  /** LOST: the bank took it back. WON: it did not, or gave it back after all; that is the last word. */
  readonly status: 'LOST' | 'WON'
}

export async function findDispute(
  sql: Sql,
  { gateway, gatewayDisputeId }: Pick<Dispute, 'gateway' | 'gatewayDisputeId'>,
): Promise<Dispute | null> {
  const [row] = await sql<Dispute[]>`
    select dispute_id as "disputeId", gateway, gateway_dispute_id as "gatewayDisputeId", invoice_id as "invoiceId", amount, status
    from disputes where gateway = ${gateway} and gateway_dispute_id = ${gatewayDisputeId}`
  return row ?? null
}

/** The invoice must be locked: its disputes are written one after the other. */
export async function saveDispute(sql: Sql, dispute: Dispute, at: Date): Promise<void> {
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    values (${dispute.disputeId}, ${dispute.gateway}, ${dispute.gatewayDisputeId}, ${dispute.invoiceId}, ${dispute.amount},
      ${dispute.status}, ${at}, ${at})
    on conflict (gateway, gateway_dispute_id) do update set status = excluded.status, updated_at = excluded.updated_at`
}
