import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type FreshDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { type Database, openDatabase } from './db.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** Slow statements continue after this time, so that a failing test ends. */
const SLOW_AT_MOST_MS = 10_000

let fresh: FreshDatabase
let other: Database
before(async () => {
  fresh = await freshDatabase()
  other = openDatabase({ url: fresh.url, maxConnections: 2 })
})
after(async () => {
  await other.close()
  await fresh.drop()
})

/**
 * A pool of two busy connections: one runs a statement that ends after `later`, the other a transaction that ends 50 ms after `later`
 * began. Returns the order in which they ended.
 */
async function besideSlow(later: (db: Database) => PromiseLike<unknown>): Promise<string[]> {
  const db = openDatabase({ url: fresh.url, maxConnections: 2 })
  const ended: string[] = []
  const end = (name: string) => () => ended.push(name)
  try {
    await Promise.all([db.sql`select pg_sleep(0.01)`, db.sql`select pg_sleep(0.01)`])
    await other
      .transaction(async ({ sql }) => {
        await sql`select pg_advisory_xact_lock(7)`
        const slow = db.sql`select pg_advisory_lock_shared(7)`.then(end('the slow one'))
        const begun = Promise.withResolvers<void>()
        const held = db.transaction(async tx => {
          await tx.sql`select 1`
          begun.resolve()
          await wait(50)
        })
        await begun.promise
        const stop = new AbortController()
        const late = later(db).then(end('the later one'))
        await Promise.race([late, wait(SLOW_AT_MOST_MS, undefined, { signal: stop.signal }).catch(() => {})])
        stop.abort()
        return { slow, held, late }
      })
      .then(({ slow, held, late }) => Promise.all([slow, held, late]))
  } finally {
    await db.close()
  }
  return ended
}

test('a transaction or statement gets the first free connection and waits for no slow connection', async () => {
  const inOrder = ['the later one', 'the slow one']
  assert.deepEqual(await besideSlow(db => db.transaction(({ sql }) => sql`select 1`)), inOrder)
  assert.deepEqual(await besideSlow(db => db.sql`select 1`), inOrder)
})

test('work that waits when a connection is lost continues with other connections', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 1 })
  try {
    await db.sql`select 1`
    const lost = assert.rejects(db.sql`select pg_sleep(60)`.execute(), isDatabaseUnavailable)
    const waiting = [db.sql`select 1`.execute(), db.transaction(({ sql }) => sql`select 1`)]
    for (let ended = 0, poll = 0; ended === 0 && poll < 3_000; poll++) {
      const rows = await other.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%sleep(60)'`
      ended = rows.length
      if (ended === 0) await wait(20)
    }
    await lost
    await Promise.all(waiting)
  } finally {
    await db.close()
  }
})

test('work that waits too long for a connection is rejected, and the work that holds the connection continues', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 1, answerWithinMs: 1_000 })
  try {
    let isRejected = false
    const held = db.transaction(async ({ sql }) => {
      while (!isRejected) await sql`select 1`
      return 'committed'
    })
    const waiting = [db.sql`select 1`.execute(), db.transaction(({ sql }) => sql`select 1`)]
    const settled = await Promise.allSettled(waiting)
    isRejected = true
    assert.ok(settled.every(one => one.status === 'rejected' && isDatabaseUnavailable(one.reason)))
    assert.equal(await held, 'committed')
    assert.deepEqual(db.state(), { awaited: 0, left: 0 })
  } finally {
    await db.close()
  }
})

test('work that waited for a connection and then uses its full time interrupts no other work', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 2, answerWithinMs: 3_000 })
  try {
    let isAnswered = false
    const busyUntil = async (isOver: () => boolean) =>
      db.transaction(async ({ sql }) => {
        while (!isOver()) await sql`select pg_sleep(0.01)`
      })
    const freeAtMs = performance.now() + 2_500
    const busy = [busyUntil(() => performance.now() > freeAtMs), busyUntil(() => isAnswered)]
    // The sum of the sleeps exceeds the time limit of one answer.
    await db.sql`select pg_sleep(1.75)`
    isAnswered = true
    await Promise.all(busy)
    assert.deepEqual(db.state(), { awaited: 0, left: 0 })
  } finally {
    await db.close()
  }
})

test('work requested before a close is completed, even if it waits for a connection', async () => {
  const db = openDatabase({ url: fresh.url, maxConnections: 1 })
  await db.sql`select 1`
  const asked = [1, 2, 3].map(n => db.sql<{ n: number }[]>`select ${n}::int as n`.execute())
  await db.close()
  assert.deepEqual(
    (await Promise.all(asked)).map(([row]) => row?.n),
    [1, 2, 3],
  )
  await assert.rejects(
    db.transaction(({ sql }) => sql`select 1`),
    isDatabaseUnavailable,
  )
})
