-- People: who they are, what they may act as, how they sign in.

create table users (
  user_id uuid primary key,
  email text not null, -- as it was typed
  email_key text not null constraint users_email_once unique, -- in lower case: two spellings are one mailbox
  name text not null,
  password_hash text not null,
  status text not null constraint users_status check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What a user may act as. One removed stays, so that its sessions and the trail can name it.
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
create unique index memberships_once on memberships (user_id, kind, organization_id, business_id) nulls not distinct
  where removed_at is null;
create index memberships_of_organization on memberships (organization_id) where removed_at is null;
create index memberships_of_business on memberships (business_id) where removed_at is null;
create index memberships_of_operator on memberships (kind) where removed_at is null and kind = 'OPERATOR';

create table invitations (
  invitation_id uuid primary key,
  secret_hash bytea not null constraint invitations_secret_once unique,
  email text not null,
  kind text not null constraint invitations_kind check (kind in ('OPERATOR', 'DEVELOPER', 'MERCHANT')),
  organization_id uuid references organizations,
  business_id uuid references businesses,
  role text not null,
  invited_by uuid references users, -- null: the operator, by the key
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references users,
  revoked_at timestamptz,
  constraint invitations_place check (
    (organization_id is not null) = (kind = 'DEVELOPER') and (business_id is not null) = (kind = 'MERCHANT')),
  constraint invitations_accepted_both check ((accepted_at is null) = (accepted_by is null)),
  constraint invitations_one_end check (accepted_at is null or revoked_at is null)
);
create index invitations_of_organization on invitations (organization_id, created_at);
create index invitations_of_business on invitations (business_id, created_at);
create index invitations_over on invitations (expires_at);

create table sessions (
  session_id uuid primary key,
  token_hash bytea not null constraint sessions_token_once unique,
  user_id uuid not null references users,
  membership_id uuid not null references memberships,
  address text not null,
  agent text not null, -- what the browser calls itself, for its owner to know it by
  second_factor_at timestamptz, -- when a code was right in this session
  created_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_user on sessions (user_id) where ended_at is null;
create index sessions_old on sessions (created_at);

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
  last_step bigint not null, -- the step of the last code that was taken: none is good twice
  created_at timestamptz not null,
  confirmed_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users,
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Failed tries: of a user, of an address. Shared by all processes.
create table throttles (
  kind text not null,
  key_hash bytea not null,
  tries integer not null,
  tried_at timestamptz not null,
  open_at timestamptz not null, -- no try before
  primary key (kind, key_hash)
);
create index throttles_old on throttles (tried_at);

-- Mail to be sent. A row goes when it was.
create table mails (
  mail_id uuid primary key,
  sealed bytea not null, -- to whom, and what: it may hold a link that opens an account
  tries integer not null,
  due_at timestamptz not null, -- also the end of a lease
  created_at timestamptz not null
);
create index mails_due on mails (due_at);

create trigger users_audited after insert or update or delete on users for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('USER', '{user_id}', '{password_hash}');
create trigger memberships_audited after insert or update or delete on memberships for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('MEMBERSHIP', '{membership_id}', '{}');
create trigger invitations_audited after insert or update or delete on invitations for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('INVITATION', '{invitation_id}', '{secret_hash}');
create trigger second_factors_audited after insert or update or delete on second_factors for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('SECOND_FACTOR', '{user_id}', '{secret,last_step}');
