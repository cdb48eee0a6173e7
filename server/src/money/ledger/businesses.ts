import type { Sql } from '../../platform/db/db.ts'
import { part, send } from '../../platform/db/sql.ts'

/** What a merchant has paid an organization in a currency, and the credit that it has there. Minor units. */
export interface BusinessBalance {
  readonly organizationId: string
  readonly currency: string
  readonly charged: number
  readonly refunded: number
  readonly chargedBack: number
  readonly credit: number
}

/** Added up from the merchant's own bookings: there are as many as it has had charges. */
export async function listBusinessBalances(
  sql: Sql,
  of: { businessId: string; organizationId?: string },
): Promise<BusinessBalance[]> {
  const ofOrganization = of.organizationId === undefined ? part`` : part`and organization_id = ${of.organizationId}`
  return await send<BusinessBalance[]>(
    sql,
    part`
      select organization_id as "organizationId", currency,
        coalesce(sum(gateway) filter (where kind = 'CHARGE'), 0)::bigint as charged,
        coalesce(-sum(gateway) filter (where kind in ('REFUND', 'REFUND_RETURN')), 0)::bigint as refunded,
        coalesce(-sum(gateway) filter (where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN')), 0)::bigint as "chargedBack",
        (-sum(business_credit))::bigint as credit
      from ledger_transactions
      where business_id = ${of.businessId} ${ofOrganization}
      group by organization_id, currency
      order by currency, organization_id`,
  )
}
