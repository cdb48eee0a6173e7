import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { afterAttempt } from './delivery.ts'
import { afterSign, type HealthSign, type HookHealth, reasonToDisable, stateOf } from './hook-health.ts'

const T0 = new Date('2026-03-01T10:00:00Z')
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1_000)
const sign = (seconds: number, more: Partial<HealthSign> = {}): HealthSign => ({
  at: at(seconds),
  isProbe: false,
  acknowledged: false,
  durationMs: 10,
  word: 'timeout',
  ...more,
})
const good = (seconds: number, durationMs = 10) => sign(seconds, { acknowledged: true, durationMs, word: '200' })
const after = (signs: readonly HealthSign[], from?: HookHealth) => signs.reduce(afterSign, from)

test('the fifth failure in a row opens the breaker', () => {
  const four = after([0, 1, 2, 3].map(n => sign(n)))
  assert.deepEqual(four, { failures: 4, failingSince: T0, lastFailure: 'timeout', lastFailedAt: at(3), opened: 0 })
  assert.equal(stateOf(four, at(3)), 'FAILING')
  const five = after([sign(4)], four)
  assert.deepEqual(five?.openUntil, at(9))
  assert.equal(stateOf(five, at(5)), 'OPEN')
  assert.equal(stateOf(five, at(9)), 'HALF_OPEN')
})

test('an acknowledgement closes the breaker at any time', () => {
  const open = after([0, 1, 2, 3, 4].map(n => sign(n)))
  assert.equal(after([good(5)], open), undefined)
  assert.equal(stateOf(undefined, T0), 'HEALTHY')
})

test('each failed probe doubles the pause, up to a quarter of an hour', () => {
  let health = after([0, 0, 0, 0, 0].map(n => sign(n)))
  const pauses: number[] = []
  for (let probe = 0; probe < 9; probe++) {
    assert.ok(health?.openUntil)
    const probedAt = health.openUntil
    assert.equal(stateOf(health, probedAt), 'HALF_OPEN')
    health = afterSign(health, sign(0, { at: probedAt, isProbe: true }))
    pauses.push(((health?.openUntil?.getTime() ?? 0) - probedAt.getTime()) / 1_000)
  }
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test('attempts that were in progress when the breaker opened do not open it again', () => {
  const open = after([0, 1, 2, 3, 4].map(n => sign(n)))
  const late = after([sign(6), sign(7)], open)
  assert.deepEqual([late?.failures, late?.opened, late?.openUntil], [7, 1, at(9)])
})

test('slow acknowledgements make the hook SLOW and are not failures', () => {
  assert.equal(after([good(0, 1_499)]), undefined)
  const slow = after([good(0, 1_500)])
  assert.deepEqual(slow, { failures: 0, opened: 0 })
  assert.equal(stateOf(slow, T0), 'SLOW')
  assert.equal(after([good(1)], slow), undefined)
})

const HOUR = 3_600

test('a day of 410 or three days of failures disables the hook, and another response or an acknowledgement starts the count again', () => {
  const gone = after([sign(0, { word: '410' }), sign(24 * HOUR, { word: '410' })])
  assert.ok(gone)
  assert.equal(reasonToDisable(gone, at(24 * HOUR - 1)), null)
  assert.equal(reasonToDisable(gone, at(24 * HOUR)), 'gone')
  const mixed = after([sign(0, { word: '410' }), sign(24 * HOUR, { word: '500' })])
  assert.ok(mixed)
  assert.equal(reasonToDisable(mixed, at(24 * HOUR)), null)
  assert.equal(reasonToDisable(mixed, at(72 * HOUR - 1)), null)
  assert.equal(reasonToDisable(mixed, at(72 * HOUR)), 'failing')
  const again = after([good(HOUR), sign(2 * HOUR)], mixed)
  assert.ok(again)
  assert.equal(reasonToDisable(again, at(73 * HOUR)), null)
})

test('an attempt without a response neither makes a hook gone nor resets it', () => {
  const timedOut = after([sign(0, { word: '410' }), sign(25 * HOUR)])
  assert.ok(timedOut)
  assert.equal(reasonToDisable(timedOut, at(25 * HOUR)), null)
  const gone = after([sign(26 * HOUR, { word: '410' })], timedOut)
  assert.ok(gone)
  assert.equal(reasonToDisable(gone, at(26 * HOUR)), 'gone')
})

test('a silence of more than 49 h restarts the count of days, and a shorter silence does not', () => {
  const four = after([0, 24, 48, 71].map(hour => sign(hour * HOUR)))
  for (const [silence, reason] of [
    [49 * HOUR, 'failing'],
    [49 * HOUR + 1, null],
  ] as const) {
    const again = after([sign(71 * HOUR + silence)], four)
    assert.ok(again)
    assert.equal(reasonToDisable(again, at(71 * HOUR + silence)), reason)
    assert.equal(again.failures, 5, 'the failures are in a row all the same')
  }
})

test('a delivery with regular retries causes no silence, with any Retry-After', () => {
  const attempt = fc.record({
    askedHours: fc.oneof(fc.constantFrom(0, 24, 30, 47, 48, 1_000), fc.double({ min: 0, max: 60, noNaN: true })),
    random: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    heldSeconds: fc.integer({ min: 0, max: HOUR / 4 }),
  })
  const property = fc.property(fc.array(attempt, { minLength: 11, maxLength: 11 }), attempts => {
    let now = T0
    let health: HookHealth | undefined
    for (const [n, { askedHours, random, heldSeconds }] of attempts.entries()) {
      health = afterSign(health, sign(0, { at: now, word: '410' }))
      assert.deepEqual([health?.failingSince, health?.goneSince], [T0, T0], `attempt ${n} at ${now.toISOString()}`)
      const outcome = { kind: 'answered', httpStatus: 410, retryAfter: String(Math.round(askedHours * HOUR)) } as const
      const step = afterAttempt({ attempts: n, recordedAt: T0 }, outcome, now, random)
      if (!('dueAt' in step)) return
      // The breaker delays due retries as well.
      now = new Date(step.dueAt.getTime() + heldSeconds * 1_000)
    }
  })
  fc.assert(property, { numRuns: 500, seed: 20_260_302 })
})

test('after a delivery was given up, only an acknowledgement restarts the count of days', () => {
  const givenUp = after([sign(0), sign(46 * HOUR), sign(70 * HOUR, { gaveUp: true })])
  assert.ok(givenUp)
  assert.equal(reasonToDisable(givenUp, at(70 * HOUR)), null)
  const daysLater = sign(170 * HOUR)
  const again = after([daysLater], givenUp)
  assert.ok(again)
  assert.equal(reasonToDisable(again, daysLater.at), 'failing')
  const [well, sick] = [after([good(100 * HOUR), daysLater], givenUp), after([sign(71 * HOUR), daysLater], givenUp)]
  assert.ok(well && sick)
  assert.equal(reasonToDisable(well, daysLater.at), null)
  assert.equal(reasonToDisable(sick, daysLater.at), null, 'another one was tried since, and then nothing')
})

/** An independent version over the whole history: the longest run of failures without a silence, and of 410 within it. */
function shouldBeDisabled(signs: readonly HealthSign[]): 'gone' | 'failing' | null {
  const hoursOf = ({ at: instant }: HealthSign) => (instant.getTime() - T0.getTime()) / 3_600_000
  const last = signs.at(-1)
  if (last === undefined || last.acknowledged) return null
  let from = signs.length - 1
  while (from > 0 && joins(signs[from - 1] as HealthSign, signs[from] as HealthSign)) from--
  const failed = signs.slice(from)
  const otherAnswer = failed.findLastIndex(({ word }) => /^\d/.test(word) && word !== '410')
  const firstGone = failed.slice(otherAnswer + 1).find(({ word }) => word === '410')
  if (last.word === '410' && firstGone && hoursOf(last) - hoursOf(firstGone) >= 24) return 'gone'
  return hoursOf(last) - hoursOf(failed[0] as HealthSign) >= 72 ? 'failing' : null

  function joins(one: HealthSign, next: HealthSign): boolean {
    return !one.acknowledged && (one.gaveUp === true || hoursOf(next) - hoursOf(one) <= 49)
  }
}

test('a hook is disabled exactly if each attempt failed during the days of decisions 7', () => {
  const step = fc.record({
    hours: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 12 }) },
      fc.constantFrom(24, 28, 48, 49, 50, 240),
    ),
    word: fc.constantFrom('410', '410', '410', '503', 'timeout', '200'),
    gaveUp: fc.boolean(),
  })
  const reasons = new Set<string | null>()
  const property = fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), steps => {
    let hours = 0
    const signs = steps.map(({ word, gaveUp, hours: later }) => {
      hours += later
      return sign(hours * HOUR, { word, gaveUp, acknowledged: word === '200' })
    })
    for (const [n, { at: now }] of signs.entries()) {
      const soFar = signs.slice(0, n + 1)
      const health = after(soFar)
      const reason = health === undefined ? null : reasonToDisable(health, now)
      assert.equal(reason, shouldBeDisabled(soFar))
      reasons.add(reason)
    }
  })
  fc.assert(property, { numRuns: 500, seed: 20_260_301 })
  assert.deepEqual([...reasons].map(String).sort(), ['failing', 'gone', 'null'])
})
