import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checks.ts'

const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * The daily movements of an app's plan, with their pending changes, add up to the subscriptions that pay now and to their monthly amounts. The
 * sums of the plans add up to the sums of the apps, and these to the sum of all apps.
 */
export async function findRevenueDayMismatches(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with folded as (
      select app_id, plan_id, merchant_type, currency, sum(count) as count, sum(amount) as amount from revenue_days
      where kind in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN') group by app_id, plan_id, merchant_type, currency),
    kept as (
      select plan_id, merchant_type, currency, sum(count) as count, sum(amount) as amount
      from (
        select plan_id, merchant_type, currency, count, amount from folded
        where plan_id <> ${NIL}
        union all
        select plan_id, merchant_type, currency, count, amount from revenue_day_changes
        where kind in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN')) as both_tables
      group by plan_id, merchant_type, currency),
    counted as (
      select s.plan_id, s.merchant_type, s.currency, count(*) as count, sum(
        (s.amount * 2 * case p.interval when 'DAY' then 365 when 'WEEK' then 52 when 'MONTH' then 12 else 1 end
          + 12 * p.interval_count) / (24 * p.interval_count)) as amount
      from subscriptions as s join plans as p using (plan_id)
      where s.phase = 'FULL' and s.status = 'ACTIVE' and s.amount > 0
      group by s.plan_id, s.merchant_type, s.currency),
    every as (
      select plan_id as id, merchant_type, currency, (coalesce(k.count, 0), coalesce(k.amount, 0))::text as kept,
        (coalesce(c.count, 0), coalesce(c.amount, 0))::text as counted
      from kept as k full join counted as c using (plan_id, merchant_type, currency)
      union all
      select app_id, merchant_type, currency,
        (sum(count) filter (where plan_id = ${NIL}), sum(amount) filter (where plan_id = ${NIL}))::text,
        (sum(count) filter (where plan_id <> ${NIL}), sum(amount) filter (where plan_id <> ${NIL}))::text
      from folded where app_id <> ${NIL} group by app_id, merchant_type, currency
      union all
      select ${NIL}, merchant_type, currency,
        (sum(count) filter (where app_id = ${NIL}), sum(amount) filter (where app_id = ${NIL}))::text,
        (sum(count) filter (where app_id <> ${NIL}), sum(amount) filter (where app_id <> ${NIL}))::text
      from folded where plan_id = ${NIL} group by merchant_type, currency)
    select id, format('%s %s: kept %s, counted %s', merchant_type, currency, kept, counted) as problem
    from every where kept <> counted
    limit ${limit}`
}
