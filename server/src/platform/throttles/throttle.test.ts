import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../db/db.ts'
import { clearAttempts, countAttempt, purgeThrottles, uncountAttempt } from './throttle.ts'

const { url, drop } = await freshDatabase()
const [db, elsewhere] = [openDatabase({ url }), openDatabase({ url })]
after(async () => {
  await Promise.all([db.close(), elsewhere.close()])
  await drop()
})
let now = new Date('2026-03-01T10:00:00Z')
const ports = { db, clock: { now: () => now } }
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const patience = { freeAttempts: 3, longestWaitMs: 60_000 }
const throttled = (...keys: string[]) => ({ kind: 'password', keys: keys.map(key => ({ key, patience })) })

async function isTaken(...keys: string[]): Promise<boolean> {
  return (await countAttempt(ports, throttled(...keys))) === null
}

test('after some failed attempts every process rejects the next attempt with the seconds to wait', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('ann'))
  const rejected = await countAttempt({ ...ports, db: elsewhere }, throttled('ann'))
  assert.deepEqual([rejected?.rejected, rejected?.retryAfterSeconds], ['TOO_MANY_REQUESTS', 1])
  pass(1000)
  assert.ok(await isTaken('ann'))
  assert.equal((await countAttempt(ports, throttled('ann')))?.retryAfterSeconds, 2)
})

test('if two processes get 20 concurrent attempts, only the allowed number passes', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      countAttempt(i % 2 ? ports : { ...ports, db: elsewhere }, throttled('bob', 'here')),
    ),
  )
  assert.equal(outcomes.filter(outcome => outcome === null).length, 3)
})

test('attempts that share two keys in different orders do not deadlock', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, i) => countAttempt(ports, i % 2 ? throttled('x', 'y') : throttled('y', 'x'))),
  )
  assert.equal(outcomes.filter(outcome => outcome === null).length, 3)
})

test('one throttled key rejects the attempt, and the other keys do not count the attempt', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('carl', 'shop'))
  for (let i = 0; i < 9; i++) assert.equal(await isTaken('dora', 'shop'), false)
  assert.ok(await isTaken('dora', 'elsewhere'))
})

test('a correct attempt clears the count of the account and removes one attempt from the address', async () => {
  assert.ok((await isTaken('eve', 'cafe')) && (await isTaken('eve', 'cafe')))
  await clearAttempts(ports, throttled('eve', 'cafe'))
  assert.ok((await isTaken('eve')) && (await isTaken('eve')) && (await isTaken('eve')))
  assert.ok((await isTaken('cafe')) && (await isTaken('cafe')))
  assert.equal(await isTaken('cafe'), false)
})

test('a withdrawn attempt does not count and adds no wait', async () => {
  for (let i = 0; i < 9; i++) {
    assert.ok(await isTaken('fay'))
    await uncountAttempt(ports, throttled('fay'))
  }
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('fay'))
  assert.equal(await isTaken('fay'), false)
})

test('each kind has its own count, and the table shows no key', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('gus@example.com'))
  assert.equal(await countAttempt(ports, { ...throttled('gus@example.com'), kind: 'passcode' }), null)
  const rows = await db.sql<{ text: string }[]>`select t::text as text from throttles as t`
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes('gus')))
})

test('expired counts are purged', async () => {
  assert.equal(await purgeThrottles(ports), 0)
  pass(24 * 3_600_000 + 1)
  assert.ok((await purgeThrottles(ports)) > 5)
  const [row] = await db.sql<{ count: number }[]>`select count(*) as count from throttles`
  assert.equal(row?.count, 0)
})
