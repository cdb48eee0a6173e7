-- Terminals prove who they are, people sign in on them, and a merchant's consent becomes a token.

-- A terminal has one key at a time; a new activation revokes the one before.
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
create trigger device_keys_audited after insert or update or delete on device_keys for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('DEVICE_KEY', '{device_key_id}', '{}');

create unique index devices_of_activation_code on devices (activation_code_hash) where activation_code_hash is not null;

-- People who work at a merchant's terminals.
create table business_users (
  business_user_id uuid primary key,
  business_id uuid not null references businesses,
  user_id text not null, -- what they sign in with
  name text not null,
  role text not null constraint business_users_role check (role in ('MANAGER', 'CLERK')),
  status text not null constraint business_users_status check (status in ('ACTIVE', 'DISABLED')),
  passcode_hash text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index business_users_user_id_once on business_users (business_id, lower(user_id));
create trigger business_users_audited after insert or update or delete on business_users for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('BUSINESS_USER', '{business_user_id}', '{passcode_hash}');

-- One of them, signed in on one terminal.
create table terminal_sessions (
  session_id uuid primary key,
  token_hash bytea not null constraint terminal_sessions_token_once unique,
  business_user_id uuid not null references business_users on delete cascade,
  device_id uuid not null references devices,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz
);
create index terminal_sessions_of_user on terminal_sessions (business_user_id) where ended_at is null;
create index terminal_sessions_of_device on terminal_sessions (device_id) where ended_at is null;
create index terminal_sessions_idle on terminal_sessions (used_at);

-- Beside apps, terminals have tokens; and a person on a terminal gets one for an app, which is not refreshed.
alter table grants
  alter column app_id drop not null, -- null: the terminal's own
  alter column kid drop not null, -- null: no key proved it, a person on a terminal asked for it
  alter column refresh_token_hash drop not null,
  add column store_id uuid references stores,
  add column device_id uuid references devices,
  add column business_user_id uuid, -- no foreign key: they may be deleted meanwhile
  add constraint grants_of_app_or_terminal check (app_id is not null or device_id is not null),
  add constraint grants_of_terminal_have_a_place
    check (device_id is null or (store_id is not null and business_id is not null)),
  add constraint grants_refreshed_by_whom_a_key_proved check ((kid is null) = (refresh_token_hash is null));
create index grants_of_device on grants (device_id) where device_id is not null;
create index grants_of_business_user on grants (business_user_id) where business_user_id is not null;
create index grants_of_business on grants (app_id, business_id) where business_id is not null;

-- Terminals make assertions as apps do.
alter table assertion_uses rename column app_id to issuer_id;

-- What a merchant's consent is sent back to an app as; good once, for 15 minutes.
create table authorization_codes (
  code_hash bytea primary key,
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  redirect_uri text not null,
  redirect_uri_named boolean not null, -- by the app; else it is the only one it has
  expires_at timestamptz not null,
  created_at timestamptz not null,
  grant_id uuid, -- what it became; no foreign key: grants are purged
  used_at timestamptz,
  constraint authorization_codes_used_both check ((grant_id is null) = (used_at is null))
);
create index authorization_codes_expired on authorization_codes (expires_at);
