-- What the report of a month adds up, kept and not counted: of each currency and interval what began to pay, what left, which trials
-- were over and which of them have paid. Why so: docs/decisions/0010-ledger.md.

create table revenue_sums (
  currency text not null,
  interval text not null, -- of the plans
  month date not null, -- its first day, in UTC
  kind text not null constraint revenue_sums_kind check (kind in ('BEGUN', 'LEFT', 'TRIAL_OVER', 'CONVERTED')),
  count bigint not null,
  amount bigint not null, -- prices of a period; of trials 0
  primary key (currency, interval, month, kind)
) with (fillfactor = 80); -- a sum changes in place

-- What is not yet in the sums. Appended only, so that nobody who subscribes waits for another who does; a duty adds the rows up and
-- takes them away. Readers read both.
create table revenue_changes (
  plan_id uuid not null,
  currency text not null,
  month date not null,
  kind text not null,
  count integer not null,
  amount bigint not null
) with (
  -- Every row dies young, as in deliveries.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0
);

-- Those of which an invoice was paid that had a trial. An invoice that is paid stays so, also when the money goes back.
create table trial_conversions (
  subscription_id uuid primary key -- no foreign key: an invoice holds it
);
insert into trial_conversions (subscription_id)
select distinct i.subscription_id from invoices as i join subscriptions as s using (subscription_id)
where i.status = 'PAID' and s.trial_end_at is not null;

-- What a subscription counts for. It pays from the end of its trial, or its start, until its end; one that came and went within a month
-- is in no month's number. Test merchants and free plans count for nothing. A trial is over by its time, once that was
-- carried out, or by its end.
create function revenue_facts(s subscriptions) returns table (kind text, month date, amount bigint)
language sql stable as $$
  select f.kind, f.month, f.amount
  from (
    select s.phase = 'FULL' as is_paying, coalesce(s.trial_end_at, s.started_at) as began_at,
      least(s.trial_end_at, s.ended_at) as trial_over_at) as at
  cross join lateral (
    select date_trunc('month', at.began_at at time zone 'UTC')::date as began,
      date_trunc('month', s.ended_at at time zone 'UTC')::date as ended,
      date_trunc('month', at.trial_over_at at time zone 'UTC')::date as trial_over) as months
  cross join lateral (values
    ('BEGUN', months.began, s.amount::bigint, at.is_paying and coalesce(months.ended > months.began, true)),
    ('LEFT', months.ended, s.amount::bigint, at.is_paying and coalesce(months.ended > months.began, false)),
    ('TRIAL_OVER', months.trial_over, 0, s.trial_end_at is not null and (at.is_paying or s.status = 'ENDED')),
    ('CONVERTED', months.trial_over, 0, s.trial_end_at is not null and at.is_paying
      and exists (select 1 from trial_conversions as c where c.subscription_id = s.subscription_id))
  ) as f (kind, month, amount, counts)
  where s.merchant_type = 'MERCHANT' and s.amount > 0 and f.counts
$$;

insert into revenue_sums (currency, interval, month, kind, count, amount)
select s.currency, p.interval, f.month, f.kind, count(*), sum(f.amount)
from subscriptions as s join plans as p using (plan_id) cross join lateral revenue_facts(s) as f
group by s.currency, p.interval, f.month, f.kind;

-- By the tables themselves, in the transaction of the change, so that no statement of ours or of an operator can forget it.
create function note_revenue() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select old.plan_id, old.currency, f.month, f.kind, -1, -f.amount from revenue_facts(old) as f;
  end if;
  if tg_op <> 'DELETE' then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select new.plan_id, new.currency, f.month, f.kind, 1, f.amount from revenue_facts(new) as f;
  end if;
  return null;
end
$$;
create trigger subscriptions_revenue after insert or delete on subscriptions
  for each row execute function note_revenue();
-- No renewal changes any of these.
create trigger subscriptions_revenue_anew after update on subscriptions for each row
  when (
    (old.plan_id, old.merchant_type, old.currency, old.amount, old.phase, old.status, old.started_at, old.trial_end_at,
      old.ended_at) is distinct from
    (new.plan_id, new.merchant_type, new.currency, new.amount, new.phase, new.status, new.started_at, new.trial_end_at,
      new.ended_at))
  execute function note_revenue();

create function note_conversion() returns trigger language plpgsql as $$
begin
  insert into trial_conversions (subscription_id)
  select s.subscription_id from subscriptions as s
  where s.subscription_id = new.subscription_id and s.trial_end_at is not null
  on conflict do nothing;
  if found then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select s.plan_id, s.currency, f.month, f.kind, 1, f.amount
    from subscriptions as s cross join lateral revenue_facts(s) as f
    where s.subscription_id = new.subscription_id and f.kind = 'CONVERTED';
  end if;
  return null;
end
$$;
create trigger invoices_conversion after insert on invoices for each row
  when (new.status = 'PAID') execute function note_conversion();
create trigger invoices_conversion_anew after update on invoices for each row
  when (old.status <> 'PAID' and new.status = 'PAID') execute function note_conversion();
