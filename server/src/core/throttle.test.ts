import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FORGOTTEN_AFTER_MS, PATIENCE_WITH_ONE, type Tries, tryAt } from './throttle.ts'

const START = new Date('2026-03-01T10:00:00Z')
const patience = { freeTries: 3, longestWaitMs: 10_000 }

test('the first tries are free, then waits double up to the longest', () => {
  let [now, tries]: [Date, Tries | null] = [START, null]
  const waits: number[] = []
  for (let i = 0; i < 9; i++) {
    const outcome = tryAt(tries, now, patience)
    assert.ok('counted' in outcome)
    tries = outcome.counted
    waits.push(tries.openAt.getTime() - now.getTime())
    now = tries.openAt
  }
  assert.deepEqual(waits, [0, 0, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
})

test('a try before its time is refused with whole seconds to wait, and changes nothing', () => {
  const tries = { tries: 3, triedAt: START, openAt: new Date(START.getTime() + 1500) }
  assert.deepEqual(tryAt(tries, START, patience), { waitSeconds: 2 })
  assert.deepEqual(tryAt(tries, new Date(START.getTime() + 1499), patience), { waitSeconds: 1 })
  assert.ok('counted' in tryAt(tries, tries.openAt, patience))
})

test('who stopped for a day begins anew', () => {
  const tries = { tries: 50, triedAt: START, openAt: START }
  const [before, after] = [FORGOTTEN_AFTER_MS - 1, FORGOTTEN_AFTER_MS].map(ms =>
    tryAt(tries, new Date(START.getTime() + ms), patience),
  )
  assert.ok(before && 'counted' in before && before.counted.tries === 51)
  assert.ok(after && 'counted' in after && after.counted.tries === 1)
})

test('however long somebody guesses at one person, it is some hundred tries a day', () => {
  let [now, tries, count]: [Date, Tries | null, number] = [START, null, 0]
  while (now.getTime() < START.getTime() + FORGOTTEN_AFTER_MS) {
    const outcome = tryAt(tries, now, PATIENCE_WITH_ONE)
    assert.ok('counted' in outcome)
    tries = outcome.counted
    now = tries.openAt
    count++
  }
  assert.ok(count < 120, String(count))
})
