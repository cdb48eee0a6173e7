-- The operator's share of what is charged, and what the ledger says kept as sums. Why so: docs/decisions/0010-ledger.md.

alter table ledger_transactions drop constraint ledger_transactions_kind;
alter table ledger_transactions add constraint ledger_transactions_kind
  check (kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CREDIT', 'CREDIT_USE'));
alter table ledger_entries drop constraint ledger_entries_account;
alter table ledger_entries add constraint ledger_entries_account
  check (account in ('GATEWAY', 'ORGANIZATION', 'OPERATOR', 'BUSINESS_CREDIT'));
alter table ledger_entries drop constraint ledger_entries_owner;
alter table ledger_entries add constraint ledger_entries_owner
  check ((account in ('ORGANIZATION', 'BUSINESS_CREDIT')) = (owner_id is not null));

alter table ledger_transactions
  add column live boolean, -- false: a test merchant's, which nobody is owed
  add column share_basis_points integer; -- of a charge, the operator's; of its refunds the same
update ledger_transactions as t set
  live = (select type = 'MERCHANT' from businesses as b where b.business_id = t.business_id),
  -- Until now all of a charge was the organization's.
  share_basis_points = case when kind in ('CHARGE', 'REFUND') then 0 end;
alter table ledger_transactions alter column live set not null;
alter table ledger_transactions add constraint ledger_transactions_share check (
  (kind in ('CHARGE', 'REFUND', 'REFUND_RETURN')) = (share_basis_points is not null) and share_basis_points between 0 and 10000);
create index ledger_transactions_of_invoice on ledger_transactions (invoice_id);
create index ledger_transactions_of_business on ledger_transactions (business_id);

create function refuse_to_change_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: % of % is refused', lower(tg_op), tg_table_name;
end
$$;
create trigger ledger_transactions_append_only before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_to_change_ledger();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_to_change_ledger();

-- What was booked of each plan in each month (UTC) of booked_at: how often, and each account's sum.
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
  primary key (organization_id, live, currency, month, plan_id, kind)
) with (fillfactor = 80); -- a total changes in place

-- What is not yet in the totals. Appended only, so that charges of one plan do not wait for each other; a duty adds the rows
-- up and takes them away. Readers read both.
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
  business_credit bigint not null
) with (
  -- Every row dies young, as in deliveries.
  autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0
);
create index ledger_total_changes_of_organization on ledger_total_changes (organization_id);

-- One statement appends all entries of its transactions: what it appends sums to zero, and is noted for the totals.
create function take_in_ledger_entries() returns trigger language plpgsql as $$
declare
  unequal uuid := (select ledger_transaction_id from added group by 1 having sum(amount) <> 0 limit 1);
begin
  if unequal is not null then
    raise exception 'the entries of a ledger transaction sum to zero, and those of % do not', unequal;
  end if;
  insert into ledger_total_changes (
    organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit)
  select i.organization_id, t.live, t.currency, date_trunc('month', t.booked_at at time zone 'UTC')::date, i.app_id,
    i.plan_id, t.kind, count(*) filter (where a.position = 0),
    coalesce(sum(a.amount) filter (where a.account = 'GATEWAY'), 0),
    coalesce(sum(a.amount) filter (where a.account = 'ORGANIZATION'), 0),
    coalesce(sum(a.amount) filter (where a.account = 'OPERATOR'), 0),
    coalesce(sum(a.amount) filter (where a.account = 'BUSINESS_CREDIT'), 0)
  from added as a
  join ledger_transactions as t on t.ledger_transaction_id = a.ledger_transaction_id
  join invoices as i on i.invoice_id = t.invoice_id
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;
create trigger ledger_entries_taken_in after insert on ledger_entries referencing new table as added
  for each statement execute function take_in_ledger_entries();

insert into ledger_totals (
  organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit)
select i.organization_id, t.live, t.currency, date_trunc('month', t.booked_at at time zone 'UTC')::date, i.app_id,
  i.plan_id, t.kind, count(*) filter (where e.position = 0),
  coalesce(sum(e.amount) filter (where e.account = 'GATEWAY'), 0),
  coalesce(sum(e.amount) filter (where e.account = 'ORGANIZATION'), 0),
  coalesce(sum(e.amount) filter (where e.account = 'OPERATOR'), 0),
  coalesce(sum(e.amount) filter (where e.account = 'BUSINESS_CREDIT'), 0)
from ledger_entries as e
join ledger_transactions as t on t.ledger_transaction_id = e.ledger_transaction_id
join invoices as i on i.invoice_id = t.invoice_id
group by 1, 2, 3, 4, 5, 6, 7;

-- For the recovery rate: few charges are refused.
create index charges_refused on charges (settled_at) where status in ('REFUSED_SOFT', 'REFUSED_HARD');
