/** The tables of each slice. A slice writes only its own tables; OUTSIDE_WRITES and the triggers listed in ARCHITECTURE.md are the exceptions. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  'access/accounts': ['password_reset_requests', 'password_resets'],
  'access/business-users': ['business_users', 'terminal_sessions'],
  'access/device-logins': ['device_logins'],
  'access/invitations': ['invitations'],
  'access/memberships': ['memberships'],
  'access/operator-keys': ['operator_keys'],
  'access/second-factors': ['recovery_codes', 'second_factors'],
  'access/sessions': ['sessions'],
  'access/tokens': ['assertion_uses', 'grants', 'signing_keys'],
  'access/users': ['users'],
  'access/viewings': ['viewings'],
  'catalog/apps': ['app_icons', 'app_keys', 'apps'],
  'catalog/organizations': ['former_organization_names', 'organization_sellers', 'organizations'],
  'catalog/plans': ['plans'],
  'catalog/releases': ['package_chunks', 'release_drafts', 'release_messages', 'releases'],
  'merchants/approvals': ['approvals'],
  'merchants/authorizations': ['authorization_codes'],
  'merchants/businesses': ['businesses', 'device_keys', 'devices', 'former_business_names', 'stores'],
  'money/charges': ['charge_objects', 'charges'],
  'money/catch-up': ['billing_progress'],
  'money/endings': ['app_endings'],
  'money/credits': ['credit_balances', 'credit_movements'],
  'money/daily-summary': ['daily_summaries'],
  'money/documents': ['credit_note_counters', 'credit_notes'],
  'money/gateway': [
    'sandbox_charges',
    'sandbox_confirmations',
    'sandbox_disputes',
    'sandbox_payment_methods',
    'sandbox_refunds',
    'stripe_customers',
  ],
  'money/gateway-events': ['gateway_events'],
  'money/invoices': ['invoice_counters', 'invoices'],
  'money/ledger': ['ledger_total_changes', 'ledger_totals', 'ledger_transactions', 'tax_total_changes', 'tax_totals'],
  'money/mails': ['money_mails'],
  'money/payment-methods': ['payment_methods'],
  'money/payouts': ['organization_bookings', 'payout_accounts', 'payout_transfers'],
  'money/purchases': ['purchases'],
  'money/reconciliations': ['reconciliation_discrepancies', 'reconciliations'],
  'money/refunds': ['dispute_evidence', 'disputes', 'refunds'],
  'money/reports': [
    'revenue_changes',
    'revenue_countries',
    'revenue_country_changes',
    'revenue_day_changes',
    'revenue_days',
    'revenue_sums',
    'trial_conversions',
  ],
  'money/subscriptions': [
    'app_trials',
    'cancellation_reasons',
    'subscription_count_changes',
    'subscription_counts',
    'subscriptions',
  ],
  'money/tax': ['address_tax_rates', 'tax_rates', 'tax_records', 'tax_settings'],
  'money/test-clocks': ['test_clocks'],
  'platform/api-log': ['api_requests'],
  'platform/audit': ['audit_entries'],
  'platform/brand': ['brands'],
  'platform/idempotency': ['idempotency_keys'],
  'platform/mail': ['mails', 'test_mails'],
  'platform/notes': ['notes'],
  'platform/throttles': ['throttles'],
  'terminals/installed-apps': ['app_permissions', 'installed_apps'],
  'webhooks/deliveries': ['attempts', 'deliveries', 'delivery_shards', 'delivery_workers', 'outcomes'],
  'webhooks/event-streams': ['event_streams', 'stream_events'],
  'webhooks/hooks': ['hook_health', 'hook_hours', 'hooks'],
  'webhooks/notifications': ['notifications'],
  'webhooks/orders': ['orders'],
  'webhooks/redeliveries': ['redeliveries'],
}

/** The tables of other slices that a slice reads. Prefer a function of the owner's `store.ts`: it adds no entry here. */
export const OUTSIDE_READS: Readonly<Record<string, readonly string[]>> = {
  'access/accounts': ['users'],
  'access/business-lists': ['approvals', 'apps', 'businesses', 'subscriptions'],
  'access/invitations': ['businesses', 'organizations'],
  'access/memberships': ['businesses', 'organizations', 'users'],
  'access/rights': ['approvals', 'apps', 'subscriptions'],
  'access/sessions': ['businesses', 'memberships', 'organizations', 'users'],
  'access/tokens': ['app_keys', 'apps', 'device_keys'],
  'access/viewings': ['businesses', 'organizations'],
  'catalog/apps': ['plans'],
  'catalog/plans': ['releases', 'subscriptions'],
  'catalog/releases': ['apps'],
  'money/charges': ['invoices'],
  'money/invariant-checks': [
    'apps',
    'charge_objects',
    'charges',
    'credit_balances',
    'credit_movements',
    'disputes',
    'hooks',
    'invoice_counters',
    'invoices',
    'ledger_total_changes',
    'ledger_totals',
    'ledger_transactions',
    'notifications',
    'plans',
    'refunds',
    'revenue_changes',
    'revenue_countries',
    'revenue_country_changes',
    'revenue_day_changes',
    'revenue_days',
    'revenue_sums',
    'sandbox_charges',
    'sandbox_disputes',
    'sandbox_refunds',
    'subscriptions',
    'tax_total_changes',
    'tax_totals',
  ],
  'money/ledger': ['apps', 'businesses', 'invoices', 'organization_bookings', 'plans'],
  'money/lists': [
    'apps',
    'businesses',
    'charges',
    'dispute_evidence',
    'disputes',
    'invoices',
    'organizations',
    'plans',
    'subscription_count_changes',
    'subscription_counts',
    'subscriptions',
  ],
  'money/daily-summary': ['apps', 'hooks', 'organizations', 'releases'],
  'money/mails': ['businesses', 'payment_methods', 'plans', 'subscriptions'],
  'money/reconciliations': ['charge_objects', 'charges', 'invoices', 'refunds', 'subscriptions'],
  'money/refunds': ['invoices'],
  'money/reports': [
    'businesses',
    'charges',
    'deliveries',
    'invoices',
    'payment_methods',
    'plans',
    'redeliveries',
    'refunds',
    'subscriptions',
  ],
  'money/subscriptions': ['apps', 'devices', 'plans', 'stores'],
  'money/tax': ['businesses', 'invoices', 'ledger_transactions', 'subscriptions'],
  'money/test-clocks': ['businesses', 'subscriptions'],
  'runtime/operations': [
    'apps',
    'charges',
    'deliveries',
    'hook_health',
    'hooks',
    'redeliveries',
    'refunds',
    'subscriptions',
  ],
  'terminals/terminal-lists': ['apps', 'businesses', 'devices', 'installed_apps', 'stores'],
  'webhooks/deliveries': ['approvals', 'apps', 'hook_health', 'hooks', 'notifications', 'organizations'],
  'webhooks/event-streams': ['businesses'],
  'webhooks/hooks': ['approvals', 'apps', 'event_streams'],
  'webhooks/notifications': [
    'apps',
    'attempts',
    'deliveries',
    'hook_health',
    'hooks',
    'orders',
    'outcomes',
    'subscriptions',
  ],
  'webhooks/redeliveries': ['hooks'],
}

/** The tables of other slices that a slice writes. */
export const OUTSIDE_WRITES: Readonly<Record<string, readonly string[]>> = {}

export interface TableUse {
  readonly table: string
  readonly access: 'read' | 'write'
}

/** The uses of tables in the SQL templates of a source text. Table names that a template gets as a value are not found. */
export function tableUses(source: string): TableUse[] {
  const uses: TableUse[] = []
  for (const sql of sqlTemplates(source)) {
    for (const [, verb = '', table = ''] of sql.matchAll(
      /(?<!no key )\b(delete\s+from|insert\s+into|update|from|join|using)\s+(?:only\s+)?([a-z_]+)/gi,
    )) {
      uses.push({ table, access: /^(delete|insert|update)/i.test(verb) ? 'write' : 'read' })
    }
  }
  return uses
}

const TAG = /\b(?:sql|part|driver)(?:<(?:[^<>`]|<[^<>`]*>)*>)?`/g

/** The text of each tagged template, with a question mark in place of each value. A template inside a value is a text of its own. */
function* sqlTemplates(source: string): Generator<string> {
  for (const { index, 0: tag } of source.matchAll(TAG)) {
    let [depth, text] = [0, '']
    for (let i = index + tag.length; i < source.length; i++) {
      const char = source[i]
      if (depth === 0 && char === '`') break
      if (char === '$' && source[i + 1] === '{') {
        if (depth === 0) text += '?'
        depth++
        i++
      } else if (depth > 0 && char === '{') depth++
      else if (depth > 0 && char === '}') depth--
      else if (depth === 0) text += char
    }
    yield text
  }
}
