-- Subscriptions and the money they make. Amounts are integers in the currency's minor unit.

create table subscriptions (
  subscription_id uuid primary key,
  app_id uuid not null references apps,
  organization_id uuid not null references organizations,
  business_id uuid not null references businesses,
  plan_id uuid not null references plans,
  bundle_id uuid not null,
  store_id uuid references stores,
  device_id uuid references devices,
  test_clock_id uuid, -- on a test clock: that clock drives it, and the scheduler never sees it
  merchant_type text not null
    constraint subscriptions_merchant_type check (merchant_type in ('MERCHANT', 'TEST_MERCHANT')),
  country text not null,
  currency text not null,
  amount integer not null constraint subscriptions_amount check (amount between 0 and 99999999),
  phase text not null constraint subscriptions_phase check (phase in ('TRIAL', 'FULL')),
  status text not null constraint subscriptions_status check (status in ('ACTIVE', 'ENDED')),
  payment_status text not null
    constraint subscriptions_payment_status check (payment_status in ('CURRENT', 'PAST_DUE')),
  start_at timestamptz not null,
  started_at timestamptz not null,
  trial_end_at timestamptz,
  -- The paid phase: period n of a term is [anchor + n·interval, anchor + (n+1)·interval).
  anchor_at timestamptz,
  term integer not null constraint subscriptions_term check (term >= 0),
  period_index integer,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  cancel_at timestamptz,
  ended_at timestamptz,
  end_reason text constraint subscriptions_end_reason check (end_reason in ('CANCELLED', 'NON_PAYMENT', 'OPERATOR')),
  -- Dunning: from the first refusal until all is paid or the grace is over.
  first_refused_at timestamptz,
  grace_end_at timestamptz,
  next_retry_at timestamptz,
  -- The one charge whose outcome is awaited.
  awaited_charge_id uuid,
  -- Computed from the row: when to look at it again. Null: nothing will happen by time alone.
  next_action_at timestamptz,
  -- The instant of the last trigger that was applied; it never goes back.
  last_trigger_at timestamptz not null,
  -- Counts the events of this subscription: their order, taken under the row's lock.
  resource_seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint subscriptions_trial check (phase = 'FULL' or trial_end_at is not null),
  constraint subscriptions_full check ((phase = 'FULL') = (anchor_at is not null and period_index is not null)),
  constraint subscriptions_ended check ((status = 'ENDED') = (ended_at is not null)),
  constraint subscriptions_end_reason_given check ((status = 'ENDED') = (end_reason is not null)),
  constraint subscriptions_past_due
    check (status = 'ENDED' or (payment_status = 'PAST_DUE') = (first_refused_at is not null)),
  constraint subscriptions_grace check ((first_refused_at is null) = (grace_end_at is null)),
  constraint subscriptions_ended_is_quiet
    check (status = 'ACTIVE' or (next_action_at is null and next_retry_at is null and cancel_at is null)),
  constraint subscriptions_period check (current_period_start < current_period_end)
);
-- Decisions 5: a second live one to the same plan for the same business, store or device is refused.
create unique index subscriptions_live_once on subscriptions (plan_id, business_id, store_id, device_id)
  nulls not distinct where status = 'ACTIVE';
create index subscriptions_of_app on subscriptions (app_id, created_at, subscription_id);
create index subscriptions_of_business on subscriptions (business_id, app_id, created_at, subscription_id);
-- The whole scheduler: the row is the timer.
create index subscriptions_due on subscriptions (next_action_at)
  where next_action_at is not null and test_clock_id is null;
create index subscriptions_due_on_clock on subscriptions (test_clock_id, next_action_at)
  where next_action_at is not null and test_clock_id is not null;
create index subscriptions_past_due_of_business on subscriptions (business_id)
  where payment_status = 'PAST_DUE' and status = 'ACTIVE';

create table invoices (
  invoice_id uuid primary key,
  number text not null,
  organization_id uuid not null references organizations,
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  subscription_id uuid not null references subscriptions,
  plan_id uuid not null references plans,
  term integer not null,
  period_index integer not null,
  status text not null constraint invoices_status check (status in ('OPEN', 'PAID', 'UNCOLLECTIBLE', 'VOID')),
  country text not null,
  currency text not null,
  amount bigint not null constraint invoices_amount check (amount >= 0),
  amount_paid bigint not null,
  amount_refunded bigint not null,
  lines jsonb not null, -- [{kind, description, amount, periodStart, periodEnd}]; never edited
  period_start timestamptz not null,
  period_end timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The first lock against a double charge: a period has one invoice.
  constraint invoices_period_once unique (subscription_id, term, period_index),
  constraint invoices_number_once unique (organization_id, number),
  constraint invoices_paid check (amount_paid = case when status = 'PAID' then amount else 0 end),
  constraint invoices_refunded check (amount_refunded between 0 and amount_paid)
);
create index invoices_open_of_subscription on invoices (subscription_id, term, period_index) where status = 'OPEN';
create index invoices_of_business on invoices (business_id, created_at, invoice_id);

-- Gap-free numbers: the counter moves in the transaction of the invoice.
create table invoice_counters (
  organization_id uuid not null references organizations,
  series text not null,
  last_number integer not null,
  primary key (organization_id, series)
);

-- The second lock: one charge object at the gateway for an invoice, its id stored before it is confirmed.
create table charge_objects (
  invoice_id uuid primary key references invoices,
  gateway text not null,
  gateway_charge_id text not null,
  created_at timestamptz not null
);

-- One row a try at the gateway.
create table charges (
  charge_id uuid primary key,
  invoice_id uuid not null references invoices,
  subscription_id uuid not null references subscriptions,
  business_id uuid not null,
  test_clock_id uuid,
  payment_method_id uuid references payment_methods, -- null: there was none, which counts as a soft refusal
  amount bigint not null constraint charges_amount check (amount > 0),
  currency text not null,
  status text not null constraint charges_status
    check (status in (
      'IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED', 'REFUSED_SOFT', 'REFUSED_HARD', 'WITHDRAWN')),
  reason text,
  started_at timestamptz not null, -- in the business's time
  settled_at timestamptz,
  waits_until timestamptz, -- pending and action required wait until then, in the business's time
  look_at timestamptz, -- in real time: the lease of a call in flight, then when to look it up
  looks integer not null,
  constraint charges_settled check ((status in ('SUCCEEDED', 'REFUSED_SOFT', 'REFUSED_HARD', 'WITHDRAWN')) = (settled_at is not null)),
  -- One that was given up is looked at for longer: its money may come after all.
  constraint charges_looked_after check (settled_at is not null or look_at is not null),
  constraint charges_wait check ((status in ('PENDING', 'ACTION_REQUIRED')) = (waits_until is not null))
);
-- The third lock: one try per invoice that has succeeded or might yet.
create unique index charges_one_alive on charges (invoice_id)
  where status in ('IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED');
create index charges_of_invoice on charges (invoice_id, started_at, charge_id);
create index charges_to_look_at on charges (look_at) where look_at is not null;
create index charges_unsettled_of_subscription on charges (subscription_id) where look_at is not null;
create index charges_unsettled_on_clock on charges (test_clock_id) where look_at is not null and test_clock_id is not null;

create table refunds (
  refund_id uuid primary key,
  invoice_id uuid not null references invoices,
  business_id uuid not null,
  amount bigint not null constraint refunds_amount check (amount > 0),
  currency text not null,
  reason text not null,
  origin text not null constraint refunds_origin check (origin in ('API', 'LATE_SUCCESS', 'GATEWAY')),
  status text not null constraint refunds_status check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  look_at timestamptz, -- real time, as in charges
  looks integer not null,
  constraint refunds_looked_after check ((status = 'PENDING') = (look_at is not null)),
  constraint refunds_failure check ((status = 'FAILED') = (failure is not null))
);
create index refunds_of_invoice on refunds (invoice_id, created_at, refund_id);
create index refunds_to_look_at on refunds (look_at) where look_at is not null;

-- Double entry: the entries of a transaction sum to zero. Appended, never changed.
create table ledger_transactions (
  ledger_transaction_id uuid primary key,
  kind text not null constraint ledger_transactions_kind check (kind in ('CHARGE', 'REFUND')),
  source_id uuid not null, -- the charge or refund it books
  invoice_id uuid not null references invoices,
  business_id uuid not null,
  currency text not null,
  booked_at timestamptz not null,
  constraint ledger_transactions_source_once unique (kind, source_id)
);
create table ledger_entries (
  ledger_transaction_id uuid not null references ledger_transactions,
  position integer not null,
  account text not null constraint ledger_entries_account check (account in ('GATEWAY', 'ORGANIZATION')),
  owner_id uuid, -- the organization, for its account
  amount bigint not null, -- debit positive, credit negative
  primary key (ledger_transaction_id, position),
  constraint ledger_entries_owner check ((account = 'ORGANIZATION') = (owner_id is not null))
);

create table test_clocks (
  test_clock_id uuid primary key,
  business_id uuid not null constraint test_clocks_one_per_business unique references businesses,
  status text not null constraint test_clocks_status check (status in ('READY', 'ADVANCING')),
  target_at timestamptz,
  leased_until timestamptz, -- real time: the process that advances it
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint test_clocks_target check ((status = 'ADVANCING') = (target_at is not null))
);

-- A row whose handling threw stands aside until then, is shown in health, and holds nobody up.
create table set_aside (
  kind text not null,
  row_id uuid not null,
  failures integer not null,
  last_error text not null,
  blocked_until timestamptz not null,
  primary key (kind, row_id)
);
