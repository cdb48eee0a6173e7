import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** Σ charged − Σ refunded − Σ charged back of the ledger = Σ paid − Σ gone back of the invoices, for each business and currency. */
export async function findMoneyApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with booked as (
      select business_id, currency, sum(gateway) as amount from ledger_transactions
      where share_basis_points is not null group by business_id, currency),
    invoiced as (
      select business_id, currency, sum(amount_paid - amount_refunded - least(lost_in_disputes, amount_paid - amount_refunded)) as amount
      from invoices
      group by business_id, currency)
    select coalesce(b.business_id, i.business_id) as id,
      format('%s: the ledger has %s, the invoices %s', currency, b.amount, i.amount) as problem
    from booked as b full join invoiced as i using (business_id, currency)
    where coalesce(b.amount, 0) <> coalesce(i.amount, 0)
    limit ${limit}`
}

/**
 * What was given back, and what we are giving back on top of what we gave, never exceeds what was paid; what an invoice says of
 * it, its refunds say. One on its way may be too much beside those made at the gateway itself: then the gateway will refuse it.
 */
export async function findExcessRefunds(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select i.invoice_id as id, format('paid %s, refunded %s; refunds made %s, on their way %s',
      i.amount_paid, i.amount_refunded, r.made, r.pending) as problem
    from invoices as i
    cross join lateral (
      select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0) as made,
        coalesce(sum(amount) filter (where status = 'SUCCEEDED' and origin <> 'GATEWAY'), 0) as ordered,
        coalesce(sum(amount) filter (where status = 'PENDING' and origin <> 'GATEWAY'), 0) as pending
      from refunds where refunds.invoice_id = i.invoice_id) as r
    where r.made > i.amount_paid or r.ordered + r.pending > i.amount_paid or r.made <> i.amount_refunded
    limit ${limit}`
}

/** The numbers of a series go from 1 to its counter, without a gap. */
export async function findNumberGaps(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with numbered as (
      select organization_id, regexp_replace(number, '-[0-9]+$', '') as series,
        substring(number from '[0-9]+$')::bigint as n
      from invoices),
    series as (
      select organization_id, series, count(distinct n) as numbers, max(n) as highest from numbered
      group by organization_id, series)
    select coalesce(s.organization_id, c.organization_id) as id,
      format('series %s: %s numbers, the highest %s, the counter at %s', series, s.numbers, s.highest, c.last_number) as problem
    from series as s full join invoice_counters as c using (organization_id, series)
    where s.numbers is distinct from s.highest or s.highest is distinct from c.last_number
    limit ${limit}`
}
