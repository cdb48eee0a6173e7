-- Who there is: organizations with their apps, releases and plans; businesses with their stores, devices and approvals.

create table organizations (
  organization_id uuid primary key,
  name text not null,
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table apps (
  app_id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  package_name text not null constraint apps_package_name_once unique,
  callback_urls text[] not null,
  status text not null constraint apps_status check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index apps_of_organization on apps (organization_id);

-- Public keys of apps. A private key is shown once, when we made it, and never kept.
create table app_keys (
  app_id uuid not null references apps,
  kid text not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (app_id, kid)
);

create table releases (
  release_id uuid primary key,
  app_id uuid not null references apps,
  version text not null,
  status text not null constraint releases_status check (status in ('SUBMITTED', 'APPROVED', 'REJECTED')),
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint releases_decided check ((status = 'SUBMITTED') = (decided_at is null))
);
create index releases_of_app on releases (app_id, created_at);

-- A plan is a fact once approved: it is retired, never edited, deleted or repriced.
create table plans (
  plan_id uuid primary key,
  app_id uuid not null references apps,
  release_id uuid not null references releases,
  name text not null,
  description text not null,
  amounts jsonb not null, -- [{country, currency, value}], in the order of the upload
  interval text not null constraint plans_interval check (interval in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  trial_period_days integer not null constraint plans_trial check (trial_period_days between 0 and 365),
  trial_eligibility text not null
    constraint plans_trial_eligibility check (trial_eligibility in ('ALWAYS', 'ONCE_PER_BUSINESS')),
  start_policy text not null constraint plans_start_policy check (start_policy = 'IMMEDIATE'),
  cancel_policy text not null constraint plans_cancel_policy check (cancel_policy in ('IMMEDIATE', 'BILLING')),
  grace_period_days integer not null constraint plans_grace check (grace_period_days between 0 and 30),
  scope text not null constraint plans_scope check (scope in ('BUSINESS', 'STORE', 'DEVICE')),
  status text not null constraint plans_status check (status in ('INACTIVE', 'ACTIVE')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  approved_at timestamptz,
  retired_at timestamptz,
  constraint plans_active check ((status = 'ACTIVE') = (approved_at is not null and retired_at is null))
);
create index plans_of_app on plans (app_id, created_at, plan_id);

create table businesses (
  business_id uuid primary key,
  organization_id uuid references organizations, -- the one that made a test merchant
  type text not null constraint businesses_type check (type in ('MERCHANT', 'TEST_MERCHANT')),
  status text not null constraint businesses_status check (status in ('ACTIVE', 'CLOSED')),
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  phone jsonb,
  address jsonb,
  country text not null,
  timezone text not null,
  -- The instant of its test clock. Null: the real time is this business's time.
  test_clock_id uuid,
  clock_now timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint businesses_clock_both check ((test_clock_id is null) = (clock_now is null)),
  constraint businesses_clock_of_test_merchants check (test_clock_id is null or type = 'TEST_MERCHANT')
);

create table stores (
  store_id uuid primary key,
  business_id uuid not null references businesses,
  display_name text not null,
  status text not null constraint stores_status check (status in ('ACTIVE', 'CLOSED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index stores_of_business on stores (business_id, created_at);

create table devices (
  device_id uuid primary key,
  business_id uuid not null references businesses,
  store_id uuid not null references stores,
  name text not null,
  serial_number text not null,
  status text not null constraint devices_status check (status in ('NEW', 'ACTIVE', 'CLOSED')),
  activation_code_hash bytea,
  activation_expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint devices_activation_both check ((activation_code_hash is null) = (activation_expires_at is null))
);
create index devices_of_business on devices (business_id, created_at);

create table approvals (
  business_id uuid not null references businesses,
  app_id uuid not null references apps,
  rights text[] not null,
  approved_at timestamptz not null,
  revoked_at timestamptz,
  primary key (business_id, app_id)
);
create index approvals_of_app on approvals (app_id);

create table payment_methods (
  payment_method_id uuid primary key,
  business_id uuid not null references businesses,
  gateway text not null constraint payment_methods_gateway check (gateway in ('sandbox')),
  reference text not null, -- what the gateway knows it by; no card number ever reaches us
  label text not null,
  -- The default is the one preferred last, so that there is always exactly one.
  preferred_at timestamptz not null,
  created_at timestamptz not null
);
create index payment_methods_of_business on payment_methods (business_id, preferred_at desc, payment_method_id desc);
