import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** A balance of credit is what its movements sum up to, and what the ledger owes for it. */
export async function findCreditApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with moved as (
      select business_id, organization_id, currency, sum(case when kind in ('USE', 'TAKE_BACK') then -amount else amount end) as amount
      from credit_movements group by business_id, organization_id, currency),
    booked as (
      select business_id, organization_id, currency, -sum(business_credit) as amount
      from ledger_transactions where business_credit <> 0 group by business_id, organization_id, currency)
    select business_id as id,
      format('%s: a balance of %s, movements of %s, the ledger has %s', currency, c.balance, m.amount, b.amount) as problem
    from credit_balances as c
    full join moved as m using (business_id, organization_id, currency)
    full join booked as b using (business_id, organization_id, currency)
    where coalesce(c.balance, 0) <> coalesce(m.amount, 0) or coalesce(c.balance, 0) <> coalesce(b.amount, 0)
    limit ${limit}`
}

/**
 * No invoice gives more credit than it was paid with, in cash and in credit, less what went back of it; nor than what we order to be given
 * back leaves. What somebody gave back at the gateway itself after the credit was granted is taken off the credit again: beside an order
 * of ours that is on its way, once that is carried out.
 */
export async function findExcessCredit(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select i.invoice_id as id, format('gave credit of %s, took back %s; paid %s, with credit of %s, given back %s, ordered back %s',
      m.amount, t.amount, i.amount_paid, i.credit_applied, r.gone, r.ordered) as problem
    from credit_movements as m join invoices as i using (invoice_id)
    left join credit_movements as t on t.invoice_id = m.invoice_id and t.kind = 'TAKE_BACK'
    cross join lateral (
      select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0) as gone,
        coalesce(sum(amount) filter (where origin <> 'GATEWAY' and status in ('SUCCEEDED', 'PENDING')), 0) as ordered
      from refunds where refunds.invoice_id = i.invoice_id) as r
    where m.kind = 'GRANT'
      and m.amount - coalesce(t.amount, 0) > greatest(0, i.amount_paid + i.credit_applied - greatest(r.gone, r.ordered))
    limit ${limit}`
}

/** An invoice asks for the sum of its lines; the credit that was taken off it is in them, and has its movement. */
export async function findLinesApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select i.invoice_id as id, format('amount %s, lines of %s; credit applied %s, lines of %s, movement of %s',
      i.amount, l.amount, i.credit_applied, l.credit, m.used) as problem
    from invoices as i
    cross join lateral (
      select coalesce(sum((line ->> 'amount')::bigint), 0) as amount,
        coalesce(-sum((line ->> 'amount')::bigint) filter (where line ->> 'kind' = 'CREDIT'), 0) as credit
      from jsonb_array_elements(i.lines) as line) as l
    cross join lateral (
      select coalesce(sum(amount), 0) as used from credit_movements
      where credit_movements.invoice_id = i.invoice_id and kind = 'USE') as m
    where i.amount <> l.amount or i.credit_applied <> l.credit or i.credit_applied <> m.used
    limit ${limit}`
}
