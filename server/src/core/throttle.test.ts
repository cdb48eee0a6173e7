import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Attempts, attemptAt, FORGOTTEN_AFTER_MS, PATIENCE_WITH_ONE } from './throttle.ts'

const START = new Date('2026-03-01T10:00:00Z')
const patience = { freeAttempts: 3, longestWaitMs: 10_000 }

test('the first attempts are free, and later waits double up to a maximum', () => {
  let [now, attempts]: [Date, Attempts | null] = [START, null]
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    const outcome = attemptAt(attempts, now, patience)
    assert.ok('counted' in outcome)
    attempts = outcome.counted
    waits.push(attempts.openAt.getTime() - now.getTime())
    now = attempts.openAt
  }
  assert.deepEqual(waits, [0, 0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
})

test('a too early attempt is rejected with whole seconds to wait and changes nothing', () => {
  const attempts = { attempts: 3, attemptedAt: START, openAt: new Date(START.getTime() + 1500) }
  assert.deepEqual(attemptAt(attempts, START, patience), { waitSeconds: 2 })
  assert.deepEqual(attemptAt(attempts, new Date(START.getTime() + 1499), patience), { waitSeconds: 1 })
  assert.ok('counted' in attemptAt(attempts, attempts.openAt, patience))
})

test('a day without an attempt clears the count', () => {
  const attempts = { attempts: 50, attemptedAt: START, openAt: START }
  const [before, after] = [FORGOTTEN_AFTER_MS - 1, FORGOTTEN_AFTER_MS].map(ms =>
    attemptAt(attempts, new Date(START.getTime() + ms), patience),
  )
  assert.ok(before && 'counted' in before && before.counted.attempts === 51)
  assert.ok(after && 'counted' in after && after.counted.attempts === 1)
})

test('a guesser of one account gets fewer than 120 attempts a day', () => {
  let [now, attempts, count]: [Date, Attempts | null, number] = [START, null, 0]
  while (now.getTime() < START.getTime() + FORGOTTEN_AFTER_MS) {
    const outcome = attemptAt(attempts, now, PATIENCE_WITH_ONE)
    assert.ok('counted' in outcome)
    attempts = outcome.counted
    now = attempts.openAt
    count++
  }
  assert.ok(count < 120, String(count))
})
