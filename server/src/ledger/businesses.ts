import type { Sql } from '../db/db.ts'
import { part, send } from '../db/part.ts'

/** What a merchant has paid an organization in a currency, and the credit that it has there. Minor units. */
export interface BusinessBalance {
  readonly organizationId: string
  readonly currency: string
  readonly charged: number
  readonly refunded: number
  readonly credit: number
}

/** Added up from the merchant's own bookings: there are as many as it has had charges. */
export async function listBusinessBalances(
  sql: Sql,
  of: { businessId: string; organizationId?: string },
): Promise<BusinessBalance[]> {
  const ofOrganization = of.organizationId === undefined ? part`` : part`and i.organization_id = ${of.organizationId}`
  return await send<BusinessBalance[]>(
    sql,
    part`
      select i.organization_id as "organizationId", t.currency,
        coalesce(sum(e.amount) filter (where e.account = 'GATEWAY' and t.kind = 'CHARGE'), 0)::bigint as charged,
        coalesce(-sum(e.amount) filter (where e.account = 'GATEWAY' and t.kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as refunded,
        coalesce(-sum(e.amount) filter (where e.account = 'BUSINESS_CREDIT'), 0)::bigint as credit
      from ledger_transactions as t
      join ledger_entries as e on e.ledger_transaction_id = t.ledger_transaction_id
      join invoices as i on i.invoice_id = t.invoice_id
      where t.business_id = ${of.businessId} ${ofOrganization}
      group by i.organization_id, t.currency
      order by t.currency, i.organization_id`,
  )
}
