import type { Sql } from '../../platform/db/db.ts'
import type { Bounds, Violation } from './checker.ts'

/** The kept sums of the revenue report, with the changes noted beside them, are what the subscriptions and their invoices say. */
export async function findRevenueApart(sql: Sql, { limit }: Bounds): Promise<readonly Violation[]> {
  return await sql<Violation[]>`
    with kept as (
      select currency, interval, month, kind, sum(count) as count, sum(amount) as amount
      from (
        select currency, interval, month, kind, count, amount from revenue_sums
        union all
        select c.currency, p.interval, c.month, c.kind, c.count, c.amount
        from revenue_changes as c join plans as p using (plan_id)) as both_tables
      group by currency, interval, month, kind),
    dated as (
      select subscription_id, plan_id, currency, amount, phase = 'FULL' as is_full, trial_end_at is not null as has_tried,
        date_trunc('month', coalesce(trial_end_at, started_at) at time zone 'UTC')::date as began,
        date_trunc('month', ended_at at time zone 'UTC')::date as ended,
        date_trunc('month', least(trial_end_at, ended_at) at time zone 'UTC')::date as trial_over
      from subscriptions where merchant_type = 'MERCHANT' and amount > 0),
    facts as (
      select plan_id, currency, began as month, 'BEGUN' as kind, amount from dated
      where is_full and (ended is null or ended > began)
      union all
      select plan_id, currency, ended, 'LEFT', amount from dated where is_full and ended > began
      union all
      select plan_id, currency, trial_over, 'TRIAL_OVER', 0 from dated where has_tried and (is_full or ended is not null)
      union all
      select plan_id, currency, trial_over, 'CONVERTED', 0 from dated
      where has_tried and is_full and exists (
        select 1 from invoices as i where i.subscription_id = dated.subscription_id and i.status = 'PAID')),
    counted as (
      select currency, interval, month, kind, count(*) as count, sum(amount) as amount
      from facts join plans using (plan_id) group by currency, interval, month, kind)
    select (select p.plan_id from plans as p where p.interval = b.interval order by p.plan_id limit 1) as id,
      format('%s by %s in %s, %s: kept %s, counted %s', b.currency, b.interval, b.month, b.kind, b.kept, b.counted) as problem
    from (
      select currency, interval, month, kind, (coalesce(k.count, 0), coalesce(k.amount, 0))::text as kept,
        (coalesce(c.count, 0), coalesce(c.amount, 0))::text as counted
      from kept as k full join counted as c using (currency, interval, month, kind)) as b
    where b.kept <> b.counted
    limit ${limit}`
}
