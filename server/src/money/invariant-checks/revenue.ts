import type { Find, Violation } from './checks.ts'

const NIL = '00000000-0000-0000-0000-000000000000'

/**
 * The daily movements of an app's plan, with their pending changes, add up to the subscriptions that pay now and to their monthly amounts. The
 * sums of the plans add up to the sums of the apps, and these to the sum of all apps.
 */
export const findRevenueDayMismatches: Find = (sql, { limit }) => sql<Violation[]>`
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

/**
 * The sums by country, with their pending changes, add up to the subscriptions that pay now (without a month) and to the payments and refunds of
 * each month. The sums of the apps add up to the sums of all apps.
 */
export const findRevenueCountryMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with kept as (
    select is_sum, app_id, merchant_type, currency, country, f.month, f.one, f.other
    from (
      select true as is_sum, app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned
      from revenue_countries
      union all
      select false, app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned
      from revenue_country_changes) as both_tables
    cross join lateral (values (null::date, subscribers, mrr), (month, collected, returned)) as f (month, one, other)),
  counted as (
    select s.app_id, s.merchant_type, s.currency, s.country, null::date as month, count(*) as one, sum(
      (s.amount * 2 * case p.interval when 'DAY' then 365 when 'WEEK' then 52 when 'MONTH' then 12 else 1 end
        + 12 * p.interval_count) / (24 * p.interval_count)) as other
    from subscriptions as s join plans as p using (plan_id)
    where s.phase = 'FULL' and s.status = 'ACTIVE' and s.amount > 0
    group by s.app_id, s.merchant_type, s.currency, s.country
    union all
    select i.app_id, i.merchant_type, i.currency, i.country, date_trunc('month', t.booked_at at time zone 'UTC')::date,
      sum(t.gateway) filter (where t.kind = 'CHARGE'), -sum(t.gateway) filter (where t.kind <> 'CHARGE')
    from ledger_transactions as t join invoices as i using (invoice_id)
    where t.kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN')
    group by 1, 2, 3, 4, 5),
  facts as (
    select app_id, merchant_type, currency, country, month, one, other, 'kept' as source from kept where app_id <> ${NIL}
    union all
    select app_id, merchant_type, currency, country, month, one, other, 'counted' from counted
    union all
    select ${NIL}, merchant_type, currency, country, month, one, other, case app_id when ${NIL} then 'kept' else 'counted' end
    from kept where is_sum)
  select app_id as id, format('%s %s %s %s: kept %s, counted %s', merchant_type, currency, country, month, kept, counted) as problem
  from (
    select app_id, merchant_type, currency, country, month,
      (coalesce(sum(one) filter (where source = 'kept'), 0), coalesce(sum(other) filter (where source = 'kept'), 0))::text as kept,
      (coalesce(sum(one) filter (where source = 'counted'), 0),
        coalesce(sum(other) filter (where source = 'counted'), 0))::text as counted
    from facts group by app_id, merchant_type, currency, country, month) as every
  where kept <> counted
  limit ${limit}`
