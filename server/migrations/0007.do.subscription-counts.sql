-- How many subscriptions the lists of an app and of a plan hold, kept and not counted: of each status in all, of each day,
-- and for apps of each minute (UTC) in which they were created. Why so: docs/decisions/0007-lists-of-a-million.md.

create table subscription_counts (
  list_id uuid not null, -- the app's or the plan's
  status text not null,
  span text not null constraint subscription_counts_span check (span in ('ALL', 'DAY', 'MINUTE')),
  begins_at timestamptz not null, -- of the span; of ALL: -infinity
  count integer not null,
  primary key (list_id, span, status, begins_at)
) with (fillfactor = 80); -- a count changes in place

-- What is not yet in the counts. Appended only, so that nobody who subscribes waits for another who does; a duty adds the
-- rows up and takes them away. Readers read both.
create table subscription_count_changes (
  app_id uuid not null,
  plan_id uuid not null,
  status text not null,
  minute_at timestamptz not null,
  change integer not null
) with (
  -- Every row dies young, as in deliveries.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0
);
create index subscription_count_changes_of_app on subscription_count_changes (app_id, status);

-- By the table itself, in the transaction of the change, so that no statement of ours or of an operator can forget it.
create function note_subscription_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into subscription_count_changes (app_id, plan_id, status, minute_at, change)
    values (old.app_id, old.plan_id, old.status, date_trunc('minute', old.created_at, 'UTC'), -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into subscription_count_changes (app_id, plan_id, status, minute_at, change)
    values (new.app_id, new.plan_id, new.status, date_trunc('minute', new.created_at, 'UTC'), 1);
  end if;
  return null;
end
$$;
create trigger subscriptions_counted after insert or delete on subscriptions
  for each row execute function note_subscription_count();
create trigger subscriptions_counted_anew after update on subscriptions for each row
  when (
    (old.app_id, old.plan_id, old.status, old.created_at) is distinct from
    (new.app_id, new.plan_id, new.status, new.created_at))
  execute function note_subscription_count();

insert into subscription_counts (list_id, status, span, begins_at, count)
select app_id, status, 'MINUTE', date_trunc('minute', created_at, 'UTC') as minute_at, count(*) from subscriptions
group by app_id, status, minute_at order by app_id, status, minute_at;
insert into subscription_counts (list_id, status, span, begins_at, count)
select list_id, status, 'DAY', date_trunc('day', created_at, 'UTC') as day_at, count(*)
from subscriptions cross join lateral (values (app_id), (plan_id)) as lists (list_id)
group by list_id, status, day_at order by list_id, status, day_at;
insert into subscription_counts (list_id, status, span, begins_at, count)
select list_id, status, 'ALL', '-infinity', sum(count) from subscription_counts
where span = 'DAY' group by list_id, status;

-- A page of one status is one range of such an index; a page of all statuses is two, merged.
create index subscriptions_of_app_by_status on subscriptions (app_id, status, created_at, subscription_id);
create index subscriptions_of_plan_by_status on subscriptions (plan_id, status, created_at, subscription_id);
drop index subscriptions_of_app;
