-- How callers prove who they are.

-- The service's own secrets that outlive a start: the operator key's hash.
create table operator_keys (
  key_hash bytea primary key,
  created_at timestamptz not null
);

create table signing_keys (
  kid text primary key,
  private_jwk bytea not null, -- sealed with the master key
  public_jwk jsonb not null,
  created_at timestamptz not null,
  retired_at timestamptz -- stops signing then; lies ahead when the next key has just been published
);

-- One refresh token and all the access tokens that came from it.
create table grants (
  grant_id uuid primary key,
  app_id uuid not null references apps,
  business_id uuid references businesses,
  kid text not null, -- the app's key that proved it: revoking the key revokes the grant
  refresh_token_hash bytea not null constraint grants_refresh_token_once unique,
  created_at timestamptz not null,
  used_at timestamptz not null,
  revoked_at timestamptz
);
create index grants_of_key on grants (app_id, kid);
create index grants_revoked on grants (revoked_at) where revoked_at is not null;
create index grants_idle on grants (used_at);

-- An assertion is good once: recorded in the transaction that makes its grant.
create table assertion_uses (
  app_id uuid not null,
  jti text not null,
  expires_at timestamptz not null,
  primary key (app_id, jti)
);
create index assertion_uses_expired on assertion_uses (expires_at);
