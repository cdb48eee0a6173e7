import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constantRate, keepSchedule } from '../src/arrivals.ts'
import { monotonicMs } from '../src/monotonic.ts'

const never = new AbortController().signal

test('a constant rate is even, begins at once, and ends in time', () => {
  assert.deepEqual(constantRate(4, 2), [0, 250, 500, 750, 1000, 1250, 1500, 1750])
  assert.equal(constantRate(250, 8).length, 2_000)
  // Computed from the index and not from the previous instant, so that rounding errors do not add up.
  assert.equal(constantRate(3, 3_600)[10_799], 3_599_666.6666666665)
})

test('each request is started once, in order, and never before it is due', async () => {
  const started: { dueAtMs: number; atMs: number }[] = []
  await keepSchedule(constantRate(500, 0.1), dueAtMs => started.push({ dueAtMs, atMs: monotonicMs() }), never)
  assert.equal(started.length, 50)
  assert.deepEqual(
    started.filter(({ dueAtMs, atMs }) => atMs < dueAtMs),
    [],
  )
})

test('a slow request delays no other, and latencies count from the scheduled instants', async () => {
  const dueAt: number[] = []
  const offsets = constantRate(1_000, 0.02)
  await keepSchedule(
    offsets,
    dueAtMs => {
      dueAt.push(dueAtMs)
      if (dueAt.length === 3) block(50)
    },
    never,
  )
  const [first = 0] = dueAt
  assert.deepEqual(
    dueAt.map(at => Math.round((at - first) * 1000) / 1000),
    offsets,
  )
})

test('a cancelled schedule starts nothing more', async () => {
  const stop = new AbortController()
  let started = 0
  const kept = keepSchedule(
    constantRate(1, 3_600),
    () => {
      started++
      stop.abort()
    },
    stop.signal,
  )
  await assert.rejects(kept, { name: 'AbortError' })
  assert.equal(started, 1)
})

function block(ms: number): void {
  const until = monotonicMs() + ms
  while (monotonicMs() < until);
}
