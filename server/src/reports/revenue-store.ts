import type { Interval } from '../core/calendar.ts'
import type { Sql } from '../db/db.ts'

/** Half-open: from `from` up to `to`. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Of the paid subscriptions of one currency and interval: prices of a period in minor units. */
export interface RecurringRow {
  readonly currency: string
  readonly interval: Interval
  /** Paying at the end of the span. */
  readonly subscriptions: number
  readonly amount: number
  /** Paying when it began. */
  readonly before: number
  readonly beforeAmount: number
  /** Those of them that ended within it. */
  readonly churned: number
  readonly churnedAmount: number
}

/**
 * A merchant's subscription pays from the end of its trial, or its start, until its end; one that is past due still does, a free one
 * or a test merchant's never. One pass over the subscriptions that were not over when the span began,
 * added up by plan: only the plans are joined, not every subscription.
 */
export async function readRecurring(sql: Sql, { from, to }: Span): Promise<RecurringRow[]> {
  return [
    ...(await sql<RecurringRow[]>`
      select s.currency, p.interval, sum(s.subscriptions)::bigint as subscriptions, sum(s.amount)::bigint as amount,
        sum(s.before)::bigint as before, sum(s.before_amount)::bigint as "beforeAmount",
        sum(s.churned)::bigint as churned, sum(s.churned_amount)::bigint as "churnedAmount"
      from (
        select plan_id, currency,
          count(*) filter (where paid_from < ${to} and ended_at >= ${to}) as subscriptions,
          coalesce(sum(amount) filter (where paid_from < ${to} and ended_at >= ${to}), 0) as amount,
          count(*) filter (where paid_from < ${from}) as before,
          coalesce(sum(amount) filter (where paid_from < ${from}), 0) as before_amount,
          count(*) filter (where paid_from < ${from} and ended_at < ${to}) as churned,
          coalesce(sum(amount) filter (where paid_from < ${from} and ended_at < ${to}), 0) as churned_amount
        from (
          select plan_id, currency, amount, coalesce(trial_end_at, started_at) as paid_from,
            coalesce(ended_at, 'infinity') as ended_at
          from subscriptions
          where merchant_type = 'MERCHANT' and phase = 'FULL' and amount > 0
            and (ended_at is null or ended_at >= ${from})) as paid
        group by plan_id, currency) as s
      join plans as p on p.plan_id = s.plan_id
      group by s.currency, p.interval
      order by s.currency, p.interval`),
  ]
}

export interface TrialRow {
  readonly currency: string
  readonly ended: number
  readonly converted: number
}

/** Trials of paid plans that were over within the span, by their time or by an end; converted are those that have paid an invoice. */
export async function readTrials(sql: Sql, { from, to }: Span): Promise<TrialRow[]> {
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

export interface RecoveryRow {
  readonly currency: string
  readonly pastDue: number
  readonly recovered: number
  readonly open: number
  readonly pastDueAmount: number
  readonly recoveredAmount: number
}

/** Invoices of which a charge was refused for the first time within the span, and what became of them since. */
export async function readRecovery(sql: Sql, { from, to }: Span): Promise<RecoveryRow[]> {
  return [
    ...(await sql<RecoveryRow[]>`
      select i.currency, count(*) as "pastDue", count(*) filter (where i.status = 'PAID' and i.amount_refunded < i.amount) as recovered,
        count(*) filter (where i.status = 'OPEN') as open, sum(i.amount)::bigint as "pastDueAmount",
        coalesce(sum(i.amount) filter (where i.status = 'PAID' and i.amount_refunded < i.amount), 0)::bigint as "recoveredAmount"
      from (
        select distinct c.invoice_id, c.subscription_id from charges as c
        where c.status in ('REFUSED_SOFT', 'REFUSED_HARD') and c.settled_at >= ${from} and c.settled_at < ${to}
          and not exists (
            select 1 from charges as e
            where e.invoice_id = c.invoice_id and e.status in ('REFUSED_SOFT', 'REFUSED_HARD') and e.settled_at < ${from})
      ) as refused
      join invoices as i on i.invoice_id = refused.invoice_id
      join subscriptions as s on s.subscription_id = refused.subscription_id
      where s.merchant_type = 'MERCHANT'
      group by i.currency
      order by i.currency`),
  ]
}
