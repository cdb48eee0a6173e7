-- The catalog after all migrations. Printed by `npm run print`; a test compares it.

create table address_tax_rates (
  business_id uuid not null,
  country text not null,
  address jsonb,
  rates jsonb not null,
  confirmed_until date,
  problem text,
  checked_at timestamp with time zone not null,
  constraint address_tax_rates_pkey PRIMARY KEY (business_id),
  constraint address_tax_rates_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);
CREATE INDEX address_tax_rates_failed ON public.address_tax_rates USING btree (checked_at) WHERE (problem IS NOT NULL);

create table api_requests (
  day date not null,
  api_request_id uuid not null,
  app_id uuid not null,
  at timestamp with time zone not null,
  request_id text not null,
  method text not null,
  route text not null,
  status integer not null,
  duration_ms integer not null,
  business_id uuid,
  business_user_id uuid
) partition by RANGE (day);
CREATE INDEX api_requests_of_app ON ONLY public.api_requests USING btree (app_id, api_request_id);

create table app_endings (
  ending_id uuid not null,
  app_id uuid not null,
  refund_unused boolean not null,
  state text not null,
  total integer not null,
  ended integer not null,
  refunds integer not null,
  failed integer not null,
  reached_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint app_endings_pkey PRIMARY KEY (ending_id),
  constraint app_endings_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint app_endings_state CHECK ((state = ANY (ARRAY['RUNNING'::text, 'DONE'::text, 'STOPPED'::text])))
);
CREATE INDEX app_endings_of_app ON public.app_endings USING btree (app_id, created_at, ending_id);
CREATE UNIQUE INDEX app_endings_one_running ON public.app_endings USING btree (app_id) WHERE (state = 'RUNNING'::text);
CREATE TRIGGER app_endings_audited AFTER INSERT OR DELETE OR UPDATE ON public.app_endings FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('APP_ENDING', '{ending_id}', '{}');

create table app_icons (
  app_id uuid not null,
  bytes bytea not null,
  constraint app_icons_pkey PRIMARY KEY (app_id),
  constraint app_icons_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint app_icons_size CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 262144)))
);

create table app_keys (
  app_id uuid not null,
  kid text not null,
  public_jwk jsonb not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_used_from text,
  revoked_at timestamp with time zone,
  constraint app_keys_pkey PRIMARY KEY (app_id, kid),
  constraint app_keys_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id)
);
CREATE TRIGGER app_keys_audited AFTER INSERT OR DELETE OR UPDATE ON public.app_keys FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('APP_KEY', '{app_id,kid}', '{}');

create table app_permissions (
  business_id uuid not null,
  app_id uuid not null,
  permissions text[] not null,
  approved_by uuid not null,
  approved_at timestamp with time zone not null,
  constraint app_permissions_pkey PRIMARY KEY (business_id, app_id),
  constraint app_permissions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint app_permissions_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);
CREATE TRIGGER app_permissions_audited AFTER INSERT OR DELETE OR UPDATE ON public.app_permissions FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('APP_PERMISSIONS', '{business_id,app_id}', '{}');

create table app_trials (
  business_id uuid not null,
  app_id uuid not null,
  constraint app_trials_pkey PRIMARY KEY (business_id, app_id),
  constraint app_trials_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint app_trials_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);

create table approvals (
  business_id uuid not null,
  app_id uuid not null,
  rights text[] not null,
  approved_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint approvals_pkey PRIMARY KEY (business_id, app_id),
  constraint approvals_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint approvals_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);
CREATE INDEX approvals_of_app ON public.approvals USING btree (app_id, business_id);
CREATE TRIGGER approvals_audited AFTER INSERT OR DELETE OR UPDATE ON public.approvals FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('APPROVAL', '{business_id,app_id}', '{}');

create table apps (
  app_id uuid not null,
  organization_id uuid not null,
  name text not null,
  package_name text not null,
  callback_urls text[] not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  icon_sha256 text,
  icon_content_type text,
  held_since timestamp with time zone,
  resumed_to uuid,
  disabled_by text,
  constraint apps_package_name_once UNIQUE (package_name),
  constraint apps_pkey PRIMARY KEY (app_id),
  constraint apps_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint apps_disabled_by CHECK ((disabled_by = ANY (ARRAY['DEVELOPER'::text, 'OPERATOR'::text]))),
  constraint apps_disabled_by_somebody CHECK (((status = 'DISABLED'::text) = (disabled_by IS NOT NULL))),
  constraint apps_held CHECK (((disabled_by IS DISTINCT FROM 'OPERATOR'::text) OR (held_since IS NOT NULL))),
  constraint apps_icon_content_type CHECK ((icon_content_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))),
  constraint apps_icon_sha256 CHECK ((icon_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint apps_icon_whole CHECK ((num_nulls(icon_sha256, icon_content_type) = ANY (ARRAY[0, 2]))),
  constraint apps_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
CREATE INDEX apps_by_words ON public.apps USING gin (search_words(((name || ' '::text) || package_name)));
CREATE INDEX apps_held ON public.apps USING btree (app_id) WHERE (held_since IS NOT NULL);
CREATE INDEX apps_of_organization ON public.apps USING btree (organization_id, app_id);
CREATE TRIGGER apps_audited AFTER INSERT OR DELETE OR UPDATE ON public.apps FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('APP', '{app_id}', '{}');

create table assertion_uses (
  issuer_id uuid not null,
  jti text not null,
  expires_at timestamp with time zone not null,
  constraint assertion_uses_pkey PRIMARY KEY (issuer_id, jti)
);
CREATE INDEX assertion_uses_expired ON public.assertion_uses USING btree (expires_at);

create table attempts (
  recorded_day date not null,
  notification_id uuid not null,
  attempt_id uuid not null,
  attempt integer not null,
  attempted_at timestamp with time zone not null,
  duration_ms integer not null,
  http_status integer,
  reason text,
  answer text not null,
  constraint attempts_pkey PRIMARY KEY (recorded_day, notification_id, attempt_id),
  constraint attempts_ended_somehow CHECK ((((http_status IS NULL) <> (reason IS NULL)) OR (reason = 'redirect'::text)))
) partition by RANGE (recorded_day);

create table audit_entries (
  entry_id bigint not null,
  at timestamp with time zone not null,
  principal text not null,
  principal_kind text not null,
  operation text not null,
  method text not null,
  path text not null,
  request_id text not null,
  kind text not null,
  resource_id text not null,
  business_id uuid,
  organization_id uuid,
  before jsonb,
  after jsonb,
  constraint audit_entries_pkey PRIMARY KEY (entry_id, at),
  constraint audit_entries_of_a_change CHECK (((before IS NOT NULL) OR (after IS NOT NULL)))
) partition by RANGE (at);
CREATE INDEX audit_entries_by_time ON ONLY public.audit_entries USING btree (at, entry_id);
CREATE INDEX audit_entries_of_principal ON ONLY public.audit_entries USING btree (principal, at, entry_id);
CREATE INDEX audit_entries_of_resource ON ONLY public.audit_entries USING btree (resource_id, entry_id);
CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION reject_change_of_audit_entries();

create table authorization_codes (
  code_hash bytea not null,
  app_id uuid not null,
  business_id uuid not null,
  redirect_uri text not null,
  redirect_uri_named boolean not null,
  code_challenge text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  grant_id uuid,
  used_at timestamp with time zone,
  constraint authorization_codes_pkey PRIMARY KEY (code_hash),
  constraint authorization_codes_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint authorization_codes_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint authorization_codes_used_both CHECK (((grant_id IS NULL) = (used_at IS NULL)))
);
CREATE INDEX authorization_codes_expired ON public.authorization_codes USING btree (expires_at);

create table billing_progress (
  singleton boolean not null default true,
  last_run_at timestamp with time zone not null,
  outage_from timestamp with time zone,
  outage_until timestamp with time zone,
  state text,
  goes_on_at timestamp with time zone,
  decided_at timestamp with time zone,
  spread_days integer,
  constraint billing_progress_pkey PRIMARY KEY (singleton),
  constraint billing_progress_outage CHECK ((num_nulls(outage_from, outage_until, state, goes_on_at) = ANY (ARRAY[0, 4]))),
  constraint billing_progress_singleton CHECK (singleton),
  constraint billing_progress_spread CHECK (((spread_days >= 1) AND (spread_days <= 60))),
  constraint billing_progress_state CHECK ((state = ANY (ARRAY['WAITING'::text, 'RELEASED'::text, 'SPREAD'::text, 'WAIVED'::text])))
);
CREATE TRIGGER billing_progress_audited AFTER INSERT OR DELETE OR UPDATE ON public.billing_progress FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('CATCH_UP', '{singleton}', '{last_run_at}');

create table brands (
  brand_id smallint not null,
  name text not null,
  accent text,
  support_url text,
  terms_url text,
  privacy_url text,
  imprint_url text,
  mail_name text,
  logo_content_type text,
  logo_sha256 text,
  logo bytea,
  updated_at timestamp with time zone not null,
  constraint brands_pkey PRIMARY KEY (brand_id),
  constraint brands_accent CHECK ((accent ~ '^#[0-9a-f]{6}$'::text)),
  constraint brands_at_most_one CHECK ((brand_id = 1)),
  constraint brands_logo_sha256 CHECK ((logo_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint brands_logo_size CHECK (((octet_length(logo) >= 1) AND (octet_length(logo) <= 262144))),
  constraint brands_whole_logo CHECK ((num_nulls(logo_content_type, logo_sha256, logo) = ANY (ARRAY[0, 3])))
);
CREATE TRIGGER brands_audited AFTER INSERT OR DELETE OR UPDATE ON public.brands FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('BRAND', '{brand_id}', '{logo}');

create table business_users (
  business_user_id uuid not null,
  business_id uuid not null,
  user_id text not null,
  name text not null,
  role text not null,
  status text not null,
  passcode_hash text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint business_users_pkey PRIMARY KEY (business_user_id),
  constraint business_users_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint business_users_role CHECK ((role = ANY (ARRAY['MANAGER'::text, 'CLERK'::text]))),
  constraint business_users_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
CREATE UNIQUE INDEX business_users_user_id_once ON public.business_users USING btree (business_id, lower(user_id));
CREATE TRIGGER business_users_audited AFTER INSERT OR DELETE OR UPDATE ON public.business_users FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('BUSINESS_USER', '{business_user_id}', '{passcode_hash}');

create table businesses (
  business_id uuid not null,
  organization_id uuid,
  type text not null,
  status text not null,
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  phone jsonb,
  address jsonb,
  country text not null,
  timezone text not null,
  billing_email text,
  tax_id text,
  tax_id_status text,
  tax_id_check_at timestamp with time zone,
  tax_rate_check_at timestamp with time zone,
  language text not null default 'en'::text,
  mails_off text[] not null default '{}'::text[],
  test_clock_id uuid,
  clock_now timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint businesses_pkey PRIMARY KEY (business_id),
  constraint businesses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint businesses_clock_both CHECK (((test_clock_id IS NULL) = (clock_now IS NULL))),
  constraint businesses_clock_of_test_merchants CHECK (((test_clock_id IS NULL) OR (type = 'TEST_MERCHANT'::text))),
  constraint businesses_language CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text]))),
  constraint businesses_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text]))),
  constraint businesses_tax_id_status CHECK ((tax_id_status = ANY (ARRAY['VALID'::text, 'INVALID'::text]))),
  constraint businesses_type CHECK ((type = ANY (ARRAY['MERCHANT'::text, 'TEST_MERCHANT'::text])))
);
CREATE INDEX businesses_by_words ON public.businesses USING gin (search_words(((((legal_name || ' '::text) || doing_business_as) || ' '::text) || email_address)));
CREATE INDEX businesses_of_organization ON public.businesses USING btree (organization_id, business_id) WHERE (organization_id IS NOT NULL);
CREATE INDEX businesses_tax_id_due ON public.businesses USING btree (tax_id_check_at) WHERE (tax_id_check_at IS NOT NULL);
CREATE INDEX businesses_tax_rate_due ON public.businesses USING btree (country, tax_rate_check_at) WHERE (tax_rate_check_at IS NOT NULL);
CREATE TRIGGER businesses_audited AFTER INSERT OR DELETE OR UPDATE ON public.businesses FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('BUSINESS', '{business_id}', '{tax_rate_check_at}');

create table cancellation_reasons (
  subscription_id uuid not null,
  reason text not null,
  comment text not null,
  created_at timestamp with time zone not null,
  constraint cancellation_reasons_pkey PRIMARY KEY (subscription_id),
  constraint cancellation_reasons_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(subscription_id),
  constraint cancellation_reasons_reason CHECK ((reason = ANY (ARRAY['TOO_EXPENSIVE'::text, 'NOT_USED'::text, 'MISSING_FEATURE'::text, 'TECHNICAL_PROBLEMS'::text, 'OTHER'::text])))
);

create table charge_objects (
  invoice_id uuid not null,
  gateway text not null,
  gateway_charge_id text not null,
  created_at timestamp with time zone not null,
  constraint charge_objects_pkey PRIMARY KEY (invoice_id),
  constraint charge_objects_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id)
);
CREATE UNIQUE INDEX charge_objects_at_gateway ON public.charge_objects USING btree (gateway, gateway_charge_id);

create table charges (
  charge_id uuid not null,
  invoice_id uuid not null,
  subscription_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  merchant_type text not null,
  test_clock_id uuid,
  payment_method_id uuid,
  amount bigint not null,
  currency text not null,
  status text not null,
  reason text,
  started_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  waits_until timestamp with time zone,
  next_poll_at timestamp with time zone,
  leased boolean not null default false,
  poll_count integer not null,
  action_url text,
  failures integer not null default 0,
  last_error text,
  constraint charges_pkey PRIMARY KEY (charge_id),
  constraint charges_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint charges_payment_method_id_fkey FOREIGN KEY (payment_method_id) REFERENCES payment_methods(payment_method_id),
  constraint charges_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(subscription_id),
  constraint charges_amount CHECK ((amount > 0)),
  constraint charges_merchant_type CHECK ((merchant_type = ANY (ARRAY['MERCHANT'::text, 'TEST_MERCHANT'::text]))),
  constraint charges_polled CHECK (((settled_at IS NOT NULL) OR (next_poll_at IS NOT NULL))),
  constraint charges_settled CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'DECLINED_SOFT'::text, 'DECLINED_HARD'::text, 'WITHDRAWN'::text])) = (settled_at IS NOT NULL))),
  constraint charges_status CHECK ((status = ANY (ARRAY['IN_FLIGHT'::text, 'PENDING'::text, 'ACTION_REQUIRED'::text, 'UNKNOWN'::text, 'SUCCEEDED'::text, 'DECLINED_SOFT'::text, 'DECLINED_HARD'::text, 'WITHDRAWN'::text]))),
  constraint charges_wait CHECK (((status = ANY (ARRAY['PENDING'::text, 'ACTION_REQUIRED'::text])) = (waits_until IS NOT NULL)))
);
CREATE INDEX charges_declined ON public.charges USING btree (settled_at) WHERE (status = ANY (ARRAY['DECLINED_SOFT'::text, 'DECLINED_HARD'::text]));
CREATE INDEX charges_failed_of_app ON public.charges USING btree (app_id, charge_id) WHERE (status = ANY (ARRAY['DECLINED_SOFT'::text, 'DECLINED_HARD'::text, 'WITHDRAWN'::text]));
CREATE INDEX charges_late_successes ON public.charges USING btree (settled_at) WHERE ((status = 'SUCCEEDED'::text) AND (reason IS NOT NULL));
CREATE INDEX charges_of_app ON public.charges USING btree (app_id, merchant_type, charge_id);
CREATE INDEX charges_of_invoice ON public.charges USING btree (invoice_id, started_at, charge_id);
CREATE UNIQUE INDEX charges_one_alive ON public.charges USING btree (invoice_id) WHERE (status = ANY (ARRAY['IN_FLIGHT'::text, 'PENDING'::text, 'ACTION_REQUIRED'::text, 'UNKNOWN'::text, 'SUCCEEDED'::text]));
CREATE INDEX charges_quarantined ON public.charges USING btree (failures) WHERE (failures > 0);
CREATE INDEX charges_succeeded ON public.charges USING btree (settled_at) WHERE (status = 'SUCCEEDED'::text);
CREATE INDEX charges_to_poll ON public.charges USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE INDEX charges_unsettled_on_clock ON public.charges USING btree (test_clock_id) WHERE ((next_poll_at IS NOT NULL) AND (test_clock_id IS NOT NULL));
CREATE TRIGGER charges_audited AFTER UPDATE OF next_poll_at ON public.charges FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('CHARGE', '{charge_id}', '{action_url,failures,last_error}');

create table credit_balances (
  business_id uuid not null,
  organization_id uuid not null,
  currency text not null,
  balance bigint not null,
  updated_at timestamp with time zone not null,
  taken_back bigint not null,
  constraint credit_balances_pkey PRIMARY KEY (business_id, organization_id, currency),
  constraint credit_balances_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint credit_balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint credit_balances_balance CHECK ((((balance + taken_back) >= 0) AND (taken_back >= 0)))
);

create table credit_movements (
  invoice_id uuid not null,
  kind text not null,
  business_id uuid not null,
  organization_id uuid not null,
  currency text not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  constraint credit_movements_pkey PRIMARY KEY (invoice_id, kind),
  constraint credit_movements_business_id_organization_id_currency_fkey FOREIGN KEY (business_id, organization_id, currency) REFERENCES credit_balances(business_id, organization_id, currency),
  constraint credit_movements_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint credit_movements_amount CHECK (((amount > 0) OR ((kind = 'TAKE_BACK'::text) AND (amount = 0)))),
  constraint credit_movements_kind CHECK ((kind = ANY (ARRAY['GRANT'::text, 'USE'::text, 'RETURN'::text, 'TAKE_BACK'::text])))
);
CREATE INDEX credit_movements_of_balance ON public.credit_movements USING btree (business_id, organization_id, currency, created_at);

create table credit_note_counters (
  organization_id uuid not null,
  series text not null,
  last_number integer not null,
  constraint credit_note_counters_pkey PRIMARY KEY (organization_id, series)
);

create table credit_notes (
  credit_note_id uuid not null,
  number text not null,
  organization_id uuid not null,
  business_id uuid not null,
  invoice_id uuid not null,
  refund_id uuid,
  amount bigint not null,
  tax bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  constraint credit_notes_number_once UNIQUE (organization_id, number),
  constraint credit_notes_refund_once UNIQUE (refund_id),
  constraint credit_notes_pkey PRIMARY KEY (credit_note_id),
  constraint credit_notes_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint credit_notes_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds(refund_id),
  constraint credit_notes_amount CHECK ((amount > 0)),
  constraint credit_notes_tax CHECK (((tax >= 0) AND (tax <= amount)))
);
CREATE UNIQUE INDEX credit_notes_credit_once ON public.credit_notes USING btree (invoice_id) WHERE (refund_id IS NULL);
CREATE INDEX credit_notes_of_invoice ON public.credit_notes USING btree (invoice_id, created_at, credit_note_id);
CREATE TRIGGER credit_notes_never_edited BEFORE DELETE OR UPDATE OR TRUNCATE ON public.credit_notes FOR EACH STATEMENT EXECUTE FUNCTION reject_to_edit_credit_notes();

create table daily_summaries (
  user_id uuid not null,
  day date not null,
  constraint daily_summaries_pkey PRIMARY KEY (user_id, day)
);

create table deliveries (
  notification_id uuid not null,
  recorded_day date not null,
  hook_id uuid not null,
  shard integer default get_byte(uuid_send(hook_id), 15),
  app_id uuid not null,
  business_id uuid not null,
  resource_id uuid not null,
  resource_seq integer not null,
  seq bigint not null,
  priority text not null,
  attempts integer not null,
  due_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null,
  failures integer not null default 0,
  last_error text,
  constraint deliveries_pkey PRIMARY KEY (notification_id),
  constraint deliveries_priority CHECK ((priority = ANY (ARRAY['FIRST'::text, 'RETRY'::text, 'REPLAY'::text])))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
CREATE INDEX deliveries_again ON public.deliveries USING btree (shard, hook_id, due_at) WHERE (priority <> 'FIRST'::text);
CREATE INDEX deliveries_first ON public.deliveries USING btree (shard, hook_id, seq) WHERE (priority = 'FIRST'::text);
CREATE INDEX deliveries_of_app ON public.deliveries USING btree (app_id, LEAST(attempts, 1), notification_id);
CREATE INDEX deliveries_of_business ON public.deliveries USING btree (business_id, LEAST(attempts, 1), notification_id);
CREATE INDEX deliveries_of_hook ON public.deliveries USING btree (hook_id, LEAST(attempts, 1), notification_id);
CREATE INDEX deliveries_quarantined ON public.deliveries USING btree (due_at) WHERE (failures > 0);
CREATE INDEX deliveries_untried ON public.deliveries USING btree (hook_id, resource_id, resource_seq) WHERE (priority = 'FIRST'::text);

create table delivery_shards (
  shard integer not null,
  owner uuid,
  epoch bigint not null,
  leased_until timestamp with time zone,
  constraint delivery_shards_pkey PRIMARY KEY (shard)
) with (fillfactor=50);

create table delivery_workers (
  worker_id uuid not null,
  seen_until timestamp with time zone not null,
  lag_ms integer not null,
  constraint delivery_workers_pkey PRIMARY KEY (worker_id)
);

create table device_keys (
  device_key_id uuid not null,
  device_id uuid not null,
  business_id uuid not null,
  kid text not null,
  public_jwk jsonb not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint device_keys_pkey PRIMARY KEY (device_key_id),
  constraint device_keys_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint device_keys_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id)
);
CREATE UNIQUE INDEX device_keys_active_once ON public.device_keys USING btree (device_id) WHERE (revoked_at IS NULL);
CREATE TRIGGER device_keys_audited AFTER INSERT OR DELETE OR UPDATE ON public.device_keys FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('DEVICE_KEY', '{device_key_id}', '{}');

create table device_logins (
  device_login_id uuid not null,
  device_code_hash bytea not null,
  user_code text not null,
  address text not null,
  agent text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  polled_at timestamp with time zone,
  decision text,
  user_id uuid,
  session_id uuid,
  membership_id uuid,
  used_at timestamp with time zone,
  constraint device_logins_device_code_once UNIQUE (device_code_hash),
  constraint device_logins_user_code_once UNIQUE (user_code),
  constraint device_logins_pkey PRIMARY KEY (device_login_id),
  constraint device_logins_membership_id_fkey FOREIGN KEY (membership_id) REFERENCES memberships(membership_id),
  constraint device_logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id),
  constraint device_logins_decided CHECK (((num_nulls(decision, user_id, session_id, membership_id) = ANY (ARRAY[0, 4])) AND ((used_at IS NULL) OR (decision = 'APPROVED'::text)))),
  constraint device_logins_decision CHECK ((decision = ANY (ARRAY['APPROVED'::text, 'DENIED'::text])))
);
CREATE INDEX device_logins_over ON public.device_logins USING btree (expires_at);

create table devices (
  device_id uuid not null,
  business_id uuid not null,
  store_id uuid not null,
  name text not null,
  serial_number text not null,
  status text not null,
  activation_code_hash bytea,
  activation_expires_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint devices_pkey PRIMARY KEY (device_id),
  constraint devices_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint devices_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(store_id),
  constraint devices_activation_both CHECK (((activation_code_hash IS NULL) = (activation_expires_at IS NULL))),
  constraint devices_status CHECK ((status = ANY (ARRAY['NEW'::text, 'ACTIVE'::text, 'CLOSED'::text])))
);
CREATE INDEX devices_by_words ON public.devices USING gin (search_words(((name || ' '::text) || serial_number)));
CREATE UNIQUE INDEX devices_of_activation_code ON public.devices USING btree (activation_code_hash) WHERE (activation_code_hash IS NOT NULL);
CREATE INDEX devices_of_business ON public.devices USING btree (business_id, created_at);
CREATE TRIGGER devices_audited AFTER INSERT OR DELETE OR UPDATE ON public.devices FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('DEVICE', '{device_id}', '{activation_code_hash}');

create table dispute_evidence (
  dispute_id uuid not null,
  organization_id uuid not null,
  business_id uuid not null,
  product_description text,
  customer_communication text,
  uncategorized_text text,
  sent_at timestamp with time zone not null,
  constraint dispute_evidence_pkey PRIMARY KEY (dispute_id),
  constraint dispute_evidence_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint dispute_evidence_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES disputes(dispute_id),
  constraint dispute_evidence_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint dispute_evidence_text CHECK ((COALESCE(product_description, customer_communication, uncategorized_text) IS NOT NULL))
);
CREATE TRIGGER dispute_evidence_audited AFTER INSERT OR DELETE OR UPDATE ON public.dispute_evidence FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('DISPUTE_EVIDENCE', '{dispute_id}', '{}');

create table disputes (
  dispute_id uuid not null,
  gateway text not null,
  gateway_dispute_id text not null,
  invoice_id uuid not null,
  amount bigint not null,
  status text not null,
  evidence_due_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint disputes_once UNIQUE (gateway, gateway_dispute_id),
  constraint disputes_pkey PRIMARY KEY (dispute_id),
  constraint disputes_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint disputes_amount CHECK ((amount > 0)),
  constraint disputes_status CHECK ((status = ANY (ARRAY['OPEN'::text, 'LOST'::text, 'WON'::text])))
);
CREATE INDEX disputes_of_invoice ON public.disputes USING btree (invoice_id);

create table event_streams (
  stream_id uuid not null,
  app_id uuid not null,
  business_id uuid,
  merchant_type text,
  expires_at timestamp with time zone not null,
  connected_until timestamp with time zone,
  trimmed_xid bigint not null default 0,
  trimmed_seq bigint not null default 0,
  constraint event_streams_pkey PRIMARY KEY (stream_id, app_id),
  constraint event_streams_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint event_streams_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint event_streams_merchant_type CHECK ((merchant_type = ANY (ARRAY['MERCHANT'::text, 'TEST_MERCHANT'::text])))
);
CREATE INDEX event_streams_of_app ON public.event_streams USING btree (app_id);

create table former_business_names (
  until_id uuid not null,
  business_id uuid not null,
  legal_name text not null,
  doing_business_as text not null,
  email_address text not null,
  address jsonb,
  country text not null,
  tax_id text,
  constraint former_business_names_pkey PRIMARY KEY (until_id),
  constraint former_business_names_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);
CREATE INDEX former_business_names_of_business ON public.former_business_names USING btree (business_id, until_id);
CREATE TRIGGER former_business_names_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.former_business_names FOR EACH STATEMENT EXECUTE FUNCTION reject_to_change_former_names();

create table former_organization_names (
  until_id uuid not null,
  organization_id uuid not null,
  name text not null,
  email text not null,
  constraint former_organization_names_pkey PRIMARY KEY (until_id),
  constraint former_organization_names_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id)
);
CREATE INDEX former_organization_names_of_one ON public.former_organization_names USING btree (organization_id, until_id);
CREATE TRIGGER former_organization_names_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.former_organization_names FOR EACH STATEMENT EXECUTE FUNCTION reject_to_change_former_organizations();

create table gateway_events (
  gateway text not null,
  event_id text not null,
  kind text not null,
  gateway_charge_id text not null,
  received_at timestamp with time zone not null,
  next_poll_at timestamp with time zone,
  poll_count integer not null,
  constraint gateway_events_pkey PRIMARY KEY (gateway, event_id)
);
CREATE INDEX gateway_events_old ON public.gateway_events USING btree (received_at);
CREATE INDEX gateway_events_to_apply ON public.gateway_events USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);

create table grants (
  grant_id uuid not null,
  app_id uuid,
  business_id uuid,
  kid text,
  refresh_token_hash bytea,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  store_id uuid,
  device_id uuid,
  business_user_id uuid,
  constraint grants_refresh_token_once UNIQUE (refresh_token_hash),
  constraint grants_pkey PRIMARY KEY (grant_id),
  constraint grants_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint grants_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint grants_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id),
  constraint grants_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(store_id),
  constraint grants_of_app_or_terminal CHECK (((app_id IS NOT NULL) OR (device_id IS NOT NULL))),
  constraint grants_of_terminal_have_a_place CHECK (((device_id IS NULL) OR ((store_id IS NOT NULL) AND (business_id IS NOT NULL)))),
  constraint grants_refreshed_by_whom_a_key_proved CHECK (((kid IS NULL) = (refresh_token_hash IS NULL)))
);
CREATE INDEX grants_idle ON public.grants USING btree (used_at);
CREATE INDEX grants_not_refreshed ON public.grants USING btree (used_at) WHERE (refresh_token_hash IS NULL);
CREATE INDEX grants_of_business ON public.grants USING btree (app_id, business_id) WHERE (business_id IS NOT NULL);
CREATE INDEX grants_of_business_user ON public.grants USING btree (business_user_id) WHERE (business_user_id IS NOT NULL);
CREATE INDEX grants_of_device ON public.grants USING btree (device_id) WHERE (device_id IS NOT NULL);
CREATE INDEX grants_of_key ON public.grants USING btree (app_id, kid);
CREATE INDEX grants_revoked ON public.grants USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

create table hook_health (
  hook_id uuid not null,
  failures integer not null,
  failing_since timestamp with time zone,
  gone_since timestamp with time zone,
  last_failure text,
  opened integer not null,
  open_until timestamp with time zone,
  last_failed_at timestamp with time zone,
  constraint hook_health_pkey PRIMARY KEY (hook_id),
  constraint hook_health_since CHECK (((failures > 0) = (failing_since IS NOT NULL)))
) with (fillfactor=50);

create table hook_hours (
  hook_id uuid not null,
  hour timestamp with time zone not null,
  outcome text not null,
  attempts integer not null,
  durations integer[] not null,
  constraint hook_hours_pkey PRIMARY KEY (hook_id, hour, outcome)
) with (fillfactor=50);
CREATE INDEX hook_hours_old ON public.hook_hours USING btree (hour);

create table hooks (
  hook_id uuid not null,
  app_id uuid not null,
  business_id uuid,
  delivery_url text not null,
  secret bytea not null,
  event_types text[] not null,
  fingerprint bytea not null,
  active boolean not null,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  off_since timestamp with time zone,
  version integer not null default 1,
  constraint hooks_same_is_same UNIQUE NULLS NOT DISTINCT (app_id, business_id, fingerprint),
  constraint hooks_pkey PRIMARY KEY (hook_id),
  constraint hooks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint hooks_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id)
);
CREATE INDEX hooks_of_app_by_activity ON public.hooks USING btree (active, app_id, hook_id);
CREATE TRIGGER hooks_audited AFTER INSERT OR DELETE OR UPDATE ON public.hooks FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('HOOK', '{hook_id}', '{secret,fingerprint,version}');

create table idempotency_keys (
  key_hash bytea not null,
  body_hash bytea not null,
  status integer not null,
  answer bytea not null,
  recorded_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (key_hash)
);
CREATE INDEX idempotency_keys_recorded ON public.idempotency_keys USING btree (recorded_at);

create table installed_apps (
  device_id uuid not null,
  app_id uuid not null,
  version text not null,
  signer_sha256 text not null,
  permissions text[] not null,
  installed_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint installed_apps_pkey PRIMARY KEY (device_id, app_id),
  constraint installed_apps_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint installed_apps_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id),
  constraint installed_apps_signer CHECK ((signer_sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE TRIGGER installed_apps_audited AFTER INSERT OR DELETE OR UPDATE ON public.installed_apps FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('INSTALLED_APP', '{device_id,app_id}', '{}');

create table invitations (
  invitation_id uuid not null,
  secret_hash bytea not null,
  email text not null,
  kind text not null,
  organization_id uuid,
  business_id uuid,
  role text not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  revoked_at timestamp with time zone,
  constraint invitations_secret_once UNIQUE (secret_hash),
  constraint invitations_pkey PRIMARY KEY (invitation_id),
  constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(user_id),
  constraint invitations_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(user_id),
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint invitations_accepted_both CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
  constraint invitations_kind CHECK ((kind = ANY (ARRAY['OPERATOR'::text, 'DEVELOPER'::text, 'MERCHANT'::text]))),
  constraint invitations_one_end CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitations_place CHECK ((((organization_id IS NOT NULL) = (kind = 'DEVELOPER'::text)) AND ((business_id IS NOT NULL) = (kind = 'MERCHANT'::text))))
);
CREATE INDEX invitations_of_business ON public.invitations USING btree (business_id, created_at);
CREATE INDEX invitations_of_organization ON public.invitations USING btree (organization_id, created_at);
CREATE INDEX invitations_over ON public.invitations USING btree (expires_at);
CREATE INDEX invitations_recent ON public.invitations USING btree (created_at);
CREATE TRIGGER invitations_audited AFTER INSERT OR DELETE OR UPDATE ON public.invitations FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('INVITATION', '{invitation_id}', '{secret_hash}');

create table invoice_counters (
  organization_id uuid not null,
  series text not null,
  last_number integer not null,
  constraint invoice_counters_pkey PRIMARY KEY (organization_id, series),
  constraint invoice_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id)
);

create table invoices (
  invoice_id uuid not null,
  number text not null,
  organization_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  subscription_id uuid not null,
  plan_id uuid not null,
  merchant_type text not null,
  term integer not null,
  period_index integer not null,
  status text not null,
  country text not null,
  currency text not null,
  amount bigint not null,
  amount_paid bigint not null,
  amount_refunded bigint not null,
  lines jsonb not null,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  credit_applied bigint not null,
  lost_in_disputes bigint not null default 0,
  tax jsonb,
  constraint invoices_number_once UNIQUE (organization_id, number),
  constraint invoices_period_once UNIQUE (subscription_id, term, period_index),
  constraint invoices_pkey PRIMARY KEY (invoice_id),
  constraint invoices_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint invoices_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint invoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint invoices_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(plan_id),
  constraint invoices_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(subscription_id),
  constraint invoices_amount CHECK ((amount >= 0)),
  constraint invoices_credit_applied CHECK ((credit_applied >= 0)),
  constraint invoices_lost_in_disputes CHECK ((lost_in_disputes >= 0)),
  constraint invoices_merchant_type CHECK ((merchant_type = ANY (ARRAY['MERCHANT'::text, 'TEST_MERCHANT'::text]))),
  constraint invoices_paid CHECK ((amount_paid =
CASE
    WHEN (status = 'PAID'::text) THEN amount
    ELSE (0)::bigint
END)),
  constraint invoices_refunded CHECK (((amount_refunded >= 0) AND (amount_refunded <= amount_paid))),
  constraint invoices_status CHECK ((status = ANY (ARRAY['OPEN'::text, 'PAID'::text, 'UNCOLLECTIBLE'::text, 'VOID'::text])))
);
CREATE INDEX invoices_of_app ON public.invoices USING btree (app_id, merchant_type, invoice_id);
CREATE INDEX invoices_of_business ON public.invoices USING btree (business_id, created_at, invoice_id);
CREATE INDEX invoices_open_of_subscription ON public.invoices USING btree (subscription_id, term, period_index) WHERE (status = 'OPEN'::text);
CREATE INDEX invoices_refunded ON public.invoices USING btree (app_id, merchant_type, invoice_id) WHERE (amount_refunded > 0);
CREATE INDEX invoices_uncollected ON public.invoices USING btree (app_id, invoice_id) WHERE (status = ANY (ARRAY['UNCOLLECTIBLE'::text, 'VOID'::text]));
CREATE TRIGGER invoices_audited AFTER INSERT OR DELETE OR UPDATE ON public.invoices FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('INVOICE', '{invoice_id}', '{}');
CREATE TRIGGER invoices_conversion AFTER INSERT ON public.invoices FOR EACH ROW WHEN ((new.status = 'PAID'::text)) EXECUTE FUNCTION note_conversion();
CREATE TRIGGER invoices_conversion_anew AFTER UPDATE ON public.invoices FOR EACH ROW WHEN (((old.status <> 'PAID'::text) AND (new.status = 'PAID'::text))) EXECUTE FUNCTION note_conversion();
CREATE TRIGGER invoices_never_edited BEFORE DELETE OR UPDATE OF invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, period_index, country, currency, amount, credit_applied, lines, tax, period_start, period_end, created_at OR TRUNCATE ON public.invoices FOR EACH STATEMENT EXECUTE FUNCTION reject_to_edit_invoices();

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
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
CREATE INDEX ledger_total_changes_of_organization ON public.ledger_total_changes USING btree (organization_id);

create table ledger_totals (
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
  tax bigint not null,
  constraint ledger_totals_pkey PRIMARY KEY (organization_id, live, currency, month, plan_id, kind)
) with (fillfactor=80);

create table ledger_transactions (
  ledger_transaction_id uuid not null,
  kind text not null,
  source_id uuid not null,
  invoice_id uuid,
  business_id uuid,
  currency text not null,
  booked_at timestamp with time zone not null,
  live boolean not null,
  share_basis_points integer,
  organization_id uuid not null,
  gateway bigint not null,
  organization bigint not null,
  operator bigint not null,
  business_credit bigint not null,
  tax bigint not null default 0,
  constraint ledger_transactions_source_once UNIQUE (kind, source_id),
  constraint ledger_transactions_pkey PRIMARY KEY (ledger_transaction_id),
  constraint ledger_transactions_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint ledger_transactions_kind CHECK ((kind = ANY (ARRAY['CHARGE'::text, 'REFUND'::text, 'REFUND_RETURN'::text, 'CHARGEBACK'::text, 'CHARGEBACK_RETURN'::text, 'CREDIT'::text, 'CREDIT_USE'::text, 'FEE'::text, 'PAYOUT'::text, 'ADJUSTMENT'::text]))),
  constraint ledger_transactions_of_organization CHECK (
CASE
    WHEN (kind = ANY (ARRAY['FEE'::text, 'PAYOUT'::text, 'ADJUSTMENT'::text])) THEN (num_nonnulls(invoice_id, business_id) = 0)
    ELSE (num_nulls(invoice_id, business_id) = 0)
END),
  constraint ledger_transactions_share CHECK ((((kind = ANY (ARRAY['CHARGE'::text, 'REFUND'::text, 'REFUND_RETURN'::text, 'CHARGEBACK'::text, 'CHARGEBACK_RETURN'::text])) = (share_basis_points IS NOT NULL)) AND ((share_basis_points >= 0) AND (share_basis_points <= 10000)))),
  constraint ledger_transactions_sum_to_zero CHECK ((((((gateway + organization) + operator) + business_credit) + tax) = 0))
);
CREATE INDEX ledger_transactions_by_time ON public.ledger_transactions USING brin (booked_at);
CREATE INDEX ledger_transactions_of_business ON public.ledger_transactions USING btree (business_id);
CREATE INDEX ledger_transactions_of_invoice ON public.ledger_transactions USING btree (invoice_id);
CREATE INDEX ledger_transactions_of_organization ON public.ledger_transactions USING btree (organization_id, booked_at, ledger_transaction_id);
CREATE TRIGGER ledger_transactions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_transactions FOR EACH STATEMENT EXECUTE FUNCTION reject_to_change_ledger();
CREATE TRIGGER ledger_transactions_totalled AFTER INSERT ON public.ledger_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_bookings_to_totals();

create table mails (
  mail_id uuid not null,
  sealed bytea not null,
  attempts integer not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_error text,
  constraint mails_pkey PRIMARY KEY (mail_id)
);
CREATE INDEX mails_due ON public.mails USING btree (due_at);

create table memberships (
  membership_id uuid not null,
  user_id uuid not null,
  kind text not null,
  organization_id uuid,
  business_id uuid,
  role text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint memberships_pkey PRIMARY KEY (membership_id),
  constraint memberships_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id),
  constraint memberships_kind CHECK ((kind = ANY (ARRAY['OPERATOR'::text, 'DEVELOPER'::text, 'MERCHANT'::text]))),
  constraint memberships_place CHECK ((((organization_id IS NOT NULL) = (kind = 'DEVELOPER'::text)) AND ((business_id IS NOT NULL) = (kind = 'MERCHANT'::text)))),
  constraint memberships_role CHECK ((((kind = 'OPERATOR'::text) AND (role = ANY (ARRAY['ADMIN'::text, 'VIEWER'::text]))) OR ((kind = 'DEVELOPER'::text) AND (role = ANY (ARRAY['ADMIN'::text, 'MEMBER'::text, 'VIEWER'::text]))) OR ((kind = 'MERCHANT'::text) AND (role = ANY (ARRAY['OWNER'::text, 'MANAGER'::text, 'VIEWER'::text])))))
);
CREATE INDEX memberships_of_business ON public.memberships USING btree (business_id) WHERE (removed_at IS NULL);
CREATE INDEX memberships_of_operator ON public.memberships USING btree (kind) WHERE ((removed_at IS NULL) AND (kind = 'OPERATOR'::text));
CREATE INDEX memberships_of_organization ON public.memberships USING btree (organization_id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX memberships_once ON public.memberships USING btree (user_id, kind, organization_id, business_id) NULLS NOT DISTINCT WHERE (removed_at IS NULL);
CREATE TRIGGER memberships_audited AFTER INSERT OR DELETE OR UPDATE ON public.memberships FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('MEMBERSHIP', '{membership_id}', '{}');

create table money_mails (
  money_mail_id uuid not null,
  kind text not null,
  source_id uuid not null,
  source_seq integer not null,
  business_id uuid not null,
  subscription_id uuid,
  invoice_id uuid,
  occurred_at timestamp with time zone not null,
  due_at timestamp with time zone,
  recipient text,
  constraint money_mails_once UNIQUE (kind, source_id, source_seq),
  constraint money_mails_pkey PRIMARY KEY (money_mail_id),
  constraint money_mails_kind CHECK ((kind = ANY (ARRAY['RECEIPT'::text, 'PAYMENT_FAILED'::text, 'BANK_CONFIRMATION'::text, 'TRIAL_ENDING'::text, 'CARD_EXPIRING'::text, 'CANCELLED'::text, 'ENDED'::text, 'RESTORED'::text, 'PLAN_CHANGED'::text, 'REFUND'::text, 'RENEWAL_AHEAD'::text])))
);
CREATE INDEX money_mails_due ON public.money_mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX money_mails_of_subscription ON public.money_mails USING btree (subscription_id, occurred_at) WHERE (subscription_id IS NOT NULL);

create table notes (
  note_id uuid not null,
  subject text not null,
  subject_id uuid not null,
  text text not null,
  author text not null,
  created_at timestamp with time zone not null,
  constraint notes_pkey PRIMARY KEY (note_id),
  constraint notes_subject CHECK ((subject = ANY (ARRAY['ORGANIZATION'::text, 'APP'::text, 'BUSINESS'::text])))
);
CREATE INDEX notes_of_subject ON public.notes USING btree (subject, subject_id, note_id);
CREATE TRIGGER notes_audited AFTER INSERT OR DELETE OR UPDATE ON public.notes FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('NOTE', '{note_id}', '{}');

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
  recorded_at timestamp with time zone not null,
  constraint notifications_pkey PRIMARY KEY (recorded_day, notification_id)
) partition by RANGE (recorded_day);
CREATE INDEX notifications_of_app ON ONLY public.notifications USING btree (app_id, notification_id);
CREATE INDEX notifications_of_app_and_type ON ONLY public.notifications USING btree (app_id, event_type, notification_id);
CREATE INDEX notifications_of_business ON ONLY public.notifications USING btree (business_id, notification_id);
CREATE INDEX notifications_of_hook ON ONLY public.notifications USING btree (hook_id, notification_id);
CREATE INDEX notifications_of_resource ON ONLY public.notifications USING btree (resource_id, notification_id);

create table operator_keys (
  key_hash bytea not null,
  created_at timestamp with time zone not null,
  constraint operator_keys_pkey PRIMARY KEY (key_hash)
);

create table orders (
  order_id uuid not null,
  business_id uuid not null,
  store_id uuid not null,
  device_id uuid not null,
  status text not null,
  amount bigint,
  currency text,
  reference text,
  note text,
  resource_seq integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint orders_pkey PRIMARY KEY (order_id),
  constraint orders_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint orders_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id),
  constraint orders_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(store_id),
  constraint orders_amount_with_currency CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint orders_status CHECK ((status = ANY (ARRAY['OPENED'::text, 'COMPLETED'::text, 'CANCELLED'::text])))
);
CREATE TRIGGER orders_audited AFTER INSERT OR DELETE OR UPDATE ON public.orders FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('ORDER', '{order_id}', '{}');

create table organization_bookings (
  booking_id uuid not null,
  organization_id uuid not null,
  kind text not null,
  currency text not null,
  amount bigint not null,
  reference text not null,
  created_at timestamp with time zone not null,
  constraint organization_bookings_once UNIQUE (organization_id, kind, reference),
  constraint organization_bookings_pkey PRIMARY KEY (booking_id),
  constraint organization_bookings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint organization_bookings_amount CHECK (((amount > 0) OR ((kind <> 'FEE'::text) AND (amount <> 0)))),
  constraint organization_bookings_kind CHECK ((kind = ANY (ARRAY['FEE'::text, 'PAYOUT'::text, 'ADJUSTMENT'::text])))
);
CREATE INDEX organization_bookings_recent ON public.organization_bookings USING btree (organization_id, created_at, booking_id);
CREATE TRIGGER organization_bookings_audited AFTER INSERT OR DELETE OR UPDATE ON public.organization_bookings FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('ORGANIZATION_BOOKING', '{booking_id}', '{}');

create table organization_sellers (
  seller_id uuid not null,
  organization_id uuid not null,
  legal_name text not null,
  address jsonb,
  tax_id text,
  created_at timestamp with time zone not null,
  constraint organization_sellers_pkey PRIMARY KEY (seller_id),
  constraint organization_sellers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id)
);
CREATE INDEX organization_sellers_of_organization ON public.organization_sellers USING btree (organization_id, seller_id);
CREATE TRIGGER organization_sellers_audited AFTER INSERT OR DELETE OR UPDATE ON public.organization_sellers FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('SELLER', '{seller_id}', '{}');

create table organizations (
  organization_id uuid not null,
  name text not null,
  email text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint organizations_pkey PRIMARY KEY (organization_id)
);
CREATE INDEX organizations_by_words ON public.organizations USING gin (search_words(((name || ' '::text) || email)));
CREATE TRIGGER organizations_audited AFTER INSERT OR DELETE OR UPDATE ON public.organizations FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('ORGANIZATION', '{organization_id}', '{}');

create table outcomes (
  recorded_day date not null,
  notification_id uuid not null,
  hook_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  status text not null,
  reason text,
  attempts integer not null,
  finished_at timestamp with time zone not null,
  constraint outcomes_pkey PRIMARY KEY (recorded_day, notification_id),
  constraint outcomes_status CHECK ((status = ANY (ARRAY['DELIVERED'::text, 'ERRORED'::text])))
) partition by RANGE (recorded_day);
CREATE INDEX outcomes_errored_of_app ON ONLY public.outcomes USING btree (app_id, notification_id) WHERE (status = 'ERRORED'::text);
CREATE INDEX outcomes_errored_of_business ON ONLY public.outcomes USING btree (business_id, notification_id) WHERE (status = 'ERRORED'::text);
CREATE INDEX outcomes_errored_of_hook ON ONLY public.outcomes USING btree (hook_id, notification_id) WHERE (status = 'ERRORED'::text);

create table package_chunks (
  release_id uuid not null,
  position integer not null,
  bytes bytea not null,
  constraint package_chunks_pkey PRIMARY KEY (release_id, "position"),
  constraint package_chunks_position CHECK (("position" >= 0))
);

create table password_reset_requests (
  request_id uuid not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  constraint password_reset_requests_pkey PRIMARY KEY (request_id)
);
CREATE INDEX password_reset_requests_asked ON public.password_reset_requests USING btree (created_at);

create table password_resets (
  reset_id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint password_resets_secret_once UNIQUE (secret_hash),
  constraint password_resets_pkey PRIMARY KEY (reset_id),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX password_resets_of_user ON public.password_resets USING btree (user_id);
CREATE INDEX password_resets_over ON public.password_resets USING btree (expires_at);

create table payment_methods (
  payment_method_id uuid not null,
  business_id uuid not null,
  gateway text not null,
  reference text not null,
  label text not null,
  preferred_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  brand text,
  last4 text,
  expires text,
  removed_at timestamp with time zone,
  constraint payment_methods_pkey PRIMARY KEY (payment_method_id),
  constraint payment_methods_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint payment_methods_card_whole CHECK ((num_nulls(brand, last4, expires) = ANY (ARRAY[0, 3]))),
  constraint payment_methods_expires CHECK ((expires ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'::text)),
  constraint payment_methods_gateway CHECK ((gateway = ANY (ARRAY['sandbox'::text, 'stripe'::text]))),
  constraint payment_methods_last4 CHECK ((last4 ~ '^[0-9]{4}$'::text))
);
CREATE INDEX payment_methods_expiring ON public.payment_methods USING btree (expires) WHERE (removed_at IS NULL);
CREATE INDEX payment_methods_of_business ON public.payment_methods USING btree (business_id, preferred_at DESC, payment_method_id DESC) WHERE (removed_at IS NULL);
CREATE TRIGGER payment_methods_audited AFTER INSERT OR DELETE OR UPDATE ON public.payment_methods FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('PAYMENT_METHOD', '{payment_method_id}', '{reference,label}');

create table payout_accounts (
  organization_id uuid not null,
  account_id text not null,
  is_ready boolean not null default false,
  created_at timestamp with time zone not null,
  constraint payout_accounts_pkey PRIMARY KEY (organization_id),
  constraint payout_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id)
);
CREATE TRIGGER payout_accounts_audited AFTER INSERT OR DELETE OR UPDATE ON public.payout_accounts FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('PAYOUT_ACCOUNT', '{organization_id}', '{}');

create table payout_transfers (
  transfer_id uuid not null,
  organization_id uuid not null,
  account_id text not null,
  month text not null,
  currency text not null,
  amount bigint not null,
  status text not null,
  provider_transfer_id text,
  failure text,
  amount_reversed bigint not null default 0,
  next_poll_at timestamp with time zone,
  poll_count integer not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payout_transfers_pkey PRIMARY KEY (transfer_id),
  constraint payout_transfers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint payout_transfers_amount CHECK ((amount > 0)),
  constraint payout_transfers_provider CHECK (((status = 'SUCCEEDED'::text) = (provider_transfer_id IS NOT NULL))),
  constraint payout_transfers_reversed CHECK (((amount_reversed >= 0) AND (amount_reversed <= amount))),
  constraint payout_transfers_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
CREATE INDEX payout_transfers_due ON public.payout_transfers USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE UNIQUE INDEX payout_transfers_once ON public.payout_transfers USING btree (organization_id, month, currency) WHERE (status <> 'FAILED'::text);
CREATE INDEX payout_transfers_recent ON public.payout_transfers USING btree (organization_id, created_at, transfer_id);
CREATE TRIGGER payout_transfers_audited AFTER INSERT OR DELETE OR UPDATE ON public.payout_transfers FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('PAYOUT_TRANSFER', '{transfer_id}', '{}');

create table plans (
  plan_id uuid not null,
  app_id uuid not null,
  release_id uuid not null,
  name text not null,
  description text not null,
  amounts jsonb not null,
  interval text not null,
  interval_count integer not null,
  trial_period_days integer not null,
  trial_eligibility text not null,
  start_policy text not null,
  cancel_policy text not null,
  grace_period_days integer not null,
  scope text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  approved_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint plans_pkey PRIMARY KEY (plan_id),
  constraint plans_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint plans_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(release_id),
  constraint plans_active CHECK (((status = 'ACTIVE'::text) = ((approved_at IS NOT NULL) AND (retired_at IS NULL)))),
  constraint plans_cancel_policy CHECK ((cancel_policy = ANY (ARRAY['IMMEDIATE'::text, 'BILLING'::text]))),
  constraint plans_grace CHECK (((grace_period_days >= 0) AND (grace_period_days <= 30))),
  constraint plans_interval CHECK (("interval" = ANY (ARRAY['DAY'::text, 'WEEK'::text, 'MONTH'::text, 'YEAR'::text]))),
  constraint plans_interval_count CHECK (((interval_count >= 1) AND (interval_count <= 12))),
  constraint plans_scope CHECK ((scope = ANY (ARRAY['BUSINESS'::text, 'STORE'::text, 'DEVICE'::text]))),
  constraint plans_start_policy CHECK ((start_policy = 'IMMEDIATE'::text)),
  constraint plans_status CHECK ((status = ANY (ARRAY['INACTIVE'::text, 'ACTIVE'::text]))),
  constraint plans_trial CHECK (((trial_period_days >= 0) AND (trial_period_days <= 365))),
  constraint plans_trial_eligibility CHECK ((trial_eligibility = ANY (ARRAY['ALWAYS'::text, 'ONCE_PER_BUSINESS'::text])))
);
CREATE INDEX plans_of_app ON public.plans USING btree (app_id, created_at, plan_id);
CREATE TRIGGER plans_audited AFTER INSERT OR DELETE OR UPDATE ON public.plans FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('PLAN', '{plan_id}', '{}');

create table purchases (
  purchase_id uuid not null,
  app_id uuid not null,
  business_id uuid not null,
  store_id uuid,
  device_id uuid,
  business_user_id uuid,
  kind text not null,
  plan_id uuid not null,
  subscription_id uuid,
  invoice_id uuid,
  status text not null,
  opened_by text not null,
  secret_hash bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  terminal_session_id uuid,
  constraint purchases_pkey PRIMARY KEY (purchase_id),
  constraint purchases_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint purchases_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint purchases_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id),
  constraint purchases_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(plan_id),
  constraint purchases_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(store_id),
  constraint purchases_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(subscription_id),
  constraint purchases_charged_when_completed CHECK (((invoice_id IS NULL) OR (status = 'COMPLETED'::text))),
  constraint purchases_ended CHECK (((status = 'OPEN'::text) = (ended_at IS NULL))),
  constraint purchases_kind CHECK ((kind = ANY (ARRAY['SUBSCRIBE'::text, 'REPLACE'::text, 'RESTORE'::text]))),
  constraint purchases_of_a_subscription CHECK ((((kind = 'SUBSCRIBE'::text) AND (status <> 'COMPLETED'::text)) = (subscription_id IS NULL))),
  constraint purchases_of_terminals_have_a_place CHECK (((opened_by <> 'TERMINAL'::text) OR ((store_id IS NOT NULL) AND (device_id IS NOT NULL)))),
  constraint purchases_of_terminals_have_a_secret CHECK (((opened_by = 'TERMINAL'::text) = (secret_hash IS NOT NULL))),
  constraint purchases_opened_by CHECK ((opened_by = ANY (ARRAY['TERMINAL'::text, 'APP'::text]))),
  constraint purchases_status CHECK ((status = ANY (ARRAY['OPEN'::text, 'COMPLETED'::text, 'CANCELLED'::text, 'EXPIRED'::text])))
);
CREATE INDEX purchases_never_completed ON public.purchases USING btree (ended_at) WHERE (status = ANY (ARRAY['CANCELLED'::text, 'EXPIRED'::text]));
CREATE INDEX purchases_open ON public.purchases USING btree (expires_at) WHERE (status = 'OPEN'::text);
CREATE INDEX purchases_open_of_app ON public.purchases USING btree (app_id, business_id, expires_at) WHERE (status = 'OPEN'::text);
CREATE TRIGGER purchases_audited AFTER INSERT OR DELETE OR UPDATE ON public.purchases FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('PURCHASE', '{purchase_id}', '{secret_hash}');

create table reconciliation_discrepancies (
  gateway text not null,
  gateway_charge_id text not null,
  kind text not null,
  detail text not null,
  invoice_id uuid,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  gone_at timestamp with time zone,
  constraint reconciliation_discrepancies_pkey PRIMARY KEY (gateway, gateway_charge_id, kind)
);
CREATE INDEX reconciliation_discrepancies_open ON public.reconciliation_discrepancies USING btree (gateway, first_seen_at) WHERE (gone_at IS NULL);

create table reconciliations (
  gateway text not null,
  until_at timestamp with time zone not null,
  from_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  compared integer not null,
  repaired integer not null,
  discrepancies integer not null,
  finished_at timestamp with time zone,
  constraint reconciliations_pkey PRIMARY KEY (gateway, until_at),
  constraint reconciliations_finished CHECK (((leased_until IS NULL) = (finished_at IS NOT NULL))),
  constraint reconciliations_span CHECK ((from_at < until_at))
);

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
);

create table redeliveries (
  redelivery_id uuid not null,
  app_id uuid not null,
  business_id uuid,
  hook_id uuid,
  start_at timestamp with time zone not null,
  end_at timestamp with time zone not null,
  status text,
  state text not null,
  reached_id uuid,
  queued integer not null,
  skipped integer not null,
  run_at timestamp with time zone not null,
  failures integer not null default 0,
  last_error text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  undelivered_since timestamp with time zone,
  constraint redeliveries_pkey PRIMARY KEY (redelivery_id),
  constraint redeliveries_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint redeliveries_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint redeliveries_state CHECK ((state = ANY (ARRAY['RUNNING'::text, 'DONE'::text, 'CANCELLED'::text]))),
  constraint redeliveries_status CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'ERRORED_RETRYING'::text, 'DELIVERED'::text, 'ERRORED'::text])))
);
CREATE INDEX redeliveries_of_app ON public.redeliveries USING btree (app_id, redelivery_id);
CREATE INDEX redeliveries_running ON public.redeliveries USING btree (run_at) WHERE (state = 'RUNNING'::text);
CREATE TRIGGER redeliveries_audited AFTER INSERT OR DELETE OR UPDATE ON public.redeliveries FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('REDELIVERY', '{redelivery_id}', '{failures,last_error}');

create table refunds (
  refund_id uuid not null,
  invoice_id uuid not null,
  business_id uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  origin text not null,
  status text not null,
  failure text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_poll_at timestamp with time zone,
  poll_count integer not null,
  gateway_refund_id text,
  failures integer not null default 0,
  last_error text,
  constraint refunds_pkey PRIMARY KEY (refund_id),
  constraint refunds_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint refunds_amount CHECK ((amount > 0)),
  constraint refunds_failure CHECK (((status = 'FAILED'::text) = (failure IS NOT NULL))),
  constraint refunds_origin CHECK ((origin = ANY (ARRAY['API'::text, 'LATE_SUCCESS'::text, 'GATEWAY'::text, 'OUT_OF_BAND'::text]))),
  constraint refunds_polled CHECK (((status = 'PENDING'::text) = (next_poll_at IS NOT NULL))),
  constraint refunds_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCEEDED'::text, 'FAILED'::text])))
);
CREATE UNIQUE INDEX refunds_at_gateway_once ON public.refunds USING btree (gateway_refund_id) WHERE (gateway_refund_id IS NOT NULL);
CREATE INDEX refunds_of_invoice ON public.refunds USING btree (invoice_id, created_at, refund_id);
CREATE INDEX refunds_owed ON public.refunds USING btree (invoice_id) WHERE ((origin = 'LATE_SUCCESS'::text) AND (status = 'FAILED'::text));
CREATE INDEX refunds_quarantined ON public.refunds USING btree (failures) WHERE (failures > 0);
CREATE INDEX refunds_succeeded ON public.refunds USING btree (updated_at) WHERE (status = 'SUCCEEDED'::text);
CREATE INDEX refunds_to_poll ON public.refunds USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE TRIGGER refunds_audited AFTER INSERT OR DELETE OR UPDATE ON public.refunds FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('REFUND', '{refund_id}', '{failures,last_error}');

create table release_drafts (
  draft_id uuid not null,
  app_id uuid not null,
  revision integer not null,
  version text not null,
  notes text not null,
  plans jsonb not null,
  package_size integer,
  package jsonb,
  updated_at timestamp with time zone not null,
  constraint release_drafts_once UNIQUE (app_id),
  constraint release_drafts_pkey PRIMARY KEY (draft_id),
  constraint release_drafts_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint release_drafts_package_whole CHECK ((num_nulls(package_size, package) = ANY (ARRAY[0, 2]))),
  constraint release_drafts_revision CHECK ((revision > 0))
);

create table release_messages (
  message_id uuid not null,
  release_id uuid not null,
  author text not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint release_messages_pkey PRIMARY KEY (message_id),
  constraint release_messages_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(release_id),
  constraint release_messages_author CHECK ((author = ANY (ARRAY['OPERATOR'::text, 'DEVELOPER'::text])))
);
CREATE INDEX release_messages_of_release ON public.release_messages USING btree (release_id, created_at);
CREATE TRIGGER release_messages_audited AFTER INSERT OR DELETE OR UPDATE ON public.release_messages FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('RELEASE_MESSAGE', '{message_id}', '{}');

create table releases (
  release_id uuid not null,
  app_id uuid not null,
  version text not null,
  status text not null,
  notes text,
  reason text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  package_size integer,
  package_sha256 text,
  package_content_type text,
  apk jsonb,
  constraint releases_pkey PRIMARY KEY (release_id),
  constraint releases_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint releases_apk CHECK (((apk IS NULL) OR (package_size IS NOT NULL))),
  constraint releases_decided CHECK (((status = 'SUBMITTED'::text) = (decided_at IS NULL))),
  constraint releases_package_sha256 CHECK ((package_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint releases_package_size CHECK ((package_size > 0)),
  constraint releases_package_whole CHECK ((num_nulls(package_size, package_sha256, package_content_type) = ANY (ARRAY[0, 3]))),
  constraint releases_status CHECK ((status = ANY (ARRAY['SUBMITTED'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text])))
);
CREATE INDEX releases_of_app ON public.releases USING btree (app_id, created_at);
CREATE INDEX releases_submitted ON public.releases USING btree (release_id) WHERE (status = 'SUBMITTED'::text);
CREATE TRIGGER releases_audited AFTER INSERT OR DELETE OR UPDATE ON public.releases FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('RELEASE', '{release_id}', '{apk}');

create table revenue_changes (
  plan_id uuid not null,
  currency text not null,
  month date not null,
  kind text not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);

create table revenue_countries (
  app_id uuid not null,
  merchant_type text not null,
  currency text not null,
  country text not null,
  month date not null,
  subscribers bigint not null,
  mrr bigint not null,
  collected bigint not null,
  returned bigint not null,
  constraint revenue_countries_pkey PRIMARY KEY (app_id, merchant_type, currency, country, month)
) with (fillfactor=80);

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
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);

create table revenue_day_changes (
  app_id uuid not null,
  plan_id uuid not null,
  merchant_type text not null,
  currency text not null,
  day date not null,
  kind text not null,
  count integer not null,
  amount bigint not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);

create table revenue_days (
  app_id uuid not null,
  plan_id uuid not null,
  merchant_type text not null,
  currency text not null,
  day date not null,
  kind text not null,
  count bigint not null,
  amount bigint not null,
  constraint revenue_days_pkey PRIMARY KEY (app_id, merchant_type, currency, day, kind, plan_id),
  constraint revenue_days_kind CHECK ((kind = ANY (ARRAY['NEW'::text, 'EXPANSION'::text, 'CONTRACTION'::text, 'CHURN'::text, 'TRIAL_STARTED'::text, 'TRIAL_CONVERTED'::text, 'TRIAL_ENDED'::text, 'PAST_DUE'::text, 'RECOVERED'::text, 'LOST'::text, 'COLLECTED'::text, 'REFUNDED'::text, 'CHARGED_BACK'::text])))
) with (fillfactor=80);

create table revenue_sums (
  currency text not null,
  interval text not null,
  interval_count integer not null,
  month date not null,
  kind text not null,
  count bigint not null,
  amount bigint not null,
  constraint revenue_sums_pkey PRIMARY KEY (currency, "interval", interval_count, month, kind),
  constraint revenue_sums_kind CHECK ((kind = ANY (ARRAY['BEGUN'::text, 'LEFT'::text, 'TRIAL_OVER'::text, 'CONVERTED'::text])))
) with (fillfactor=80);

create table sandbox_charges (
  gateway_charge_id text not null,
  key text not null,
  amount bigint not null,
  currency text not null,
  metadata jsonb not null,
  created_at timestamp with time zone not null,
  succeeded_key text,
  succeeded_reference text,
  succeeded_at timestamp with time zone,
  constraint sandbox_charges_key_once UNIQUE (key),
  constraint sandbox_charges_pkey PRIMARY KEY (gateway_charge_id),
  constraint sandbox_charges_amount CHECK ((amount > 0)),
  constraint sandbox_charges_succeeded CHECK ((((succeeded_key IS NULL) = (succeeded_at IS NULL)) AND ((succeeded_key IS NULL) = (succeeded_reference IS NULL))))
) with (fillfactor=50);

create table sandbox_confirmations (
  gateway_charge_id text not null,
  key text not null,
  reference text not null,
  outcome jsonb not null,
  confirmed_at timestamp with time zone not null,
  constraint sandbox_confirmations_pkey PRIMARY KEY (gateway_charge_id, key)
);

create table sandbox_disputes (
  dispute_id text not null,
  gateway_charge_id text not null,
  amount bigint not null,
  status text not null,
  evidence jsonb,
  began_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  constraint sandbox_disputes_pkey PRIMARY KEY (dispute_id),
  constraint sandbox_disputes_gateway_charge_id_fkey FOREIGN KEY (gateway_charge_id) REFERENCES sandbox_charges(gateway_charge_id),
  constraint sandbox_disputes_amount CHECK ((amount > 0)),
  constraint sandbox_disputes_status CHECK ((status = ANY (ARRAY['open'::text, 'lost'::text, 'won'::text])))
);
CREATE INDEX sandbox_disputes_of_charge ON public.sandbox_disputes USING btree (gateway_charge_id);

create table sandbox_payment_methods (
  reference text not null,
  key text not null,
  behaviour text not null,
  created_at timestamp with time zone not null,
  paid_charge_id text,
  constraint sandbox_payment_methods_key_once UNIQUE (key),
  constraint sandbox_payment_methods_pkey PRIMARY KEY (reference),
  constraint sandbox_payment_methods_behaviour CHECK ((behaviour = ANY (ARRAY['tok_ok'::text, 'tok_insufficient_funds'::text, 'tok_stolen'::text, 'tok_fail_after_1'::text, 'tok_timeout_then_ok'::text, 'tok_timeout_then_declined'::text, 'tok_pending'::text, 'tok_action_required'::text, 'tok_refund_fails'::text, 'tok_expires_soon'::text])))
);

create table sandbox_refunds (
  gateway_charge_id text not null,
  key text not null,
  amount bigint not null,
  outcome jsonb not null,
  refunded_at timestamp with time zone not null,
  constraint sandbox_refunds_pkey PRIMARY KEY (gateway_charge_id, key),
  constraint sandbox_refunds_gateway_charge_id_fkey FOREIGN KEY (gateway_charge_id) REFERENCES sandbox_charges(gateway_charge_id),
  constraint sandbox_refunds_amount CHECK ((amount > 0))
);

create table second_factors (
  user_id uuid not null,
  secret bytea not null,
  last_step bigint not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  recovery_codes_at timestamp with time zone,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE TRIGGER second_factors_audited AFTER INSERT OR DELETE OR UPDATE ON public.second_factors FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('SECOND_FACTOR', '{user_id}', '{secret,last_step}');

create table sessions (
  session_id uuid not null,
  token_hash bytea not null,
  user_id uuid not null,
  membership_id uuid not null,
  address text not null,
  agent text not null,
  second_factor_at timestamp with time zone,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_token_once UNIQUE (token_hash),
  constraint sessions_pkey PRIMARY KEY (session_id),
  constraint sessions_membership_id_fkey FOREIGN KEY (membership_id) REFERENCES memberships(membership_id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id)
);
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id) WHERE (ended_at IS NULL);
CREATE INDEX sessions_old ON public.sessions USING btree (created_at);

create table signing_keys (
  kid text not null,
  private_jwk bytea not null,
  public_jwk jsonb not null,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);
CREATE TRIGGER signing_keys_audited AFTER INSERT OR DELETE OR UPDATE ON public.signing_keys FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('SIGNING_KEY', '{kid}', '{private_jwk}');

create table stores (
  store_id uuid not null,
  business_id uuid not null,
  display_name text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint stores_pkey PRIMARY KEY (store_id),
  constraint stores_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint stores_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text])))
);
CREATE INDEX stores_of_business ON public.stores USING btree (business_id, created_at);
CREATE TRIGGER stores_audited AFTER INSERT OR DELETE OR UPDATE ON public.stores FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('STORE', '{store_id}', '{}');

create table stream_events (
  stream_id uuid not null,
  xid bigint not null default ((pg_current_xact_id())::text)::bigint,
  seq bigint not null,
  app_id uuid not null,
  orders_of uuid,
  body text not null,
  constraint stream_events_pkey PRIMARY KEY (stream_id, xid, seq)
) with (autovacuum_vacuum_scale_factor=0.05);

create table stripe_customers (
  business_id uuid not null,
  customer_id text not null,
  created_at timestamp with time zone not null,
  constraint stripe_customers_pkey PRIMARY KEY (business_id)
);

create table subscription_count_changes (
  app_id uuid not null,
  plan_id uuid not null,
  status text not null,
  minute_at timestamp with time zone not null,
  change integer not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);
CREATE INDEX subscription_count_changes_of_app ON public.subscription_count_changes USING btree (app_id, status);

create table subscription_counts (
  list_id uuid not null,
  status text not null,
  span text not null,
  begins_at timestamp with time zone not null,
  count integer not null,
  constraint subscription_counts_pkey PRIMARY KEY (list_id, span, status, begins_at),
  constraint subscription_counts_span CHECK ((span = ANY (ARRAY['ALL'::text, 'DAY'::text, 'MINUTE'::text])))
) with (fillfactor=80);

create table subscriptions (
  subscription_id uuid not null,
  app_id uuid not null,
  organization_id uuid not null,
  business_id uuid not null,
  plan_id uuid not null,
  bundle_id uuid not null,
  store_id uuid,
  device_id uuid,
  test_clock_id uuid,
  merchant_type text not null,
  country text not null,
  currency text not null,
  amount bigint not null,
  phase text not null,
  status text not null,
  payment_status text not null,
  start_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  trial_end_at timestamp with time zone,
  anchor_at timestamp with time zone,
  term integer not null,
  period_index integer,
  current_period_start timestamp with time zone not null,
  current_period_end timestamp with time zone not null,
  cancel_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  first_declined_at timestamp with time zone,
  grace_end_at timestamp with time zone,
  next_retry_at timestamp with time zone,
  awaited_charge_id uuid,
  next_action_at timestamp with time zone,
  last_trigger_at timestamp with time zone not null,
  resource_seq integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  pending_plan_id uuid,
  pending_amount bigint,
  trial_ending_at timestamp with time zone,
  failures integer not null default 0,
  last_error text,
  retry_at timestamp with time zone,
  constraint subscriptions_pkey PRIMARY KEY (subscription_id),
  constraint subscriptions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(app_id),
  constraint subscriptions_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint subscriptions_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id),
  constraint subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint subscriptions_pending_plan_id_fkey FOREIGN KEY (pending_plan_id) REFERENCES plans(plan_id),
  constraint subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plans(plan_id),
  constraint subscriptions_store_id_fkey FOREIGN KEY (store_id) REFERENCES stores(store_id),
  constraint subscriptions_amount CHECK (((amount >= 0) AND (amount <= '9999999999'::bigint))),
  constraint subscriptions_end_reason CHECK ((end_reason = ANY (ARRAY['CANCELLED'::text, 'DISPUTED'::text, 'NON_PAYMENT'::text, 'NOT_STARTED'::text, 'OPERATOR'::text]))),
  constraint subscriptions_end_reason_given CHECK (((status = 'ENDED'::text) = (end_reason IS NOT NULL))),
  constraint subscriptions_ended CHECK (((status = 'ENDED'::text) = (ended_at IS NOT NULL))),
  constraint subscriptions_ended_is_quiet CHECK (((status <> 'ENDED'::text) OR ((next_action_at IS NULL) AND (next_retry_at IS NULL) AND (cancel_at IS NULL) AND (pending_plan_id IS NULL)))),
  constraint subscriptions_full CHECK (((phase = 'FULL'::text) = ((anchor_at IS NOT NULL) AND (period_index IS NOT NULL)))),
  constraint subscriptions_grace CHECK (((first_declined_at IS NULL) = (grace_end_at IS NULL))),
  constraint subscriptions_merchant_type CHECK ((merchant_type = ANY (ARRAY['MERCHANT'::text, 'TEST_MERCHANT'::text]))),
  constraint subscriptions_past_due CHECK (((status = 'ENDED'::text) OR ((payment_status = 'PAST_DUE'::text) = (first_declined_at IS NOT NULL)))),
  constraint subscriptions_payment_status CHECK ((payment_status = ANY (ARRAY['CURRENT'::text, 'PAST_DUE'::text]))),
  constraint subscriptions_pending CHECK (((pending_plan_id IS NULL) = (pending_amount IS NULL))),
  constraint subscriptions_pending_amount CHECK (((pending_amount >= 0) AND (pending_amount <= '9999999999'::bigint))),
  constraint subscriptions_period CHECK ((current_period_start < current_period_end)),
  constraint subscriptions_phase CHECK ((phase = ANY (ARRAY['TRIAL'::text, 'FULL'::text]))),
  constraint subscriptions_status CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'ENDED'::text]))),
  constraint subscriptions_term CHECK ((term >= 0)),
  constraint subscriptions_trial CHECK (((phase = 'FULL'::text) OR (trial_end_at IS NOT NULL))),
  constraint subscriptions_trial_ending CHECK (((trial_ending_at IS NULL) OR (phase = 'TRIAL'::text)))
) with (fillfactor=60);
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (next_action_at) WHERE ((next_action_at IS NOT NULL) AND (test_clock_id IS NULL));
CREATE INDEX subscriptions_due_on_clock ON public.subscriptions USING btree (test_clock_id, next_action_at) WHERE ((next_action_at IS NOT NULL) AND (test_clock_id IS NOT NULL));
CREATE UNIQUE INDEX subscriptions_live_once ON public.subscriptions USING btree (plan_id, business_id, store_id, device_id) NULLS NOT DISTINCT WHERE (status <> 'ENDED'::text);
CREATE INDEX subscriptions_of_app_by_status ON public.subscriptions USING btree (app_id, status, created_at, subscription_id);
CREATE INDEX subscriptions_of_business ON public.subscriptions USING btree (business_id, app_id, created_at, subscription_id);
CREATE INDEX subscriptions_of_organization ON public.subscriptions USING btree (organization_id, business_id);
CREATE INDEX subscriptions_of_plan_by_status ON public.subscriptions USING btree (plan_id, status, created_at, subscription_id);
CREATE INDEX subscriptions_of_test_merchants ON public.subscriptions USING btree (app_id, status, created_at, subscription_id) WHERE (merchant_type = 'TEST_MERCHANT'::text);
CREATE INDEX subscriptions_on_trial_of_app ON public.subscriptions USING btree (app_id, created_at, subscription_id) WHERE ((phase = 'TRIAL'::text) AND (status = 'ACTIVE'::text));
CREATE INDEX subscriptions_past_due_of_app ON public.subscriptions USING btree (app_id, created_at, subscription_id) WHERE ((payment_status = 'PAST_DUE'::text) AND (status = 'ACTIVE'::text));
CREATE INDEX subscriptions_past_due_of_business ON public.subscriptions USING btree (business_id) WHERE ((payment_status = 'PAST_DUE'::text) AND (status = 'ACTIVE'::text));
CREATE INDEX subscriptions_quarantined ON public.subscriptions USING btree (failures) WHERE (failures > 0);
CREATE TRIGGER subscriptions_audited AFTER INSERT OR DELETE OR UPDATE ON public.subscriptions FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('SUBSCRIPTION', '{subscription_id}', '{failures,last_error,retry_at}');
CREATE TRIGGER subscriptions_counted AFTER INSERT OR DELETE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION note_subscription_count();
CREATE TRIGGER subscriptions_counted_anew AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN (((((old.app_id IS DISTINCT FROM new.app_id) OR (old.plan_id IS DISTINCT FROM new.plan_id)) OR (old.status IS DISTINCT FROM new.status)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION note_subscription_count();
CREATE TRIGGER subscriptions_revenue AFTER INSERT OR DELETE ON public.subscriptions FOR EACH ROW EXECUTE FUNCTION note_revenue();
CREATE TRIGGER subscriptions_revenue_anew AFTER UPDATE ON public.subscriptions FOR EACH ROW WHEN (((((((((((old.plan_id IS DISTINCT FROM new.plan_id) OR (old.merchant_type IS DISTINCT FROM new.merchant_type)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.amount IS DISTINCT FROM new.amount)) OR (old.phase IS DISTINCT FROM new.phase)) OR (old.status IS DISTINCT FROM new.status)) OR (old.payment_status IS DISTINCT FROM new.payment_status)) OR (old.started_at IS DISTINCT FROM new.started_at)) OR (old.trial_end_at IS DISTINCT FROM new.trial_end_at)) OR (old.ended_at IS DISTINCT FROM new.ended_at))) EXECUTE FUNCTION note_revenue();

create table tax_rates (
  tax_rate_id uuid not null,
  organization_id uuid,
  country text not null,
  valid_from date not null,
  behavior text not null,
  name text not null,
  rate integer not null,
  by_address boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint tax_rates_once UNIQUE NULLS NOT DISTINCT (organization_id, country, valid_from),
  constraint tax_rates_pkey PRIMARY KEY (tax_rate_id),
  constraint tax_rates_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint tax_rates_behavior CHECK ((behavior = ANY (ARRAY['INCLUSIVE'::text, 'EXCLUSIVE'::text, 'NONE'::text]))),
  constraint tax_rates_by_address CHECK (((NOT by_address) OR ((organization_id IS NULL) AND (behavior <> 'NONE'::text)))),
  constraint tax_rates_rate CHECK (((rate >= 0) AND (rate <= 1000000)))
);
CREATE TRIGGER tax_rates_audited AFTER INSERT OR DELETE OR UPDATE ON public.tax_rates FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('TAX_RATE', '{tax_rate_id}', '{}');

create table tax_records (
  ledger_transaction_id uuid not null,
  invoice_id uuid not null,
  amount bigint not null,
  tax bigint not null,
  calculation_id text,
  provider_id text,
  provider_tax bigint,
  recorded bigint not null default 0,
  reversed bigint not null default 0,
  problem text,
  next_attempt_at timestamp with time zone,
  constraint tax_records_pkey PRIMARY KEY (ledger_transaction_id),
  constraint tax_records_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(invoice_id),
  constraint tax_records_ledger_transaction_id_fkey FOREIGN KEY (ledger_transaction_id) REFERENCES ledger_transactions(ledger_transaction_id),
  constraint tax_records_amount CHECK ((amount <> 0)),
  constraint tax_records_done CHECK (((next_attempt_at IS NOT NULL) OR (recorded = abs(amount)))),
  constraint tax_records_recorded CHECK (((recorded >= 0) AND (recorded <= abs(amount)))),
  constraint tax_records_reversed CHECK (((reversed >= 0) AND (reversed <= GREATEST(amount, (0)::bigint))))
);
CREATE INDEX tax_records_due ON public.tax_records USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX tax_records_failed ON public.tax_records USING btree (ledger_transaction_id) WHERE (problem IS NOT NULL);
CREATE INDEX tax_records_of_invoice ON public.tax_records USING btree (invoice_id, ledger_transaction_id);

create table tax_settings (
  organization_id uuid not null,
  source text not null,
  updated_at timestamp with time zone not null,
  constraint tax_settings_pkey PRIMARY KEY (organization_id),
  constraint tax_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint tax_settings_source CHECK ((source = ANY (ARRAY['OPERATOR'::text, 'OWN'::text, 'NONE'::text])))
);
CREATE TRIGGER tax_settings_audited AFTER INSERT OR DELETE OR UPDATE ON public.tax_settings FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('TAX_SETTINGS', '{organization_id}', '{}');

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
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_cost_delay=0);

create table tax_totals (
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
  returned bigint not null,
  constraint tax_totals_pkey PRIMARY KEY (live, month, organization_id, country, currency, name, rate, is_reverse_charge)
) with (fillfactor=80);

create table terminal_sessions (
  session_id uuid not null,
  token_hash bytea not null,
  business_user_id uuid not null,
  device_id uuid not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint terminal_sessions_token_once UNIQUE (token_hash),
  constraint terminal_sessions_pkey PRIMARY KEY (session_id),
  constraint terminal_sessions_business_user_id_fkey FOREIGN KEY (business_user_id) REFERENCES business_users(business_user_id) ON DELETE CASCADE,
  constraint terminal_sessions_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(device_id)
);
CREATE INDEX terminal_sessions_idle ON public.terminal_sessions USING btree (used_at);
CREATE INDEX terminal_sessions_of_device ON public.terminal_sessions USING btree (device_id) WHERE (ended_at IS NULL);
CREATE INDEX terminal_sessions_of_user ON public.terminal_sessions USING btree (business_user_id) WHERE (ended_at IS NULL);

create table test_clocks (
  test_clock_id uuid not null,
  business_id uuid not null,
  status text not null,
  target_at timestamp with time zone,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint test_clocks_one_per_business UNIQUE (business_id),
  constraint test_clocks_pkey PRIMARY KEY (test_clock_id),
  constraint test_clocks_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint test_clocks_status CHECK ((status = ANY (ARRAY['READY'::text, 'ADVANCING'::text]))),
  constraint test_clocks_target CHECK (((status = 'ADVANCING'::text) = (target_at IS NOT NULL)))
);
CREATE TRIGGER test_clocks_audited AFTER INSERT OR DELETE OR UPDATE ON public.test_clocks FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('TEST_CLOCK', '{test_clock_id}', '{}');

create table test_mails (
  user_id uuid not null,
  mail_id uuid not null,
  recipient text not null,
  state text not null,
  attempts integer not null,
  recorded_at timestamp with time zone not null,
  answer text,
  answered_at timestamp with time zone,
  constraint test_mails_mail_id_key UNIQUE (mail_id),
  constraint test_mails_pkey PRIMARY KEY (user_id),
  constraint test_mails_state CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'FAILED'::text])))
);

create table throttles (
  kind text not null,
  key_hash bytea not null,
  attempts integer not null,
  attempted_at timestamp with time zone not null,
  open_at timestamp with time zone not null,
  constraint throttles_pkey PRIMARY KEY (kind, key_hash)
);
CREATE INDEX throttles_old ON public.throttles USING btree (attempted_at);

create table trial_conversions (
  subscription_id uuid not null,
  constraint trial_conversions_pkey PRIMARY KEY (subscription_id)
);

create table users (
  user_id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  language text,
  password_hash text not null,
  status text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_email_once UNIQUE (email_key),
  constraint users_pkey PRIMARY KEY (user_id),
  constraint users_language CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text]))),
  constraint users_status CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
CREATE TRIGGER users_audited AFTER INSERT OR DELETE OR UPDATE ON public.users FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('USER', '{user_id}', '{password_hash}');

create table viewings (
  viewing_id uuid not null,
  session_id uuid not null,
  user_id uuid not null,
  organization_id uuid,
  business_id uuid,
  started_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint viewings_pkey PRIMARY KEY (viewing_id),
  constraint viewings_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(business_id),
  constraint viewings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(organization_id),
  constraint viewings_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(session_id) ON DELETE CASCADE,
  constraint viewings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(user_id),
  constraint viewings_of_one_workspace CHECK (((organization_id IS NULL) <> (business_id IS NULL)))
);
CREATE INDEX viewings_of_session ON public.viewings USING btree (session_id);
CREATE UNIQUE INDEX viewings_one_at_a_time ON public.viewings USING btree (session_id) WHERE (ended_at IS NULL);
CREATE TRIGGER viewings_audited AFTER INSERT OR DELETE OR UPDATE ON public.viewings FOR EACH ROW WHEN ((current_setting('tillhook.action'::text, true) <> ''::text)) EXECUTE FUNCTION record_change('VIEWING', '{viewing_id}', '{}');

CREATE OR REPLACE FUNCTION public.add_bookings_to_totals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.is_paying(s subscriptions)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select s.phase = 'FULL' and s.status = 'ACTIVE' and s.amount > 0
$function$;

CREATE OR REPLACE FUNCTION public.monthly_amount(price bigint, of_plan uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select (price * 2 * case interval when 'DAY' then 365 when 'WEEK' then 52 when 'MONTH' then 12 else 1 end
    + 12 * interval_count) / (24 * interval_count)
  from plans where plan_id = of_plan
$function$;

CREATE OR REPLACE FUNCTION public.note_conversion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.note_revenue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.note_revenue_day(was subscriptions, became subscriptions)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.note_subscription_count()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.record_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.reject_change_of_audit_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'audit_entries is append-only: % is rejected', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_to_change_former_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'former_business_names is append-only: % is rejected', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_to_change_former_organizations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'former_organization_names is append-only: % is rejected', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_to_change_ledger()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the ledger is append-only: % of % is rejected', lower(tg_op), tg_table_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_to_edit_credit_notes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a credit note is never edited: % is rejected', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.reject_to_edit_invoices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an invoice that is issued is never edited: % is rejected', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.revenue_facts(s subscriptions)
 RETURNS TABLE(kind text, month date, amount bigint)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.search_words(words text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select to_tsvector('simple'::regconfig, regexp_replace(words, '[!-/:-@[-`{-~]+', ' ', 'g'))
$function$;
