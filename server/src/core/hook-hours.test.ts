import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACKNOWLEDGED, addDurations, countByHour, noDurations, percentileMs } from './hook-hours.ts'

const at = (time: string) => new Date(`2026-03-01T${time}Z`)
const attempt = (hookId: string, time: string, durationMs: number, outcome: number | string) => ({
  ...{ hookId, attemptedAt: at(time), durationMs, acknowledged: outcome === 200 },
  ...(typeof outcome === 'number' ? { httpStatus: outcome } : { reason: outcome }),
})

test('attempts are counted by hook, hour and outcome, and redirects are one outcome', () => {
  const counted = countByHour([
    attempt('b', '10:00:00', 12, 200),
    attempt('a', '10:59:59', 5, 200),
    attempt('a', '11:00:00', 6, 200),
    attempt('a', '10:00:00', 2_000, 'timeout'),
    attempt('a', '10:30:00', 3, 200),
    attempt('a', '10:00:01', 40, 500),
    { ...attempt('a', '10:00:02', 40, 302), reason: 'redirect' },
  ])
  const rows = counted.map(({ hookId, hour, outcome, attempts }) => [hookId, hour.getUTCHours(), outcome, attempts])
  assert.deepEqual(rows, [
    ['a', 10, '500', 1],
    ['a', 10, ACKNOWLEDGED, 2],
    ['a', 10, 'redirect', 1],
    ['a', 10, 'timeout', 1],
    ['a', 11, ACKNOWLEDGED, 1],
    ['b', 10, ACKNOWLEDGED, 1],
  ])
  for (const { attempts, durations } of counted)
    assert.equal(
      durations.reduce((sum, n) => sum + n),
      attempts,
    )
})

test('a percentile lies in the bucket of its attempt', () => {
  const durations = (...ms: readonly number[]) =>
    countByHour(ms.map(one => attempt('a', '10:00:00', one, 200)))[0]?.durations ?? []
  assert.equal(percentileMs(noDurations(), 0.5), null)
  for (const [ms, least, most] of [
    [1, 0, 5],
    [5, 0, 5],
    [6, 5, 10],
    [1_200, 1_000, 1_500],
    [9_000, 2_000, 2_500],
  ] as const) {
    const p = percentileMs(durations(ms), 0.95) ?? Number.NaN
    assert.ok(p >= least && p <= most, `${ms} ms: ${p}`)
  }
  const mixed = durations(...Array(95).fill(15), ...Array(5).fill(900))
  assert.ok((percentileMs(mixed, 0.5) ?? 0) < 20)
  assert.ok((percentileMs(mixed, 0.96) ?? 0) > 750)
  assert.deepEqual(addDurations(durations(1), durations(1, 9_000)), durations(1, 1, 9_000))
})
