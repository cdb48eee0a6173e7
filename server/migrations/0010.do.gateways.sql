-- What real gateways need: who a merchant is to them, what they tell us, and how their books compare with ours.

-- The Stripe adapter's own: the customer that it made for a business. Its idempotency key there lives for a day only.
create table stripe_customers (
  business_id uuid primary key,
  customer_id text not null,
  created_at timestamptz not null
);

-- Hints from gateways. Each is kept once, and taken in by looking at what it is about.
create table gateway_events (
  gateway text not null,
  event_id text not null,
  kind text not null,
  gateway_charge_id text not null,
  received_at timestamptz not null,
  look_at timestamptz, -- real time: the lease of the process that takes it in, then when to try again. Null: it is done
  looks integer not null,
  primary key (gateway, event_id)
);
create index gateway_events_to_take_in on gateway_events (look_at) where look_at is not null;
create index gateway_events_old on gateway_events (received_at);

create unique index charge_objects_at_gateway on charge_objects (gateway, gateway_charge_id);

-- Where the payer goes while a charge waits for them.
alter table charges add column action_url text;

-- Made at the gateway by somebody: the id it has there, so that it is taken in once.
alter table refunds add column gateway_refund_id text;
create unique index refunds_at_gateway_once on refunds (gateway_refund_id) where gateway_refund_id is not null;

-- Money that is owed back, and could not be given.
create index refunds_owed on refunds (invoice_id) where origin = 'LATE_SUCCESS' and status = 'FAILED';

-- A charge or refund by the instant it settled: what a reconciliation goes through.
create index charges_succeeded on charges (settled_at) where status = 'SUCCEEDED';
create index refunds_succeeded on refunds (updated_at) where status = 'SUCCEEDED';

-- One row a comparison of a gateway's books with ours.
create table reconciliations (
  gateway text not null,
  until_at timestamptz not null, -- real time, as all here
  from_at timestamptz not null,
  leased_until timestamptz, -- null: done
  compared integer not null,
  mended integer not null,
  differences integer not null,
  finished_at timestamptz,
  primary key (gateway, until_at),
  constraint reconciliations_span check (from_at < until_at),
  constraint reconciliations_finished check ((leased_until is null) = (finished_at is not null))
);

-- What could not be mended, until a later comparison finds it gone. For people.
create table reconciliation_differences (
  gateway text not null,
  gateway_charge_id text not null,
  kind text not null,
  detail text not null,
  invoice_id uuid, -- absent where we know of none
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  primary key (gateway, gateway_charge_id, kind)
);
create index reconciliation_differences_open on reconciliation_differences (gateway, first_seen_at) where gone_at is null;

alter table payment_methods drop constraint payment_methods_gateway,
  add constraint payment_methods_gateway check (gateway in ('sandbox', 'stripe'));
