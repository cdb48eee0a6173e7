/** The tables that a run fills. The platform (app, plans, hooks) stays, because all runs share it. */
const TABLES = `payment_methods, app_trials, subscriptions, subscription_count_changes, subscription_counts, purchases, terminal_sessions, tax_rates,
  business_users, approvals, orders,
  invoices, invoice_counters, money_mails, organization_bookings, credit_notes, credit_note_counters, charges, charge_objects, refunds, disputes, dispute_evidence, app_endings, billing_progress, credit_balances, credit_movements,
  ledger_transactions, ledger_totals, ledger_total_changes, tax_totals, tax_total_changes, notifications, deliveries, audit_entries,
  revenue_sums, revenue_changes, revenue_days, revenue_day_changes, revenue_countries, revenue_country_changes, trial_conversions, idempotency_keys, test_clocks, gateway_events, reconciliations, reconciliation_discrepancies,
  sandbox_charges, sandbox_confirmations, sandbox_refunds, sandbox_disputes, sandbox_payment_methods, stripe_customers`

/**
 * Empties the tables with triggers disabled, because the ledger and the audit trail reject deletions. Truncation creates new files, so only
 * tables with rows are truncated, and only the partitions of a partitioned table.
 */
export const EMPTY = `
  set session_replication_role = replica;
  do $$ declare written text; begin
    select string_agg(oid::regclass::text, ', ') into written
    from pg_class left join pg_inherits on inhrelid = oid
    where relkind = 'r' and coalesce(inhparent, oid) = any('{${TABLES}}'::regclass[]) and pg_relation_size(oid) > 0;
    if written is not null then execute 'truncate ' || written || ' cascade'; end if;
  end $$;
  delete from devices;
  delete from stores;
  delete from businesses;
  update apps set status = 'ACTIVE', disabled_by = null, held_since = null, resumed_to = null where status <> 'ACTIVE' or held_since is not null;
  update plans set status = 'ACTIVE', retired_at = null where status <> 'ACTIVE';
  reset session_replication_role`
