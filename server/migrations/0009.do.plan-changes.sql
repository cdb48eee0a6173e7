-- Changes of plan, the credit that they leave, and telling that a trial is about to end.

alter table subscriptions
  -- The plan that takes over at the end of the current period, and its price.
  add column pending_plan_id uuid references plans,
  add column pending_amount integer
    constraint subscriptions_pending_amount check (pending_amount between 0 and 99999999),
  -- When to tell that the trial is about to end. Null once told. Trials that began before this was here are not told of.
  add column trial_ending_at timestamptz,
  -- The plan that the trial began with, for trials that are given once.
  add column trial_plan_id uuid references plans,
  add constraint subscriptions_pending check ((pending_plan_id is null) = (pending_amount is null)),
  add constraint subscriptions_trial_ending check (trial_ending_at is null or phase = 'TRIAL'),
  drop constraint subscriptions_ended_is_quiet,
  add constraint subscriptions_ended_is_quiet
    check (status = 'ACTIVE' or (
      next_action_at is null and next_retry_at is null and cancel_at is null and pending_plan_id is null));
update subscriptions set trial_plan_id = plan_id where trial_end_at is not null;

-- What CREDIT lines took off; `amount` is what was left to be paid.
alter table invoices
  add column credit_applied bigint not null default 0
    constraint invoices_credit_applied check (credit_applied >= 0);
alter table invoices alter column credit_applied drop default;

-- Credit of a business with an organization: the sum of its movements. Locked by whoever draws on it.
create table credit_balances (
  business_id uuid not null references businesses,
  organization_id uuid not null references organizations,
  currency text not null,
  balance bigint not null constraint credit_balances_balance check (balance >= 0),
  updated_at timestamptz not null,
  primary key (business_id, organization_id, currency)
);
-- Appended, never changed. An invoice gives, takes and gives back credit at most once each.
create table credit_movements (
  invoice_id uuid not null references invoices,
  kind text not null constraint credit_movements_kind check (kind in ('GRANT', 'USE', 'RETURN')),
  business_id uuid not null,
  organization_id uuid not null,
  currency text not null,
  amount bigint not null constraint credit_movements_amount check (amount > 0),
  created_at timestamptz not null,
  primary key (invoice_id, kind),
  foreign key (business_id, organization_id, currency) references credit_balances
);
create index credit_movements_of_balance on credit_movements (business_id, organization_id, currency, created_at);

alter table ledger_transactions
  drop constraint ledger_transactions_kind,
  add constraint ledger_transactions_kind check (kind in ('CHARGE', 'REFUND', 'CREDIT', 'CREDIT_USE'));
alter table ledger_entries
  drop constraint ledger_entries_account,
  add constraint ledger_entries_account check (account in ('GATEWAY', 'ORGANIZATION', 'BUSINESS_CREDIT')),
  drop constraint ledger_entries_owner,
  add constraint ledger_entries_owner
    check ((account in ('ORGANIZATION', 'BUSINESS_CREDIT')) = (owner_id is not null));
