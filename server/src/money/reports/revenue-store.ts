import type { Interval } from '../../core/calendar.ts'
import { LATE_PAYMENT_WINDOW_MS } from '../../core/charge.ts'
import { OUTCOME_WAIT_MS } from '../../core/due.ts'
import type { Sql } from '../../platform/db/db.ts'

/** Half-open: from `from` up to `to`. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Of the paid subscriptions of one currency and interval: prices of a period in minor units. */
export interface RecurringRow {
  readonly currency: string
  readonly interval: Interval
  /** Submission at the end of the span. */
  readonly subscriptions: number
  readonly amount: number
  /** Submission when it began. */
  readonly before: number
  readonly beforeAmount: number
  /** Those of them that ended within it. */
  readonly churned: number
  readonly churnedAmount: number
}

/** Of a month whose numbers are asked for: its first day, `YYYY-MM-DD`, and its span. */
export interface SpanOfMonth extends Span {
  readonly firstDay: string
}

/**
 * A merchant's subscription pays from the end of its trial, or its start, until its end; one that is past due still does, a free one
 * or a test merchant's never. What began to pay up to the month, less what left up to then, pays at its end, or now.
 */
export async function readRecurring(sql: Sql, { firstDay }: SpanOfMonth): Promise<RecurringRow[]> {
  return [
    ...(await sql<RecurringRow[]>`
      select currency, interval, sum(count * sign)::bigint as subscriptions, sum(amount * sign)::bigint as amount,
        coalesce(sum(count * sign) filter (where month < ${firstDay}), 0)::bigint as before,
        coalesce(sum(amount * sign) filter (where month < ${firstDay}), 0)::bigint as "beforeAmount",
        coalesce(sum(count) filter (where month = ${firstDay} and kind = 'LEFT'), 0)::bigint as churned,
        coalesce(sum(amount) filter (where month = ${firstDay} and kind = 'LEFT'), 0)::bigint as "churnedAmount"
      from (
        select currency, interval, month, kind, count, amount, case kind when 'BEGUN' then 1 else -1 end as sign
        from ${kept(sql)} where kind in ('BEGUN', 'LEFT') and month <= ${firstDay}) as facts
      group by currency, interval
      having sum(count * sign) <> 0 or sum(count * sign) filter (where month < ${firstDay}) <> 0
      order by currency, interval`),
  ]
}

export interface TrialRow {
  readonly currency: string
  readonly ended: number
  readonly converted: number
}

/**
 * Trials of paid plans that were over within the month, by their time or by an end; converted are those that have paid an invoice.
 * Those whose time is over and that were not yet taken up stand among what is due.
 */
export async function readTrials(sql: Sql, { firstDay, from, to }: SpanOfMonth): Promise<TrialRow[]> {
  return [
    ...(await sql<TrialRow[]>`
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
      order by currency`),
  ]
}

/** The sums, and what is noted beside them: in the snapshot of one statement each fact is in one of them. */
const kept = (sql: Sql) => sql`(
  select currency, interval, month, kind, count, amount from revenue_sums
  union all
  select c.currency, p.interval, c.month, c.kind, c.count, c.amount
  from revenue_changes as c join plans as p using (plan_id)) as kept`

/** Enough for what a busy second brings, and little enough to be done in a moment. */
const CHANGES_AT_ONCE = 10_000

/**
 * Adds noted changes to the sums and takes them away. Returns how many; call again until 0. Any number of processes may run it
 * at once: each takes other changes, and all go through the sums in one order.
 */
export async function foldRevenue(sql: Sql): Promise<number> {
  const [row] = await sql<{ taken: number }[]>`
    with taken as (
      delete from revenue_changes
      where ctid = any(array(select ctid from revenue_changes limit ${CHANGES_AT_ONCE} for update skip locked))
      returning plan_id, currency, month, kind, count, amount),
    folded as (
      insert into revenue_sums as s (currency, interval, month, kind, count, amount)
      select t.currency, p.interval, t.month, t.kind, sum(t.count), sum(t.amount)
      from taken as t join plans as p using (plan_id)
      group by t.currency, p.interval, t.month, t.kind
      order by t.currency, p.interval, t.month, t.kind
      on conflict (currency, interval, month, kind) do update set
        count = s.count + excluded.count, amount = s.amount + excluded.amount)
    select count(*) as taken from taken`
  return row?.taken ?? 0
}

export interface RecoveryRow {
  readonly currency: string
  readonly pastDue: number
  readonly recovered: number
  readonly open: number
  readonly pastDueAmount: number
  readonly recoveredAmount: number
}

/**
 * Invoices of which a charge was refused for the first time within the span, and what became of them since. One that counted as
 * refused and was paid after all was refused when its days were over, or before it was paid. When an invoice was first refused is looked
 * up one by one, which "min" demands: asked whether there is an earlier refusal, PostgreSQL reads every charge ever made.
 */
export async function readRecovery(sql: Sql, { from, to }: Span): Promise<RecoveryRow[]> {
  const declinedAt = sql`case
    when status in ('DECLINED_SOFT', 'DECLINED_HARD') then settled_at
    when status = 'SUCCEEDED' and reason is not null
      then least(settled_at, started_at + make_interval(secs => ${OUTCOME_WAIT_MS / 1_000})) end`
  const paidBy = new Date(to.getTime() + LATE_PAYMENT_WINDOW_MS)
  const isKept = sql`i.status = 'PAID' and i.amount_refunded + i.lost_in_disputes < i.amount`
  return [
    ...(await sql<RecoveryRow[]>`
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
      ) as refused
      join invoices as i on i.invoice_id = refused.invoice_id
      join businesses as b on b.business_id = refused.business_id
      where b.type = 'MERCHANT'
      group by i.currency
      order by i.currency`),
  ]
}
