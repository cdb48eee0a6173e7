-- What a renewal writes, made less. What each piece costs: docs/decisions/0013-billing-speed.md.

-- A booking is one row with an amount for each account, not a row for each entry: that they sum to zero is then a check of the row.
create temporary table booked as
select t.ledger_transaction_id, i.organization_id,
  coalesce(sum(e.amount) filter (where e.account = 'GATEWAY'), 0) as gateway,
  coalesce(sum(e.amount) filter (where e.account = 'ORGANIZATION'), 0) as organization,
  coalesce(sum(e.amount) filter (where e.account = 'OPERATOR'), 0) as operator,
  coalesce(sum(e.amount) filter (where e.account = 'BUSINESS_CREDIT'), 0) as business_credit
from ledger_transactions as t
join ledger_entries as e using (ledger_transaction_id)
join invoices as i using (invoice_id)
group by 1, 2;
drop table ledger_entries;
drop function take_in_ledger_entries;
alter table ledger_transactions
  add column organization_id uuid,
  add column gateway bigint,
  add column organization bigint,
  add column operator bigint,
  add column business_credit bigint;
alter table ledger_transactions disable trigger ledger_transactions_append_only;
update ledger_transactions as t set
  organization_id = b.organization_id, gateway = b.gateway, organization = b.organization, operator = b.operator,
  business_credit = b.business_credit
from booked as b where b.ledger_transaction_id = t.ledger_transaction_id;
alter table ledger_transactions enable trigger ledger_transactions_append_only;
drop table booked;
alter table ledger_transactions
  alter column organization_id set not null,
  alter column gateway set not null,
  alter column organization set not null,
  alter column operator set not null,
  alter column business_credit set not null,
  add constraint ledger_transactions_sum_to_zero check (gateway + organization + operator + business_credit = 0),
  drop constraint ledger_transactions_invoice_id_fkey; -- held by the trigger below

-- What a statement books is noted for the totals. A booking whose invoice there is not has no plan, and is refused by that column.
create function take_in_bookings() returns trigger language plpgsql as $$
begin
  insert into ledger_total_changes (
    organization_id, live, currency, month, app_id, plan_id, kind, count, gateway, organization, operator, business_credit)
  select a.organization_id, a.live, a.currency, date_trunc('month', a.booked_at at time zone 'UTC')::date, i.app_id,
    i.plan_id, a.kind, count(*), sum(a.gateway), sum(a.organization), sum(a.operator), sum(a.business_credit)
  from added as a left join invoices as i on i.invoice_id = a.invoice_id
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end
$$;
create trigger ledger_transactions_taken_in after insert on ledger_transactions referencing new table as added
  for each statement execute function take_in_bookings();

-- References whose truth another one holds already: an invoice copies these from its subscription, whose own references hold
-- them; a charge and its object are of an invoice. Nothing that they refer to is ever deleted.
alter table invoices
  drop constraint invoices_app_id_fkey,
  drop constraint invoices_business_id_fkey,
  drop constraint invoices_organization_id_fkey,
  drop constraint invoices_plan_id_fkey;
alter table charges
  drop constraint charges_subscription_id_fkey,
  drop constraint charges_payment_method_id_fkey;
alter table charge_objects drop constraint charge_objects_invoice_id_fkey;

-- What is withdrawn is found by the charge that its subscription awaits.
drop index charges_unsettled_of_subscription;

-- The sandbox reads charge object and payment method of a try under lock. A success is in the charge object itself, so that only
-- other outcomes need a row. Which charge object a method has paid is asked only of those that pay once.
alter table sandbox_confirmations
  drop constraint sandbox_confirmations_gateway_charge_id_fkey,
  drop constraint sandbox_confirmations_reference_fkey;
alter table sandbox_charges drop constraint sandbox_charges_succeeded_reference_fkey;
alter table sandbox_payment_methods add column paid_charge_id text; -- of those that fail after one: that one
update sandbox_payment_methods as m set paid_charge_id = c.gateway_charge_id
from sandbox_charges as c where c.succeeded_reference = m.reference and m.behaviour = 'tok_fail_after_1';
drop index sandbox_charges_succeeded_by;
delete from sandbox_confirmations as f using sandbox_charges as c
where c.gateway_charge_id = f.gateway_charge_id and c.succeeded_key = f.key;
alter table sandbox_charges set (fillfactor = 50); -- written once more, when it succeeds

-- Room for the row that a charge's outcome leaves beside the one of its renewal: no indexed column changes, so no index is written.
alter table subscriptions set (fillfactor = 60);

-- Credit that a refund made at the gateway has given in cash as well is taken back. Where it is spent, the balance is below zero until
-- the next is granted: by no more than what was taken back.
alter table credit_balances add column taken_back bigint;
update credit_balances set taken_back = 0;
alter table credit_balances
  alter column taken_back set not null,
  drop constraint credit_balances_balance,
  add constraint credit_balances_balance check (balance + taken_back >= 0 and taken_back >= 0);
alter table credit_movements
  drop constraint credit_movements_kind,
  drop constraint credit_movements_amount,
  add constraint credit_movements_kind check (kind in ('GRANT', 'USE', 'RETURN', 'TAKE_BACK')),
  -- Nothing is left of what was taken back when its refund came back.
  add constraint credit_movements_amount check (amount > 0 or kind = 'TAKE_BACK' and amount = 0);
