import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/**
 * What an invoice says that it lost in disputes, they say; the ledger has charged back what of it had not gone back by refunds; and
 * of the sandbox, whose books lie here, no dispute counts here that is not lost there.
 */
export async function findDisputesApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with lost as (
      select invoice_id, sum(amount) filter (where status = 'LOST') as amount from disputes group by invoice_id),
    booked as (
      select invoice_id, -sum(gateway) as amount from ledger_transactions
      where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN') group by invoice_id),
    concerned as (
      select invoice_id from lost union select invoice_id from booked
      union select invoice_id from invoices where lost_in_disputes > 0)
    select i.invoice_id as id, format('lost %s, disputes say %s; of %s paid and %s refunded the ledger has charged back %s',
      i.lost_in_disputes, coalesce(l.amount, 0), i.amount_paid, i.amount_refunded, coalesce(b.amount, 0)) as problem
    from concerned join invoices as i using (invoice_id)
    left join lost as l using (invoice_id)
    left join booked as b using (invoice_id)
    where i.lost_in_disputes <> coalesce(l.amount, 0)
      or coalesce(b.amount, 0) <> least(i.lost_in_disputes, i.amount_paid - i.amount_refunded)
    union all
    select d.invoice_id, format('dispute %s is lost here and %s at the gateway', d.gateway_dispute_id, coalesce(s.status, 'unknown'))
    from disputes as d left join sandbox_disputes as s on s.dispute_id = d.gateway_dispute_id
    where d.gateway = 'sandbox' and d.status = 'LOST' and s.status is distinct from 'lost' and s.status is distinct from 'won'
    limit ${limit}`
}
