import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../db/db.ts'
import { createAuditPartitions, dropOldAuditPartitions } from './partitions.ts'

const { url, drop } = await freshDatabase()
const [db, elsewhere] = [openDatabase({ url }), openDatabase({ url })]
after(async () => {
  await Promise.all([db.close(), elsewhere.close()])
  await drop()
})
const lines: string[] = []
const log = pino({}, { write: line => void lines.push(line) })
let now = new Date('2026-01-31T23:59:59Z')
const clock = { now: () => now }
const ports = { db, clock, log }
const settings = { baseUrl: '', billingUrl: '', allowedNetworks: [], requireHttps: false, operatorShare: 0 }

const write = (at: string) => db.sql`
  insert into audit_entries (at, principal, principal_kind, operation, method, path, request_id, kind, resource_id, after)
  values (${new Date(at)}, 'p', 'operator', 'o', 'POST', '/', 'r', 'APP', 'x', '{}')`

async function tables(): Promise<Record<string, number>> {
  const rows = await db.sql<{ name: string; count: number }[]>`
    select c.relname as name, (select count(*) from audit_entries e where e.tableoid = c.oid) as count
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_entries'::regclass order by 1`
  return Object.fromEntries(rows.map(({ name, count }) => [name.replace('audit_entries_', ''), count]))
}

test('two processes create the partitions of this month and the next two, once', async () => {
  await Promise.all([createAuditPartitions(ports), createAuditPartitions({ ...ports, db: elsewhere })])
  await createAuditPartitions(ports)
  for (const at of ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00Z', '2026-03-31T23:00:00Z']) await write(at)
  assert.deepEqual(await tables(), { '2026_01': 1, '2026_02': 1, '2026_03': 1, default: 0 })
})

test('an entry of a month without a partition is stored and found, and the month is reported', async () => {
  await write('2026-06-10T00:00:00Z')
  now = new Date('2026-06-01T00:00:00Z')
  await createAuditPartitions(ports)
  assert.match(lines.join(), /entries of this month are in audit_entries_default/)
  assert.deepEqual(await tables(), { '2026_01': 1, '2026_02': 1, '2026_03': 1, '2026_07': 0, '2026_08': 0, default: 1 })
})

test('each partition rejects updates, deletes and truncation', async () => {
  for (const table of ['audit_entries', 'audit_entries_2026_02', 'audit_entries_default']) {
    for (const statement of [`delete from ${table}`, `update ${table} set principal = 'q'`, `truncate ${table}`]) {
      await assert.rejects(db.sql.unsafe(statement), /append-only/)
    }
  }
})

test('without a retention setting nothing is dropped', async () => {
  await dropOldAuditPartitions({ ...ports, settings })
  assert.equal(Object.keys(await tables()).length, 6)
})

test('months older than the retention are dropped, but not by a process whose clock is ahead of the database', async () => {
  now = new Date('2999-01-01T00:00:00Z')
  await dropOldAuditPartitions({ ...ports, settings: { ...settings, auditMonths: 1_200 } })
  assert.equal(Object.keys(await tables()).length, 6)
  now = new Date('2026-04-15T00:00:00Z')
  await dropOldAuditPartitions({ ...ports, settings: { ...settings, auditMonths: 2 } })
  assert.deepEqual(Object.keys(await tables()), ['2026_02', '2026_03', '2026_07', '2026_08', 'default'])
})

test('a drop that would wait for a reader is skipped and succeeds later', async () => {
  const dropOld = () => dropOldAuditPartitions({ ...ports, settings: { ...settings, auditMonths: 1 } })
  await elsewhere.transaction(async ({ sql }) => {
    await sql`select from audit_entries`
    await dropOld()
  })
  assert.ok('2026_02' in (await tables()))
  await dropOld()
  assert.ok(!('2026_02' in (await tables())))
})
