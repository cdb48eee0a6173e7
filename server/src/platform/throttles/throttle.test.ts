import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openDatabase } from '../db/db.ts'
import { forgetTries, giveBackTry, purgeThrottles, takeTry } from './throttle.ts'

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

const patience = { freeTries: 3, longestWaitMs: 60_000 }
const tried = (...keys: string[]) => ({ kind: 'password', keys: keys.map(key => ({ key, patience })) })

async function isTaken(...keys: string[]): Promise<boolean> {
  return (await takeTry(ports, tried(...keys))) === null
}

test('after some failed tries one has to wait, in every process, and is told how long', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('ann'))
  const refused = await takeTry({ ...ports, db: elsewhere }, tried('ann'))
  assert.deepEqual([refused?.rejected, refused?.retryAfterSeconds], ['TOO_MANY_REQUESTS', 1])
  pass(1000)
  assert.ok(await isTaken('ann'))
  assert.equal((await takeTry(ports, tried('ann')))?.retryAfterSeconds, 2)
})

test('of many tries at once from two processes only the free ones are taken', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => takeTry(i % 2 ? ports : { ...ports, db: elsewhere }, tried('bob', 'here'))),
  )
  assert.equal(outcomes.filter(outcome => outcome === null).length, 3)
})

test('two who share two keys in another order do not wait for each other', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, i) => takeTry(ports, i % 2 ? tried('x', 'y') : tried('y', 'x'))),
  )
  assert.equal(outcomes.filter(outcome => outcome === null).length, 3)
})

test('one key that has to wait refuses the try, and the others are not counted', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('carl', 'shop'))
  for (let i = 0; i < 9; i++) assert.equal(await isTaken('dora', 'shop'), false)
  assert.ok(await isTaken('dora', 'elsewhere'))
})

test('being right forgets one’s own tries, and of an address only the one', async () => {
  assert.ok((await isTaken('eve', 'cafe')) && (await isTaken('eve', 'cafe')))
  await forgetTries(ports, tried('eve', 'cafe'))
  assert.ok((await isTaken('eve')) && (await isTaken('eve')) && (await isTaken('eve')))
  assert.ok((await isTaken('cafe')) && (await isTaken('cafe')))
  assert.equal(await isTaken('cafe'), false)
})

test('a try given back counts no more, nor the wait that it brought', async () => {
  for (let i = 0; i < 9; i++) {
    assert.ok(await isTaken('fay'))
    await giveBackTry(ports, tried('fay'))
  }
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('fay'))
  assert.equal(await isTaken('fay'), false)
})

test('each kind is counted for itself, and the keys are not to be read', async () => {
  for (let i = 0; i < 3; i++) assert.ok(await isTaken('gus@example.com'))
  assert.equal(await takeTry(ports, { ...tried('gus@example.com'), kind: 'passcode' }), null)
  const rows = await db.sql<{ text: string }[]>`select t::text as text from throttles as t`
  assert.ok(rows.length > 0 && rows.every(({ text }) => !text.includes('gus')))
})

test('what counts no more is purged', async () => {
  assert.equal(await purgeThrottles(ports), 0)
  pass(24 * 3_600_000 + 1)
  assert.ok((await purgeThrottles(ports)) > 5)
  const [row] = await db.sql<{ count: number }[]>`select count(*) as count from throttles`
  assert.equal(row?.count, 0)
})
