import type { Sql } from '../../db/db.ts'

/** What the gateway says it took and gave back for an invoice. */
export interface BookedCharge {
  readonly gatewayChargeId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly currency: string
  /** Minor units: the whole amount, or 0 while nothing was taken. */
  readonly charged: number
  readonly refunded: number
}

/** The sandbox's books, for checkers that hold ours against them. One row a charge object, in the order of its making. */
export async function listCharges(sql: Sql): Promise<readonly BookedCharge[]> {
  return await sql<BookedCharge[]>`
    select gateway_charge_id as "gatewayChargeId", metadata ->> 'invoiceId' as "invoiceId",
      metadata ->> 'businessId' as "businessId", currency,
      case when succeeded_key is null then 0 else amount end as charged,
      coalesce((
        select sum(amount) from sandbox_refunds
        where sandbox_refunds.gateway_charge_id = sandbox_charges.gateway_charge_id
          and outcome ->> 'kind' = 'succeeded'), 0)::bigint as refunded
    from sandbox_charges order by created_at, gateway_charge_id`
}
