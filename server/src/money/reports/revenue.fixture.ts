import type { Sql } from '../../platform/db/db.ts'
import type { RecurringRow, SpanOfMonth, TrialRow } from './revenue-store.ts'

/** `mrr` and `churn` as docs/operating.md defines them, counted from the subscriptions. */
export async function countRecurring(sql: Sql, { from, to }: SpanOfMonth): Promise<RecurringRow[]> {
  const rows = await sql<RecurringRow[]>`
    select s.currency, p.interval, p.interval_count as "intervalCount",
      count(*) filter (where paid_from < ${to} and ended_at >= ${to}) as subscriptions,
      coalesce(sum(amount) filter (where paid_from < ${to} and ended_at >= ${to}), 0)::bigint as amount,
      count(*) filter (where paid_from < ${from}) as before,
      coalesce(sum(amount) filter (where paid_from < ${from}), 0)::bigint as "beforeAmount",
      count(*) filter (where paid_from < ${from} and ended_at < ${to}) as churned,
      coalesce(sum(amount) filter (where paid_from < ${from} and ended_at < ${to}), 0)::bigint as "churnedAmount"
    from (
      select plan_id, currency, amount, coalesce(trial_end_at, started_at) as paid_from,
        coalesce(ended_at, 'infinity') as ended_at
      from subscriptions
      where status <> 'PENDING' and end_reason is distinct from 'NOT_STARTED' and merchant_type = 'MERCHANT' and phase = 'FULL' and amount > 0 and (ended_at is null or ended_at >= ${from})) as s
    join plans as p using (plan_id)
    group by s.currency, p.interval, p.interval_count
    order by s.currency, p.interval, p.interval_count`
  return rows.filter(({ subscriptions, before }) => subscriptions + before > 0)
}

/** `trials`, counted in the same way. */
export async function countTrials(sql: Sql, { from, to }: SpanOfMonth): Promise<TrialRow[]> {
  return [
    ...(await sql<TrialRow[]>`
      select currency, count(*) as ended,
        count(*) filter (where phase = 'FULL' and exists (
          select 1 from invoices as i where i.subscription_id = s.subscription_id and i.status = 'PAID')) as converted
      from subscriptions as s
      where merchant_type = 'MERCHANT' and amount > 0 and trial_end_at is not null
        and least(trial_end_at, ended_at) >= ${from} and least(trial_end_at, ended_at) < ${to}
      group by currency
      order by currency`),
  ]
}
