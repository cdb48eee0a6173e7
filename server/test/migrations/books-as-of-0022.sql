-- Another month of those who go on, with the operator's share, as 0022 kept it; two refunds, of which one came back.
create temporary table later as
select n, business, organization, shape, amount, currency, anchor_at, anchor_at + 2 * interval '1 month' as at, amount / 5 as share,
  (select last_number from invoice_counters as c
    where c.organization_id = pg_temp.id('1', organization) and c.series = case when shape = 5 then 'T-2026' else '2026' end)
    + row_number() over (partition by organization, shape = 5 order by n) as number
from lives where shape in (1, 5);
insert into invoices (
  invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, term, period_index, status, country,
  currency, amount, amount_paid, amount_refunded, lines, period_start, period_end, created_at, updated_at, credit_applied)
select pg_temp.id_at('c', at, n * 10 + 2), case when shape = 5 then 'T-2026-' else '2026-' end || number, pg_temp.id('1', organization),
  pg_temp.id('2', organization), pg_temp.id('5', business), pg_temp.id('a', n), pg_temp.id('4', n % 6), 0, 2, 'PAID', 'US', currency, amount,
  amount, 100, jsonb_build_array(jsonb_build_object('kind', 'PLAN', 'amount', amount)), at, anchor_at + 3 * interval '1 month', at, at, 0
from later;
update invoice_counters as c set last_number = greatest(last_number, (
  select coalesce(max(number), 0) from later as l
  where c.organization_id = pg_temp.id('1', l.organization) and c.series = case when l.shape = 5 then 'T-2026' else '2026' end));
update subscriptions as s set period_index = 2, current_period_start = l.at, current_period_end = l.anchor_at + 3 * interval '1 month',
  next_action_at = l.anchor_at + 3 * interval '1 month'
from later as l where s.subscription_id = pg_temp.id('a', l.n);
insert into charge_objects
select pg_temp.id_at('c', at, n * 10 + 2), 'sandbox', 'ch_' || pg_temp.id_at('c', at, n * 10 + 2), at from later;
insert into charges (
  charge_id, invoice_id, subscription_id, business_id, payment_method_id, amount, currency, status, started_at, settled_at, looks)
select pg_temp.id('1d', l.n), pg_temp.id_at('c', at, n * 10 + 2), pg_temp.id('a', n), m.business_id, m.payment_method_id, amount, currency,
  'SUCCEEDED', at, at, 1
from later as l join payment_methods as m on m.business_id = pg_temp.id('5', l.business);
insert into sandbox_charges
select 'ch_' || c.invoice_id, c.invoice_id::text, c.amount, c.currency, jsonb_build_object('invoiceId', c.invoice_id), c.started_at,
  c.charge_id::text, m.reference, c.settled_at
from charges as c join payment_methods as m using (payment_method_id) where c.charge_id in (select pg_temp.id('1d', n) from later);
insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, failure, created_at, updated_at, looks)
select pg_temp.id('1e', n * 2 + k), pg_temp.id_at('c', at, n * 10 + 2), pg_temp.id('5', business), 100 - k * 50, currency, 'Late', 'API',
  case k when 0 then 'SUCCEEDED' else 'FAILED' end, case k when 1 then 'expired_or_canceled_card' end, at, at, 1
from later cross join generate_series(0, 1) as k;
insert into sandbox_refunds
select 'ch_' || invoice_id, refund_id::text, amount, case status when 'SUCCEEDED' then jsonb '{"kind": "succeeded"}'
  else '{"kind": "failed", "code": "expired_or_canceled_card"}' end, created_at
from refunds where refund_id in (select pg_temp.id('1e', n * 2 + k) from later cross join generate_series(0, 1) as k);

create temporary table shared as
select l.n * 4 + b.k as n, b.kind, case b.kind when 'CHARGE' then pg_temp.id('1d', l.n) else pg_temp.id('1e', l.n * 2 + b.refund) end as source_id,
  pg_temp.id_at('c', l.at, l.n * 10 + 2) as invoice_id, pg_temp.id('5', business) as business_id, pg_temp.id('1', organization) as organization_id,
  currency, l.at, b.sign * case b.kind when 'CHARGE' then l.amount else b.amount end as amount,
  b.sign * case b.kind when 'CHARGE' then share else b.amount / 5 end as share
from later as l cross join (values
  (0, 'CHARGE', 0, 0, 1), (1, 'REFUND', 0, 100, -1), (2, 'REFUND', 1, 50, -1), (3, 'REFUND_RETURN', 1, 50, 1)) as b (k, kind, refund, amount, sign);
insert into ledger_transactions (
  ledger_transaction_id, kind, source_id, invoice_id, business_id, currency, booked_at, live, share_basis_points)
select pg_temp.id('1f', n), kind, source_id, invoice_id, business_id, currency, at,
  (select type = 'MERCHANT' from businesses as b where b.business_id = shared.business_id), 2000
from shared;
insert into ledger_entries
select pg_temp.id('1f', n), e.position, e.account, case e.account when 'ORGANIZATION' then organization_id end, e.amount
from shared cross join lateral (values
  (0, 'GATEWAY', amount), (1, 'ORGANIZATION', share - amount), (2, 'OPERATOR', -share)) as e (position, account, amount);
