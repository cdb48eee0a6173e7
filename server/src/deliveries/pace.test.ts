import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace } from './pace.ts'

test('what is sent again goes as fast as it can while nothing is sent for the first time', () => {
  const pace = createPace()
  pace.took(10_000, 0)
  assert.deepEqual([pace.limitOf('RETRY', 1), pace.restMs(1)], [Number.POSITIVE_INFINITY, 0])
  pace.firstBegan(1)
  assert.ok(pace.limitOf('RETRY', 2) < 100)
  assert.equal(pace.limitOf('RETRY', 1_001), Number.POSITIVE_INFINITY)
})

test('beside first attempts it goes a few at a time, and then rests; first attempts never do', () => {
  const pace = createPace()
  pace.firstBegan(0)
  const few = pace.limitOf('RETRY', 0)
  assert.ok(few > 0 && few < 100)
  pace.took(few, 0)
  for (const lane of ['RETRY', 'REPLAY'] as const) assert.equal(pace.limitOf(lane, 0), 0)
  assert.equal(pace.limitOf('FIRST', 0), Number.POSITIVE_INFINITY)
  const restMs = pace.restMs(0)
  assert.ok(restMs > 0 && restMs <= 40)
  assert.deepEqual([pace.limitOf('RETRY', restMs), pace.restMs(restMs)], [few, 0])
})

test('beside first attempts a backlog still goes at 2,000 a second, also where each claim is some milliseconds late', () => {
  const pace = createPace()
  let [nowMs, taken] = [0, 0]
  while (nowMs < 1_000) {
    pace.firstBegan(nowMs)
    const few = pace.limitOf('RETRY', nowMs)
    pace.took(few, nowMs)
    taken += few
    nowMs += pace.restMs(nowMs) + 5
  }
  assert.ok(taken >= 2_000 && taken < 4_000, `${taken} in a second`)
})

test('a claim that found nothing to send again rests for nothing', () => {
  const pace = createPace()
  pace.firstBegan(0)
  pace.took(0, 0)
  assert.equal(pace.restMs(0), 0)
})
