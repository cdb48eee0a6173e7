-- Hooks that had no room when a redelivery of many hooks came to what was theirs, each with the last notification that was looked at before:
-- they are gone through at its end.
alter table redeliveries add column later jsonb not null default '{}';

-- What was recorded before and is still queued is not sent: it was missed while the service had disabled the hook.
alter table hooks add column skip_before timestamptz; -- nothing where all of it was ended at once
