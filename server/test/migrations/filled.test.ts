import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { findFormerNames } from '../../src/merchants/businesses/names-store.ts'
import { CHECKER_NAMES, CHECKERS } from '../../src/money/invariant-checks/checkers.ts'
import { totalsThatDisagree } from '../../src/money/ledger/books.fixture.ts'
import { readStatement } from '../../src/money/ledger/statement.ts'
import { listBalances } from '../../src/money/ledger/totals.ts'
import { type Database, openDatabase } from '../../src/platform/db/db.ts'
import { emptyDatabase, type FreshDatabase } from '../support/postgres.ts'

/*
 * Migrations that convert what is there, on books that are there: filled as of 0010, and again as of 0022. What the books say before is
 * what they say after.
 */

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const NOW = new Date('2026-03-05T00:00:00Z')
const [ORGANIZATION, OTHER] = ['00000000-0000-7000-8001-000000000001', '00000000-0000-7000-8001-000000000002']
const FIRST_MERCHANT = '00000000-0000-7000-8005-000000000001'

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await emptyDatabase()
  // One connection: what is filled in uses temporary tables.
  db = openDatabase({ url: fresh.url, maxConnections: 1 })
})
after(async () => {
  await db?.close()
  await fresh?.drop()
})

test('each migration runs on filled tables, and the books say after it what they said before', async () => {
  await migrate('0001', '0010')
  await fill('books-as-of-0010.sql')
  const earlier = await entriesByAccount()
  await migrate('0011', '0011')
  assert.deepEqual(await totals(), earlier)

  await migrate('0012', '0012')
  assert.deepEqual(await lanes(), ['FIRST', 'RETRY', 'RETRY'])

  await migrate('0013', '0016')
  const [trials] = await db.sql`select count(*)::int as count from plan_trials`
  assert.deepEqual({ ...trials }, { count: 8 }, 'each trial that there was')

  await migrate('0017', '0022')
  await fill('books-as-of-0022.sql')
  const entries = await entriesByAccount()
  const bookings = await entriesByBooking()
  const kept = await totals()
  assert.deepEqual(kept, entries)
  assert.ok(entries.length >= 8 && bookings.length >= 60, `${entries.length} sums of ${bookings.length} bookings`)
  await migrate('0023', '0023')
  assert.deepEqual(await columnsByBooking(), bookings, 'no booking has changed')
  assert.deepEqual(await totals(), kept, 'no sum has changed')
  const [credit] = await db.sql`select bool_and(taken_back = 0) as none, sum(balance)::int as sum from credit_balances`
  assert.deepEqual({ ...credit }, { none: true, sum: 4 * 50 })
  const [sandbox] = await db.sql`
    select count(*)::int as kept, count(*) filter (where outcome ->> 'kind' = 'succeeded')::int as successes
    from sandbox_confirmations`
  assert.deepEqual({ ...sandbox }, { kept: 8, successes: 0 }, 'successes are in the charge objects')

  await migrate('0024', '9999')
  await holds()
})

test('a statement says for each currency what the entries said', async () => {
  for (const organizationId of [ORGANIZATION, OTHER]) {
    for (const { currency, net } of await listBalances(db.sql, { organizationId, live: true })) {
      const [row] = await db.sql<{ owed: number }[]>`
        select -sum(organization)::bigint as owed from ledger_transactions
        where organization_id = ${organizationId} and live and currency = ${currency}`
      assert.equal(net, row?.owed)
      const months = ['2026-01', '2026-02', '2026-03', '2026-04']
      const clock = { now: () => NOW }
      let closing = 0
      let seen = 0
      for (const month of months) {
        const { parts } = await readStatement({ db, clock }, { organizationId, live: true, month, currency })
        if (parts.length === 0) continue
        assert.equal(parts[0]?.opening, closing)
        closing += parts[0]?.net ?? 0
        seen++
      }
      assert.equal(closing, row?.owed)
      assert.ok(seen >= 2, `${seen} months of ${currency}`)
    }
  }
})

test('whom an invoice was issued to is known from the audit trail', async () => {
  const invoices = await db.sql<{ invoiceId: string }[]>`
    select invoice_id as "invoiceId" from invoices
    where business_id = ${FIRST_MERCHANT} and subscription_id = '00000000-0000-7000-800a-000000000000' order by period_index`
  const names = await Promise.all(
    invoices.map(({ invoiceId }) => findFormerNames(db.sql, { businessId: FIRST_MERCHANT, invoiceId })),
  )
  assert.deepEqual(
    names.map(one => [one?.legalName, one?.address]),
    [
      ['First', { city: 'Dover' }],
      ['Second', undefined],
      [undefined, undefined],
    ],
  )
})

/** Every rule of the books, and no sum that disagrees. */
async function holds(): Promise<void> {
  const bounds = { limit: 20, now: NOW, overdueMs: 300_000 }
  for (const name of CHECKER_NAMES) assert.deepEqual([...(await CHECKERS[name].find(db.sql, bounds))], [], name)
  assert.deepEqual(await totalsThatDisagree(db.sql), [])
}

async function migrate(first: string, last: string): Promise<void> {
  const names = (await readdir(MIGRATIONS)).sort().filter(name => name.slice(0, 4) >= first && name.slice(0, 4) <= last)
  assert.ok(names.length > 0)
  for (const name of names) {
    const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
    await assert.doesNotReject(
      db.transaction(tx => tx.sql.unsafe(text)),
      name,
    )
  }
}

async function fill(name: string): Promise<void> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8')
  await db.transaction(tx => tx.sql.unsafe(text))
}

const entriesByAccount = async () => [
  ...(await db.sql`
    select i.organization_id, b.type = 'MERCHANT' as live, t.currency,
      to_char(t.booked_at at time zone 'UTC', 'YYYY-MM') as month, t.kind,
      count(distinct t.ledger_transaction_id)::int as count,
      coalesce(sum(e.amount) filter (where e.account = 'GATEWAY'), 0)::bigint as gateway,
      coalesce(sum(e.amount) filter (where e.account = 'ORGANIZATION'), 0)::bigint as organization,
      coalesce(sum(e.amount) filter (where e.account = 'OPERATOR'), 0)::bigint as operator,
      coalesce(sum(e.amount) filter (where e.account = 'BUSINESS_CREDIT'), 0)::bigint as business_credit
    from ledger_entries as e join ledger_transactions as t using (ledger_transaction_id)
    join invoices as i using (invoice_id) join businesses as b on b.business_id = i.business_id
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`),
]

const totals = async () => [
  ...(await db.sql`
    select organization_id, live, currency, to_char(month, 'YYYY-MM') as month, kind, sum(count)::int as count,
      sum(gateway)::bigint as gateway, sum(organization)::bigint as organization, sum(operator)::bigint as operator,
      sum(business_credit)::bigint as business_credit
    from (
      select organization_id, live, currency, month, kind, count, gateway, organization, operator, business_credit
      from ledger_totals
      union all
      select organization_id, live, currency, month, kind, count, gateway, organization, operator, business_credit
      from ledger_total_changes) as kept
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`),
]

const entriesByBooking = async () => [
  ...(await db.sql`
    select t.ledger_transaction_id, t.kind, i.organization_id,
      coalesce(sum(e.amount) filter (where e.account = 'GATEWAY'), 0)::bigint as gateway,
      coalesce(sum(e.amount) filter (where e.account = 'ORGANIZATION'), 0)::bigint as organization,
      coalesce(sum(e.amount) filter (where e.account = 'OPERATOR'), 0)::bigint as operator,
      coalesce(sum(e.amount) filter (where e.account = 'BUSINESS_CREDIT'), 0)::bigint as business_credit
    from ledger_entries as e join ledger_transactions as t using (ledger_transaction_id) join invoices as i using (invoice_id)
    group by 1, 2, 3 order by 1`),
]

const columnsByBooking = async () => [
  ...(await db.sql`
    select ledger_transaction_id, kind, organization_id, gateway, organization, operator, business_credit
    from ledger_transactions order by ledger_transaction_id`),
]

const lanes = async () =>
  (await db.sql<{ lane: string }[]>`select lane from deliveries order by notification_id`).map(({ lane }) => lane)
