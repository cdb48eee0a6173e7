import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { addDays, startOfDay } from '../../core/calendar.ts'
import { type Database, openDatabase } from '../../platform/db/db.ts'
import { dropPartitions, ensurePartitions, findLastDay } from './partitions.ts'

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

const today = new Date('2026-02-27T23:59:59Z')

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await db.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass order by 1`
  return rows.map(row => row.name)
}

test('partitions exist for the previous day and the given number of days ahead, created once by concurrent processes', async () => {
  await Promise.all([1, 2, 3].map(() => ensurePartitions(db, today, 2)))
  const days = ['2026_02_26', '2026_02_27', '2026_02_28', '2026_03_01']
  for (const table of ['notifications', 'attempts', 'outcomes']) {
    assert.deepEqual(
      await partitionsOf(table),
      days.map(day => `${table}_${day}`),
    )
  }
})

test('creating partitions does not wait for readers or writers of the tables', async () => {
  await db.transaction(async ({ sql }) => {
    await sql`select 1 from notifications`
    await sql`insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, attempts, finished_at)
      select '2026-02-27', id, id, id, id, 'DELIVERED', 1, ${today} from gen_random_uuid() as id`
    await ensurePartitions(db, addDays(today, 1), 2)
  })
  assert.ok((await partitionsOf('outcomes')).includes('outcomes_2026_03_02'))
})

test('a partition has the indexes and constraints of its table', async () => {
  const [row] = await db.sql`
    select count(*) as indexes from pg_indexes where tablename = 'notifications_2026_02_27'`
  assert.equal(row?.indexes, 6)
  await assert.rejects(
    db.sql`insert into outcomes (
      recorded_day, notification_id, hook_id, app_id, business_id, status, attempts, finished_at)
      select '2026-02-27', id, id, id, id, 'LOST', 1, ${today} from gen_random_uuid() as id`,
    /outcomes_status/,
  )
})

test('exactly the days before the given day are dropped', async () => {
  await ensurePartitions(db, today, 2)
  const dropped = await dropPartitions(db, new Date('2026-02-28T12:00:00Z'))
  assert.deepEqual(dropped.length, 6)
  assert.equal((await partitionsOf('attempts'))[0], 'attempts_2026_02_28')
})

test('a drop yields to a long reader and succeeds the next time', async () => {
  await ensurePartitions(db, addDays(today, -10), 0)
  const before = addDays(today, -9)
  await db.transaction(async ({ sql }) => {
    await sql`select 1 from attempts`
    assert.deepEqual(
      await dropPartitions(db, before),
      [],
      'no other partition is dropped, because that would block everybody again',
    )
  })
  const dropped = await dropPartitions(db, before)
  assert.ok(dropped.some(name => name.startsWith('attempts')))
  assert.ok(dropped.some(name => name.startsWith('notifications')))
})

test('days that a process with a wrong date created behind a gap do not count as days ahead', async () => {
  const now = addDays(today, 20)
  await ensurePartitions(db, now, 3)
  await ensurePartitions(db, addDays(now, 30), 3)
  assert.deepEqual(await findLastDay(db.sql, now), startOfDay(addDays(now, 3)))
  assert.deepEqual(await findLastDay(db.sql, addDays(now, 6)), startOfDay(addDays(now, 3)), 'today has none')
})
