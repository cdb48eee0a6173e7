-- Three lanes, so that retries and replays never stand in the way of first attempts; and how hooks fare, for the breaker.

alter table deliveries
  add column lane text not null default 'FIRST'
  constraint deliveries_lane check (lane in ('FIRST', 'RETRY', 'REPLAY'));
update deliveries set lane = 'RETRY' where attempts > 0;

drop index deliveries_due;
create index deliveries_due on deliveries (hook_id, lane, due_at);

-- What first attempts must wait for: earlier ones of the same hook and resource that were never tried. A replay waits for
-- nobody, and nobody for it.
drop index deliveries_untried;
create index deliveries_untried on deliveries (hook_id, resource_id, resource_seq) where lane = 'FIRST';

-- Only hooks that are not well: a row comes with the first failed or slow attempt and goes with the next good one.
-- No foreign key: an attempt may be saved just when its hook is deleted.
create table hook_health (
  hook_id uuid primary key,
  failures integer not null, -- in a row; 0: answers are good but slow
  failing_since timestamptz, -- the first of them, in real time
  gone_since timestamptz, -- since when every answer has been 410
  last_failure text, -- a status, or a word of egress
  opened integer not null, -- how often in a row the breaker has opened
  open_until timestamptz, -- nothing is sent before; then one, to see
  probe_lease uuid, -- whose outcome decides; of a process that dies meanwhile it is over at open_until
  constraint hook_health_since check ((failures > 0) = (failing_since is not null))
) with (fillfactor = 50);
