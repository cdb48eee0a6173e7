import type { Find, Violation } from './checks.ts'

/** The entries of a ledger transaction sum to zero, and a transaction has at least two entries. */
export const findUnbalanced: Find = (sql, { limit }) => sql<Violation[]>`
  select ledger_transaction_id as id, format('%s entries, sum %s', entries, sum) as problem
  from (
    select ledger_transaction_id, gateway + organization + operator + business_credit + tax as sum,
      num_nonnulls(nullif(gateway, 0), nullif(organization, 0), nullif(operator, 0), nullif(business_credit, 0),
        nullif(tax, 0)) as entries
    from ledger_transactions) as t
  where entries < 2 or sum <> 0
  limit ${limit}`

/** The ledger totals, with their pending changes, are the sums of the entries. */
export const findTotalMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with kept as (
    select organization_id, live, currency, month, plan_id, kind, sum(count) as count, sum(gateway) as gateway,
      sum(organization) as organization, sum(operator) as operator, sum(business_credit) as business_credit,
      sum(tax) as tax
    from (
      select organization_id, live, currency, month, plan_id, kind, count, gateway, organization, operator,
        business_credit, tax
      from ledger_totals
      union all
      select organization_id, live, currency, month, plan_id, kind, count, gateway, organization, operator,
        business_credit, tax
      from ledger_total_changes) as both_tables
    group by organization_id, live, currency, month, plan_id, kind),
  booked as (
    select t.organization_id, t.live, t.currency, date_trunc('month', t.booked_at at time zone 'UTC')::date as month,
      coalesce(i.plan_id, '00000000-0000-0000-0000-000000000000') as plan_id, t.kind, count(*) as count, sum(t.gateway) as gateway, sum(t.organization) as organization,
      sum(t.operator) as operator, sum(t.business_credit) as business_credit,
      sum(t.tax) as tax
    from ledger_transactions as t left join invoices as i using (invoice_id)
    group by 1, 2, 3, 4, 5, 6)
  select plan_id as id, format('%s of %s in %s: kept %s, booked %s', kind, month, currency,
    (k.count, k.gateway, k.organization, k.operator, k.business_credit, k.tax),
    (b.count, b.gateway, b.organization, b.operator, b.business_credit, b.tax)) as problem
  from kept as k full join booked as b using (organization_id, live, currency, month, plan_id, kind)
  where (coalesce(k.count, 0), coalesce(k.gateway, 0), coalesce(k.organization, 0), coalesce(k.operator, 0),
      coalesce(k.business_credit, 0), coalesce(k.tax, 0))
    <> (coalesce(b.count, 0), coalesce(b.gateway, 0), coalesce(b.organization, 0), coalesce(b.operator, 0),
      coalesce(b.business_credit, 0), coalesce(b.tax, 0))
  limit ${limit}`

/** The operator keeps no share of a charge that was returned completely, and otherwise never more than its share of the charge. */
export const findShareMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  select invoice_id as id, format('%s is left of the charge, and %s of its share of %s', taken, share, charged_share) as problem
  from (
    select invoice_id, sum(gateway) as taken, -sum(operator) as share,
      -sum(case when kind = 'CHARGE' then operator else 0 end) as charged_share
    from ledger_transactions
    where share_basis_points is not null group by invoice_id) as shares
  where share < 0 or share > charged_share or (taken = 0 and share <> 0)
  limit ${limit}`

/**
 * The parts of a taxed invoice add up, and the collected tax is the invoice's tax in proportion to the value that the
 * books hold for it, half a unit rounded up. Untaxed invoices have collected none.
 */
export const findTaxMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with held as (
    select invoice_id, sum(gateway + business_credit) as amount, -sum(tax) as tax from ledger_transactions
    where invoice_id is not null group by invoice_id),
  owed as (
    select i.invoice_id, (i.tax ->> 'net')::bigint as net, (i.tax ->> 'tax')::bigint as tax,
      (i.tax ->> 'gross')::bigint as gross, i.amount + i.credit_applied as total,
      (select sum((line ->> 'tax')::bigint) from jsonb_array_elements(i.lines) as line) as line_tax,
      coalesce(h.amount, 0) as held, coalesce(h.tax, 0) as collected
    from invoices as i left join held as h using (invoice_id))
  select invoice_id as id, format('net %s, tax %s, gross %s of %s, lines of %s; holds %s, has collected %s',
    net, tax, gross, total, line_tax, held, collected) as problem
  from owed
  where case when tax is null then collected <> 0
    else net + tax <> gross or gross <> total or tax <> line_tax
      or collected <> div(2 * tax * least(gross, greatest(0, held)) + gross, 2 * gross) end
  limit ${limit}`

/** The tax of each month, country and rate: kept in the totals = counted from the bookings. */
export const findTaxTotalMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with facts as (
    select organization_id, live, month, country, currency, name, rate, is_reverse_charge, net, collected, returned,
      1 as sign
    from tax_totals
    union all
    select organization_id, live, month, country, currency, name, rate, is_reverse_charge, net, collected, returned, 1
    from tax_total_changes
    union all
    select t.organization_id, t.live, date_trunc('month', t.booked_at at time zone 'UTC')::date, i.country, t.currency,
      i.tax ->> 'name', (i.tax ->> 'rate')::integer, (i.tax ->> 'isReverseCharge')::boolean,
      -t.organization - t.operator, greatest(0, -t.tax), greatest(0, t.tax), -1
    from ledger_transactions as t join invoices as i using (invoice_id)
    where i.tax is not null)
  select organization_id as id, format('%s %s %s %s %s: kept more than counted by net %s, collected %s, returned %s',
    to_char(month, 'YYYY-MM'), country, currency, name, rate, sum(sign * net), sum(sign * collected),
    sum(sign * returned)) as problem
  from facts
  group by organization_id, live, month, country, currency, name, rate, is_reverse_charge
  having (sum(sign * net), sum(sign * collected), sum(sign * returned)) <> (0, 0, 0)
  limit ${limit}`

/** Per business and currency: charged − refunded − charged back in the ledger = paid − refunded − charged back on the invoices. */
export const findMoneyMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with booked as (
    select business_id, currency, sum(gateway) as amount from ledger_transactions
    where share_basis_points is not null group by business_id, currency),
  invoiced as (
    select business_id, currency, sum(amount_paid - amount_refunded - least(lost_in_disputes, amount_paid - amount_refunded)) as amount
    from invoices
    group by business_id, currency)
  select coalesce(b.business_id, i.business_id) as id,
    format('%s: the ledger has %s, the invoices %s', currency, b.amount, i.amount) as problem
  from booked as b full join invoiced as i using (business_id, currency)
  where coalesce(b.amount, 0) <> coalesce(i.amount, 0)
  limit ${limit}`

/**
 * The amount that an invoice lost in disputes is the sum of its lost disputes. The ledger charges back the part that refunds had not already
 * returned. A dispute of the sandbox is lost in both books.
 */
export const findDisputeMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with lost as (
    select invoice_id, sum(amount) filter (where status = 'LOST') as amount from disputes group by invoice_id),
  booked as (
    select invoice_id, -sum(gateway) as amount from ledger_transactions
    where kind in ('CHARGEBACK', 'CHARGEBACK_RETURN') group by invoice_id),
  concerned as (
    select invoice_id from lost union select invoice_id from booked
    union select invoice_id from invoices where lost_in_disputes > 0)
  select i.invoice_id as id, format('lost %s, disputes say %s; of %s paid and %s refunded the ledger has charged back %s',
    i.lost_in_disputes, coalesce(l.amount, 0), i.amount_paid, i.amount_refunded, coalesce(b.amount, 0)) as problem
  from concerned join invoices as i using (invoice_id)
  left join lost as l using (invoice_id)
  left join booked as b using (invoice_id)
  where i.lost_in_disputes <> coalesce(l.amount, 0)
    or coalesce(b.amount, 0) <> least(i.lost_in_disputes, i.amount_paid - i.amount_refunded)
  union all
  select d.invoice_id, format('dispute %s is lost here and %s at the gateway', d.gateway_dispute_id, coalesce(s.status, 'unknown'))
  from disputes as d left join sandbox_disputes as s on s.dispute_id = d.gateway_dispute_id
  where d.gateway = 'sandbox' and d.status = 'LOST' and s.status is distinct from 'lost' and s.status is distinct from 'won'
  limit ${limit}`

/** A credit balance is the sum of its movements and the amount that the ledger owes. */
export const findCreditMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with moved as (
    select business_id, organization_id, currency, sum(case when kind in ('USE', 'TAKE_BACK') then -amount else amount end) as amount
    from credit_movements group by business_id, organization_id, currency),
  booked as (
    select business_id, organization_id, currency, -sum(business_credit) as amount
    from ledger_transactions where business_credit <> 0 group by business_id, organization_id, currency)
  select business_id as id,
    format('%s: a balance of %s, movements of %s, the ledger has %s', currency, c.balance, m.amount, b.amount) as problem
  from credit_balances as c
  full join moved as m using (business_id, organization_id, currency)
  full join booked as b using (business_id, organization_id, currency)
  where coalesce(c.balance, 0) <> coalesce(m.amount, 0) or coalesce(c.balance, 0) <> coalesce(b.amount, 0)
  limit ${limit}`

/**
 * An invoice grants no more credit than was paid for it (in cash and credit) and not refunded or ordered back. A refund made at the gateway
 * after the grant takes the credit back; beside a pending order, once that order is settled.
 */
export const findExcessCredit: Find = (sql, { limit }) => sql<Violation[]>`
  select i.invoice_id as id, format('gave credit of %s, took back %s; paid %s, with credit of %s, given back %s, ordered back %s',
    m.amount, t.amount, i.amount_paid, i.credit_applied, r.gone, r.ordered) as problem
  from credit_movements as m join invoices as i using (invoice_id)
  left join credit_movements as t on t.invoice_id = m.invoice_id and t.kind = 'TAKE_BACK'
  cross join lateral (
    select coalesce(sum(amount) filter (where status = 'SUCCEEDED'), 0) as gone,
      coalesce(sum(amount) filter (where origin <> 'GATEWAY' and status in ('SUCCEEDED', 'PENDING')), 0) as ordered
    from refunds where refunds.invoice_id = i.invoice_id) as r
  where m.kind = 'GRANT'
    and m.amount - coalesce(t.amount, 0) > greatest(0, i.amount_paid + i.credit_applied - greatest(r.gone, r.ordered))
  limit ${limit}`

/** The revenue sums, with their pending changes, are the counts of the subscriptions and their invoices. */
export const findRevenueMismatches: Find = (sql, { limit }) => sql<Violation[]>`
  with kept as (
    select currency, interval, interval_count, month, kind, sum(count) as count, sum(amount) as amount
    from (
      select currency, interval, interval_count, month, kind, count, amount from revenue_sums
      union all
      select c.currency, p.interval, p.interval_count, c.month, c.kind, c.count, c.amount
      from revenue_changes as c join plans as p using (plan_id)) as both_tables
    group by currency, interval, interval_count, month, kind),
  dated as (
    select subscription_id, plan_id, currency, amount, phase = 'FULL' as is_full, trial_end_at is not null as has_tried,
      date_trunc('month', coalesce(trial_end_at, started_at) at time zone 'UTC')::date as began,
      date_trunc('month', ended_at at time zone 'UTC')::date as ended,
      date_trunc('month', least(trial_end_at, ended_at) at time zone 'UTC')::date as trial_over
    from subscriptions where merchant_type = 'MERCHANT' and amount > 0
      and status <> 'PENDING' and end_reason is distinct from 'NOT_STARTED'),
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
    select currency, interval, interval_count, month, kind, count(*) as count, sum(amount) as amount
    from facts join plans using (plan_id) group by currency, interval, interval_count, month, kind)
  select (select p.plan_id from plans as p where p.interval = b.interval order by p.plan_id limit 1) as id,
    format('%s by %s %s in %s, %s: kept %s, counted %s',
      b.currency, b.interval_count, b.interval, b.month, b.kind, b.kept, b.counted) as problem
  from (
    select currency, interval, interval_count, month, kind, (coalesce(k.count, 0), coalesce(k.amount, 0))::text as kept,
      (coalesce(c.count, 0), coalesce(c.amount, 0))::text as counted
    from kept as k full join counted as c using (currency, interval, interval_count, month, kind)) as b
  where b.kept <> b.counted
  limit ${limit}`
