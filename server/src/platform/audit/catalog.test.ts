import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { findAuditedTables } from './catalog.fixture.ts'
import { AUDIT_KINDS } from './schema.ts'

/** Tables whose changes leave no entry, and why. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  address_tax_rates: 'Answers of the tax provider.',
  app_icons: 'Bytes of a picture. The row of the app has the hash.',
  assertion_uses: 'An assertion works once. The row is deleted when the assertion has expired.',
  attempts: 'Append-only: the row is the record.',
  authorization_codes: 'A code works once. The approval has an entry.',
  audit_entries: 'The audit trail itself.',
  cancellation_reasons: 'Written with the cancellation, which has an entry.',
  charge_objects: 'Written by background jobs.',
  credit_note_counters: 'A counter. The credit note has the number.',
  credit_notes: 'Append-only: a credit note follows from a refund.',
  credit_balances: 'Sums of their movements.',
  credit_movements: 'Append-only: credit that invoices granted and used.',
  daily_summaries: 'Recipients of the daily summary, written by a background job.',
  deliveries: 'A queue.',
  disputes: 'Reports of gateways. The change of the invoice has an entry.',
  event_streams: 'Written when a client connects.',
  former_business_names: 'Append-only: earlier names. The change of the business has an entry.',
  former_organization_names: 'Append-only: earlier names. The change of the organization has an entry.',
  gateway_events: 'Events of gateways.',
  grants: 'A row has the key, the start and the end of the grant.',
  hook_health: 'Results of delivery attempts, written by background jobs.',
  hook_hours: 'Counts of attempts.',
  idempotency_keys: 'Stored responses, kept for a day.',
  invoice_counters: 'A counter. The invoice has the number.',
  ledger_transactions: 'Append-only: the ledger.',
  ledger_total_changes: 'Sums of the ledger.',
  ledger_totals: 'Sums of the ledger.',
  mails: 'A queue.',
  money_mails: 'A queue, and the sent mails.',
  notifications: 'Append-only: events that happened.',
  operator_keys: 'Written at the start of a process, not by a request.',
  outcomes: 'Append-only: the ends of deliveries.',
  package_chunks: 'Written once, with the release. The row of the release has the hash.',
  password_reset_requests: 'A queue.',
  password_resets: 'The caller is unknown. The change of the user has an entry.',
  api_requests: 'A log.',
  device_logins: 'The row of the session shows who approved the login, and when.',
  app_trials: 'Append-only: a trial follows from a subscription.',
  recovery_codes: 'Hashes of codes that work once. The row of the second factor has their creation time.',
  reconciliation_discrepancies: 'Found by background jobs.',
  reconciliations: 'One row per comparison.',
  release_drafts: 'Not submitted yet. The submitted release has an entry.',
  revenue_changes: 'Sums of subscriptions.',
  tax_totals: 'Sums of bookings.',
  tax_total_changes: 'Sums of bookings.',
  revenue_countries: 'Sums of subscriptions.',
  revenue_country_changes: 'Sums of subscriptions.',
  revenue_day_changes: 'Sums of subscriptions.',
  revenue_days: 'Sums of subscriptions.',
  revenue_sums: 'Sums of subscriptions.',
  sandbox_charges: 'Belongs to the gateway.',
  sandbox_confirmations: 'Belongs to the gateway.',
  sandbox_disputes: 'Belongs to the gateway.',
  sandbox_payment_methods: 'Belongs to the gateway.',
  sandbox_refunds: 'Belongs to the gateway.',
  schema_version: 'Written by migrations.',
  sessions: 'A row has the user, the start and the end of the session.',
  delivery_shards: 'Written by background jobs.',
  delivery_workers: 'Written by background jobs.',
  stream_events: 'Append-only: events, kept for a short time.',
  stripe_customers: 'Belongs to the gateway.',
  subscription_count_changes: 'Counts of subscriptions.',
  subscription_counts: 'Counts of subscriptions.',
  tax_records: 'A queue, and the records of the tax provider.',
  terminal_sessions: 'A row has the user, the terminal, the start and the end of the session.',
  test_mails: 'A queue, and the answers of the relay.',
  throttles: 'Counts of failed attempts.',
  trial_conversions: 'A conversion follows from an invoice.',
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
