-- Answers that were given under an idempotency key, written in the transaction of their work. Kept 24 hours.
create table idempotency_keys (
  key_hash bytea primary key, -- SHA-256 of caller, method, path and key
  body_hash bytea not null, -- SHA-256 of the request's body
  status integer not null,
  answer bytea not null, -- sealed with the master key: it may hold secrets
  recorded_at timestamptz not null
);
create index idempotency_keys_recorded on idempotency_keys (recorded_at);
