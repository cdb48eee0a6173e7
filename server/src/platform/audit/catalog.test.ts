import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { findAuditedTables } from './catalog.fixture.ts'
import { AUDIT_KINDS } from './schema.ts'

/** Tables whose changes leave no entry, and why. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  address_tax_rates: 'Answers of the tax provider.',
  app_icons: 'Bytes of a picture, whose hash the app has.',
  assertion_uses: 'Each is good once; deleted when it is over.',
  attempts: 'Appended: what was sent is its own record.',
  authorization_codes: 'Each is good once; what was consented to is the approval.',
  audit_entries: 'The trail itself.',
  cancellation_reasons: 'Written with the cancellation, which is recorded.',
  charge_objects: 'Made by the loops.',
  credit_note_counters: 'Counts; the credit note has its number.',
  credit_notes: 'Appended: follows from refunds.',
  credit_balances: 'Sums of their movements.',
  credit_movements: 'Appended: what invoices gave and took.',
  daily_summaries: 'Who got the summary of the day: written by a job.',
  deliveries: 'A queue.',
  disputes: 'Reports of gateways; the change of the invoice is recorded.',
  event_streams: 'Written by the listening.',
  former_business_names: 'Appended: what a business was before; the business is recorded.',
  former_organization_names: 'Appended: what an organization was before; the organization is recorded.',
  gateway_events: 'Events of gateways.',
  grants: 'A row says by which key, when it was made and when it ended.',
  hook_health: 'Written by the sending: how listeners answer.',
  hook_hours: 'Counts of attempts.',
  idempotency_keys: 'Answers, kept for a day.',
  invoice_counters: 'Counts; the invoice has its number.',
  ledger_transactions: 'Appended: the books.',
  ledger_total_changes: 'Sums of the books.',
  ledger_totals: 'Sums of the books.',
  mails: 'A queue.',
  money_mails: 'A queue, and what was sent.',
  notifications: 'Appended: facts.',
  operator_keys: 'Made by a start, not by a request.',
  outcomes: 'Appended: how deliveries ended.',
  package_chunks: 'Written once with their release, which keeps their hash.',
  password_reset_requests: 'A queue.',
  password_resets: 'Nobody is known to ask; the change of the user is recorded.',
  api_requests: 'A log.',
  device_logins: 'The session that follows says who approved, and when.',
  app_trials: 'Appended: follows from subscriptions.',
  recovery_codes: 'Hashes, each good once; the second factor says when they were made.',
  reconciliation_discrepancies: 'Found by the loops.',
  reconciliations: 'A row a comparison.',
  release_drafts: 'Not sent yet; the release is recorded.',
  revenue_changes: 'Sums of subscriptions.',
  revenue_countries: 'Sums of subscriptions.',
  revenue_country_changes: 'Sums of subscriptions.',
  revenue_day_changes: 'Sums of subscriptions.',
  revenue_days: 'Sums of subscriptions.',
  revenue_sums: 'Sums of subscriptions.',
  sandbox_charges: 'The gateway’s.',
  sandbox_confirmations: 'The gateway’s.',
  sandbox_disputes: 'The gateway’s.',
  sandbox_payment_methods: 'The gateway’s.',
  sandbox_refunds: 'The gateway’s.',
  schema_version: 'The migrations’.',
  sessions: 'A row says who, since when and until when.',
  delivery_shards: 'Written by the loops.',
  delivery_workers: 'Written by the loops.',
  stream_events: 'Appended: facts, kept for a while.',
  stripe_customers: 'The gateway’s.',
  subscription_count_changes: 'Counts of subscriptions.',
  subscription_counts: 'Counts of subscriptions.',
  tax_records: 'A queue, and what the tax provider recorded.',
  terminal_sessions: 'A row says who, on which terminal, when it began and when it ended.',
  test_mails: 'A queue, and what the relay answered.',
  throttles: 'Counts of failed attempts.',
  trial_conversions: 'Follows from invoices.',
}

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

test('every table is audited, or is listed with a reason', async () => {
  const rows = await db.sql<{ table: string }[]>`
    select relname as table from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`
  const audited = (await findAuditedTables(db.sql)).map(({ table }) => table)
  assert.deepEqual(
    rows.map(({ table }) => table),
    [...audited, ...Object.keys(NOT_AUDITED)].sort(),
  )
})

test('the filter accepts exactly the kinds that are recorded', async () => {
  const kinds = (await findAuditedTables(db.sql)).map(({ kind }) => kind)
  assert.deepEqual(kinds.sort(), [...AUDIT_KINDS].sort())
})

test('an entry has the key of its row as resource id', async () => {
  for (const { table, keys } of await findAuditedTables(db.sql)) {
    const rows = await db.sql<{ column: string }[]>`
      select a.attname as column from pg_index as i
      join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
      where i.indrelid = ${table}::regclass and i.indisprimary
      order by array_position(i.indkey::int2[], a.attnum)`
    assert.deepEqual(
      rows.map(({ column }) => column),
      keys,
      table,
    )
  }
})

test('sealed and hashed values are never recorded', async () => {
  const tables = await findAuditedTables(db.sql)
  const rows = await db.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`
  const recorded = rows.filter(row =>
    tables.some(({ table, hidden }) => table === row.table && !hidden.includes(row.column)),
  )
  assert.deepEqual(recorded, [])
})

test('entries cannot be updated, deleted or truncated, even by the owner of the table', async () => {
  const { sql } = db
  const [owner] = await sql<{ owns: boolean }[]>`
    select tableowner = current_user as owns from pg_tables where tablename = 'audit_entries'`
  assert.equal(owner?.owns, true)
  await sql`
    insert into audit_entries (at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, after)
    values (${new Date(0)}, 'p', 'operator', 'o', 'POST', '/', 'r', 'APP', 'a', '{}')`
  await assert.rejects(async () => sql`update audit_entries set principal = 'another'`, /append-only/)
  await assert.rejects(async () => sql`delete from audit_entries`, /append-only/)
  await assert.rejects(async () => sql`truncate audit_entries`, /append-only/)
  await assert.rejects(
    async () => sql`
      insert into audit_entries (entry_id, at, principal, principal_kind, operation, method, path, request_id, kind,
        resource_id, after)
      overriding system value
      select entry_id, at, 'another', principal_kind, operation, method, path, request_id, kind, resource_id, after
      from audit_entries
      on conflict (entry_id, at) do update set principal = excluded.principal`,
    /append-only/,
  )
  const rows = await sql<{ principal: string }[]>`select principal from audit_entries`
  assert.deepEqual([...rows], [{ principal: 'p' }])
})
