-- The schema of Tillhook, grouped by context. `server/schema.sql` shows the resulting catalog.
--
-- Times are real time unless a comment says "business time": the time of the test clock of a test merchant.
-- Amounts are integers in the currency's minor unit.

-- ====================================================================================================
-- Platform: idempotency, throttling, mail
-- ====================================================================================================

-- Responses stored under an idempotency key, in the transaction of their work. Kept for 24 hours.
create table idempotency_keys (
  key_hash bytea primary key, -- SHA-256 of caller, method, path and key
  body_hash bytea not null, -- SHA-256 of the request body
  status integer not null,
  answer bytea not null, -- sealed with the master key: it may contain secrets
  recorded_at timestamptz not null
);
create index idempotency_keys_recorded on idempotency_keys (recorded_at);

-- Failed attempts per user and per address, shared by all processes.
create table throttles (
  kind text not null,
  key_hash bytea not null,
  attempts integer not null,
  attempted_at timestamptz not null,
  open_at timestamptz not null, -- no attempt before this time
  primary key (kind, key_hash)
);
create index throttles_old on throttles (attempted_at);

-- Mail to send. A row is deleted once its mail is sent.
create table mails (
  mail_id uuid primary key,
  sealed bytea not null, -- recipient and content: may contain a link that opens an account
  attempts integer not null,
  due_at timestamptz not null, -- also the end of a lease
  created_at timestamptz not null,
  expires_at timestamptz not null, -- a mail that no relay has accepted by then is deleted
  last_error text -- a code: the words of a relay may name the recipient
);
create index mails_due on mails (due_at);

-- The latest test mail of each person of the operator, also after its mail is sent.
create table test_mails (
  user_id uuid primary key,
  mail_id uuid not null unique,
  recipient text not null,
  state text not null constraint test_mails_state check (state in ('WAITING', 'SENT', 'FAILED')),
  attempts integer not null,
  recorded_at timestamptz not null,
  answer text, -- of the relay, to the latest attempt
  answered_at timestamptz
);

-- The daily summaries of the last days: a person gets at most one a day.
create table daily_summaries (
  user_id uuid not null,
  day date not null, -- UTC
  primary key (user_id, day)
);

-- The words of a name, an e-mail address or a package name, for searches by the beginnings of words. core/search.ts splits alike.
create function search_words(words text) returns tsvector language sql immutable strict parallel safe as $$
  select to_tsvector('simple'::regconfig, regexp_replace(words, '[!-/:-@[-`{-~]+', ' ', 'g'))
$$;

-- Requests that apps made, for 7 days. Partitioned by the UTC day of the id; the partitions are unlogged, because the log may be lost.
create table api_requests (
  day date not null,
  api_request_id uuid not null, -- UUIDv7
  app_id uuid not null, -- no foreign key: the log costs as little as possible
  at timestamptz not null,
  request_id text not null,
  method text not null,
  route text not null,
  status integer not null,
  duration_ms integer not null,
  business_id uuid,
  business_user_id uuid
) partition by range (day);
create index api_requests_of_app on api_requests (app_id, api_request_id);

-- ====================================================================================================
-- Catalog: organizations, apps, releases, plans
-- ====================================================================================================

-- Developers. An organization owns apps.
create table organizations (
  organization_id uuid primary key,
  name text not null,
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index organizations_by_words on organizations using gin (search_words(name || ' ' || email));

create function reject_to_change_former_organizations() returns trigger language plpgsql as $$
begin
  raise exception 'former_organization_names is append-only: % is rejected', lower(tg_op);
end
$$;

-- An organization's name and e-mail before each change, append-only, so that an invoice keeps the sender that it was issued by.
-- An invoice belongs to the first row that is younger than the invoice, or else to the current organization.
create table former_organization_names (
  until_id uuid primary key, -- made in real time at the change, as invoice ids are
  organization_id uuid not null references organizations,
  name text not null,
  email text not null
);
create index former_organization_names_of_one on former_organization_names (organization_id, until_id);

create trigger former_organization_names_append_only before update or delete or truncate on former_organization_names
  for each statement execute function reject_to_change_former_organizations();

-- An organization's name and address on its invoices, append-only: an invoice keeps the seller that it was issued under.
create table organization_sellers (
  -- made in real time, as invoice ids are: the seller of an invoice is the latest one before it
  seller_id uuid primary key,
  organization_id uuid not null references organizations,
  legal_name text not null,
  address jsonb,
  tax_id text,
  created_at timestamptz not null
);
create index organization_sellers_of_organization on organization_sellers (organization_id, seller_id);

-- The tax rates of an organization: the operator's table unless a row says otherwise.
create table tax_settings (
  organization_id uuid primary key references organizations,
  source text not null constraint tax_settings_source check (source in ('OPERATOR', 'OWN', 'NONE')),
  updated_at timestamptz not null
);

-- Tax rates by the buyer's country and date. A rate applies until the next date.
create table tax_rates (
  tax_rate_id uuid primary key,
  organization_id uuid references organizations, -- null: the operator's table
  country text not null,
  valid_from date not null,
  behavior text not null constraint tax_rates_behavior check (behavior in ('INCLUSIVE', 'EXCLUSIVE', 'NONE')),
  name text not null,
  rate integer not null constraint tax_rates_rate check (rate between 0 and 1000000), -- millionths
  -- the address of the buyer decides the rate, and rate applies to addresses without a rate
  by_address boolean not null default false
    constraint tax_rates_by_address check (not by_address or (organization_id is null and behavior <> 'NONE')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint tax_rates_once unique nulls not distinct (organization_id, country, valid_from)
);

create table apps (
  app_id uuid primary key,
  organization_id uuid not null references organizations,
  name text not null,
  package_name text not null constraint apps_package_name_once unique,
  callback_urls text[] not null,
  status text not null constraint apps_status check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  icon_sha256 text constraint apps_icon_sha256 check (icon_sha256 ~ '^[0-9a-f]{64}$'),
  icon_content_type text
    constraint apps_icon_content_type check (icon_content_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- since the operator disabled the app: nothing of its subscriptions is charged. Stays until each subscription goes on.
  held_since timestamptz,
  resumed_to uuid, -- the subscriptions up to this id go on already
  -- developers cannot enable an app that the operator disabled
  disabled_by text constraint apps_disabled_by check (disabled_by in ('DEVELOPER', 'OPERATOR')),
  constraint apps_held check (disabled_by is distinct from 'OPERATOR' or held_since is not null),
  constraint apps_disabled_by_somebody check ((status = 'DISABLED') = (disabled_by is not null)),
  constraint apps_icon_whole check (num_nulls(icon_sha256, icon_content_type) in (0, 2))
);
create index apps_by_words on apps using gin (search_words(name || ' ' || package_name));
create index apps_held on apps (app_id) where held_since is not null;
create index apps_of_organization on apps (organization_id, app_id);

-- Public keys of apps. A private key that Tillhook made is shown once and never stored.
create table app_keys (
  app_id uuid not null references apps,
  kid text not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  last_used_at timestamptz, -- of the newest token by an assertion, an hour late at most
  last_used_from text, -- address of the caller of that token
  revoked_at timestamptz,
  primary key (app_id, kid)
);

-- Icons are stored in the database so that every process can serve them.
create table app_icons (
  app_id uuid primary key references apps,
  bytes bytea not null constraint app_icons_size check (octet_length(bytes) between 1 and 262144)
);
-- The bytes are already compressed.
alter table app_icons alter column bytes set storage external;

create table releases (
  release_id uuid primary key,
  app_id uuid not null references apps,
  version text not null,
  status text not null
    constraint releases_status check (status in ('SUBMITTED', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  notes text, -- for the reviewer
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  package_size integer constraint releases_package_size check (package_size > 0),
  package_sha256 text constraint releases_package_sha256 check (package_sha256 ~ '^[0-9a-f]{64}$'),
  package_content_type text,
  -- What an APK says about itself: package name, version code, signer, permissions, label, icon.
  apk jsonb constraint releases_apk check (apk is null or package_size is not null),
  constraint releases_decided check ((status = 'SUBMITTED') = (decided_at is null)),
  constraint releases_package_whole check (num_nulls(package_size, package_sha256, package_content_type) in (0, 3))
);
create index releases_of_app on releases (app_id, created_at);
create index releases_submitted on releases (release_id) where status = 'SUBMITTED';

-- What the operator asks about a release in review, and what the developer answers.
create table release_messages (
  message_id uuid primary key,
  release_id uuid not null references releases,
  author text not null constraint release_messages_author check (author in ('OPERATOR', 'DEVELOPER')),
  text text not null,
  created_at timestamptz not null
);
create index release_messages_of_release on release_messages (release_id, created_at);

-- The next release of an app as far as it is written. It becomes the release with the same id.
create table release_drafts (
  draft_id uuid primary key,
  app_id uuid not null constraint release_drafts_once unique references apps,
  revision integer not null constraint release_drafts_revision check (revision > 0),
  version text not null,
  notes text not null,
  plans jsonb not null, -- valid definitions, each with the id of the plan that it becomes
  package_size integer,
  package jsonb, -- size, SHA-256, content type, and what an APK says about itself
  updated_at timestamptz not null,
  constraint release_drafts_package_whole check (num_nulls(package_size, package) in (0, 2))
);

-- The package of a release or of a draft, in chunks: no process holds a whole package in memory.
create table package_chunks (
  release_id uuid not null, -- the id of the draft is that of its release
  position integer not null constraint package_chunks_position check (position >= 0),
  bytes bytea not null,
  primary key (release_id, position)
);
-- The bytes are already compressed.
alter table package_chunks alter column bytes set storage external;

-- An approved plan is never edited, deleted or repriced, only retired.
create table plans (
  plan_id uuid primary key,
  app_id uuid not null references apps,
  release_id uuid not null references releases,
  name text not null,
  description text not null,
  amounts jsonb not null, -- [{country, currency, value}], in the order of the upload
  interval text not null constraint plans_interval check (interval in ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  interval_count integer not null constraint plans_interval_count check (interval_count between 1 and 12),
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

-- ====================================================================================================
-- Merchants: businesses, stores, devices, approvals
-- ====================================================================================================

-- Merchants and test merchants.
create table businesses (
  business_id uuid primary key,
  organization_id uuid references organizations, -- the organization that created a test merchant
  type text not null constraint businesses_type check (type in ('MERCHANT', 'TEST_MERCHANT')),
  status text not null constraint businesses_status check (status in ('ACTIVE', 'CLOSED')),
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  phone jsonb,
  address jsonb,
  country text not null,
  timezone text not null,
  billing_email text, -- gets the mails about money; null: email_address
  tax_id text,
  tax_id_status text constraint businesses_tax_id_status check (tax_id_status in ('VALID', 'INVALID')), -- null: not verified
  tax_id_check_at timestamptz, -- next check by the service for tax ids; null: never
  tax_rate_check_at timestamptz, -- next look-up of the tax rate of the address, if the country has rates by address; null: never
  language text not null default 'en' constraint businesses_language check (language in ('en', 'de', 'fr', 'es')),
  mails_off text[] not null default '{}', -- kinds of mail that the business switched off
  test_clock_id uuid,
  clock_now timestamptz, -- the test clock's current time; null: this business uses real time
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint businesses_clock_both check ((test_clock_id is null) = (clock_now is null)),
  constraint businesses_clock_of_test_merchants check (test_clock_id is null or type = 'TEST_MERCHANT')
);
create index businesses_by_words on businesses
  using gin (search_words(legal_name || ' ' || doing_business_as || ' ' || email_address));
create index businesses_tax_id_due on businesses (tax_id_check_at) where tax_id_check_at is not null;
create index businesses_tax_rate_due on businesses (country, tax_rate_check_at) where tax_rate_check_at is not null;
create index businesses_of_organization on businesses (organization_id, business_id) where organization_id is not null;

-- The tax rates of a merchant's address, as the provider answered. A business with another address has no rates.
create table address_tax_rates (
  business_id uuid primary key references businesses,
  country text not null,
  address jsonb, -- the address that the provider was asked for
  rates jsonb not null, -- [{validFrom, rate, jurisdictions: [{name, rate}]}], oldest first; empty: no answer yet
  confirmed_until date, -- the last day that the provider was asked for
  problem text, -- of the last look-up; null: an answer
  checked_at timestamptz not null
);
create index address_tax_rates_failed on address_tax_rates (checked_at) where problem is not null;

create function reject_to_change_former_names() returns trigger language plpgsql as $$
begin
  raise exception 'former_business_names is append-only: % is rejected', lower(tg_op);
end
$$;

-- A business's name and address before each change, append-only, so that an invoice keeps naming the customer it was issued to.
-- An invoice belongs to the first row that is younger than the invoice, or else to the current business.
create table former_business_names (
  until_id uuid primary key, -- made in real time at the change, as invoice ids are
  business_id uuid not null references businesses,
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  address jsonb,
  country text not null,
  tax_id text
);
create index former_business_names_of_business on former_business_names (business_id, until_id);

create trigger former_business_names_append_only before update or delete or truncate on former_business_names
  for each statement execute function reject_to_change_former_names();

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
create unique index devices_of_activation_code on devices (activation_code_hash)
  where activation_code_hash is not null;
create index devices_by_words on devices using gin (search_words(name || ' ' || serial_number));
create index devices_of_business on devices (business_id, created_at);

-- A terminal has one active key. A new activation revokes the previous key.
create table device_keys (
  device_key_id uuid primary key,
  device_id uuid not null references devices,
  business_id uuid not null references businesses,
  kid text not null,
  public_jwk jsonb not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create unique index device_keys_active_once on device_keys (device_id) where revoked_at is null;

-- People who use a merchant's terminals.
create table business_users (
  business_user_id uuid primary key,
  business_id uuid not null references businesses,
  user_id text not null,
  name text not null,
  role text not null constraint business_users_role check (role in ('MANAGER', 'CLERK')),
  status text not null constraint business_users_status check (status in ('ACTIVE', 'DISABLED')),
  passcode_hash text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index business_users_user_id_once on business_users (business_id, lower(user_id));

-- A business user signed in on a terminal.
create table terminal_sessions (
  session_id uuid primary key,
  token_hash bytea not null constraint terminal_sessions_token_once unique,
  business_user_id uuid not null references business_users on delete cascade,
  device_id uuid not null references devices,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz
);
create index terminal_sessions_idle on terminal_sessions (used_at);
create index terminal_sessions_of_device on terminal_sessions (device_id) where ended_at is null;
create index terminal_sessions_of_user on terminal_sessions (business_user_id) where ended_at is null;

-- A merchant approved an app.
create table approvals (
  business_id uuid not null references businesses,
  app_id uuid not null references apps,
  rights text[] not null,
  approved_at timestamptz not null,
  revoked_at timestamptz,
  primary key (business_id, app_id)
);
create index approvals_of_app on approvals (app_id, business_id);

-- An app on a terminal, as the terminal's package manager reported it.
create table installed_apps (
  device_id uuid not null references devices,
  app_id uuid not null references apps,
  version text not null,
  signer_sha256 text not null constraint installed_apps_signer check (signer_sha256 ~ '^[0-9a-f]{64}$'),
  permissions text[] not null,
  installed_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (device_id, app_id)
);

-- The Android permissions of an app that the merchant approved, for all of its terminals.
create table app_permissions (
  business_id uuid not null references businesses,
  app_id uuid not null references apps,
  permissions text[] not null,
  -- Of a business user, who may be removed later.
  approved_by uuid not null,
  approved_at timestamptz not null,
  primary key (business_id, app_id)
);

-- ====================================================================================================
-- Access: people, sign-in, tokens
-- ====================================================================================================

create table users (
  user_id uuid primary key,
  email text not null, -- as typed
  email_key text not null constraint users_email_once unique, -- in lower case: two spellings are one mailbox
  name text not null,
  language text constraint users_language check (language in ('en', 'de', 'fr', 'es')), -- null: the browser's
  password_hash text not null,
  status text not null constraint users_status check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A workspace that a user may work in. A removed membership stays, so that sessions and the audit trail can name it.
create table memberships (
  membership_id uuid primary key,
  user_id uuid not null references users,
  kind text not null constraint memberships_kind check (kind in ('OPERATOR', 'DEVELOPER', 'MERCHANT')),
  organization_id uuid references organizations,
  business_id uuid references businesses,
  role text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  constraint memberships_place check (
    (organization_id is not null) = (kind = 'DEVELOPER') and (business_id is not null) = (kind = 'MERCHANT')),
  constraint memberships_role check (
    kind = 'OPERATOR' and role in ('ADMIN', 'VIEWER')
    or kind = 'DEVELOPER' and role in ('ADMIN', 'MEMBER', 'VIEWER')
    or kind = 'MERCHANT' and role in ('OWNER', 'MANAGER', 'VIEWER'))
);
create index memberships_of_business on memberships (business_id) where removed_at is null;
create index memberships_of_operator on memberships (kind) where removed_at is null and kind = 'OPERATOR';
create index memberships_of_organization on memberships (organization_id) where removed_at is null;
create unique index memberships_once on memberships (user_id, kind, organization_id, business_id) nulls not distinct
  where removed_at is null;

create table invitations (
  invitation_id uuid primary key,
  secret_hash bytea not null constraint invitations_secret_once unique,
  email text not null,
  kind text not null constraint invitations_kind check (kind in ('OPERATOR', 'DEVELOPER', 'MERCHANT')),
  organization_id uuid references organizations,
  business_id uuid references businesses,
  role text not null,
  invited_by uuid references users, -- null: the operator, by the operator key
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users,
  revoked_at timestamptz,
  constraint invitations_accepted_both check ((accepted_at is null) = (accepted_by is null)),
  constraint invitations_one_end check (accepted_at is null or revoked_at is null),
  constraint invitations_place check (
    (organization_id is not null) = (kind = 'DEVELOPER') and (business_id is not null) = (kind = 'MERCHANT'))
);
create index invitations_of_business on invitations (business_id, created_at);
create index invitations_of_organization on invitations (organization_id, created_at);
create index invitations_over on invitations (expires_at);
create index invitations_recent on invitations (created_at);

create table sessions (
  session_id uuid primary key,
  token_hash bytea not null constraint sessions_token_once unique,
  user_id uuid not null references users,
  membership_id uuid not null references memberships,
  address text not null,
  agent text not null, -- the browser's name for itself, shown to the session's owner
  second_factor_at timestamptz, -- when this session passed the second factor
  created_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_old on sessions (created_at);

-- A viewing: an operator's session sees a workspace as its viewer.
create table viewings (
  viewing_id uuid primary key,
  session_id uuid not null references sessions on delete cascade,
  user_id uuid not null references users,
  organization_id uuid references organizations,
  business_id uuid references businesses,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz, -- by the operator, or set to ends_at when the next viewing begins
  constraint viewings_of_one_workspace check ((organization_id is null) <> (business_id is null))
);
create unique index viewings_one_at_a_time on viewings (session_id) where ended_at is null;
create index viewings_of_session on viewings (session_id);

-- What people of the operator note about an organization, an app or a merchant, for each other.
create table notes (
  note_id uuid primary key,
  subject text not null constraint notes_subject check (subject in ('ORGANIZATION', 'APP', 'BUSINESS')),
  subject_id uuid not null,
  text text not null,
  author text not null,
  created_at timestamptz not null
);
create index notes_of_subject on notes (subject, subject_id, note_id);

-- Logins of command lines, which a person approves in the browser (RFC 8628).
create table device_logins (
  device_login_id uuid primary key,
  device_code_hash bytea not null constraint device_logins_device_code_once unique,
  user_code text not null constraint device_logins_user_code_once unique,
  address text not null,
  agent text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  polled_at timestamptz,
  decision text constraint device_logins_decision check (decision in ('APPROVED', 'DENIED')),
  user_id uuid references users, -- the person who decided, with the session and its membership
  session_id uuid,
  membership_id uuid references memberships,
  used_at timestamptz, -- when the device received its session
  constraint device_logins_decided check (
    num_nulls(decision, user_id, session_id, membership_id) in (0, 4)
    and (used_at is null or decision = 'APPROVED'))
);
create index device_logins_over on device_logins (expires_at);

-- Requests for a new password, answered before the account is looked up. A row is deleted once it is handled.
create table password_reset_requests (
  request_id uuid primary key,
  sealed bytea not null, -- the email address, which may belong to no account
  created_at timestamptz not null
);
create index password_reset_requests_asked on password_reset_requests (created_at);

create table password_resets (
  reset_id uuid primary key,
  user_id uuid not null references users,
  secret_hash bytea not null constraint password_resets_secret_once unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_user on password_resets (user_id);
create index password_resets_over on password_resets (expires_at);

create table second_factors (
  user_id uuid primary key references users,
  secret bytea not null, -- sealed with the master key
  last_step bigint not null, -- the time step of the last accepted code: no code is accepted twice
  created_at timestamptz not null,
  confirmed_at timestamptz,
  recovery_codes_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The operator's brand. Without a row, pages show the default.
create table brands (
  brand_id smallint primary key constraint brands_at_most_one check (brand_id = 1),
  name text not null,
  accent text constraint brands_accent check (accent ~ '^#[0-9a-f]{6}$'),
  support_url text,
  terms_url text,
  privacy_url text,
  imprint_url text,
  mail_name text,
  logo_content_type text,
  logo_sha256 text constraint brands_logo_sha256 check (logo_sha256 ~ '^[0-9a-f]{64}$'),
  logo bytea constraint brands_logo_size check (octet_length(logo) between 1 and 262144),
  updated_at timestamptz not null,
  constraint brands_whole_logo check (num_nulls(logo_content_type, logo_sha256, logo) in (0, 3))
);
-- The bytes are already compressed.
alter table brands alter column logo set storage external;

-- Hashes of the operator key.
create table operator_keys (
  key_hash bytea primary key,
  created_at timestamptz not null
);

create table signing_keys (
  kid text primary key,
  private_jwk bytea not null, -- sealed with the master key
  public_jwk jsonb not null,
  created_at timestamptz not null,
  -- the key stops signing at this time; in the future when its successor has just been published
  retired_at timestamptz
);

-- A refresh token and all access tokens made from it; or the token of a terminal.
create table grants (
  grant_id uuid primary key,
  app_id uuid references apps, -- null: a terminal's own grant
  business_id uuid references businesses,
  -- the app key that proved the grant: revoking the key revokes the grant. Null: requested by a business user on a terminal
  kid text,
  refresh_token_hash bytea constraint grants_refresh_token_once unique,
  created_at timestamptz not null,
  used_at timestamptz not null,
  revoked_at timestamptz,
  store_id uuid references stores,
  device_id uuid references devices,
  business_user_id uuid, -- no foreign key: the user may be deleted
  constraint grants_of_app_or_terminal check (app_id is not null or device_id is not null),
  constraint grants_of_terminal_have_a_place
    check (device_id is null or (store_id is not null and business_id is not null)),
  constraint grants_refreshed_by_whom_a_key_proved check ((kid is null) = (refresh_token_hash is null))
);
create index grants_idle on grants (used_at);
create index grants_not_refreshed on grants (used_at) where refresh_token_hash is null;
create index grants_of_business on grants (app_id, business_id) where business_id is not null;
create index grants_of_business_user on grants (business_user_id) where business_user_id is not null;
create index grants_of_device on grants (device_id) where device_id is not null;
create index grants_of_key on grants (app_id, kid);
create index grants_revoked on grants (revoked_at) where revoked_at is not null;

-- An assertion is accepted once: its use is recorded in the transaction that creates the grant.
create table assertion_uses (
  issuer_id uuid not null,
  jti text not null,
  expires_at timestamptz not null,
  primary key (issuer_id, jti)
);
create index assertion_uses_expired on assertion_uses (expires_at);

-- A merchant's consent, sent back to an app: valid once, for 15 minutes.
create table authorization_codes (
  code_hash bytea primary key,
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  redirect_uri text not null,
  redirect_uri_named boolean not null, -- false: the app has a single callback URL and did not name it
  code_challenge text, -- RFC 7636, S256
  expires_at timestamptz not null,
  created_at timestamptz not null,
  grant_id uuid, -- no foreign key: grants are purged
  used_at timestamptz,
  constraint authorization_codes_used_both check ((grant_id is null) = (used_at is null))
);
create index authorization_codes_expired on authorization_codes (expires_at);

-- ====================================================================================================
-- Money: subscriptions, invoices, charges, refunds
-- ====================================================================================================

-- No card number ever reaches Tillhook.
create table payment_methods (
  payment_method_id uuid primary key,
  business_id uuid not null references businesses,
  gateway text not null constraint payment_methods_gateway check (gateway in ('sandbox', 'stripe')),
  reference text not null, -- the gateway's id of the payment method
  label text not null,
  preferred_at timestamptz not null, -- the default is the method preferred last, so there is always exactly one
  created_at timestamptz not null,
  brand text,
  last4 text constraint payment_methods_last4 check (last4 ~ '^[0-9]{4}$'),
  expires text constraint payment_methods_expires check (expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'), -- the last month of the card
  removed_at timestamptz, -- a removed method is never charged again; charges keep naming it
  constraint payment_methods_card_whole check (num_nulls(brand, last4, expires) in (0, 3))
);
create index payment_methods_of_business on payment_methods (business_id, preferred_at desc, payment_method_id desc)
  where removed_at is null;
create index payment_methods_expiring on payment_methods (expires) where removed_at is null;

create table subscriptions (
  subscription_id uuid primary key,
  app_id uuid not null references apps,
  organization_id uuid not null references organizations,
  business_id uuid not null references businesses,
  plan_id uuid not null references plans,
  bundle_id uuid not null,
  store_id uuid references stores,
  device_id uuid references devices,
  test_clock_id uuid, -- driven by that test clock instead of the scheduler
  merchant_type text not null
    constraint subscriptions_merchant_type check (merchant_type in ('MERCHANT', 'TEST_MERCHANT')),
  country text not null,
  currency text not null,
  amount bigint not null constraint subscriptions_amount check (amount between 0 and 9999999999),
  phase text not null constraint subscriptions_phase check (phase in ('TRIAL', 'FULL')),
  status text not null constraint subscriptions_status check (status in ('PENDING', 'ACTIVE', 'ENDED')),
  payment_status text not null constraint subscriptions_payment_status check (payment_status in ('CURRENT', 'PAST_DUE')),
  start_at timestamptz not null,
  started_at timestamptz not null,
  trial_end_at timestamptz,
  anchor_at timestamptz, -- period n of a term is [anchor + n * k * interval, anchor + (n + 1) * k * interval)
  term integer not null constraint subscriptions_term check (term >= 0),
  period_index integer,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  cancel_at timestamptz,
  ended_at timestamptz,
  end_reason text
    constraint subscriptions_end_reason check (
      end_reason in ('CANCELLED', 'DISPUTED', 'NON_PAYMENT', 'NOT_STARTED', 'OPERATOR')),
  first_declined_at timestamptz, -- dunning: from the first decline until everything is paid or the grace period ends
  grace_end_at timestamptz,
  next_retry_at timestamptz,
  awaited_charge_id uuid, -- the charge whose outcome is awaited
  next_action_at timestamptz, -- computed from the row; null: nothing happens by time alone
  last_trigger_at timestamptz not null, -- the time of the last trigger applied; never moves back
  resource_seq integer not null, -- numbers this subscription's events, under the row lock
  created_at timestamptz not null,
  updated_at timestamptz not null,
  pending_plan_id uuid references plans, -- replaces the plan at the end of the current period
  pending_amount bigint constraint subscriptions_pending_amount check (pending_amount between 0 and 9999999999),
  trial_ending_at timestamptz, -- when to send TRIAL_ENDING; null once sent
  failures integer not null default 0, -- in a row: not 0, quarantined until retry_at
  last_error text,
  retry_at timestamptz, -- real time
  constraint subscriptions_end_reason_given check ((status = 'ENDED') = (end_reason is not null)),
  constraint subscriptions_ended check ((status = 'ENDED') = (ended_at is not null)),
  constraint subscriptions_ended_is_quiet check (status <> 'ENDED'
    or (next_action_at is null and next_retry_at is null and cancel_at is null and pending_plan_id is null)),
  constraint subscriptions_full check ((phase = 'FULL') = (anchor_at is not null and period_index is not null)),
  constraint subscriptions_grace check ((first_declined_at is null) = (grace_end_at is null)),
  constraint subscriptions_past_due
    check (status = 'ENDED' or (payment_status = 'PAST_DUE') = (first_declined_at is not null)),
  constraint subscriptions_pending check ((pending_plan_id is null) = (pending_amount is null)),
  constraint subscriptions_period check (current_period_start < current_period_end),
  constraint subscriptions_trial check (phase = 'FULL' or trial_end_at is not null),
  constraint subscriptions_trial_ending check (trial_ending_at is null or phase = 'TRIAL')
) with (fillfactor = 60);
-- Why a merchant cancelled, in the merchant's words. Optional; a later cancellation replaces it.
create table cancellation_reasons (
  subscription_id uuid primary key references subscriptions,
  reason text not null constraint cancellation_reasons_reason
    check (reason in ('TOO_EXPENSIVE', 'NOT_USED', 'MISSING_FEATURE', 'TECHNICAL_PROBLEMS', 'OTHER')),
  comment text not null,
  created_at timestamptz not null
);
-- The scheduler: the row is the timer.
create index subscriptions_due on subscriptions (next_action_at)
  where next_action_at is not null and test_clock_id is null;
create index subscriptions_due_on_clock on subscriptions (test_clock_id, next_action_at)
  where next_action_at is not null and test_clock_id is not null;
-- A business, store or device has at most one live subscription to a plan.
create unique index subscriptions_live_once on subscriptions (plan_id, business_id, store_id, device_id) nulls not distinct
  where status <> 'ENDED';
-- A page of results with one status reads one range; a page of all statuses merges two.
create index subscriptions_of_app_by_status on subscriptions (app_id, status, created_at, subscription_id);
create index subscriptions_of_business on subscriptions (business_id, app_id, created_at, subscription_id);
-- The merchants of an organization, newest first.
create index subscriptions_of_organization on subscriptions (organization_id, business_id);
create index subscriptions_of_plan_by_status on subscriptions (plan_id, status, created_at, subscription_id);
create index subscriptions_quarantined on subscriptions (failures) where failures > 0;
create index subscriptions_past_due_of_business on subscriptions (business_id)
  where payment_status = 'PAST_DUE' and status = 'ACTIVE';
-- Lists over all apps of a caller. These indexes are small: few subscriptions are past due, on trial or of test merchants.
create index subscriptions_on_trial_of_app on subscriptions (app_id, created_at, subscription_id)
  where phase = 'TRIAL' and status = 'ACTIVE';
create index subscriptions_past_due_of_app on subscriptions (app_id, created_at, subscription_id)
  where payment_status = 'PAST_DUE' and status = 'ACTIVE';
create index subscriptions_of_test_merchants on subscriptions (app_id, status, created_at, subscription_id)
  where merchant_type = 'TEST_MERCHANT';

-- Every app that a business has had on trial.
create table app_trials (
  business_id uuid not null references businesses,
  app_id uuid not null references apps,
  primary key (business_id, app_id)
);

-- A purchase for a merchant to confirm: a new plan, another plan, or a cancellation to undo.
create table purchases (
  purchase_id uuid primary key, -- also the bundle of the resulting subscription
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  store_id uuid references stores,
  device_id uuid references devices,
  business_user_id uuid, -- who asked, at a terminal; no foreign key: the user may be deleted
  kind text not null constraint purchases_kind check (kind in ('SUBSCRIBE', 'REPLACE', 'RESTORE')),
  plan_id uuid not null references plans,
  subscription_id uuid references subscriptions, -- the subscription to replace or restore, or the one that resulted
  invoice_id uuid, -- the invoice of the purchase
  status text not null constraint purchases_status check (status in ('OPEN', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  opened_by text not null constraint purchases_opened_by check (opened_by in ('TERMINAL', 'APP')),
  secret_hash bytea, -- of the URL of the purchase screen; a purchase of an app needs a signed-in person instead
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  terminal_session_id uuid, -- no foreign key: sessions are purged
  constraint purchases_charged_when_completed check (invoice_id is null or status = 'COMPLETED'),
  constraint purchases_ended check ((status = 'OPEN') = (ended_at is null)),
  constraint purchases_of_a_subscription check ((kind = 'SUBSCRIBE' and status <> 'COMPLETED') = (subscription_id is null)),
  constraint purchases_of_terminals_have_a_place
    check (opened_by <> 'TERMINAL' or (store_id is not null and device_id is not null)),
  constraint purchases_of_terminals_have_a_secret check ((opened_by = 'TERMINAL') = (secret_hash is not null))
);
create index purchases_never_completed on purchases (ended_at) where status in ('CANCELLED', 'EXPIRED');
create index purchases_open on purchases (expires_at) where status = 'OPEN';
create index purchases_open_of_app on purchases (app_id, business_id, expires_at) where status = 'OPEN';

create table test_clocks (
  test_clock_id uuid primary key,
  business_id uuid not null constraint test_clocks_one_per_business unique references businesses,
  status text not null constraint test_clocks_status check (status in ('READY', 'ADVANCING')),
  target_at timestamptz,
  leased_until timestamptz, -- real time: the lease of the process that advances the clock
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint test_clocks_target check ((status = 'ADVANCING') = (target_at is not null))
);

create table invoices (
  invoice_id uuid primary key,
  number text not null,
  organization_id uuid not null references organizations,
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  subscription_id uuid not null references subscriptions,
  plan_id uuid not null references plans,
  merchant_type text not null
    constraint invoices_merchant_type check (merchant_type in ('MERCHANT', 'TEST_MERCHANT')),
  term integer not null,
  period_index integer not null,
  status text not null constraint invoices_status check (status in ('OPEN', 'PAID', 'UNCOLLECTIBLE', 'VOID')),
  country text not null,
  currency text not null,
  amount bigint not null constraint invoices_amount check (amount >= 0), -- what is left to pay after credit
  amount_paid bigint not null,
  amount_refunded bigint not null,
  lines jsonb not null, -- [{kind, description, amount, net, tax, taxRate, periodStart, periodEnd}]
  period_start timestamptz not null,
  period_end timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- taken off by CREDIT lines
  credit_applied bigint not null constraint invoices_credit_applied check (credit_applied >= 0),
  -- charged back, without what refunds had already returned
  lost_in_disputes bigint not null default 0
    constraint invoices_lost_in_disputes check (lost_in_disputes >= 0),
  tax jsonb, -- {name, behavior, rate, isReverseCharge, rateSource, jurisdictions, net, tax, gross, sellerTaxId, buyerTaxId}; null: no tax settings applied
  constraint invoices_number_once unique (organization_id, number),
  -- Prevents a double charge, first part: a period has one invoice.
  constraint invoices_period_once unique (subscription_id, term, period_index),
  constraint invoices_paid check (amount_paid = case when status = 'PAID' then amount else 0 end),
  constraint invoices_refunded check (amount_refunded between 0 and amount_paid)
);
create index invoices_of_app on invoices (app_id, merchant_type, invoice_id);
create index invoices_of_business on invoices (business_id, created_at, invoice_id);
-- Invoices that were given up are rare and searched for.
create index invoices_uncollected on invoices (app_id, invoice_id) where status in ('UNCOLLECTIBLE', 'VOID');
-- So are refunded invoices.
create index invoices_refunded on invoices (app_id, merchant_type, invoice_id) where amount_refunded > 0;
create index invoices_open_of_subscription on invoices (subscription_id, term, period_index) where status = 'OPEN';

-- An issued invoice is never edited: only its status and the paid, refunded and disputed amounts change.
create function reject_to_edit_invoices() returns trigger language plpgsql as $$
begin
  raise exception 'an invoice that is issued is never edited: % is rejected', lower(tg_op);
end
$$;
create trigger invoices_never_edited before delete or truncate or update of
  invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, period_index, country,
  currency, amount, credit_applied, lines, tax, period_start, period_end, created_at
  on invoices for each statement execute function reject_to_edit_invoices();

-- Invoice numbers have no gaps: the counter moves in the transaction of the invoice.
create table invoice_counters (
  organization_id uuid not null references organizations,
  series text not null,
  last_number integer not null,
  primary key (organization_id, series)
);

-- An invoice has one charge object at the gateway. Its id is stored before the charge is confirmed.
create table charge_objects (
  invoice_id uuid primary key references invoices,
  gateway text not null,
  gateway_charge_id text not null,
  created_at timestamptz not null
);
create unique index charge_objects_at_gateway on charge_objects (gateway, gateway_charge_id);

-- One row per attempt at the gateway.
create table charges (
  charge_id uuid primary key,
  invoice_id uuid not null references invoices,
  subscription_id uuid not null references subscriptions,
  app_id uuid not null,
  business_id uuid not null,
  merchant_type text not null
    constraint charges_merchant_type check (merchant_type in ('MERCHANT', 'TEST_MERCHANT')),
  test_clock_id uuid,
  payment_method_id uuid references payment_methods, -- null: the business had none, which counts as a soft decline
  amount bigint not null constraint charges_amount check (amount > 0),
  currency text not null,
  status text not null
    constraint charges_status check (status in (
      'IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED', 'DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN')),
  reason text,
  started_at timestamptz not null, -- business time
  settled_at timestamptz,
  waits_until timestamptz, -- business time
  next_poll_at timestamptz, -- real time: the next poll; while leased, the end of the lease
  leased boolean not null default false, -- a process is asking the gateway
  poll_count integer not null,
  action_url text, -- where the payer confirms the payment
  failures integer not null default 0, -- in a row: not 0, quarantined until next_poll_at
  last_error text,
  -- A charge that was given up is polled for longer: its payment may still arrive.
  constraint charges_polled check (settled_at is not null or next_poll_at is not null),
  constraint charges_settled
    check ((status in ('SUCCEEDED', 'DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN')) = (settled_at is not null)),
  constraint charges_wait check ((status in ('PENDING', 'ACTION_REQUIRED')) = (waits_until is not null))
);
-- Charges that were declined and later succeeded, for the recovery rate of a month.
create index charges_late_successes on charges (settled_at) where status = 'SUCCEEDED' and reason is not null;
create index charges_of_app on charges (app_id, merchant_type, charge_id);
create index charges_of_invoice on charges (invoice_id, started_at, charge_id);
-- Declined and withdrawn charges are rare and searched for.
create index charges_failed_of_app on charges (app_id, charge_id)
  where status in ('DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN');
-- Prevents a double charge, second part: an invoice has one attempt that has succeeded or still might.
create unique index charges_one_alive on charges (invoice_id)
  where status in ('IN_FLIGHT', 'PENDING', 'ACTION_REQUIRED', 'UNKNOWN', 'SUCCEEDED');
create index charges_quarantined on charges (failures) where failures > 0;
-- For the recovery rate.
create index charges_declined on charges (settled_at) where status in ('DECLINED_SOFT', 'DECLINED_HARD');
-- Charges and refunds by the time they settled, for reconciliations.
create index charges_succeeded on charges (settled_at) where status = 'SUCCEEDED';
create index charges_to_poll on charges (next_poll_at) where next_poll_at is not null;
create index charges_unsettled_on_clock on charges (test_clock_id)
  where next_poll_at is not null and test_clock_id is not null;

create table refunds (
  refund_id uuid primary key,
  invoice_id uuid not null references invoices,
  business_id uuid not null,
  amount bigint not null constraint refunds_amount check (amount > 0),
  currency text not null,
  reason text not null,
  origin text not null constraint refunds_origin check (origin in ('API', 'LATE_SUCCESS', 'GATEWAY', 'OUT_OF_BAND')),
  status text not null constraint refunds_status check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  failure text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_poll_at timestamptz, -- real time, as in charges
  poll_count integer not null,
  gateway_refund_id text, -- set when the refund was made at the gateway, so that it is applied once
  failures integer not null default 0, -- as in charges
  last_error text,
  constraint refunds_failure check ((status = 'FAILED') = (failure is not null)),
  constraint refunds_polled check ((status = 'PENDING') = (next_poll_at is not null))
);
create unique index refunds_at_gateway_once on refunds (gateway_refund_id) where gateway_refund_id is not null;
create index refunds_of_invoice on refunds (invoice_id, created_at, refund_id);
create index refunds_quarantined on refunds (failures) where failures > 0;
-- Late payments that could not be refunded.
create index refunds_owed on refunds (invoice_id) where origin = 'LATE_SUCCESS' and status = 'FAILED';
create index refunds_succeeded on refunds (updated_at) where status = 'SUCCEEDED';
create index refunds_to_poll on refunds (next_poll_at) where next_poll_at is not null;

-- Numbers of credit notes have no gap.
create table credit_note_counters (
  organization_id uuid not null,
  series text not null,
  last_number integer not null,
  primary key (organization_id, series)
);

-- The record of a refund that succeeded, or of credit for the unused part of a period. Never edited.
create table credit_notes (
  credit_note_id uuid primary key,
  number text not null,
  organization_id uuid not null,
  business_id uuid not null,
  invoice_id uuid not null references invoices,
  refund_id uuid references refunds constraint credit_notes_refund_once unique, -- null: credit of a plan change
  amount bigint not null constraint credit_notes_amount check (amount > 0), -- with tax
  tax bigint not null constraint credit_notes_tax check (tax between 0 and amount),
  currency text not null,
  created_at timestamptz not null, -- business time
  constraint credit_notes_number_once unique (organization_id, number)
);
create unique index credit_notes_credit_once on credit_notes (invoice_id) where refund_id is null;
create index credit_notes_of_invoice on credit_notes (invoice_id, created_at, credit_note_id);

create function reject_to_edit_credit_notes() returns trigger language plpgsql as $$
begin
  raise exception 'a credit note is never edited: % is rejected', lower(tg_op);
end
$$;
create trigger credit_notes_never_edited before update or delete or truncate on credit_notes
  for each statement execute function reject_to_edit_credit_notes();

-- Disputes that gateways reported. A lost dispute that the bank later reverses becomes WON.
create table disputes (
  dispute_id uuid primary key,
  gateway text not null,
  gateway_dispute_id text not null,
  invoice_id uuid not null references invoices,
  amount bigint not null constraint disputes_amount check (amount > 0),
  status text not null constraint disputes_status check (status in ('OPEN', 'LOST', 'WON')),
  evidence_due_at timestamptz, -- real time; null: the gateway names none
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_once unique (gateway, gateway_dispute_id)
);
create index disputes_of_invoice on disputes (invoice_id);

-- The answers to disputes, as the gateway accepted them.
create table dispute_evidence (
  dispute_id uuid primary key references disputes,
  organization_id uuid not null references organizations,
  business_id uuid not null references businesses,
  product_description text,
  customer_communication text,
  uncategorized_text text,
  sent_at timestamptz not null, -- real time
  constraint dispute_evidence_text check (
    coalesce(product_description, customer_communication, uncategorized_text) is not null)
);

-- One row: when billing ran last, and the last outage of more than a day with the operator's decision.
create table billing_progress (
  singleton boolean primary key default true constraint billing_progress_singleton check (singleton),
  last_run_at timestamptz not null,
  outage_from timestamptz,
  outage_until timestamptz,
  state text constraint billing_progress_state check (state in ('WAITING', 'RELEASED', 'SPREAD', 'WAIVED')),
  goes_on_at timestamptz, -- without a decision the backlog is billed from then on
  decided_at timestamptz,
  spread_days integer constraint billing_progress_spread check (spread_days between 1 and 60),
  constraint billing_progress_outage check (num_nulls(outage_from, outage_until, state, goes_on_at) in (0, 4))
);

-- Jobs that end all subscriptions of an app that the operator disabled.
create table app_endings (
  ending_id uuid primary key,
  app_id uuid not null references apps,
  refund_unused boolean not null,
  state text not null constraint app_endings_state check (state in ('RUNNING', 'DONE', 'STOPPED')),
  total integer not null, -- live subscriptions when the job began
  ended integer not null,
  refunds integer not null,
  failed integer not null,
  reached_id uuid, -- the subscriptions up to this id are done
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index app_endings_one_running on app_endings (app_id) where state = 'RUNNING';
create index app_endings_of_app on app_endings (app_id, created_at, ending_id);

-- Credit of a business with an organization: the sum of its movements. A transaction that spends credit locks the row.
create table credit_balances (
  business_id uuid not null references businesses,
  organization_id uuid not null references organizations,
  currency text not null,
  balance bigint not null,
  updated_at timestamptz not null,
  taken_back bigint not null, -- a balance may fall below zero by at most this amount
  primary key (business_id, organization_id, currency),
  constraint credit_balances_balance check (balance + taken_back >= 0 and taken_back >= 0)
);

-- Append-only. An invoice grants, uses, returns and takes back credit at most once each.
create table credit_movements (
  invoice_id uuid not null references invoices,
  kind text not null constraint credit_movements_kind check (kind in ('GRANT', 'USE', 'RETURN', 'TAKE_BACK')),
  business_id uuid not null,
  organization_id uuid not null,
  currency text not null,
  amount bigint not null,
  created_at timestamptz not null,
  primary key (invoice_id, kind),
  foreign key (business_id, organization_id, currency) references credit_balances,
  -- The amount of a TAKE_BACK falls to zero when its refund fails.
  constraint credit_movements_amount check (amount > 0 or kind = 'TAKE_BACK' and amount = 0)
);
create index credit_movements_of_balance on credit_movements (business_id, organization_id, currency, created_at);

-- ====================================================================================================
-- Money: ledger
-- ====================================================================================================

-- Double entry, append-only: a row has one amount per account (debits positive, credits negative), and they sum to zero.
create table ledger_transactions (
  ledger_transaction_id uuid primary key,
  kind text not null
    constraint ledger_transactions_kind check (kind in (
      'CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN', 'CREDIT', 'CREDIT_USE', 'FEE', 'PAYOUT',
      'ADJUSTMENT')),
  source_id uuid not null, -- the charge, refund, dispute, invoice or booking of an organization
  invoice_id uuid references invoices, -- null: a booking of an organization
  business_id uuid,
  currency text not null,
  booked_at timestamptz not null,
  live boolean not null, -- false: a test merchant's, owed to no one
  share_basis_points integer, -- the operator's share of the charge; refunds and chargebacks use the same
  organization_id uuid not null,
  gateway bigint not null,
  organization bigint not null,
  operator bigint not null,
  business_credit bigint not null,
  tax bigint not null default 0, -- collected for the tax office
  constraint ledger_transactions_source_once unique (kind, source_id),
  constraint ledger_transactions_share check (
    (kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN')) = (share_basis_points is not null)
    and share_basis_points between 0 and 10000),
  constraint ledger_transactions_of_organization check (
    case when kind in ('FEE', 'PAYOUT', 'ADJUSTMENT') then num_nonnulls(invoice_id, business_id) = 0
      else num_nulls(invoice_id, business_id) = 0 end),
  constraint ledger_transactions_sum_to_zero check (gateway + organization + operator + business_credit + tax = 0)
);
-- The outbox of the tax provider's books: the bookings of invoices with rates by address.
create table tax_records (
  ledger_transaction_id uuid primary key references ledger_transactions,
  invoice_id uuid not null references invoices,
  amount bigint not null constraint tax_records_amount check (amount <> 0), -- with tax; below 0: returned
  tax bigint not null, -- collected; below 0: returned
  calculation_id text, -- of a sale, stored before the sale is recorded
  provider_id text, -- of a recorded sale
  provider_tax bigint, -- the tax in the provider's books
  recorded bigint not null default 0, -- the part of the amount in the provider's books, at least 0
  reversed bigint not null default 0 constraint tax_records_reversed check (reversed between 0 and greatest(amount, 0)),
  problem text, -- of the last attempt
  next_attempt_at timestamptz, -- null: recorded
  constraint tax_records_recorded check (recorded between 0 and abs(amount)),
  constraint tax_records_done check (next_attempt_at is not null or recorded = abs(amount))
);
create index tax_records_of_invoice on tax_records (invoice_id, ledger_transaction_id);
create index tax_records_due on tax_records (next_attempt_at) where next_attempt_at is not null;
create index tax_records_failed on tax_records (ledger_transaction_id) where problem is not null;

create index ledger_transactions_of_business on ledger_transactions (business_id);
create index ledger_transactions_of_organization on ledger_transactions (organization_id, booked_at, ledger_transaction_id);
create index ledger_transactions_of_invoice on ledger_transactions (invoice_id);
-- For reports over all organizations: bookings are appended in the order of their time.
create index ledger_transactions_by_time on ledger_transactions using brin (booked_at);

create function reject_to_change_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % of % is rejected', lower(tg_op), tg_table_name;
end
$$;
create trigger ledger_transactions_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function reject_to_change_ledger();

-- Fees, payouts and adjustments that the operator booked for an organization.
create table organization_bookings (
  booking_id uuid primary key,
  organization_id uuid not null references organizations,
  kind text not null constraint organization_bookings_kind check (kind in ('FEE', 'PAYOUT', 'ADJUSTMENT')),
  currency text not null,
  amount bigint not null constraint organization_bookings_amount check (amount > 0 or (kind <> 'FEE' and amount <> 0)), -- below 0: money that came back
  reference text not null, -- of the bank transfer, or the reason
  created_at timestamptz not null,
  -- the same transfer is booked once
  constraint organization_bookings_once unique (organization_id, kind, reference)
);
create index organization_bookings_recent on organization_bookings (organization_id, created_at, booking_id);

-- Accounts of organizations at the payout provider.
create table payout_accounts (
  organization_id uuid primary key references organizations,
  account_id text not null, -- at the provider
  is_ready boolean not null default false, -- the provider accepts transfers to the account
  created_at timestamptz not null
);

-- Transfers to these accounts. A transfer has a booking from its success on.
create table payout_transfers (
  transfer_id uuid primary key, -- also the key at the provider
  organization_id uuid not null references organizations,
  account_id text not null,
  month text not null, -- of the statement, YYYY-MM
  currency text not null,
  amount bigint not null,
  status text not null constraint payout_transfers_status check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
  provider_transfer_id text,
  failure text,
  amount_reversed bigint not null default 0,
  next_poll_at timestamptz, -- null: nothing is expected any more
  poll_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payout_transfers_amount check (amount > 0),
  constraint payout_transfers_reversed check (amount_reversed between 0 and amount),
  constraint payout_transfers_provider check ((status = 'SUCCEEDED') = (provider_transfer_id is not null))
);
create unique index payout_transfers_once on payout_transfers (organization_id, month, currency) where status <> 'FAILED';
create index payout_transfers_recent on payout_transfers (organization_id, created_at, transfer_id);
create index payout_transfers_due on payout_transfers (next_poll_at) where next_poll_at is not null;

-- Sums of the ledger per plan and month (UTC) of `booked_at`. A booking of an organization has nil ids of app and plan.
create table ledger_totals (
  organization_id uuid not null,
  live boolean not null,
  currency text not null,
  month date not null, -- its first day
  app_id uuid not null,
  plan_id uuid not null,
  kind text not null,
  count integer not null,
  gateway bigint not null,
  organization bigint not null,
  operator bigint not null,
  business_credit bigint not null,
  tax bigint not null,
  primary key (organization_id, live, currency, month, plan_id, kind)
) with (fillfactor = 80);

-- Changes not yet added to `ledger_totals`: append-only, so that charges of one plan do not wait for each other.
-- A background job adds them up and deletes them. Readers read both tables.
create table ledger_total_changes (
  organization_id uuid not null,
  live boolean not null,
  currency text not null,
  month date not null,
  app_id uuid not null,
  plan_id uuid not null,
  kind text not null,
  count integer not null,
  gateway bigint not null,
  organization bigint not null,
  operator bigint not null,
  business_credit bigint not null,
  tax bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- The tax of the bookings of a month by country, currency and rate, for the tax report.
create table tax_totals (
  organization_id uuid not null,
  live boolean not null,
  month date not null, -- its first day, UTC, in business time
  country text not null, -- of the buyer
  currency text not null,
  name text not null,
  rate integer not null, -- millionths
  is_reverse_charge boolean not null,
  net bigint not null, -- without tax, less everything returned
  collected bigint not null,
  returned bigint not null,
  primary key (live, month, organization_id, country, currency, name, rate, is_reverse_charge)
) with (fillfactor = 80);

-- Changes not yet added to `tax_totals`, as in `ledger_total_changes`.
create table tax_total_changes (
  organization_id uuid not null,
  live boolean not null,
  month date not null,
  country text not null,
  currency text not null,
  name text not null,
  rate integer not null,
  is_reverse_charge boolean not null,
  net bigint not null,
  collected bigint not null,
  returned bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index ledger_total_changes_of_organization on ledger_total_changes (organization_id);

-- Adds the bookings of a statement to the changes of the totals.
create function add_bookings_to_totals() returns trigger language plpgsql as $$
begin
  insert into ledger_total_changes (
    organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit,
    tax)
  select a.organization_id, a.live, a.currency, date_trunc('month', a.booked_at at time zone 'UTC')::date,
    coalesce(i.app_id, '00000000-0000-0000-0000-000000000000'), coalesce(i.plan_id, '00000000-0000-0000-0000-000000000000'),
    a.kind, count(*), sum(a.gateway), sum(a.organization), sum(a.operator), sum(a.business_credit),
    sum(a.tax)
  from added as a left join invoices as i on i.invoice_id = a.invoice_id
  group by 1, 2, 3, 4, 5, 6, 7;
  with moved as (
    select i.app_id, i.plan_id, i.merchant_type, a.currency, i.country, (a.booked_at at time zone 'UTC')::date as day, of.kind,
      sum(of.sign) as count, sum(of.sign * abs(a.gateway)) as amount
    from added as a join invoices as i on i.invoice_id = a.invoice_id
      join (values ('CHARGE', 'COLLECTED', 1), ('REFUND', 'REFUNDED', 1), ('REFUND_RETURN', 'REFUNDED', -1),
        ('CHARGEBACK', 'CHARGED_BACK', 1), ('CHARGEBACK_RETURN', 'CHARGED_BACK', -1)) as of (booked, kind, sign)
        on of.booked = a.kind
    group by 1, 2, 3, 4, 5, 6, 7),
  by_country as (
    insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
    select app_id, merchant_type, currency, country, date_trunc('month', day)::date, 0, 0,
      coalesce(sum(amount) filter (where kind = 'COLLECTED'), 0), coalesce(sum(amount) filter (where kind <> 'COLLECTED'), 0)
    from moved group by 1, 2, 3, 4, 5)
  insert into revenue_day_changes (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
  select app_id, plan_id, merchant_type, currency, day, kind, sum(count), sum(amount)
  from moved group by 1, 2, 3, 4, 5, 6;
  insert into tax_total_changes (
    organization_id, live, month, country, currency, name, rate, is_reverse_charge, net, collected, returned)
  select a.organization_id, a.live, date_trunc('month', a.booked_at at time zone 'UTC')::date, i.country, a.currency,
    i.tax ->> 'name', (i.tax ->> 'rate')::integer, (i.tax ->> 'isReverseCharge')::boolean,
    sum(-a.organization - a.operator), coalesce(sum(-a.tax) filter (where a.tax < 0), 0),
    coalesce(sum(a.tax) filter (where a.tax > 0), 0)
  from added as a join invoices as i on i.invoice_id = a.invoice_id
  where i.tax is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end
$$;
create trigger ledger_transactions_totalled after insert on ledger_transactions referencing new table as added
  for each statement execute function add_bookings_to_totals();

-- ====================================================================================================
-- Money: counts and sums that lists and reports read
-- ====================================================================================================

-- Number of subscriptions in the lists of an app and of a plan, by status: in total, per day, and for apps per minute (UTC) of
-- creation.
create table subscription_counts (
  list_id uuid not null, -- the app's or the plan's id
  status text not null,
  span text not null constraint subscription_counts_span check (span in ('ALL', 'DAY', 'MINUTE')),
  begins_at timestamptz not null, -- -infinity for ALL
  count integer not null,
  primary key (list_id, span, status, begins_at)
) with (fillfactor = 80);

-- Changes not yet added to `subscription_counts`, as in `ledger_total_changes`.
create table subscription_count_changes (
  app_id uuid not null,
  plan_id uuid not null,
  status text not null,
  minute_at timestamptz not null,
  change integer not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index subscription_count_changes_of_app on subscription_count_changes (app_id, status);

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

-- Sums for the monthly revenue report: per currency and length of a period.
create table revenue_sums (
  currency text not null,
  interval text not null,
  interval_count integer not null,
  month date not null, -- its first day, in UTC
  kind text not null constraint revenue_sums_kind check (kind in ('BEGUN', 'LEFT', 'TRIAL_OVER', 'CONVERTED')),
  count bigint not null,
  amount bigint not null, -- prices of one period; 0 for trials
  primary key (currency, interval, interval_count, month, kind)
) with (fillfactor = 80);

-- Changes not yet added to `revenue_sums`, as in `ledger_total_changes`.
create table revenue_changes (
  plan_id uuid not null,
  currency text not null,
  month date not null,
  kind text not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Sums for the daily revenue report, per plan, per app and of all apps. A nil plan: all plans; a nil app: all apps. MRR and the number of subscribers are the
-- sums of NEW, EXPANSION, CONTRACTION and CHURN, whose signs say whether they add or take away.
create table revenue_days (
  app_id uuid not null,
  plan_id uuid not null,
  merchant_type text not null,
  currency text not null,
  day date not null, -- UTC, in business time
  kind text not null constraint revenue_days_kind check (kind in (
    'NEW', 'EXPANSION', 'CONTRACTION', 'CHURN', 'TRIAL_STARTED', 'TRIAL_CONVERTED', 'TRIAL_ENDED', 'PAST_DUE', 'RECOVERED', 'LOST',
    'COLLECTED', 'REFUNDED', 'CHARGED_BACK')),
  count bigint not null,
  amount bigint not null, -- money of COLLECTED, REFUNDED and CHARGED_BACK; else monthly amounts; 0 for trials
  primary key (app_id, merchant_type, currency, day, kind, plan_id)
) with (fillfactor = 80);

-- Changes not yet added to `revenue_days`, as in `ledger_total_changes`.
create table revenue_day_changes (
  app_id uuid not null,
  plan_id uuid not null,
  merchant_type text not null,
  currency text not null,
  day date not null,
  kind text not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Revenue by country, of each app and of all apps. A nil app: all apps. The country is the country of the subscription, which never changes:
-- the country of the business when it subscribed. MRR and the number of subscribers are the sums of all months.
create table revenue_countries (
  app_id uuid not null,
  merchant_type text not null,
  currency text not null,
  country text not null,
  month date not null, -- its first day, UTC, in business time
  subscribers bigint not null, -- below 0: more left than came
  mrr bigint not null, -- monthly amounts, as in `revenue_days`
  collected bigint not null,
  returned bigint not null, -- refunded or charged back
  primary key (app_id, merchant_type, currency, country, month)
) with (fillfactor = 80);

-- Changes not yet added to `revenue_countries`.
create table revenue_country_changes (
  app_id uuid not null,
  merchant_type text not null,
  currency text not null,
  country text not null,
  month date not null,
  subscribers integer not null,
  mrr bigint not null,
  collected bigint not null,
  returned bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Subscriptions with a trial and at least one paid invoice. A refund does not undo the conversion.
create table trial_conversions (
  subscription_id uuid primary key
);

-- The contribution of a subscription to the revenue report. It pays from the end of its trial, or its start, until its end. A
-- subscription that began and ended within one month, a test merchant and a free plan do not count.
create function revenue_facts(s subscriptions) returns table (kind text, month date, amount bigint)
language sql stable as $$
  select f.kind, f.month, f.amount
  from (
    select s.phase = 'FULL' as is_paying, coalesce(s.trial_end_at, s.started_at) as began_at,
      least(s.trial_end_at, s.ended_at) as trial_over_at) as at
  cross join lateral (
    select date_trunc('month', at.began_at at time zone 'UTC')::date as began,
      date_trunc('month', s.ended_at at time zone 'UTC')::date as ended,
      date_trunc('month', at.trial_over_at at time zone 'UTC')::date as trial_over) as months
  cross join lateral (values
    ('BEGUN', months.began, s.amount::bigint, at.is_paying and coalesce(months.ended > months.began, true)),
    ('LEFT', months.ended, s.amount::bigint, at.is_paying and coalesce(months.ended > months.began, false)),
    ('TRIAL_OVER', months.trial_over, 0, s.trial_end_at is not null and (at.is_paying or s.status = 'ENDED')),
    ('CONVERTED', months.trial_over, 0, s.trial_end_at is not null and at.is_paying
      and exists (select 1 from trial_conversions as c where c.subscription_id = s.subscription_id))
  ) as f (kind, month, amount, counts)
  where s.merchant_type = 'MERCHANT' and s.amount > 0 and s.status <> 'PENDING'
    and s.end_reason is distinct from 'NOT_STARTED' and f.counts
$$;

-- The monthly amount of a price, half up, as core/recurring.ts computes it.
create function monthly_amount(price bigint, of_plan uuid) returns bigint language sql stable as $$
  select (price * 2 * case interval when 'DAY' then 365 when 'WEEK' then 52 when 'MONTH' then 12 else 1 end
    + 12 * interval_count) / (24 * interval_count)
  from plans where plan_id = of_plan
$$;

-- Whether a subscription pays: the status is ACTIVE after the trial, and the price is not 0.
create function is_paying(s subscriptions) returns boolean language sql immutable as $$
  select s.phase = 'FULL' and s.status = 'ACTIVE' and s.amount > 0
$$;

-- What one change of a subscription adds to the daily revenue report.
create function note_revenue_day(was subscriptions, became subscriptions) returns void language plpgsql as $$
declare
  any_row subscriptions := case when became.subscription_id is null then was else became end;
  today date := (any_row.updated_at at time zone 'UTC')::date;
  paid boolean := coalesce(is_paying(was), false);
  pays boolean := coalesce(is_paying(became), false);
  tried boolean := coalesce(was.phase = 'TRIAL' and was.status = 'ACTIVE' and was.amount > 0, false);
  tries boolean := coalesce(became.phase = 'TRIAL' and became.status = 'ACTIVE' and became.amount > 0, false);
  before bigint := case when paid then monthly_amount(was.amount, was.plan_id) else 0 end;
  after bigint := case when pays then monthly_amount(became.amount, became.plan_id) else 0 end;
  change text := case when after >= before then 'EXPANSION' else 'CONTRACTION' end;
begin
  insert into revenue_day_changes (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
  select any_row.app_id, f.plan_id, any_row.merchant_type, any_row.currency, today, f.kind, f.count, f.amount
  from (values
    ('NEW', became.plan_id, 1, after, pays and not paid),
    ('CHURN', was.plan_id, -1, -before, paid and not pays),
    (change, was.plan_id, -1, -before, paid and pays and (was.plan_id, before) is distinct from (became.plan_id, after)),
    (change, became.plan_id, 1, after, paid and pays and (was.plan_id, before) is distinct from (became.plan_id, after)),
    ('TRIAL_STARTED', became.plan_id, 1, 0, tries and not tried),
    ('TRIAL_ENDED', was.plan_id, 1, 0, tried and not tries),
    ('PAST_DUE', became.plan_id, 1, after, pays and became.payment_status = 'PAST_DUE'
      and was.payment_status is distinct from 'PAST_DUE'),
    ('RECOVERED', became.plan_id, 1, after, pays and paid and was.payment_status = 'PAST_DUE' and became.payment_status = 'CURRENT'),
    ('LOST', was.plan_id, 1, before, paid and became.end_reason = 'NON_PAYMENT')
  ) as f (kind, plan_id, count, amount, counts)
  where f.counts;
  if (pays, after) <> (paid, before) then
    insert into revenue_country_changes (app_id, merchant_type, currency, country, month, subscribers, mrr, collected, returned)
    values (any_row.app_id, any_row.merchant_type, any_row.currency, any_row.country, date_trunc('month', today)::date,
      pays::int - paid::int, after - before, 0, 0);
  end if;
end
$$;

create function note_revenue() returns trigger language plpgsql as $$
begin
  perform note_revenue_day(old, new);
  if tg_op <> 'INSERT' then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select old.plan_id, old.currency, f.month, f.kind, -1, -f.amount from revenue_facts(old) as f;
  end if;
  if tg_op <> 'DELETE' then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select new.plan_id, new.currency, f.month, f.kind, 1, f.amount from revenue_facts(new) as f;
  end if;
  return null;
end
$$;
create trigger subscriptions_revenue after insert or delete on subscriptions
  for each row execute function note_revenue();
-- A renewal changes none of these columns.
create trigger subscriptions_revenue_anew after update on subscriptions for each row
  when (
    (old.plan_id, old.merchant_type, old.currency, old.amount, old.phase, old.status, old.payment_status, old.started_at,
      old.trial_end_at, old.ended_at) is distinct from
    (new.plan_id, new.merchant_type, new.currency, new.amount, new.phase, new.status, new.payment_status, new.started_at,
      new.trial_end_at, new.ended_at))
  execute function note_revenue();

create function note_conversion() returns trigger language plpgsql as $$
begin
  insert into trial_conversions (subscription_id)
  select s.subscription_id from subscriptions as s
  where s.subscription_id = new.subscription_id and s.trial_end_at is not null
  on conflict do nothing;
  if found then
    insert into revenue_changes (plan_id, currency, month, kind, count, amount)
    select s.plan_id, s.currency, f.month, f.kind, 1, f.amount
    from subscriptions as s cross join lateral revenue_facts(s) as f
    where s.subscription_id = new.subscription_id and f.kind = 'CONVERTED';
    insert into revenue_day_changes (app_id, plan_id, merchant_type, currency, day, kind, count, amount)
    select s.app_id, s.plan_id, s.merchant_type, s.currency, (new.updated_at at time zone 'UTC')::date, 'TRIAL_CONVERTED', 1, 0
    from subscriptions as s where s.subscription_id = new.subscription_id and s.amount > 0;
  end if;
  return null;
end
$$;
create trigger invoices_conversion after insert on invoices for each row
  when (new.status = 'PAID') execute function note_conversion();
create trigger invoices_conversion_anew after update on invoices for each row
  when (old.status <> 'PAID' and new.status = 'PAID') execute function note_conversion();

-- ====================================================================================================
-- Money: gateways
-- ====================================================================================================

-- Events from gateways. Each is stored once, then applied by polling the object that the event names.
create table gateway_events (
  gateway text not null,
  event_id text not null,
  kind text not null,
  gateway_charge_id text not null,
  received_at timestamptz not null,
  next_poll_at timestamptz, -- real time: the lease of the process that applies it, then the next attempt. Null: applied
  poll_count integer not null,
  primary key (gateway, event_id)
);
create index gateway_events_old on gateway_events (received_at);
create index gateway_events_to_apply on gateway_events (next_poll_at) where next_poll_at is not null;

-- Comparisons of a gateway's books with ours.
create table reconciliations (
  gateway text not null,
  until_at timestamptz not null,
  from_at timestamptz not null,
  leased_until timestamptz, -- null: finished
  compared integer not null,
  repaired integer not null,
  discrepancies integer not null,
  finished_at timestamptz,
  primary key (gateway, until_at),
  constraint reconciliations_finished check ((leased_until is null) = (finished_at is not null)),
  constraint reconciliations_span check (from_at < until_at)
);

-- Discrepancies that could not be repaired, until a later comparison no longer finds them.
create table reconciliation_discrepancies (
  gateway text not null,
  gateway_charge_id text not null,
  kind text not null,
  detail text not null,
  invoice_id uuid, -- null: no invoice of ours is known for it
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  gone_at timestamptz,
  primary key (gateway, gateway_charge_id, kind)
);
create index reconciliation_discrepancies_open on reconciliation_discrepancies (gateway, first_seen_at)
  where gone_at is null;

-- The Stripe customer of each business. The idempotency key at Stripe expires after a day.
create table stripe_customers (
  business_id uuid primary key,
  customer_id text not null,
  created_at timestamptz not null
);

-- ====================================================================================================
-- Money: the sandbox gateway's own books. No other table refers to them, as with an external gateway.
-- ====================================================================================================

create table sandbox_payment_methods (
  reference text primary key,
  key text not null constraint sandbox_payment_methods_key_once unique,
  behaviour text not null
    constraint sandbox_payment_methods_behaviour check (behaviour in (
      'tok_ok', 'tok_insufficient_funds', 'tok_stolen', 'tok_fail_after_1', 'tok_timeout_then_ok',
      'tok_timeout_then_declined', 'tok_pending', 'tok_action_required', 'tok_refund_fails', 'tok_expires_soon')),
  created_at timestamptz not null,
  paid_charge_id text -- for tok_fail_after_1: the one charge that succeeded
);

create table sandbox_charges (
  gateway_charge_id text primary key,
  key text not null constraint sandbox_charges_key_once unique,
  amount bigint not null constraint sandbox_charges_amount check (amount > 0),
  currency text not null,
  metadata jsonb not null, -- {invoiceId, businessId}
  created_at timestamptz not null,
  succeeded_key text, -- the attempt that took the money, set once
  succeeded_reference text,
  succeeded_at timestamptz,
  constraint sandbox_charges_succeeded
    check ((succeeded_key is null) = (succeeded_at is null) and (succeeded_key is null) = (succeeded_reference is null))
) with (fillfactor = 50);

create table sandbox_confirmations (
  gateway_charge_id text not null,
  key text not null,
  reference text not null,
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

create table sandbox_disputes (
  dispute_id text primary key,
  gateway_charge_id text not null references sandbox_charges,
  amount bigint not null constraint sandbox_disputes_amount check (amount > 0),
  status text not null constraint sandbox_disputes_status check (status in ('open', 'lost', 'won')),
  evidence jsonb,
  began_at timestamptz not null,
  changed_at timestamptz not null
);
create index sandbox_disputes_of_charge on sandbox_disputes (gateway_charge_id);

-- Mails about money, recorded with the change that they report and rendered when they are due. A row stays after its
-- mail was handed to the outbox, so that no event is reported twice.
create table money_mails (
  money_mail_id uuid primary key,
  kind text not null constraint money_mails_kind check (kind in (
    'RECEIPT', 'PAYMENT_FAILED', 'BANK_CONFIRMATION', 'TRIAL_ENDING', 'CARD_EXPIRING', 'CANCELLED', 'ENDED', 'RESTORED',
    'PLAN_CHANGED', 'REFUND', 'RENEWAL_AHEAD')),
  source_id uuid not null, -- the subscription, charge, refund or payment method
  source_seq integer not null, -- the event of a subscription, a period, a month; else 0
  business_id uuid not null,
  subscription_id uuid,
  invoice_id uuid,
  occurred_at timestamptz not null, -- business time
  due_at timestamptz, -- null: handed to the outbox, or not to be sent
  recipient text, -- null: not sent
  constraint money_mails_once unique (kind, source_id, source_seq)
);
create index money_mails_due on money_mails (due_at) where due_at is not null;
create index money_mails_of_subscription on money_mails (subscription_id, occurred_at) where subscription_id is not null;

-- ====================================================================================================
-- Webhooks: hooks, notifications, deliveries, redeliveries, orders
-- ====================================================================================================

create table hooks (
  hook_id uuid primary key,
  app_id uuid not null references apps,
  business_id uuid references businesses, -- null: all merchants of the app
  delivery_url text not null, -- with the values of its query masked
  secret bytea not null, -- signing secret and query, sealed with the master key
  event_types text[] not null, -- sorted
  fingerprint bytea not null, -- keyed hash of URL and event types, which together can exceed the size of an index entry
  active boolean not null,
  disabled_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  off_since timestamptz, -- when the hook began to fail or was switched off; null while active
  version integer not null default 1, -- counts changes: the owner of the hook's queue compares the version
  constraint hooks_same_is_same unique nulls not distinct (app_id, business_id, fingerprint)
);
-- An app may have one hook per merchant, nearly all active or nearly all inactive. A page of both merges two ranges.
create index hooks_of_app_by_activity on hooks (active, app_id, hook_id);

-- Only unhealthy hooks: a row appears with the first failed or slow attempt and is deleted by the next good one.
-- No foreign key: an attempt may be saved while its hook is deleted.
create table hook_health (
  hook_id uuid primary key,
  failures integer not null, -- in a row; 0: responses are good but slow
  failing_since timestamptz, -- the first of these failures
  gone_since timestamptz, -- since when every response has been 410
  last_failure text, -- an HTTP status or an egress reason
  opened integer not null, -- how often in a row the breaker has opened
  open_until timestamptz, -- no delivery before this time, then a single probe
  last_failed_at timestamptz, -- days without deliveries do not count as failing
  constraint hook_health_since check ((failures > 0) = (failing_since is not null))
) with (fillfactor = 50);

-- Attempts by hook, hour and outcome, for charts. Deleted after 30 days. No foreign key: as for hook_health.
create table hook_hours (
  hook_id uuid not null,
  hour timestamptz not null, -- its first instant
  outcome text not null, -- ACKNOWLEDGED, an HTTP status or an egress reason
  attempts integer not null,
  durations integer[] not null, -- attempts by duration, in the buckets of core/hook-hours.ts
  primary key (hook_id, hour, outcome)
) with (fillfactor = 50);
create index hook_hours_old on hook_hours (hour);

-- The outbox: one immutable body for one hook. Partitioned by the UTC day of its UUIDv7.
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
create index notifications_of_app_and_type on notifications (app_id, event_type, notification_id);
create index notifications_of_business on notifications (business_id, notification_id);
create index notifications_of_hook on notifications (hook_id, notification_id);
create index notifications_of_resource on notifications (resource_id, notification_id);

-- The queue: only unfinished deliveries, so the table stays small.
create table deliveries (
  notification_id uuid primary key,
  recorded_day date not null,
  hook_id uuid not null,
  shard integer generated always as (get_byte(uuid_send(hook_id), 15)) stored, -- decides which process sends
  app_id uuid not null,
  business_id uuid not null,
  resource_id uuid not null,
  resource_seq integer not null,
  seq bigint generated always as identity, -- for one resource in the order of the commits
  priority text not null constraint deliveries_priority check (priority in ('FIRST', 'RETRY', 'REPLAY')),
  attempts integer not null, -- made so far
  due_at timestamptz not null,
  recorded_at timestamptz not null,
  failures integer not null default 0, -- above 0: quarantined, because Tillhook could not make the attempt
  last_error text
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- The owner of a shard reads first attempts by a cursor on seq, and everything else when it is due.
create index deliveries_first on deliveries (shard, hook_id, seq) where priority = 'FIRST';
create index deliveries_again on deliveries (shard, hook_id, due_at) where priority <> 'FIRST';
-- A first attempt waits for earlier untried deliveries of the same hook and resource.
create index deliveries_untried on deliveries (hook_id, resource_id, resource_seq) where priority = 'FIRST';
-- History pages with status SCHEDULED or ERRORED_RETRYING: `least(attempts, 1)` separates the two.
create index deliveries_of_app on deliveries (app_id, least(attempts, 1), notification_id);
create index deliveries_of_business on deliveries (business_id, least(attempts, 1), notification_id);
create index deliveries_of_hook on deliveries (hook_id, least(attempts, 1), notification_id);
create index deliveries_quarantined on deliveries (due_at) where failures > 0;

-- Each hook belongs to one of 256 shards, and one process owns a shard. Taking a shard increments its epoch, which
-- fences off a previous owner that has not noticed.
create table delivery_shards (
  shard integer primary key,
  owner uuid, -- null: free
  epoch bigint not null,
  leased_until timestamptz -- null: never owned
) with (fillfactor = 50);
insert into delivery_shards select shard, null, 0, null from generate_series(0, 255) as shard;

-- Processes that send. Their number decides the fair share of shards.
create table delivery_workers (
  worker_id uuid primary key,
  seen_until timestamptz not null,
  lag_ms integer not null -- how long the oldest delivery waits for a slot of the process
);

-- Every POST made. Append-only.
create table attempts (
  recorded_day date not null, -- the notification's, so that both are dropped together
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

-- Finished deliveries and their results.
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
-- Failures are rare and searched for often.
create index outcomes_errored_of_app on outcomes (app_id, notification_id) where status = 'ERRORED';
create index outcomes_errored_of_business on outcomes (business_id, notification_id) where status = 'ERRORED';
create index outcomes_errored_of_hook on outcomes (hook_id, notification_id) where status = 'ERRORED';

-- Clients that follow the events of one or more apps without a hook: a row per app. A row outlives its last connection by an hour.
create table event_streams (
  stream_id uuid,
  app_id uuid references apps,
  business_id uuid references businesses, -- null: all merchants of the app
  merchant_type text -- null: both types
    constraint event_streams_merchant_type check (merchant_type in ('MERCHANT', 'TEST_MERCHANT')),
  expires_at timestamptz not null,
  connected_until timestamptz, -- null: nobody is connected
  trimmed_xid bigint not null default 0, -- the last event that was deleted because the stream held too many
  trimmed_seq bigint not null default 0,
  primary key (stream_id, app_id)
);
create index event_streams_of_app on event_streams (app_id);

-- Events recorded for a stream. No foreign key: recording an event must not fail because a stream ends.
create table stream_events (
  stream_id uuid not null,
  xid bigint not null default pg_current_xact_id()::text::bigint, -- readers stop before the oldest open transaction
  seq bigint generated always as identity, -- for one resource in the order of the commits
  app_id uuid not null,
  orders_of uuid, -- the merchant of an order event
  body text not null,
  primary key (stream_id, xid, seq)
) with (autovacuum_vacuum_scale_factor = 0.05);

-- Requests to send a range of notifications again.
create table redeliveries (
  redelivery_id uuid primary key,
  app_id uuid not null references apps,
  business_id uuid references businesses, -- null: all merchants
  hook_id uuid, -- null: all hooks; no foreign key: the hook may be deleted
  start_at timestamptz not null, -- of recording, inclusive
  end_at timestamptz not null, -- exclusive
  -- null: any
  status text constraint redeliveries_status check (status in ('SCHEDULED', 'ERRORED_RETRYING', 'DELIVERED', 'ERRORED')),
  state text not null constraint redeliveries_state check (state in ('RUNNING', 'DONE', 'CANCELLED')),
  reached_id uuid, -- the last notification read
  queued integer not null,
  skipped integer not null,
  run_at timestamptz not null, -- running redeliveries take turns
  failures integer not null default 0, -- above 0: quarantined until run_at
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  undelivered_since timestamptz -- null: the range was requested
);
create index redeliveries_of_app on redeliveries (app_id, redelivery_id);
create index redeliveries_running on redeliveries (run_at) where state = 'RUNNING';

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

-- ====================================================================================================
-- Audit trail. Last, because it lists the tables whose changes it records.
-- ====================================================================================================

-- One entry for each row that a request changed, written by the trigger below: one for nearly every request. Append-only.
create table audit_entries (
  entry_id bigint generated always as identity, -- orders the changes of one resource
  at timestamptz not null, -- when the request began
  principal text not null,
  principal_kind text not null,
  operation text not null,
  method text not null,
  path text not null, -- the route's
  request_id text not null,
  kind text not null,
  resource_id text not null, -- the key columns, joined by '/'
  business_id uuid,
  organization_id uuid,
  before jsonb, -- null: created
  after jsonb, -- null: deleted
  primary key (entry_id, at),
  constraint audit_entries_of_a_change check ((before is not null) or (after is not null))
) partition by range (at); -- by UTC month: platform/audit/partitions.ts creates and drops the months
-- Entries of a month that has no partition yet, as after a jump of the clock: no request fails for its audit entry.
create table audit_entries_default partition of audit_entries default;
create index audit_entries_by_time on audit_entries (at, entry_id);
create index audit_entries_of_principal on audit_entries (principal, at, entry_id);
create index audit_entries_of_resource on audit_entries (resource_id, entry_id);

create function reject_change_of_audit_entries() returns trigger language plpgsql as $$
begin
  raise exception 'audit_entries is append-only: % is rejected', lower(tg_op);
end
$$;
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function reject_change_of_audit_entries();
create trigger audit_entries_append_only before update or delete or truncate on audit_entries_default
  for each statement execute function reject_change_of_audit_entries();

-- Arguments: kind, key columns, columns that are never recorded. The setting `tillhook.action` describes the request
-- (platform/audit/store.ts). Transactions without the setting, such as those of background jobs, leave no entries.
create function record_change() returns trigger language plpgsql as $$
declare
  action jsonb := current_setting('tillhook.action');
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - tg_argv[2]::text[] end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - tg_argv[2]::text[] end;
  thing jsonb := coalesce(became, was);
begin
  -- The whole rows: a change of what is not recorded is a change.
  if tg_op = 'UPDATE' and old is not distinct from new then
    return null;
  end if;
  insert into audit_entries (
    at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, business_id, organization_id,
    before, after)
  values (
    (action ->> 'at')::timestamptz, action ->> 'principal', action ->> 'principalKind', action ->> 'operation',
    action ->> 'method', action ->> 'path', action ->> 'requestId', tg_argv[0],
    (select string_agg(thing ->> key, '/' order by position)
      from unnest(tg_argv[1]::text[]) with ordinality as k (key, position)),
    (thing ->> 'business_id')::uuid, (thing ->> 'organization_id')::uuid, was, became);
  return null;
end
$$;

-- Audited tables: name, kind, key columns, columns that are never recorded.
do $$
declare
  audited record;
begin
  for audited in select * from (values
    ('brands', 'BRAND', '{brand_id}', '{logo}'),
    ('organizations', 'ORGANIZATION', '{organization_id}', '{}'),
    ('organization_sellers', 'SELLER', '{seller_id}', '{}'),
    ('tax_settings', 'TAX_SETTINGS', '{organization_id}', '{}'),
    ('tax_rates', 'TAX_RATE', '{tax_rate_id}', '{}'),
    ('apps', 'APP', '{app_id}', '{}'),
    ('app_keys', 'APP_KEY', '{app_id,kid}', '{}'),
    ('releases', 'RELEASE', '{release_id}', '{apk}'),
    ('release_messages', 'RELEASE_MESSAGE', '{message_id}', '{}'),
    ('notes', 'NOTE', '{note_id}', '{}'),
    ('plans', 'PLAN', '{plan_id}', '{}'),
    ('businesses', 'BUSINESS', '{business_id}', '{tax_rate_check_at}'),
    ('stores', 'STORE', '{store_id}', '{}'),
    ('devices', 'DEVICE', '{device_id}', '{activation_code_hash}'),
    ('device_keys', 'DEVICE_KEY', '{device_key_id}', '{}'),
    ('business_users', 'BUSINESS_USER', '{business_user_id}', '{passcode_hash}'),
    ('approvals', 'APPROVAL', '{business_id,app_id}', '{}'),
    ('installed_apps', 'INSTALLED_APP', '{device_id,app_id}', '{}'),
    ('app_permissions', 'APP_PERMISSIONS', '{business_id,app_id}', '{}'),
    ('users', 'USER', '{user_id}', '{password_hash}'),
    ('memberships', 'MEMBERSHIP', '{membership_id}', '{}'),
    ('viewings', 'VIEWING', '{viewing_id}', '{}'),
    ('invitations', 'INVITATION', '{invitation_id}', '{secret_hash}'),
    ('second_factors', 'SECOND_FACTOR', '{user_id}', '{secret,last_step}'),
    ('signing_keys', 'SIGNING_KEY', '{kid}', '{private_jwk}'),
    ('payment_methods', 'PAYMENT_METHOD', '{payment_method_id}', '{reference,label}'),
    ('subscriptions', 'SUBSCRIPTION', '{subscription_id}', '{failures,last_error,retry_at}'),
    ('purchases', 'PURCHASE', '{purchase_id}', '{secret_hash}'),
    ('test_clocks', 'TEST_CLOCK', '{test_clock_id}', '{}'),
    ('invoices', 'INVOICE', '{invoice_id}', '{}'),
    ('organization_bookings', 'ORGANIZATION_BOOKING', '{booking_id}', '{}'),
    ('payout_accounts', 'PAYOUT_ACCOUNT', '{organization_id}', '{}'),
    ('payout_transfers', 'PAYOUT_TRANSFER', '{transfer_id}', '{}'),
    ('dispute_evidence', 'DISPUTE_EVIDENCE', '{dispute_id}', '{}'),
    ('refunds', 'REFUND', '{refund_id}', '{failures,last_error}'),
    ('hooks', 'HOOK', '{hook_id}', '{secret,fingerprint,version}'),
    ('redeliveries', 'REDELIVERY', '{redelivery_id}', '{failures,last_error}'),
    ('app_endings', 'APP_ENDING', '{ending_id}', '{}'),
    ('billing_progress', 'CATCH_UP', '{singleton}', '{last_run_at}'),
    ('orders', 'ORDER', '{order_id}', '{}')
  ) as a (name, kind, keys, hidden)
  loop
    execute format(
      'create trigger %I after insert or update or delete on %I for each row
         when (current_setting(''tillhook.action'', true) <> '''') execute function record_change(%L, %L, %L)',
      audited.name || '_audited', audited.name, audited.kind, audited.keys, audited.hidden);
  end loop;
end
$$;

-- A request never changes a charge, except the instant of its next poll.
create trigger charges_audited after update of next_poll_at on charges for each row
  when (current_setting('tillhook.action', true) <> '')
  execute function record_change('CHARGE', '{charge_id}', '{action_url,failures,last_error}');
