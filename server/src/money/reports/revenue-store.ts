import type { Recurrence } from '../../core/calendar.ts'
import { LATE_PAYMENT_WINDOW_MS } from '../../core/charge.ts'
import { OUTCOME_WAIT_MS } from '../../core/due.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Revenue } from './schema.ts'

/** Paid subscriptions of one currency and recurrence. Amounts are prices of one period in minor units. */
export interface RecurringRow extends Recurrence {
  readonly currency: string
  /** Paying at the end of the span. */
  readonly subscriptions: number
  readonly amount: number
  /** Paying at the start. */
  readonly before: number
  readonly beforeAmount: number
  /** Paying at the start and ended within the span. */
  readonly churned: number
  readonly churnedAmount: number
}

/** A month, or the part of the month up to now, with `from` and without `to`. `firstDay` is `YYYY-MM-DD`. */
export interface SpanOfMonth {
  readonly firstDay: string
  readonly from: Date
  readonly to: Date
}

/**
 * A merchant's subscription pays from the end of its trial, or its start, until its end, also while past due. Free subscriptions and test merchants
 * do not count.
 */
export async function readRecurring(sql: Sql, { firstDay }: SpanOfMonth): Promise<RecurringRow[]> {
  return await sql<RecurringRow[]>`
    select currency, interval, interval_count as "intervalCount", sum(count * sign)::bigint as subscriptions,
      sum(amount * sign)::bigint as amount,
      coalesce(sum(count * sign) filter (where month < ${firstDay}), 0)::bigint as before,
      coalesce(sum(amount * sign) filter (where month < ${firstDay}), 0)::bigint as "beforeAmount",
      coalesce(sum(count) filter (where month = ${firstDay} and kind = 'LEFT'), 0)::bigint as churned,
      coalesce(sum(amount) filter (where month = ${firstDay} and kind = 'LEFT'), 0)::bigint as "churnedAmount"
    from (
      select currency, interval, interval_count, month, kind, count, amount,
        case kind when 'BEGUN' then 1 else -1 end as sign
      from ${kept(sql)} where kind in ('BEGUN', 'LEFT') and month <= ${firstDay}) as facts
    group by currency, interval, interval_count
    having sum(count * sign) <> 0 or sum(count * sign) filter (where month < ${firstDay}) <> 0
    order by currency, interval, interval_count`
}

type OfCurrency = Pick<Revenue, 'currency'>
export type TrialRow = OfCurrency & Omit<Revenue['trials'], 'rate'>

/**
 * Trials of paid plans that ended within the month; converted trials have a paid invoice. Expired trials that no process has advanced yet are
 * counted from the due subscriptions.
 */
export async function readTrials(sql: Sql, { firstDay, from, to }: SpanOfMonth): Promise<TrialRow[]> {
  return await sql<TrialRow[]>`
    select currency, sum(ended)::bigint as ended, sum(converted)::bigint as converted
    from (
      select currency, case kind when 'TRIAL_OVER' then count else 0 end as ended,
        case kind when 'CONVERTED' then count else 0 end as converted
      from ${kept(sql)} where kind in ('TRIAL_OVER', 'CONVERTED') and month = ${firstDay}
      union all
      select currency, 1, 0 from subscriptions
      where next_action_at < ${to} and next_action_at is not null and test_clock_id is null and phase = 'TRIAL'
        and merchant_type = 'MERCHANT' and amount > 0 and trial_end_at >= ${from} and trial_end_at < ${to}) as facts
    group by currency
    having sum(ended) > 0
    order by currency`
}

/** Sums and changes as one table: in the snapshot of a statement each fact is in one of them. */
const kept = (sql: Sql) => sql`(
  select currency, interval, interval_count, month, kind, count, amount from revenue_sums
  union all
  select c.currency, p.interval, p.interval_count, c.month, c.kind, c.count, c.amount
  from revenue_changes as c join plans as p using (plan_id)) as kept`

const CHANGES_AT_ONCE = 10_000

/** Moves changes to the sums, as `foldTotals` of the ledger does. Returns the number of changes; call again until 0. */
export async function foldRevenue(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from revenue_changes
      where ctid = any(array(select ctid from revenue_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning plan_id, currency, month, kind, count, amount),
    folded as (
      insert into revenue_sums as s (currency, interval, interval_count, month, kind, count, amount)
      select t.currency, p.interval, p.interval_count, t.month, t.kind, sum(t.count), sum(t.amount)
      from taken as t join plans as p using (plan_id)
      group by t.currency, p.interval, p.interval_count, t.month, t.kind
      order by t.currency, p.interval, p.interval_count, t.month, t.kind
      on conflict (currency, interval, interval_count, month, kind) do update set
        count = s.count + excluded.count, amount = s.amount + excluded.amount)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

export type RecoveryRow = OfCurrency & Omit<Revenue['recovery'], 'rate'>

/**
 * Invoices whose first decline falls into the span, and their state since. A given-up charge with a late payment was declined at the end of its wait,
 * or before its payment. The query uses `min` per invoice: with `not exists`, PostgreSQL reads every charge.
 */
export async function readRecovery(sql: Sql, { from, to }: SpanOfMonth): Promise<RecoveryRow[]> {
  const declinedAt = sql`case
    when status in ('DECLINED_SOFT', 'DECLINED_HARD') then settled_at
    when status = 'SUCCEEDED' and reason is not null
      then least(settled_at, started_at + make_interval(secs => ${OUTCOME_WAIT_MS / 1_000})) end`
  const paidBy = new Date(to.getTime() + LATE_PAYMENT_WINDOW_MS)
  const isKept = sql`i.status = 'PAID' and i.amount_refunded + i.lost_in_disputes < i.amount`
  return await sql<RecoveryRow[]>`
    select i.currency, count(*) as "pastDue", count(*) filter (where ${isKept}) as recovered,
      count(*) filter (where i.status = 'OPEN') as open, sum(i.amount)::bigint as "pastDueAmount",
      coalesce(sum(i.amount) filter (where ${isKept}), 0)::bigint as "recoveredAmount"
    from (
      select distinct r.invoice_id, r.business_id from (
        select invoice_id, business_id from charges
        where status in ('DECLINED_SOFT', 'DECLINED_HARD') and settled_at >= ${from} and settled_at < ${to}
        union all
        select invoice_id, business_id from charges
        where status = 'SUCCEEDED' and reason is not null and settled_at >= ${from} and settled_at < ${paidBy}
          and ${declinedAt} < ${to}) as r
      where (select min(${declinedAt}) from charges where invoice_id = r.invoice_id) >= ${from}
    ) as declined
    join invoices as i on i.invoice_id = declined.invoice_id
    join businesses as b on b.business_id = declined.business_id
    where b.type = 'MERCHANT'
    group by i.currency
    order by i.currency`
}
