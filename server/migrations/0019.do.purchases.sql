-- What a merchant is asked to confirm: a plan to take, another plan, or a cancellation undone.

create table purchases (
  purchase_id uuid primary key, -- also the bundle of the subscription that comes of it
  app_id uuid not null references apps,
  business_id uuid not null references businesses,
  store_id uuid references stores, -- where it was asked for
  device_id uuid references devices,
  business_user_id uuid, -- who asked, at a terminal; no foreign key: they may be deleted meanwhile
  kind text not null constraint purchases_kind check (kind in ('SUBSCRIBE', 'REPLACE', 'RESTORE')),
  plan_id uuid not null references plans,
  subscription_id uuid references subscriptions, -- the one to replace or restore; else the one that came of it
  invoice_id uuid, -- what is charged for it
  status text not null
    constraint purchases_status check (status in ('OPEN', 'COMPLETED', 'CANCELLED', 'EXPIRED')),
  opened_by text not null constraint purchases_opened_by check (opened_by in ('TERMINAL', 'APP')),
  secret_hash bytea, -- of the address of its screen; an app's is confirmed by who signs in
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint purchases_ended check ((status = 'OPEN') = (ended_at is null)),
  constraint purchases_of_a_subscription
    check ((kind = 'SUBSCRIBE' and status <> 'COMPLETED') = (subscription_id is null)),
  constraint purchases_charged_when_completed check (invoice_id is null or status = 'COMPLETED'),
  constraint purchases_of_terminals_have_a_secret check ((opened_by = 'TERMINAL') = (secret_hash is not null)),
  constraint purchases_of_terminals_have_a_place
    check (opened_by <> 'TERMINAL' or (store_id is not null and device_id is not null))
);
create index purchases_open on purchases (expires_at) where status = 'OPEN';
create trigger purchases_audited after insert or update or delete on purchases for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('PURCHASE', '{purchase_id}', '{secret_hash}');
