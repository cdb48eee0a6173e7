import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { addDays, startOfDay } from '../../core/calendar.ts'
import { type Database, openDatabase } from '../../platform/db/db.ts'
import { ensurePartitions, findLastDay } from '../../webhooks/deliveries/partitions.ts'
import { backgroundJobs } from './jobs.ts'

const MINUTE_MS = 60_000

let fresh: FreshDatabase
let db: Database
before(async () => {
  fresh = await freshDatabase()
  db = openDatabase({ url: fresh.url, maxConnections: 2 })
})
after(async () => {
  await db.close()
  await fresh.drop()
})

/** The jobs of a process with this date. */
function dutiesAt(now: Date) {
  const log = pino({ level: 'silent' })
  return backgroundJobs({ db, clock: { now: () => now }, log } as never, {} as never)
}

const today = new Date()
const later = addDays(today, 30)

test('after the date jumps by a month, as on a machine that slept, the next partitions exist within a minute', async () => {
  await dutiesAt(today).partitions.runOnce()
  assert.ok((await findLastDay(db.sql, later)) < startOfDay(later), 'nothing can be recorded')
  const { partitions } = dutiesAt(later)
  assert.ok(typeof partitions.idleMs === 'number' && partitions.idleMs <= MINUTE_MS)
  assert.equal(await partitions.runOnce(), 0)
  assert.deepEqual(await findLastDay(db.sql, later), startOfDay(addDays(later, 7)))
  assert.deepEqual(await findLastDay(db.sql, today), startOfDay(addDays(today, 7)), 'what was there stays')
})

test('the job that runs each minute drops no old partitions; the hourly job does', async () => {
  const old = addDays(today, -40)
  await ensurePartitions(db, old, 0)
  const jobs = dutiesAt(today)
  await jobs.partitions.runOnce()
  assert.deepEqual(await findLastDay(db.sql, old), startOfDay(old))
  await jobs.oldPartitions.runOnce()
  assert.ok((await findLastDay(db.sql, old)) < startOfDay(old))
})
