-- Who asks for a new password is answered before anybody has looked whether there is such an account: the request waits
-- here for a moment, and a row goes once it was looked at.
create table password_reset_requests (
  request_id uuid primary key,
  sealed bytea not null, -- the address, which may be nobody's
  created_at timestamptz not null
);
create index password_reset_requests_asked on password_reset_requests (created_at);

-- The token that a terminal's user gets for an app is not refreshed: its grant is of no use after a day, others after 90.
create index grants_not_refreshed on grants (used_at) where refresh_token_hash is null;
