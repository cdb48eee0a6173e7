-- Sending a range of notifications again: jobs that outlive a restart.

create table redeliveries (
  redelivery_id uuid primary key,
  app_id uuid not null references apps,
  business_id uuid references businesses, -- null: all merchants
  hook_id uuid, -- null: all hooks; no foreign key: it may be deleted meanwhile
  start_at timestamptz not null, -- of recording, included
  end_at timestamptz not null, -- not included
  status text constraint redeliveries_status check (status in ('SCHEDULED', 'ERRORED_RETRYING', 'DELIVERED', 'ERRORED')), -- null: any
  state text not null constraint redeliveries_state check (state in ('RUNNING', 'DONE', 'CANCELLED')),
  reached_id uuid, -- of notifications: what comes after it has not been looked at
  queued integer not null,
  skipped integer not null,
  run_at timestamptz not null, -- the running ones take turns
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index redeliveries_running on redeliveries (run_at) where state = 'RUNNING';
create index redeliveries_of_app on redeliveries (app_id, redelivery_id);

create trigger redeliveries_audited after insert or update or delete on redeliveries for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('REDELIVERY', '{redelivery_id}', '{}');
