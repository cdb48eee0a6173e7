-- A redelivery that was begun as a hook listens again: what it sends was missed since then.
alter table redeliveries add column missed_since timestamptz; -- null: a range that was asked for

-- Those under way: only theirs end behind the instant of the request, and began 72 h before what was missed.
update redeliveries set missed_since = start_at + interval '72 hours'
where state = 'RUNNING' and hook_id is not null and status = 'ERRORED' and end_at > created_at;
