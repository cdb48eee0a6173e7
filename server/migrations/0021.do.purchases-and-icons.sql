-- A purchase at a terminal is its user's: it can be completed while that user is signed in there, and may buy.
alter table purchases
  add column terminal_session_id uuid; -- in which it was asked for; no foreign key: sessions are purged

create index purchases_open_of_app on purchases (app_id, business_id, expires_at) where status = 'OPEN';
create index purchases_never_completed on purchases (ended_at) where status in ('CANCELLED', 'EXPIRED');

-- The picture of an app. In the database, because each process must be able to show it.
alter table apps
  add column icon_sha256 text constraint apps_icon_sha256 check (icon_sha256 ~ '^[0-9a-f]{64}$'),
  add column icon_content_type text
    constraint apps_icon_content_type check (icon_content_type in ('image/png', 'image/jpeg', 'image/webp')),
  add constraint apps_icon_whole check (num_nulls(icon_sha256, icon_content_type) in (0, 2));

create table app_icons (
  app_id uuid primary key references apps,
  bytes bytea not null constraint app_icons_size check (octet_length(bytes) between 1 and 262144)
);
-- Pictures are compressed already.
alter table app_icons alter column bytes set storage external;

-- How an organization is named on its invoices, from when on. Appended only: an invoice goes on naming what it was issued under.
create table organization_sellers (
  seller_id uuid primary key, -- made in real time, as the ids of invoices are: the latest before an invoice's is its own
  organization_id uuid not null references organizations,
  legal_name text not null,
  address jsonb,
  tax_id text,
  created_at timestamptz not null
);
create index organization_sellers_of_organization on organization_sellers (organization_id, seller_id);
create trigger organization_sellers_audited after insert or update or delete on organization_sellers for each row
  when (current_setting('tillhook.act', true) <> '')
  execute function record_change('SELLER', '{seller_id}', '{}');
