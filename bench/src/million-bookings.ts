import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookCharge } from '../../server/src/core/ledger.ts'
import { readStatement } from '../../server/src/money/ledger/statement.ts'
import { insertLedgerTransactions } from '../../server/src/money/ledger/store.ts'
import {
  foldTotals,
  listAllBalances,
  listBalances,
  listBusinessBalances,
  listMonths,
} from '../../server/src/money/ledger/totals.ts'
import { readRevenue } from '../../server/src/money/reports/revenue.ts'
import { readRecovery, readRecurring, readTrials } from '../../server/src/money/reports/revenue-store.ts'
import { readUpcoming } from '../../server/src/money/reports/upcoming.ts'
import { type Db, openDatabase, type Sql } from '../../server/src/platform/db/db.ts'
import { startEmbedded } from '../../server/src/platform/db/embedded/start.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { removeDatabase } from './database.ts'
import { monotonicMs } from './monotonic.ts'
import { percentile } from './percentile.ts'

/**
 * Measures a ledger of a million entries and reports over a million subscriptions: `node bench/src/million-bookings.ts`. There are twenty
 * organizations with ten plans each, 100,000 merchants and three years. A third of the subscriptions have an invoice; all invoices are paid and
 * booked. One invoice in eleven also has a rejected charge in December 2025. Takes some minutes and 4 GB in the temporary folder.
 */

const MANY = 1_000_000
const BOOKED = Math.ceil(MANY / 3)
const ORGANIZATIONS = 20
const PLANS = 10
const TIMES = 40
const NOW = new Date('2026-01-01T00:00:00Z')
const clock = { now: () => NOW }

const id = (kind: string, n: number) => `00000000-0000-7000-${kind}-${n.toString(16).padStart(12, '0')}`
const organizationId = id('8001', 7)

const quiet = () => {}
const folder = await mkdtemp(join(tmpdir(), 'tillhook-bookings-'))
const dataDir = join(folder, 'data')
const embedded = await startEmbedded({ dataDir, log: { info: quiet, warn: quiet, error: quiet } })
try {
  await migrate({ url: embedded.adminUrl })
  const db = openDatabase({ url: embedded.adminUrl, maxConnections: 1, answerWithinMs: 3_600_000 })
  // Without the checks of foreign keys, which would take most of the time. All references in these rows are valid.
  await db.sql`set session_replication_role = replica`
  await fill(db.sql)
  await sumUp(db.sql)
  await db.sql`set session_replication_role = origin`
  await book(db.sql)
  await measureBooks(db)
  await measureReports(db)
  await measureBooking(db)
  await db.close()
} finally {
  await embedded.stop()
  await removeDatabase(dataDir)
  await rm(folder, { recursive: true, force: true })
}

async function measureBooks(db: Db): Promise<void> {
  const { sql } = db
  const of = { organizationId, live: true }
  await measure('balance of an organization', () => listBalances(sql, of))
  await measure('balance of the operator', () => listAllBalances(sql, true))
  await measure('months of an organization', () => listMonths(sql, of))
  await measure('statement of a month', () => readStatement({ db, clock }, { ...of, month: '2025-06' }))
  await measure('balance of a merchant', turn => listBusinessBalances(sql, { businessId: id('9000', turn) }))
  await measure('without totals: balance of an organization', () => addUp(sql), 5)
}

async function addUp(sql: Sql): Promise<void> {
  await sql`
    select currency, sum(organization)::bigint as sum
    from ledger_transactions where organization_id = ${organizationId} group by currency`
}

async function measureReports(db: Db): Promise<void> {
  const { sql } = db
  const span = { firstDay: '2025-12-01', from: new Date('2025-12-01T00:00:00Z'), to: NOW }
  await measure('revenue of a month', () => readRevenue({ db, clock }, { month: '2025-12' }), 5)
  await measure('  recurring revenue and churn', () => readRecurring(sql, span), 5)
  await measure('  trials', () => readTrials(sql, span), 5)
  await measure('  recovery', () => readRecovery(sql, span), 5)
  await measure('upcoming: 100 subscriptions, 30 days', () => readUpcoming({ db, clock }, { days: 30, count: 100 }))
  await measure(
    'upcoming: 1000 subscriptions, 30 days',
    () => readUpcoming({ db, clock }, { days: 30, count: 1_000 }),
    10,
  )
  const late = { at: new Date('2026-01-20T00:00:00Z'), subscriptionId: id('a000', 0) }
  await measure(
    'upcoming: 1000 subscriptions, 90 days, far in',
    () => readUpcoming({ db, clock }, { days: 90, count: 1_000, after: late }),
    10,
  )
}

/** Measures the same bookings with and without the trigger, alternating. */
async function measureBooking(db: Db): Promise<void> {
  const { sql } = db
  for (const size of [1, 100]) {
    const times: Record<'with' | 'without', number[]> = { with: [], without: [] }
    for (let turn = 0; turn < 200; turn++) {
      const how = turn % 2 === 0 ? 'with' : 'without'
      if (how === 'with') await sql`alter table ledger_transactions enable trigger ledger_transactions_totalled`
      else await sql`alter table ledger_transactions disable trigger ledger_transactions_totalled`
      const transactions = Array.from({ length: size }, (_, n) => bookingOf(turn * size + n, size))
      await db.transaction(async tx => {
        await tx.sql`select 1`
        const from = monotonicMs()
        await insertLedgerTransactions(tx.sql, transactions)
        times[how].push(monotonicMs() - from)
      })
    }
    show(`append ${size} bookings, without the trigger`, times.without)
    show(`append ${size} bookings, with it`, times.with)
  }
}

function bookingOf(n: number, size: number) {
  const ids = {
    ledgerTransactionId: id(size === 1 ? 'd001' : 'd002', n),
    sourceId: id(size === 1 ? 'e001' : 'e002', n),
  }
  const of = { ...ids, invoiceId: id('b000', n), businessId: id('9000', Math.floor(n / 10)), organizationId }
  return bookCharge({ ...of, currency: 'USD', amount: 500, bookedAt: NOW, shareBasisPoints: 2_000 })
}

async function measure(name: string, work: (turn: number) => Promise<unknown>, times = TIMES): Promise<void> {
  const taken: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const from = monotonicMs()
    await work(turn)
    taken.push(monotonicMs() - from)
  }
  show(name, taken)
}

function show(name: string, times: readonly number[]): void {
  const text = (share: number) => percentile(times, share).toFixed(2).padStart(8)
  process.stdout.write(`${name.padEnd(46)} p50 ${text(0.5)} ms, p95 ${text(0.95)} ms, most ${text(1)} ms\n`)
}

/** Writes the rows directly: through the API they would take an hour. */
async function fill(sql: Sql): Promise<void> {
  const at = new Date('2022-12-01T00:00:00Z')
  // The measured statements do not use these indexes, and filling them takes time.
  await sql`
    drop index subscriptions_live_once, subscriptions_of_app_by_status, subscriptions_of_plan_by_status,
      subscriptions_of_business, subscriptions_past_due_of_business, subscriptions_due_on_clock, invoices_of_business,
      invoices_open_of_subscription`
  for (let o = 0; o < ORGANIZATIONS; o++) {
    const [organization, app, release] = [id('8001', o), id('8002', o), id('8003', o)]
    await sql`insert into organizations values (${organization}, 'Bench', 'bench@example.com', ${at}, ${at})`
    await sql`insert into apps values (${app}, ${organization}, 'Bench', ${`com.example.b${o}`}, '{}', 'ACTIVE', ${at}, ${at})`
    await sql`insert into releases values (${release}, ${app}, '1', 'APPROVED', null, ${at}, ${at})`
    await sql`
      insert into plans
      select ('00000000-0000-7000-8004-' || lpad(to_hex(${o * PLANS}::integer + n), 12, '0'))::uuid, ${app}, ${release}, 'Plan', '', '[]',
        (array['MONTH', 'MONTH', 'YEAR', 'WEEK', 'DAY'])[n % 5 + 1], 0, 'ALWAYS', 'IMMEDIATE', 'IMMEDIATE', 7, 'BUSINESS',
        'ACTIVE', ${at}, ${at}, ${at}, null
      from generate_series(0, ${PLANS - 1}) as n`
  }
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select ('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'MERCHANT', 'ACTIVE', 'Shop', '',
      'shop@example.com', 'US', 'UTC', ${at}, ${at}
    from generate_series(0, 99999) as n`
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount,
      phase, status, payment_status, start_at, started_at, trial_end_at, anchor_at, term, period_index, current_period_start,
      current_period_end, ended_at, end_reason, last_trigger_at, resource_seq, created_at, updated_at, next_action_at)
    select ('00000000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, p.app_id, a.organization_id,
      ('00000000-0000-7000-9000-' || lpad(to_hex(n / 10), 12, '0'))::uuid, p.plan_id, gen_random_uuid(), 'MERCHANT', 'US',
      'USD', 500, 'FULL', case when ended then 'ENDED' else 'ACTIVE' end, 'CURRENT', date_trunc('day', made), made,
      case when n % 4 = 0 then made end, ${NOW}::timestamptz + passes - ('1 ' || p.interval)::interval, n / 200, 0,
      ${NOW}::timestamptz + passes - ('1 ' || p.interval)::interval, ${NOW}::timestamptz + passes,
      case when ended then made + interval '2 months' end, case when ended then 'CANCELLED' end, made, 1, made, made,
      case when not ended then ${NOW}::timestamptz + passes end
    from (
      select n, random() < 0.3 as ended, random() * interval '30 days' as passes,
        date_trunc('second', timestamptz '2023-01-01 00:00:00Z' + random() * interval '34 months') as made
      from generate_series(0, ${MANY - 1}) as n) as drawn
    join plans as p on p.plan_id = ('00000000-0000-7000-8004-' || lpad(to_hex(n % ${ORGANIZATIONS * PLANS}), 12, '0'))::uuid
    join apps as a on a.app_id = p.app_id`
  await sql`
    insert into invoices
    select ('00000000-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, n::text, s.organization_id, s.app_id, s.business_id,
      s.subscription_id, s.plan_id, s.merchant_type, 0, 0, 'PAID', 'US', 'USD', 500, 500, 0, '[]', s.started_at, s.started_at + interval '1 month',
      s.started_at, s.started_at, 0
    from generate_series(0, ${BOOKED - 1}) as n
    join subscriptions as s on s.subscription_id = ('00000000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await sql`
    insert into charges (
      charge_id, invoice_id, subscription_id, app_id, business_id, merchant_type, amount, currency, status, started_at,
      settled_at, poll_count)
    select gen_random_uuid(), invoice_id, subscription_id, app_id, business_id, merchant_type, amount, currency, tries.status, tries.at, tries.at, 1
    from invoices cross join lateral (values
      ('SUCCEEDED', true, created_at),
      ('DECLINED_SOFT', number::integer % 11 = 0, timestamptz '2025-12-01 00:00:00Z' + random() * interval '30 days')
    ) as tries (status, was, at)
    where was`
}

/** Sums the bookings as the migration does: they were written without the trigger. */
async function sumUp(sql: Sql): Promise<void> {
  await sql`
    insert into trial_conversions (subscription_id)
    select distinct i.subscription_id from invoices as i join subscriptions as s using (subscription_id)
    where i.status = 'PAID' and s.trial_end_at is not null`
  await sql`
    insert into revenue_sums (currency, interval, interval_count, month, kind, count, amount)
    select s.currency, p.interval, p.interval_count, f.month, f.kind, count(*), sum(f.amount)
    from subscriptions as s join plans as p using (plan_id) cross join lateral revenue_facts(s) as f
    group by s.currency, p.interval, p.interval_count, f.month, f.kind`
}

/** Calls the table's own trigger, so that its notes are those of real bookings. */
async function book(sql: Sql): Promise<void> {
  await sql`analyze`
  for (let from = 0; from < BOOKED; from += 5_000) {
    await sql`
      insert into ledger_transactions (
        ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
        share_basis_points, live, gateway, organization, operator, business_credit)
      select ('00000000-0000-7000-c000-' || right(invoice_id::text, 12))::uuid, 'CHARGE', gen_random_uuid(), invoice_id,
        business_id, organization_id, 'USD', created_at, 2000, true, 500, -400, -100, 0
      from invoices where invoice_id >= ${id('b000', from)} and invoice_id < ${id('b000', from + 5_000)}`
  }
  const [noted] = await sql<{ count: number }[]>`select count(*) as count from ledger_total_changes`
  const from = monotonicMs()
  while ((await foldTotals(sql)) > 0);
  const [kept] = await sql<{ count: number }[]>`select count(*) as count from ledger_totals`
  const ms = (monotonicMs() - from).toFixed(0)
  process.stdout.write(
    `${noted?.count} notes of 5000 bookings a statement folded into ${kept?.count} totals in ${ms} ms\n`,
  )
  await sql`vacuum analyze`
}
