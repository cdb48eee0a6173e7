-- Two organizations that have sold for a quarter, as 0010 kept them: 24 subscriptions, four of each of six lives, in two currencies.
-- Run in one session: tables and functions that are temporary serve the later rows as well.

create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as $$
  select ('00000000-0000-7000-8' || lpad(kind, 3, '0') || '-' || lpad(to_hex(n), 12, '0'))::uuid
$$;
/* As ids are made: in the order of their milliseconds. */
create function pg_temp.id_at(kind text, at timestamptz, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || lpad(kind, 3, '0')
    || lpad(to_hex(n), 12, '0'))::uuid
$$;

-- paid without a trial · paid after one · not paid any more · left in the trial · free · a test merchant's
create temporary table lives as
select n, n / 6 + 1 as business, shape, 1 + n % 2 as organization, amount, began_at, trial_end_at,
  case when shape <> 3 then coalesce(trial_end_at, began_at) end as anchor_at, periods,
  case shape when 2 then began_at + interval '40 days' when 3 then began_at + interval '3 days' end as ended_at,
  case n % 4 when 1 then 'JPY' else 'USD' end as currency
from (
  select n, n % 6 as shape, case n % 6 when 4 then 0 else 500 + n end as amount,
    timestamptz '2026-01-06 10:00:00Z' + n * interval '20 hours' as began_at,
    case when n % 6 in (1, 3) then timestamptz '2026-01-16 10:00:00Z' + n * interval '20 hours' end as trial_end_at,
    (array[3, 2, 2, 0, 3, 2])[n % 6 + 1] as periods
  from generate_series(0, 23) as n) as drawn;

insert into organizations
select pg_temp.id('1', n), 'Organization ' || n, 'o@example.com', '2026-01-01Z', '2026-01-01Z' from generate_series(1, 2) as n;
insert into apps
select pg_temp.id('2', n), pg_temp.id('1', n), 'App ' || n, 'com.example.a' || n, '{}', 'ACTIVE', '2026-01-01Z', '2026-01-01Z'
from generate_series(1, 2) as n;
insert into releases
select pg_temp.id('3', n), pg_temp.id('2', n), '1', 'APPROVED', null, '2026-01-01Z', '2026-01-01Z' from generate_series(1, 2) as n;
insert into plans
select pg_temp.id('4', n), pg_temp.id('2', 1 + n % 2), pg_temp.id('3', 1 + n % 2), 'Plan ' || n, '', '[]',
  'MONTH', case when n % 6 in (1, 3) then 10 else 0 end, 'ALWAYS', 'IMMEDIATE', 'IMMEDIATE', 7, 'BUSINESS', 'ACTIVE', '2026-01-01Z',
  '2026-01-01Z', '2026-01-01Z', null
from generate_series(0, 5) as n;
-- 1 to 4 are merchants, 11 to 14 test merchants.
insert into businesses (
  business_id, type, status, legal_name, doing_business_as, email_address, address, country, timezone, created_at, updated_at)
select pg_temp.id('5', n), case when n < 10 then 'MERCHANT' else 'TEST_MERCHANT' end, 'ACTIVE', 'Shop ' || n, 'Shop', 's@example.com',
  '{"city": "Dover"}', 'US', 'UTC', '2026-01-02Z', '2026-01-02Z'
from unnest(array[1, 2, 3, 4, 11, 12, 13, 14]) as n;
update lives set business = business + 10 where shape = 5;
insert into stores
select pg_temp.id('6', 1), pg_temp.id('5', 1), 'Main', 'ACTIVE', '2026-01-02Z', '2026-01-02Z';
insert into devices (
  device_id, business_id, store_id, name, serial_number, status, activation_code_hash, activation_expires_at, created_at, updated_at)
select pg_temp.id('7', 1), pg_temp.id('5', 1), pg_temp.id('6', 1), 'Till', 'S-1', 'NEW', '\x01', '2026-01-02Z', '2026-01-02Z', '2026-01-02Z';
insert into grants (grant_id, app_id, kid, refresh_token_hash, created_at, used_at)
select pg_temp.id('8', 1), pg_temp.id('2', 1), 'k', '\x02', '2026-01-02Z', '2026-01-02Z';
insert into assertion_uses select pg_temp.id('2', 1), 'j', '2026-04-01Z';

-- The first merchant was renamed twice, and got another telephone between.
insert into audit_entries (
  at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, business_id, before, after)
select r.at, 'operator', 'operator', 'businesses.write', 'PATCH', '/businesses/:businessId', 'r', 'BUSINESS', b.business_id::text,
  b.business_id, to_jsonb(b) || r.before, to_jsonb(b) || r.after
from businesses as b, (values
  (timestamptz '2026-01-20 12:00:00.123Z', jsonb '{"legal_name": "First"}', jsonb '{"legal_name": "Second", "address": null}'),
  ('2026-02-01 12:00:00Z', '{"legal_name": "Second", "address": null}', '{"legal_name": "Second", "address": null, "phone": {}}'),
  ('2026-02-20 12:00:00.5Z', '{"legal_name": "Second", "address": null}', '{}')) as r (at, before, after)
where b.business_id = pg_temp.id('5', 1);

insert into payment_methods
select pg_temp.id('9', n), business_id, 'sandbox', 'pm_' || n, 'Test card', '2026-01-02Z', '2026-01-02Z'
from (select business_id, row_number() over (order by business_id) as n from businesses) as b;
insert into sandbox_payment_methods
select reference, reference, case when reference = 'pm_1' then 'tok_fail_after_1' else 'tok_ok' end, created_at from payment_methods;

insert into subscriptions (
  subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount, phase,
  status, payment_status, start_at, started_at, trial_end_at, anchor_at, term, period_index, current_period_start,
  current_period_end, ended_at, end_reason, next_action_at, last_trigger_at, resource_seq, created_at, updated_at, trial_plan_id)
select pg_temp.id('a', n), pg_temp.id('2', organization), pg_temp.id('1', organization), pg_temp.id('5', business),
  pg_temp.id('4', n % 6), pg_temp.id('b', n), case when shape = 5 then 'TEST_MERCHANT' else 'MERCHANT' end, 'US', currency, amount,
  case when shape = 3 then 'TRIAL' else 'FULL' end, case when ended_at is null then 'ACTIVE' else 'ENDED' end, 'CURRENT',
  date_trunc('day', began_at, 'UTC'), began_at, trial_end_at, anchor_at, 0, nullif(periods, 0) - 1,
  coalesce(anchor_at + (periods - 1) * interval '1 month', began_at), coalesce(anchor_at + periods * interval '1 month', trial_end_at),
  ended_at, case shape when 2 then 'NON_PAYMENT' when 3 then 'CANCELLED' end,
  case when ended_at is null then anchor_at + periods * interval '1 month' end, began_at, 1, began_at, began_at,
  case when trial_end_at is not null then pg_temp.id('4', n % 6) end
from lives;

create temporary table billed as
select n, i, business, organization, shape, amount, currency, anchor_at + i * interval '1 month' as at,
  shape <> 2 or i = 0 as is_paid, case when shape = 0 and i = 2 then 150 else 0 end as credit_applied,
  case when shape = 1 and i = 0 then 100 else 0 end as refunded,
  row_number() over (partition by organization, shape = 5 order by i, n) as number
from lives cross join generate_series(0, 2) as i where i < periods and amount > 0;
insert into invoices (
  invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, term, period_index, status, country,
  currency, amount, amount_paid, amount_refunded, lines, period_start, period_end, created_at, updated_at, credit_applied)
select pg_temp.id_at('c', at, n * 10 + i), case when shape = 5 then 'T-2026-' else '2026-' end || number,
  pg_temp.id('1', organization), pg_temp.id('2', organization), pg_temp.id('5', business), pg_temp.id('a', n), pg_temp.id('4', n % 6), 0,
  i, case when is_paid then 'PAID' else 'UNCOLLECTIBLE' end, 'US', currency, amount - credit_applied,
  case when is_paid then amount - credit_applied else 0 end, refunded,
  case when credit_applied > 0
    then jsonb_build_array(jsonb_build_object('kind', 'PLAN', 'amount', amount), jsonb_build_object('kind', 'CREDIT', 'amount', -credit_applied))
    else jsonb_build_array(jsonb_build_object('kind', 'PLAN', 'amount', amount)) end,
  at, at + interval '1 month', at, at, credit_applied
from billed;
update invoices as v set period_end = b.anchor_at + (v.period_index + 1) * interval '1 month'
from lives as b where v.subscription_id = pg_temp.id('a', b.n);
insert into invoice_counters
select organization_id, regexp_replace(number, '-[0-9]+$', ''), count(*) from invoices group by 1, 2;

insert into charge_objects
select invoice_id, 'sandbox', 'ch_' || invoice_id, created_at from invoices;
insert into charges (
  charge_id, invoice_id, subscription_id, business_id, payment_method_id, amount, currency, status, started_at, settled_at, looks)
select pg_temp.id_at('d', v.created_at, t * 1000 + row_number() over (order by v.invoice_id)), v.invoice_id, v.subscription_id, v.business_id,
  m.payment_method_id, v.amount, v.currency, case when v.status = 'PAID' then 'SUCCEEDED' else 'REFUSED_SOFT' end,
  v.created_at + t * interval '1 day', v.created_at + t * interval '1 day', 1
from invoices as v join payment_methods as m using (business_id) cross join generate_series(0, 1) as t
where t = 0 or v.status <> 'PAID';
insert into sandbox_charges
select o.gateway_charge_id, o.invoice_id::text, v.amount, v.currency, jsonb_build_object('invoiceId', v.invoice_id), v.created_at,
  c.charge_id::text, m.reference, c.settled_at
from charge_objects as o join invoices as v using (invoice_id)
left join charges as c on c.invoice_id = v.invoice_id and c.status = 'SUCCEEDED'
left join payment_methods as m using (payment_method_id);
insert into sandbox_confirmations
select o.gateway_charge_id, c.charge_id::text, m.reference,
  case when c.status = 'SUCCEEDED' then jsonb '{"kind": "succeeded"}' else '{"kind": "declined"}' end, c.settled_at
from charges as c join charge_objects as o using (invoice_id) join payment_methods as m using (payment_method_id);

insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, created_at, updated_at, looks)
select pg_temp.id('e', row_number() over (order by invoice_id)), invoice_id, business_id, amount_refunded, currency, 'Late', 'API',
  'SUCCEEDED', created_at, created_at, 1
from invoices where amount_refunded > 0;
insert into sandbox_refunds
select 'ch_' || invoice_id, refund_id::text, amount, '{"kind": "succeeded"}', created_at from refunds;

-- Credit that the second invoice of a life left, and the third took some of.
create temporary table moved as
select v.invoice_id, case v.period_index when 1 then 'GRANT' else 'USE' end as kind, v.business_id, v.organization_id, v.currency,
  case v.period_index when 1 then 200 else 150 end as amount, v.created_at
from invoices as v join lives as l on v.subscription_id = pg_temp.id('a', l.n) where l.shape = 0 and v.period_index in (1, 2);
insert into credit_balances
select business_id, organization_id, currency, sum(case kind when 'USE' then -amount else amount end), max(created_at)
from moved group by 1, 2, 3;
insert into credit_movements select invoice_id, kind, business_id, organization_id, currency, amount, created_at from moved;

create temporary table bookings as
select row_number() over () as n, kind, source_id, invoice_id, business_id, organization_id, currency, at, amount, first, second
from (
  select 'CHARGE' as kind, c.charge_id as source_id, v.invoice_id, v.business_id, v.organization_id, v.currency, c.settled_at as at,
    c.amount, 'GATEWAY' as first, 'ORGANIZATION' as second
  from charges as c join invoices as v using (invoice_id) where c.status = 'SUCCEEDED'
  union all
  select 'REFUND', r.refund_id, v.invoice_id, v.business_id, v.organization_id, v.currency, r.created_at, r.amount, 'ORGANIZATION', 'GATEWAY'
  from refunds as r join invoices as v using (invoice_id)
  union all
  select case kind when 'GRANT' then 'CREDIT' else 'CREDIT_USE' end, invoice_id, invoice_id, business_id, organization_id, currency, created_at,
    amount, case kind when 'GRANT' then 'ORGANIZATION' else 'BUSINESS_CREDIT' end,
    case kind when 'GRANT' then 'BUSINESS_CREDIT' else 'ORGANIZATION' end
  from moved) as all_kinds;
insert into ledger_transactions
select pg_temp.id('f', n), kind, source_id, invoice_id, business_id, currency, at from bookings;
insert into ledger_entries
select pg_temp.id('f', n), 0, first, case first when 'ORGANIZATION' then organization_id when 'BUSINESS_CREDIT' then business_id end, amount
from bookings
union all
select pg_temp.id('f', n), 1, second, case second when 'ORGANIZATION' then organization_id when 'BUSINESS_CREDIT' then business_id end, -amount
from bookings;

insert into deliveries (
  notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, body, attempts, due_at, recorded_at)
select pg_temp.id('10', n), '2026-03-01', pg_temp.id('11', 1), pg_temp.id('2', 1), pg_temp.id('5', 1), pg_temp.id('a', 0), n, '{}', n - 1,
  '2026-03-01Z', '2026-03-01Z'
from generate_series(1, 3) as n;
