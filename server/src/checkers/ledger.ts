import type { Sql } from '../db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** The entries of a ledger transaction sum to zero, and there are at least two. */
export async function findUnbalanced(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select t.ledger_transaction_id as id, format('%s entries, sum %s', count(e.position), sum(e.amount)) as problem
    from ledger_transactions as t left join ledger_entries as e using (ledger_transaction_id)
    group by t.ledger_transaction_id having count(e.position) < 2 or coalesce(sum(e.amount), 1) <> 0
    limit ${limit}`
}

/** The kept totals, with the changes noted beside them, are the sums of the entries. */
export async function findTotalsApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with kept as (
      select organization_id, live, currency, month, plan_id, kind, sum(count) as count, sum(gateway) as gateway,
        sum(organization) as organization, sum(operator) as operator, sum(business_credit) as business_credit
      from (
        select organization_id, live, currency, month, plan_id, kind, count, gateway, organization, operator,
          business_credit
        from ledger_totals
        union all
        select organization_id, live, currency, month, plan_id, kind, count, gateway, organization, operator,
          business_credit
        from ledger_total_changes) as both_tables
      group by organization_id, live, currency, month, plan_id, kind),
    booked as (
      select i.organization_id, t.live, t.currency, date_trunc('month', t.booked_at at time zone 'UTC')::date as month,
        i.plan_id, t.kind, count(distinct t.ledger_transaction_id) as count,
        sum(case e.account when 'GATEWAY' then e.amount else 0 end) as gateway,
        sum(case e.account when 'ORGANIZATION' then e.amount else 0 end) as organization,
        sum(case e.account when 'OPERATOR' then e.amount else 0 end) as operator,
        sum(case e.account when 'BUSINESS_CREDIT' then e.amount else 0 end) as business_credit
      from ledger_transactions as t join ledger_entries as e using (ledger_transaction_id)
      join invoices as i using (invoice_id)
      group by 1, 2, 3, 4, 5, 6)
    select plan_id as id, format('%s of %s in %s: kept %s, booked %s', kind, month, currency,
      (k.count, k.gateway, k.organization, k.operator, k.business_credit),
      (b.count, b.gateway, b.organization, b.operator, b.business_credit)) as problem
    from kept as k full join booked as b using (organization_id, live, currency, month, plan_id, kind)
    where (coalesce(k.count, 0), coalesce(k.gateway, 0), coalesce(k.organization, 0), coalesce(k.operator, 0),
        coalesce(k.business_credit, 0))
      <> (coalesce(b.count, 0), coalesce(b.gateway, 0), coalesce(b.organization, 0), coalesce(b.operator, 0),
        coalesce(b.business_credit, 0))
    limit ${limit}`
}

/** Of what has wholly gone back the operator keeps nothing; of the rest, never more than its share of the charge. */
export async function findSharesApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select invoice_id as id, format('%s is left of the charge, and %s of its share of %s', taken, share, charged_share) as problem
    from (
      select t.invoice_id, sum(case e.account when 'GATEWAY' then e.amount else 0 end) as taken,
        -sum(case e.account when 'OPERATOR' then e.amount else 0 end) as share,
        -sum(case when e.account = 'OPERATOR' and t.kind = 'CHARGE' then e.amount else 0 end) as charged_share
      from ledger_transactions as t join ledger_entries as e using (ledger_transaction_id)
      where t.kind in ('CHARGE', 'REFUND', 'REFUND_RETURN') group by t.invoice_id) as shares
    where share < 0 or share > charged_share or (taken = 0 and share <> 0)
    limit ${limit}`
}
