import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** The entries of a ledger transaction sum to zero, and there are at least two. */
export async function findUnbalanced(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    select ledger_transaction_id as id, format('%s entries, sum %s', entries, sum) as problem
    from (
      select ledger_transaction_id, gateway + organization + operator + business_credit as sum,
        num_nonnulls(nullif(gateway, 0), nullif(organization, 0), nullif(operator, 0), nullif(business_credit, 0)) as entries
      from ledger_transactions) as t
    where entries < 2 or sum <> 0
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
        i.plan_id, t.kind, count(*) as count, sum(t.gateway) as gateway, sum(t.organization) as organization,
        sum(t.operator) as operator, sum(t.business_credit) as business_credit
      from ledger_transactions as t join invoices as i using (invoice_id)
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
      select invoice_id, sum(gateway) as taken, -sum(operator) as share,
        -sum(case when kind = 'CHARGE' then operator else 0 end) as charged_share
      from ledger_transactions
      where share_basis_points is not null group by invoice_id) as shares
    where share < 0 or share > charged_share or (taken = 0 and share <> 0)
    limit ${limit}`
}
