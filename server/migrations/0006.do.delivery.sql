-- Webhooks: who listens, what was told, and how far each telling has come.

create table hooks (
  hook_id uuid primary key,
  app_id uuid not null references apps,
  business_id uuid references businesses, -- null: all merchants of the app
  delivery_url text not null,
  secret bytea not null, -- sealed with the master key
  event_types text[] not null, -- sorted
  -- SHA-256 of the URL and the event types: together they may be longer than an index entry can be.
  fingerprint bytea not null,
  active boolean not null,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint hooks_same_is_same unique nulls not distinct (app_id, business_id, fingerprint)
);

-- Facts. One immutable body for one hook; the row is the outbox. Partitioned by the UTC day of its UUIDv7.
create table notifications (
  recorded_day date not null,
  notification_id uuid not null,
  hook_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  event_type text not null,
  resource_id uuid not null,
  resource_seq integer not null,
  delivery_url text not null,
  body text not null,
  recorded_at timestamptz not null, -- real time
  primary key (recorded_day, notification_id)
) partition by range (recorded_day);
create index notifications_of_app on notifications (app_id, notification_id);
create index notifications_of_business on notifications (business_id, notification_id);
create index notifications_of_resource on notifications (resource_id, notification_id);

-- Every POST that was made. Appended only.
create table attempts (
  recorded_day date not null, -- the notification's, so that both leave together
  notification_id uuid not null,
  attempt_id uuid not null,
  attempt integer not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  reason text,
  answer text not null,
  primary key (recorded_day, notification_id, attempt_id),
  constraint attempts_ended_somehow check ((http_status is null) <> (reason is null) or reason = 'redirect')
) partition by range (recorded_day);

-- Finished deliveries, and how they ended.
create table outcomes (
  recorded_day date not null,
  notification_id uuid not null,
  hook_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  status text not null constraint outcomes_status check (status in ('DELIVERED', 'ERRORED')),
  reason text,
  attempts integer not null,
  finished_at timestamptz not null,
  primary key (recorded_day, notification_id)
) partition by range (recorded_day);
-- What people look for in the history is what failed, and it is rare.
create index outcomes_errored_of_app on outcomes (app_id, notification_id) where status = 'ERRORED';
create index outcomes_errored_of_business on outcomes (business_id, notification_id) where status = 'ERRORED';

-- Progress: only what is unfinished, so that the table stays small. It carries the body: a claim reads one table.
-- No lease column stands in an index, so that a claim is a HOT update.
create table deliveries (
  notification_id uuid primary key,
  recorded_day date not null,
  hook_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  resource_id uuid not null,
  resource_seq integer not null,
  body text not null,
  attempts integer not null, -- made so far
  due_at timestamptz not null,
  recorded_at timestamptz not null,
  lease_id uuid,
  leased_until timestamptz
) with (
  fillfactor = 50,
  -- Every row dies young: dead ones must not pile up at the head of the queue.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0
);
create index deliveries_due on deliveries (hook_id, due_at);
-- What first attempts must wait for: earlier ones of the same hook and resource that were never tried.
create index deliveries_untried on deliveries (hook_id, resource_id, resource_seq) where attempts = 0;

create table orders (
  order_id uuid primary key,
  business_id uuid not null references businesses,
  store_id uuid not null references stores,
  device_id uuid not null references devices,
  status text not null constraint orders_status check (status in ('OPENED', 'COMPLETED', 'CANCELLED')),
  amount bigint,
  currency text,
  reference text,
  note text,
  resource_seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint orders_amount_with_currency check ((amount is null) = (currency is null))
);
create index orders_of_business on orders (business_id, created_at, order_id);
