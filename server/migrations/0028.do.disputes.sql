-- What payers' banks have taken back for good, as gateways tell it. A dispute that was lost may be given back after all: then it is WON.
create table disputes (
  dispute_id uuid primary key,
  gateway text not null,
  gateway_dispute_id text not null,
  invoice_id uuid not null references invoices,
  amount bigint not null constraint disputes_amount check (amount > 0),
  status text not null constraint disputes_status check (status in ('LOST', 'WON')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint disputes_once unique (gateway, gateway_dispute_id)
);
create index disputes_of_invoice on disputes (invoice_id);

-- Of it, what had not gone back by refunds is charged back.
alter table invoices add column lost_in_disputes bigint not null default 0
  constraint invoices_lost_in_disputes check (lost_in_disputes >= 0);

alter table ledger_transactions
  drop constraint ledger_transactions_kind,
  drop constraint ledger_transactions_share,
  add constraint ledger_transactions_kind
    check (kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN', 'CREDIT', 'CREDIT_USE')),
  add constraint ledger_transactions_share check (
    (kind in ('CHARGE', 'REFUND', 'REFUND_RETURN', 'CHARGEBACK', 'CHARGEBACK_RETURN')) = (share_basis_points is not null)
      and share_basis_points between 0 and 10000);

create table sandbox_disputes (
  dispute_id text primary key,
  gateway_charge_id text not null references sandbox_charges,
  amount bigint not null constraint sandbox_disputes_amount check (amount > 0),
  status text not null constraint sandbox_disputes_status check (status in ('open', 'lost', 'won')),
  began_at timestamptz not null,
  changed_at timestamptz not null
);
create index sandbox_disputes_of_charge on sandbox_disputes (gateway_charge_id);
