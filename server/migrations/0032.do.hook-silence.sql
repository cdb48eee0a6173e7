-- Days in which nothing was sent to a hook are no days of failing.
alter table hook_health add column last_failed_at timestamptz;

-- Since when a hook that does not listen misses what happens: it began to fail, or was switched off. What else is changed of it, and a test that it
-- passes, leave it as it is.
alter table hooks add column off_since timestamptz; -- nothing while it is active
update hooks as h set off_since = coalesce(
  (select b.failing_since from hook_health as b where b.hook_id = h.hook_id), h.updated_at)
where not h.active;
