import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from '../db/db.ts'
import { purgeFailures } from './purge.ts'
import { blockedIds, clearFailures, deleteUntried, recordFailure, recordFailures } from './store.ts'

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

const now = new Date('2026-03-01T10:00:00Z')

async function listSetAside(limit: number) {
  return await db.sql<{ rowId: string; lastError: string; blockedUntil: Date }[]>`
    select row_id as "rowId", last_error as "lastError", blocked_until as "blockedUntil"
    from set_aside order by failures desc, blocked_until, row_id limit ${limit}`
}

test('a row that fails again stands aside twice as long, an hour at most', async () => {
  const rowId = v7()
  const minutes: number[] = []
  for (let failure = 0; failure < 9; failure++) {
    await recordFailure(db.sql, { kind: 'redelivery', rowId, error: new Error('broken'), now })
    const [row] = await listSetAside(1)
    minutes.push(((row?.blockedUntil.getTime() ?? 0) - now.getTime()) / 60_000)
  }
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60])
  await clearFailures(db.sql, 'redelivery', [rowId])
})

test('a row is blocked for its kind until its time has come', async () => {
  const rowId = v7()
  await recordFailure(db.sql, { kind: 'delivery', rowId, error: 'text', now })
  assert.deepEqual(await blockedIds(db.sql, { kind: 'delivery', now }), [rowId])
  assert.deepEqual(await blockedIds(db.sql, { kind: 'redelivery', now }), [])
  assert.deepEqual(await blockedIds(db.sql, { kind: 'delivery', now: new Date(now.getTime() + 60_000) }), [])
  await clearFailures(db.sql, 'redelivery', [rowId])
  assert.equal((await listSetAside(10)).length, 1)
  await clearFailures(db.sql, 'delivery', [rowId])
  assert.deepEqual([...(await listSetAside(10))], [])
})

test('whatever was thrown is kept as text, shortened', async () => {
  const errors = [new TypeError('a\0b'), 'half of a pair: \ud800', undefined, new Error('x'.repeat(10_000))]
  await recordFailures(db.sql, { kind: 'delivery', now, failures: errors.map(error => ({ rowId: v7(), error })) })
  const kept = (await listSetAside(10)).map(({ lastError }) => lastError)
  assert.ok(kept.includes('TypeError: a\ufffdb'))
  assert.ok(kept.includes('half of a pair: \ufffd'))
  assert.ok(kept.includes('undefined'))
  assert.equal(Math.max(...kept.map(text => text.length)), 500)
})

test('what was to be tried again 4 days ago and was not is forgotten, and nothing that is tried still', async () => {
  const [gone, waits, again] = [v7(), v7(), v7()]
  const fail = (rowId: string, at: Date) => recordFailure(db.sql, { kind: 'delivery', rowId, error: 'text', now: at })
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 3_600_000)
  await db.sql`delete from set_aside`
  await fail(gone, daysAgo(4.1))
  await fail(again, daysAgo(4.1))
  await fail(waits, daysAgo(3.9))
  await fail(again, now)
  const ports = { db, clock: { now: () => now } }
  assert.equal(await purgeFailures(ports), 1)
  assert.equal(await purgeFailures(ports), 0)
  assert.deepEqual((await listSetAside(10)).map(({ rowId }) => rowId).sort(), [waits, again].sort())
})

test('of many failures so many are forgotten at a time, and none that somebody holds', async () => {
  await db.sql`delete from set_aside`
  const rowIds = [v7(), v7(), v7(), v7()]
  await recordFailures(db.sql, { kind: 'redelivery', now, failures: rowIds.map(rowId => ({ rowId, error: 'text' })) })
  const later = new Date(now.getTime() + 3_600_000)
  await db.transaction(async ({ sql }) => {
    await sql`select from set_aside where row_id = ${rowIds[0] ?? ''} for update`
    assert.deepEqual([await deleteUntried(db.sql, later, 2), await deleteUntried(db.sql, later, 2)], [2, 1])
  })
  assert.deepEqual(
    (await listSetAside(10)).map(({ rowId }) => rowId),
    rowIds.slice(0, 1),
  )
})
