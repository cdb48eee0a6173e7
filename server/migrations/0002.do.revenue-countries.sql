-- Revenue by country, of each app and of all apps. A nil app: all apps. The country is the country of the subscription, which never changes:
-- the country of the business when it subscribed. MRR and the number of subscribers are the sums of all months.
create table revenue_countries (
  app_id uuid not null,
  merchant_type text not null,
  currency text not null,
  country text not null,
  month date not null, -- its first day, UTC, in business time
  subscribers bigint not null, -- below 0: more left than came
  mrr bigint not null, -- monthly amounts, as in `revenue_days`
  collected bigint not null,
  returned bigint not null, -- refunded or charged back
  primary key (app_id, merchant_type, currency, country, month)
) with (fillfactor = 80);

-- Changes not yet added to `revenue_countries`. `revenue_day_changes` has no country, because a worker of the previous version would delete the
-- changes without adding them to `revenue_countries`.
create table revenue_country_changes (
  app_id uuid not null,
  merchant_type text not null,
  currency text not null,
  country text not null,
  month date not null,
  subscribers integer not null,
  mrr bigint not null,
  collected bigint not null,
  returned bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Every change from here on runs the functions below, and the sums at the end contain every change before.
lock table subscriptions, ledger_transactions in share mode;

create or replace function add_bookings_to_totals() returns trigger language plpgsql as $$
begin
  insert into ledger_total_changes (
    organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit,
    tax)
  select a.organization_id, a.live, a.currency, date_trunc('month', a.booked_at at time zone 'UTC')::date,
    coalesce(i.app_id, '00000000-0000-0000-0000-000000000000'), coalesce(i.plan_id, '00000000-0000-0000-0000-000000000000'),
    a.kind, count(*), sum(a.gateway), sum(a.organization), sum(a.operator), sum(a.business_credit),
    sum(a.tax)
  from added as a left join invoices as i on i.invoice_id = a.invoice_id
  group by 1, 2, 3, 4, 5, 6, 7;
  with moved as (
    select i.app_id, i.plan_id, i.merchant_type, a.currency, i.country, (a.booked_at at time zone 'UTC')::date as day, of.kind,
      sum(of.sign) as count, sum(of.sign * abs(a.gateway)) as amount
    from added as a join invoices as i on i.invoice_id = a.invoice_id
      join (values ('CHARGE', 'COLLECTED', 1), ('REFUND', 'REFUNDED', 1), ('REFUND_RETURN', 'REFUNDED', -1),
        ('CHARGEBACK', 'CHARGED_BACK', 1), ('CHARGEBACK_RETURN', 'CHARGED_BACK', -1)) as of (booked, kind, sign)
        on of.booked = a.kind
    group by 1, 2, 3, 4, 5, 6, 7),
  by_country as (
    insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
    select app_id, merchant_type, currency, country, date_trunc('month', day)::date, 0, 0,
      coalesce(sum(amount) filter (where kind = 'COLLECTED'), 0), coalesce(sum(amount) filter (where kind <> 'COLLECTED'), 0)
    from moved group by 1, 2, 3, 4, 5)
  insert into revenue_day_changes (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
  select app_id, plan_id, merchant_type, currency, day, kind, sum(count), sum(amount)
  from moved group by 1, 2, 3, 4, 5, 6;
  return null;
end
$$;

create or replace function note_revenue_day(was subscriptions, became subscriptions) returns void language plpgsql as $$
declare
  any_row subscriptions := case when became.subscription_id is null then was else became end;
  today date := (any_row.updated_at at time zone 'UTC')::date;
  paid boolean := coalesce(is_paying(was), false);
  pays boolean := coalesce(is_paying(became), false);
  tried boolean := coalesce(was.phase = 'TRIAL' and was.status = 'ACTIVE' and was.amount > 0, false);
  tries boolean := coalesce(became.phase = 'TRIAL' and became.status = 'ACTIVE' and became.amount > 0, false);
  before bigint := case when paid then monthly_amount(was.amount, was.plan_id) else 0 end;
  after bigint := case when pays then monthly_amount(became.amount, became.plan_id) else 0 end;
  change text := case when after >= before then 'EXPANSION' else 'CONTRACTION' end;
begin
  insert into revenue_day_changes (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
  select any_row.app_id, f.plan_id, any_row.merchant_type, any_row.currency, today, f.kind, f.count, f.amount
  from (values
    ('NEW', became.plan_id, 1, after, pays and not paid),
    ('CHURN', was.plan_id, -1, -before, paid and not pays),
    (change, was.plan_id, -1, -before, paid and pays and (was.plan_id, before) is distinct from (became.plan_id, after)),
    (change, became.plan_id, 1, after, paid and pays and (was.plan_id, before) is distinct from (became.plan_id, after)),
    ('TRIAL_STARTED', became.plan_id, 1, 0, tries and not tried),
    ('TRIAL_ENDED', was.plan_id, 1, 0, tried and not tries),
    ('PAST_DUE', became.plan_id, 1, after, pays and became.payment_status = 'PAST_DUE'
      and was.payment_status is distinct from 'PAST_DUE'),
    ('RECOVERED', became.plan_id, 1, after, pays and paid and was.payment_status = 'PAST_DUE' and became.payment_status = 'CURRENT'),
    ('LOST', was.plan_id, 1, before, paid and became.end_reason = 'NON_PAYMENT')
  ) as f (kind, plan_id, count, amount, counts)
  where f.counts;
  if (pays, after) <> (paid, before) then
    insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
    values (any_row.app_id, any_row.merchant_type, any_row.currency, any_row.country, date_trunc('month', today)::date,
      pays::int - paid::int, after - before, 0, 0);
  end if;
end
$$;

-- Existing subscriptions count in the month in which they began to pay.
insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
select app_id, merchant_type, currency, country, month, sum(count), sum(count * monthly_amount(amount, plan_id)), 0, 0
from (
  select app_id, plan_id, merchant_type, currency, country, amount,
    date_trunc('month', coalesce(trial_end_at, started_at) at time zone 'UTC')::date as month, count(*) as count
  from subscriptions as s where is_paying(s)
  group by 1, 2, 3, 4, 5, 6, 7) as paying
group by app_id, merchant_type, currency, country, month;

insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
select i.app_id, i.merchant_type, t.currency, i.country, date_trunc('month', t.booked_at at time zone 'UTC')::date, 0, 0,
  coalesce(sum(abs(t.gateway)) filter (where t.kind = 'CHARGE'), 0),
  coalesce(sum(case when t.kind like '%\_RETURN' then -1 else 1 end * abs(t.gateway)) filter (where t.kind <> 'CHARGE'), 0)
from ledger_transactions as t join invoices as i using (invoice_id)
where t.kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN')
group by 1, 2, 3, 4, 5;
