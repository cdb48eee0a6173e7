import type { Sql } from '../../../platform/db/db.ts'
import type { MoneyAtGateway, RefundAtGateway } from '../gateway.ts'
import { listDisputes, MADE_AT_GATEWAY } from './payments.ts'

/** Amounts charged and refunded for an invoice. */
export interface BookedCharge {
  readonly gatewayChargeId: string
  readonly invoiceId: string
  readonly businessId: string
  readonly currency: string
  /** Minor units: the whole amount, or 0 before the success. */
  readonly charged: number
  readonly refunded: number
}

/** The books of the sandbox for comparisons: one row per charge object, in order of creation. */
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

export async function findMoney(sql: Sql, gatewayChargeId: string): Promise<MoneyAtGateway | null> {
  const [charge] = await sql<{ invoiceId: string; currency: string; charged: number }[]>`
    select metadata ->> 'invoiceId' as "invoiceId", currency, case when succeeded_key is null then 0 else amount end as charged
    from sandbox_charges where gateway_charge_id = ${gatewayChargeId}`
  if (charge === undefined) return null
  const refunds = await sql<{ key: string; amount: number; outcome: RefundAtGateway['outcome'] }[]>`
    select key, amount, outcome from sandbox_refunds where gateway_charge_id = ${gatewayChargeId}
    order by refunded_at desc, key desc`
  return {
    ...charge,
    disputes: await listDisputes(sql, gatewayChargeId),
    refunds: refunds.map(({ key, amount, outcome }) => ({
      gatewayRefundId: `${gatewayChargeId}/${key}`,
      ...(key.startsWith(MADE_AT_GATEWAY) ? {} : { key }),
      amount,
      outcome,
    })),
  }
}

export async function listTouched(sql: Sql, since: Date): Promise<readonly string[]> {
  const rows = await sql<{ gatewayChargeId: string }[]>`
    select gateway_charge_id as "gatewayChargeId" from sandbox_charges where succeeded_at >= ${since}
    union
    select gateway_charge_id from sandbox_refunds where refunded_at >= ${since}
    union
    select gateway_charge_id from sandbox_disputes where changed_at >= ${since}`
  return rows.map(({ gatewayChargeId }) => gatewayChargeId)
}
