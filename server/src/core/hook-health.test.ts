import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterSign, type HealthSign, type HookHealth, reasonToDisable, stateOf } from './hook-health.ts'

const T0 = new Date('2026-03-01T10:00:00Z')
const at = (seconds: number) => new Date(T0.getTime() + seconds * 1_000)
const sign = (seconds: number, more: Partial<HealthSign> = {}): HealthSign => ({
  at: at(seconds),
  leaseId: 'lease',
  acknowledged: false,
  durationMs: 10,
  word: 'timeout',
  ...more,
})
const good = (seconds: number, durationMs = 10) => sign(seconds, { acknowledged: true, durationMs, word: '200' })
const after = (signs: readonly HealthSign[], from?: HookHealth) => signs.reduce(afterSign, from)

test('four failures leave the breaker closed, the fifth in a row opens it', () => {
  const four = after([0, 1, 2, 3].map(n => sign(n)))
  assert.deepEqual(four, { failures: 4, failingSince: T0, lastFailure: 'timeout', opened: 0 })
  assert.equal(stateOf(four, at(3)), 'FAILING')
  const five = after([sign(4)], four)
  assert.deepEqual(five?.openUntil, at(9))
  assert.equal(stateOf(five, at(5)), 'OPEN')
  assert.equal(stateOf(five, at(9)), 'HALF_OPEN')
})

test('an acknowledgement closes it, whenever it comes', () => {
  const open = after([0, 1, 2, 3, 4].map(n => sign(n)))
  assert.equal(after([good(5)], open), undefined)
  assert.equal(stateOf(undefined, T0), 'HEALTHY')
})

test('each probe that fails doubles the pause, up to a quarter of an hour', () => {
  let health = after([0, 0, 0, 0, 0].map(n => sign(n)))
  const pauses: number[] = []
  for (let probe = 0; probe < 9; probe++) {
    assert.ok(health?.openUntil)
    const probedAt = health.openUntil
    const probing: HookHealth = { ...health, probeLease: 'probe' }
    assert.equal(stateOf(probing, probedAt), 'HALF_OPEN')
    health = afterSign(probing, sign(0, { at: probedAt, leaseId: 'probe' }))
    assert.equal(health?.probeLease, undefined)
    pauses.push(((health?.openUntil?.getTime() ?? 0) - probedAt.getTime()) / 1_000)
  }
  assert.deepEqual(pauses, [10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test('what was under way when it opened neither opens it again nor ends the probe', () => {
  const open = after([0, 1, 2, 3, 4].map(n => sign(n)))
  const probing: HookHealth = { ...open, failures: 5, opened: 1, probeLease: 'probe' }
  const late = after([sign(6), sign(7)], probing)
  assert.deepEqual([late?.failures, late?.opened, late?.openUntil, late?.probeLease], [7, 1, at(9), 'probe'])
})

test('good answers that take long are SLOW, and no failure', () => {
  assert.equal(after([good(0, 1_499)]), undefined)
  const slow = after([good(0, 1_500)])
  assert.deepEqual(slow, { failures: 0, opened: 0 })
  assert.equal(stateOf(slow, T0), 'SLOW')
  assert.equal(after([good(1)], slow), undefined)
})

test('410 for a day, or failing for three, disables; one other answer, or one acknowledgement, begins anew', () => {
  const HOUR = 3_600
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
