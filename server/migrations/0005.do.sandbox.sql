-- The sandbox gateway's own books. Nothing of the service refers to them, as with a gateway that is somebody else's.

create table sandbox_payment_methods (
  reference text primary key,
  key text not null constraint sandbox_payment_methods_key_once unique,
  behaviour text not null constraint sandbox_payment_methods_behaviour check (behaviour in (
    'tok_ok', 'tok_insufficient_funds', 'tok_stolen', 'tok_fail_after_1', 'tok_timeout_then_ok',
    'tok_timeout_then_declined', 'tok_pending', 'tok_action_required', 'tok_refund_fails')),
  created_at timestamptz not null
);

create table sandbox_charges (
  gateway_charge_id text primary key,
  key text not null constraint sandbox_charges_key_once unique,
  amount bigint not null constraint sandbox_charges_amount check (amount > 0),
  currency text not null,
  metadata jsonb not null, -- {invoiceId, businessId}
  created_at timestamptz not null,
  -- The one try that took the money, and from where. Set once, for ever.
  succeeded_key text,
  succeeded_reference text references sandbox_payment_methods,
  succeeded_at timestamptz,
  constraint sandbox_charges_succeeded
    check ((succeeded_key is null) = (succeeded_at is null) and (succeeded_key is null) = (succeeded_reference is null))
);
create index sandbox_charges_succeeded_by on sandbox_charges (succeeded_reference)
  where succeeded_reference is not null;

create table sandbox_confirmations (
  gateway_charge_id text not null references sandbox_charges,
  key text not null,
  reference text not null references sandbox_payment_methods,
  outcome jsonb not null,
  confirmed_at timestamptz not null,
  primary key (gateway_charge_id, key)
);

create table sandbox_refunds (
  gateway_charge_id text not null references sandbox_charges,
  key text not null,
  amount bigint not null constraint sandbox_refunds_amount check (amount > 0),
  outcome jsonb not null,
  refunded_at timestamptz not null,
  primary key (gateway_charge_id, key)
);
