import { randomBytes } from 'node:crypto'
import { COUNTRIES as ALL_COUNTRIES } from '../../server/src/core/countries.ts'
import { foldTotals } from '../../server/src/money/ledger/totals.ts'
import { foldRevenueCountries } from '../../server/src/money/reports/revenue-countries.ts'
import { foldRevenueDays } from '../../server/src/money/reports/revenue-days.ts'
import { foldRevenue } from '../../server/src/money/reports/revenue-store.ts'
import { foldCounts } from '../../server/src/money/subscriptions/counts.ts'
import type { Database, Sql } from '../../server/src/platform/db/db.ts'
import { hashSecret } from '../../server/src/platform/vault/vault.ts'
import { business, fillHistory, ORGANIZATION } from './scenarios/history-fill.ts'

/**
 * The history of `history-fill.ts` and subscriptions of its four apps. Each merchant has ten, one per plan, created over three years. Of the
 * subscriptions 30 % have ended, 4 % are on trial and 2 % are past due. Each has an invoice, a charge and a booking; the merchant of the pages
 * has three years of invoices. Each merchant has a store and a terminal.
 */

const NOTIFICATIONS = 10_000_000
const SUBSCRIPTIONS = 1_000_000
const PER_MERCHANT = 10
/** The trigger of the ledger sums the bookings of a statement. */
const BOOKED_AT_ONCE = 20_000
const MONTHS_OF_THE_MERCHANT = 36
/** Fifty countries. */
const COUNTRIES = [...ALL_COUNTRIES].slice(0, 50)

const LINES = JSON.stringify([
  {
    kind: 'PLAN',
    description: 'Plan',
    amount: 500,
    periodStart: '2026-01-01T00:00:00Z',
    periodEnd: '2026-02-01T00:00:00Z',
  },
])

export const PEOPLE = {
  developer: { kind: 'DEVELOPER', role: 'ADMIN', organizationId: ORGANIZATION, businessId: null },
  operator: { kind: 'OPERATOR', role: 'ADMIN', organizationId: null, businessId: null },
  merchant: { kind: 'MERCHANT', role: 'OWNER', organizationId: null, businessId: business(0) },
} as const

export type PersonName = keyof typeof PEOPLE

interface PagesFill {
  /** The share to fill: 1 is a million subscriptions and ten million notifications. */
  readonly scale: number
  readonly signal: AbortSignal
  report(line: string): void
}

/** Writes the rows directly: through the API they would take days. */
export async function fillPages(db: Database, { scale, signal, report }: PagesFill): Promise<void> {
  const { sql } = db
  const many = Math.max(10_000, Math.round(SUBSCRIPTIONS * scale))
  await fillHistory(db, { many: Math.round(NOTIFICATIONS * scale), until: new Date(), signal, report })
  report(`  ${many.toLocaleString('en')} subscriptions …`)
  await insertPlans(sql)
  await insertMerchants(sql, many / PER_MERCHANT)
  await insertSubscriptions(sql, many)
  signal.throwIfAborted()
  report('  their invoices and charges …')
  await insertInvoices(sql)
  await insertInvoicesOfTheMerchant(sql)
  await sql`
    insert into charges (
      charge_id, invoice_id, subscription_id, app_id, business_id, merchant_type, amount, currency, status, reason,
      started_at, settled_at, poll_count)
    select gen_random_uuid(), invoice_id, subscription_id, app_id, business_id, merchant_type, amount, currency,
      case when status = 'PAID' then 'SUCCEEDED' else 'DECLINED_SOFT' end,
      case when status = 'PAID' then null else 'insufficient_funds' end, created_at, created_at, 1
    from invoices`
  signal.throwIfAborted()
  report('  their bookings …')
  await book(sql)
  await insertRequests(sql, many)
  await insertAudit(sql, many)
  for (const fold of [foldTotals, foldRevenueDays, foldRevenueCountries, foldRevenue, foldCounts]) {
    while ((await fold(sql)) > 0);
  }
  await sql`vacuum (analyze)`
  await sql`checkpoint`
}

/** Returns the token of a new session. */
export async function insertSession(sql: Sql, name: PersonName): Promise<{ token: string; membershipId: string }> {
  const { kind, role, organizationId, businessId } = PEOPLE[name]
  const token = `ses_${randomBytes(24).toString('base64url')}`
  const at = new Date()
  const [row] = await sql<{ membershipId: string }[]>`
    with person as (
      insert into users (user_id, email, email_key, name, password_hash, status, created_at, updated_at)
      values (gen_random_uuid(), ${`${token}@example.com`}, ${`${token}@example.com`}, ${name}, '', 'ACTIVE', ${at}, ${at})
      returning user_id),
    member as (
      insert into memberships (membership_id, user_id, kind, organization_id, business_id, role, created_at, updated_at)
      select gen_random_uuid(), user_id, ${kind}, ${organizationId}, ${businessId}, ${role}, ${at}, ${at} from person
      returning membership_id, user_id),
    opened as (
      insert into sessions (
        session_id, token_hash, user_id, membership_id, address, agent, second_factor_at, created_at, used_at)
      select gen_random_uuid(), ${hashSecret(token)}, user_id, membership_id, '127.0.0.1', 'bench', ${at}, ${at}, ${at}
      from member)
    select membership_id as "membershipId" from member`
  if (row === undefined) throw new Error('The person must be there.')
  return { token, membershipId: row.membershipId }
}

/** Inserts ten plans: five of the first app, three of the second, and one of each other app. */
async function insertPlans(sql: Sql): Promise<void> {
  await sql`
    insert into releases (release_id, app_id, version, status, created_at, decided_at)
    select app_id, app_id, '1.0.0', 'APPROVED', created_at, created_at from apps`
  await sql`
    insert into plans (
      plan_id, app_id, release_id, name, description, amounts, interval, interval_count, trial_period_days,
      trial_eligibility, start_policy, cancel_policy, grace_period_days, scope, status, created_at, updated_at, approved_at)
    select ('00000000-0000-7000-8004-' || lpad(to_hex(n), 12, '0'))::uuid, a.app_id, a.app_id, 'Plan ' || n, '',
      '[{"country":"US","currency":"USD","value":500}]', 'MONTH', 1, 14, 'ONCE_PER_BUSINESS', 'IMMEDIATE', 'BILLING', 7,
      'BUSINESS', 'ACTIVE', a.created_at, a.created_at, a.created_at
    from generate_series(0, 9) as n
    join apps as a on a.app_id = ('0000000a-0000-7000-8000-' || lpad(
      case when n < 5 then '0' when n < 8 then '1' when n = 8 then '2' else '3' end, 12, '0'))::uuid`
}

/** The first thousand merchants are those of the history. A hundredth are test merchants. */
async function insertMerchants(sql: Sql, many: number): Promise<void> {
  const at = new Date(Date.now() - 3 * 365 * 86_400_000)
  await sql`
    insert into businesses (
      business_id, organization_id, type, status, legal_name, doing_business_as, email_address, country, timezone,
      created_at, updated_at)
    select ('0000000c-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      case when n % 100 = 99 then ${ORGANIZATION}::uuid end,
      case when n % 100 = 99 then 'TEST_MERCHANT' else 'MERCHANT' end, 'ACTIVE', 'Shop ' || n || ' Ltd', 'Shop ' || n,
      'shop' || n || '@example.com', (${COUNTRIES}::text[])[n % 50 + 1], 'UTC', ${at}::timestamptz + n * interval '10 minutes',
      ${at}::timestamptz + n * interval '10 minutes'
    from generate_series(1000, ${many - 1}) as n`
  await sql`
    insert into stores (store_id, business_id, display_name, status, created_at, updated_at)
    select business_id, business_id, 'Main store', 'ACTIVE', created_at, created_at from businesses`
  await sql`
    insert into devices (
      device_id, business_id, store_id, name, serial_number, status, last_seen_at, created_at, updated_at)
    select business_id, business_id, business_id, 'Till 1', 'SN-' || right(business_id::text, 12), 'ACTIVE', created_at,
      created_at, created_at
    from businesses`
  await sql`
    insert into payment_methods (payment_method_id, business_id, gateway, reference, label, preferred_at, created_at)
    select business_id, business_id, 'sandbox', 'pm_' || business_id, 'Test card ok', created_at, created_at from businesses`
}

/** Inserts with triggers, which count each row. */
async function insertSubscriptions(sql: Sql, many: number): Promise<void> {
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount,
      phase, status, payment_status, start_at, started_at, trial_end_at, anchor_at, term, period_index,
      current_period_start, current_period_end, ended_at, end_reason, first_declined_at, grace_end_at, last_trigger_at,
      resource_seq, created_at, updated_at, next_action_at)
    select ('0000000d-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, p.app_id, ${ORGANIZATION}, b.business_id,
      p.plan_id, gen_random_uuid(), b.type, b.country, 'USD', 500, case when state = 'TRIAL' then 'TRIAL' else 'FULL' end,
      case when state = 'ENDED' then 'ENDED' else 'ACTIVE' end,
      case when state = 'PAST_DUE' then 'PAST_DUE' else 'CURRENT' end, date_trunc('day', made), made,
      case when state = 'TRIAL' then period_end end, case when state <> 'TRIAL' then period_end - interval '1 month' end, 1,
      case when state <> 'TRIAL' then 0 end, period_end - interval '1 month', period_end,
      case when state = 'ENDED' then least(made + one * interval '2 years', now()) end,
      case when state = 'ENDED' then 'CANCELLED' end, case when state = 'PAST_DUE' then period_end - interval '1 month' end,
      case when state = 'PAST_DUE' then period_end end, made, 1, made, made, case when state <> 'ENDED' then period_end end
    from (
      select n, one, date_trunc('second', now() - one * interval '3 years') as made,
        date_trunc('second', now() + two * interval '30 days') as period_end,
        case when three < 0.3 then 'ENDED' when three < 0.34 then 'TRIAL' when three < 0.36 then 'PAST_DUE' else 'PAID' end
          as state
      from (
        select n, random() as one, random() as two, random() as three from generate_series(0, ${many - 1}) as n) as drawn
      ) as placed
    join plans as p on p.plan_id = ('00000000-0000-7000-8004-' || lpad(to_hex(n % ${PER_MERCHANT}::integer), 12, '0'))::uuid
    join businesses as b
      on b.business_id = ('0000000c-0000-7000-8000-' || lpad(to_hex(n / ${PER_MERCHANT}::integer), 12, '0'))::uuid`
}

async function insertInvoices(sql: Sql): Promise<void> {
  await sql`
    insert into invoices (
      invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term,
      period_index, status, country, currency, amount, amount_paid, amount_refunded, lines, period_start, period_end,
      created_at, updated_at, credit_applied, tax)
    select ('0000000f-0000-7000-9000-' || right(subscription_id::text, 12))::uuid, right(subscription_id::text, 12),
      organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, 0,
      case when payment_status = 'PAST_DUE' then 'OPEN' else 'PAID' end, country, currency, amount,
      case when payment_status = 'PAST_DUE' then 0 else amount end, 0,
      ${LINES}::text::jsonb, current_period_start, current_period_end,
      least(current_period_start, now()), least(current_period_start, now()), 0,
      jsonb_build_object('name', 'VAT', 'rate', 200000, 'behavior', 'INCLUSIVE', 'isReverseCharge', false, 'net', amount - amount / 6, 'tax', amount / 6, 'gross', amount)
    from subscriptions where phase = 'FULL'`
}

async function insertInvoicesOfTheMerchant(sql: Sql): Promise<void> {
  await sql`
    insert into invoices (
      invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term,
      period_index, status, country, currency, amount, amount_paid, amount_refunded, lines, period_start, period_end,
      created_at, updated_at, credit_applied)
    select gen_random_uuid(), 'M' || n || '-' || right(subscription_id::text, 12), organization_id, app_id, business_id,
      subscription_id, plan_id, merchant_type, term, n, 'PAID', country, currency, amount, amount, 0,
      ${LINES}::text::jsonb, current_period_start - n * interval '1 month',
      current_period_end - n * interval '1 month', current_period_start - n * interval '1 month',
      current_period_start - n * interval '1 month', 0
    from subscriptions cross join generate_series(1, ${MONTHS_OF_THE_MERCHANT}::integer) as n
    where business_id = ${business(0)} and phase = 'FULL'`
}

/** Calls the table's own trigger, so that the sums are those of real bookings. */
async function book(sql: Sql): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const [row] = await sql<{ last: string | null }[]>`
      with part as materialized (
        select invoice_id, business_id, organization_id, currency, amount, created_at, merchant_type from invoices
        where invoice_id > ${after} and status = 'PAID' order by invoice_id limit ${BOOKED_AT_ONCE}),
      booked as (
        insert into ledger_transactions (
          ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
          share_basis_points, live, gateway, organization, operator, business_credit, tax)
        select gen_random_uuid(), 'CHARGE', gen_random_uuid(), invoice_id, business_id, organization_id, currency,
          created_at, 2000, merchant_type = 'MERCHANT', amount, amount / 6 - amount * 4 / 5, amount * 4 / 5 - amount, 0,
          -(amount / 6)
        from part)
      select max(invoice_id::text) as last from part`
    if (row?.last == null) return
    after = row.last
  }
}

/** Inserts requests of the first app, in the last minutes of today. */
async function insertRequests(sql: Sql, many: number): Promise<void> {
  await sql`
    insert into api_requests (day, api_request_id, app_id, at, request_id, method, route, status, duration_ms)
    select at::date, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' ||
      lpad(to_hex(n), 12, '0'))::uuid, '0000000a-0000-7000-8000-000000000000', at, 'request-' || n, 'GET',
      '/apps/:appId/subscriptions', case when n % 50 = 0 then 404 else 200 end, 4
    from (
      select n, now() - n * interval '10 ms' as at from generate_series(0, ${many - 1}) as n) as placed
    where at::date = now()::date`
}

async function insertAudit(sql: Sql, many: number): Promise<void> {
  await sql`
    insert into audit_entries (
      at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, business_id, before, after)
    select now() - n * interval '2 seconds', 'operator:bench', 'operator', 'businesses.update', 'PATCH',
      '/businesses/:businessId', 'request-' || n, 'BUSINESS', right(md5(n::text), 12), null, '{"name":"Old"}', '{"name":"New"}'
    from generate_series(0, ${many - 1}) as n`
}
