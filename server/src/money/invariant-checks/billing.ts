import type { Find, Violation } from './checks.ts'

/** The invoices of a term begin with period 0, and each following period begins at the end of the previous one. */
export const findPeriodGaps: Find = (sql, { limit }) => sql<Violation[]>`
  select invoice_id as id,
    format('period %s from %s follows period %s to %s', period_index, period_start, index_before, end_before) as problem
  from (
    select invoice_id, period_index, period_start, lag(period_index) over term as index_before,
      lag(period_end) over term as end_before
    from invoices window term as (partition by subscription_id, term order by period_index, invoice_id)) as i
  where period_index <> coalesce(index_before, -1) + 1 or period_start <> coalesce(end_before, period_start)
  limit ${limit}`

/** The current period of a paid subscription has an invoice with the same start and end. */
export const findUnbilledPeriods: Find = (sql, { limit }) => sql<Violation[]>`
  select s.subscription_id as id, format('term %s, period %s has no invoice for its time', s.term, s.period_index) as problem
  from subscriptions as s
  where s.phase = 'FULL' and s.amount > 0 and not exists (
    select 1 from invoices as i
    where i.subscription_id = s.subscription_id and i.term = s.term and i.period_index = s.period_index
      and i.period_start = s.current_period_start and i.period_end = s.current_period_end)
  limit ${limit}`

/** A PAID invoice has one successful charge, unless credit covered the whole invoice. Other invoices have none. */
export const findWrongPayments: Find = (sql, { limit }) => sql<Violation[]>`
  select i.invoice_id as id, format('%s, with %s charges that succeeded', i.status, c.succeeded) as problem
  from invoices as i
  cross join lateral (
    select count(*) as succeeded from charges
    where charges.invoice_id = i.invoice_id and charges.status = 'SUCCEEDED') as c
  where c.succeeded <> case when i.status = 'PAID' and i.amount > 0 then 1 else 0 end
  limit ${limit}`

/** No charge starts before the start, during the trial or after the end of its subscription. */
export const findChargesOutOfTime: Find = (sql, { limit }) => sql<Violation[]>`
  select c.charge_id as id,
    format('started %s; the trial ends %s, the subscription ended %s', c.started_at, s.trial_end_at, s.ended_at) as problem
  from charges as c join subscriptions as s using (subscription_id)
  where c.started_at < coalesce(s.trial_end_at, s.started_at) or c.started_at > s.ended_at or s.phase = 'TRIAL'
  limit ${limit}`

/** The gateway has one charge object per invoice. Only the sandbox keeps its books in this database. */
export const findSurplusChargeObjects: Find = (sql, { limit }) => sql<Violation[]>`
  select metadata ->> 'invoiceId' as id, format('%s charge objects at the gateway', count(*)) as problem
  from sandbox_charges group by metadata ->> 'invoiceId' having count(*) > 1
  limit ${limit}`

/**
 * The sandbox charged and refunded as much as our charges and refunds say. The gateway may be ahead while one of ours is unsettled or still
 * polled; our books are never ahead.
 */
export const findGatewayMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with given as (
    select gateway_charge_id, sum(amount) as refunded from sandbox_refunds
    where outcome ->> 'kind' = 'succeeded' group by gateway_charge_id),
  gateway as (
    select (metadata ->> 'invoiceId')::uuid as invoice_id,
      coalesce(sum(amount) filter (where succeeded_key is not null), 0) as charged,
      coalesce(sum(refunded), 0) as refunded
    from sandbox_charges left join given using (gateway_charge_id)
    group by 1),
  ours as (
    select i.invoice_id, coalesce(g.charged, 0) as gateway_charged, coalesce(g.refunded, 0) as gateway_refunded,
      (select coalesce(sum(amount), 0) from charges as c
        where c.invoice_id = i.invoice_id and c.status = 'SUCCEEDED') as charged,
      exists (select 1 from charges as c where c.invoice_id = i.invoice_id and c.next_poll_at is not null) as charging,
      (select coalesce(sum(amount), 0) from refunds as r
        where r.invoice_id = i.invoice_id and r.status = 'SUCCEEDED' and r.origin <> 'OUT_OF_BAND') as refunded,
      exists (select 1 from refunds as r where r.invoice_id = i.invoice_id and r.status = 'PENDING') as refunding
    from invoices as i
    left join gateway as g using (invoice_id)
    left join charge_objects as o using (invoice_id)
    where coalesce(o.gateway, 'sandbox') = 'sandbox')
  select invoice_id as id, format('the gateway charged %s and gave back %s; we say %s and %s',
    gateway_charged, gateway_refunded, charged, refunded) as problem
  from ours
  where gateway_charged < charged or (gateway_charged > charged and not charging)
    or gateway_refunded < refunded or (gateway_refunded > refunded and not refunding)
  limit ${limit}`

/**
 * Refunds made and ordered never exceed the amount paid, and the invoice states the sum of its refunds. A pending refund may exceed the rest
 * beside refunds made at the gateway: the gateway then rejects the pending one.
 */
export const findExcessRefunds: Find = (sql, { limit }) => sql<Violation[]>`
  select i.invoice_id as id, format('paid %s, refunded %s; refunds made %s, on their way %s',
    i.amount_paid, i.amount_refunded, r.made, r.pending) as problem
  from invoices as i
  cross join lateral (
    select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0) as made,
      coalesce(sum(amount) filter (where status = 'SUCCEEDED' and origin <> 'GATEWAY'), 0) as ordered,
      coalesce(sum(amount) filter (where status = 'PENDING' and origin <> 'GATEWAY'), 0) as pending
    from refunds where refunds.invoice_id = i.invoice_id) as r
  where r.made > i.amount_paid or r.ordered + r.pending > i.amount_paid or r.made <> i.amount_refunded
  limit ${limit}`

/** The numbers of a series run from 1 to the counter. */
export const findNumberGaps: Find = (sql, { limit }) => sql<Violation[]>`
  with numbered as (
    select organization_id, regexp_replace(number, '-[0-9]+$', '') as series,
      substring(number from '[0-9]+$')::bigint as n
    from invoices),
  series as (
    select organization_id, series, count(distinct n) as numbers, max(n) as highest from numbered
    group by organization_id, series)
  select coalesce(s.organization_id, c.organization_id) as id,
    format('series %s: %s numbers, the highest %s, the counter at %s', series, s.numbers, s.highest, c.last_number) as problem
  from series as s full join invoice_counters as c using (organization_id, series)
  where s.numbers is distinct from s.highest or s.highest is distinct from c.last_number
  limit ${limit}`

/** An invoice asks for the sum of its lines. The lines include the credit applied, and that credit has its movement. */
export const findLineMismatches: Find = (sql, { limit }) => sql<Violation[]>`
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

/** A live subscription has a timer or awaits an unsettled charge, and an open invoice will be charged. */
export const findUnscheduled: Find = (sql, { limit }) => sql<Violation[]>`
  select subscription_id as id, 'live, with neither a timer nor an unsettled charge' as problem
  from subscriptions as s
  where s.status <> 'ENDED' and s.next_action_at is null and not exists (
    select 1 from charges as c where c.charge_id = s.awaited_charge_id and c.settled_at is null)
  union all
  select subscription_id, 'awaits a charge that is settled or missing'
  from subscriptions as s
  where s.status <> 'ENDED' and s.awaited_charge_id is not null and not exists (
    select 1 from charges as c where c.charge_id = s.awaited_charge_id and c.settled_at is null)
  union all
  select i.invoice_id, 'OPEN without a charge to come: its subscription is ' ||
    case when s.status = 'ENDED' then 'over' else 'current and awaits no charge' end
  from invoices as i join subscriptions as s using (subscription_id)
  where i.status = 'OPEN' and (s.status = 'ENDED' or (s.payment_status = 'CURRENT' and s.awaited_charge_id is null))
  limit ${limit}`

/** Due work is done within the time of a background job. Rows of test clocks wait for their clock, those of disabled apps for
 * the operator, quarantined rows for their retry. */
export const findOverdue: Find = (sql, { limit, now, overdueMs }) => {
  const since = new Date(now.getTime() - overdueMs)
  return sql<Violation[]>`
    select id, format('%s, due since %s', kind, due) as problem from (
      select subscription_id as id, 'subscription' as kind, next_action_at as due from subscriptions
      where next_action_at <= ${since} and test_clock_id is null and failures = 0
        and app_id not in (select app_id from apps where held_since is not null)
      union all
      select charge_id, 'charge', next_poll_at from charges where next_poll_at <= ${since} and failures = 0
      union all
      select refund_id, 'refund', next_poll_at from refunds where next_poll_at <= ${since} and failures = 0) as due
    limit ${limit}`
}
