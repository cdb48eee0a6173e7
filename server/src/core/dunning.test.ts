import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, begin, books, eventTypesOf, happen, pass, type Run } from '../../test/support/pure-billing.ts'
import type { Interval } from './calendar.ts'
import { graceEnd, nextRetry } from './due.ts'

const FIRST = new Date('2026-02-01T00:00:00Z')
const HOUR_MS = 3_600_000

const schedules: [Interval, number, number[]][] = [
  ['DAY', 1, [6, 12, 24]],
  ['WEEK', 7, [24, 72, 120, 168]],
  ['MONTH', 7, [24, 72, 120, 168]],
  ['MONTH', 28, [24, 72, 120, 168]],
  ['YEAR', 30, [24, 72, 120, 168]],
  ['MONTH', 5, [24, 72, 120]],
  ['MONTH', 4, [24, 72]],
  ['WEEK', 1, [24]],
]
for (const [interval, graceDays, hours] of schedules) {
  test(`${interval}, ${graceDays} days of grace: attempts ${hours.join(', ')} hours after the first decline`, () => {
    assert.deepEqual(retriesOf(interval, graceDays), hours)
  })
}

function retriesOf(interval: Interval, graceDays: number): number[] {
  const found: number[] = []
  const end = graceEnd(FIRST, graceDays)
  for (let at = nextRetry(interval, FIRST, end, FIRST); at; at = nextRetry(interval, FIRST, end, at)) {
    found.push((at.getTime() - FIRST.getTime()) / HOUR_MS)
  }
  return found
}

test('attempts missed during a stop are not made up for: the next attempt is the next of the schedule', () => {
  const end = graceEnd(FIRST, 28)
  assert.deepEqual(nextRetry('MONTH', FIRST, end, new Date('2026-02-04T12:00:00Z')), new Date('2026-02-06T00:00:00Z'))
  assert.equal(nextRetry('MONTH', FIRST, end, new Date('2026-02-08T00:00:00Z')), null)
})

test('without a payment there is an attempt on every date of the schedule, then the end, and every open invoice is UNCOLLECTIBLE', () => {
  const run = paidOnce()
  pass(run, '2026-03-01T00:00:00Z', 'soft')
  assert.deepEqual(failedOn(run), ['2026-02-01', '2026-02-02', '2026-02-04', '2026-02-06', '2026-02-08'])
  const { subscription } = run.state
  assert.equal(subscription.endReason, 'NON_PAYMENT')
  assert.deepEqual(subscription.endedAt, new Date('2026-02-08T00:00:00Z'))
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 UNCOLLECTIBLE'])
  assert.deepEqual(eventTypesOf(run).slice(-2), ['PAYMENT_FAIL', 'END'])
})

test('with a grace period shorter than the schedule, only the attempts within grace are made', () => {
  const run = paidOnce({ gracePeriodDays: 4 })
  pass(run, '2026-03-01T00:00:00Z', 'soft')
  assert.deepEqual(failedOn(run), ['2026-02-01', '2026-02-02', '2026-02-04'])
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-02-05T00:00:00Z'))
})

test('with a grace period longer than the schedule, there is no further attempt, and the subscription stays until the end of grace', () => {
  const run = paidOnce({ gracePeriodDays: 20 })
  pass(run, '2026-02-20T23:59:59Z', 'soft')
  assert.equal(failedOn(run).length, 5)
  assert.equal(run.state.subscription.status, 'ACTIVE')
  pass(run, '2026-02-21T00:00:00Z', 'soft')
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-02-21T00:00:00Z'))
})

test('grace begins with the first decline, with any delay', () => {
  const run = paidOnce()
  pass(run, '2026-02-01T00:00:00Z', null)
  answer(run, 'soft', '2026-02-03T08:00:00Z')
  assert.deepEqual(run.state.subscription.firstDeclinedAt, new Date('2026-02-03T08:00:00Z'))
  assert.deepEqual(run.state.subscription.graceEndAt, new Date('2026-02-10T08:00:00Z'))
  assert.deepEqual(run.state.subscription.nextRetryAt, new Date('2026-02-04T08:00:00Z'))
})

test('a later decline does not move the end of grace', () => {
  const run = paidOnce()
  pass(run, '2026-02-04T00:00:00Z', 'soft')
  assert.deepEqual(run.state.subscription.graceEndAt, new Date('2026-02-08T00:00:00Z'))
})

test('a hard decline stops the retries until the payment method changes, which charges at once', () => {
  const run = paidOnce()
  pass(run, '2026-02-05T00:00:00Z', 'hard')
  assert.deepEqual(failedOn(run), ['2026-02-01'])
  assert.equal(run.state.subscription.nextRetryAt, undefined)
  happen(run, { kind: 'paymentMethodChanged' }, '2026-02-05T09:00:00Z')
  assert.equal(run.charges.at(-1)?.invoiceId, run.charges.at(-2)?.invoiceId)
  answer(run, 'succeeded', '2026-02-05T09:00:00Z')
  assert.equal(run.state.subscription.paymentStatus, 'CURRENT')
})

test('a hard decline of a later attempt stops the retries, too', () => {
  const run = paidOnce()
  pass(run, '2026-02-20T00:00:00Z', n => (n === 0 ? 'soft' : 'hard'))
  assert.deepEqual(failedOn(run), ['2026-02-01', '2026-02-02'])
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-02-08T00:00:00Z'))
})

test('a payment method changed between retries is charged at once, and after a soft decline the schedule continues', () => {
  const run = paidOnce()
  pass(run, '2026-02-01T00:00:00Z', 'soft')
  happen(run, { kind: 'paymentMethodChanged' }, '2026-02-01T12:00:00Z')
  answer(run, 'soft', '2026-02-01T12:00:00Z')
  assert.deepEqual(run.state.subscription.nextRetryAt, new Date('2026-02-02T00:00:00Z'))
})

test('without a grace period the first decline ends the subscription', () => {
  for (const severity of ['soft', 'hard'] as const) {
    const run = paidOnce({ gracePeriodDays: 0 })
    pass(run, '2026-03-01T00:00:00Z', severity)
    assert.deepEqual(run.state.subscription.endedAt, new Date('2026-02-01T00:00:00Z'))
    assert.deepEqual(eventTypesOf(run).slice(-2), ['PAYMENT_FAIL', 'END'])
    assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 UNCOLLECTIBLE'])
  }
})

test('grace is suspended while an attempt is pending, and the wait extends the grace period', () => {
  const run = paidOnce()
  pass(run, '2026-02-01T00:00:00Z', 'soft')
  pass(run, '2026-02-02T00:00:00Z', null)
  pass(run, '2026-02-28T00:00:00Z', null)
  const { chargeId = '', invoiceId = '' } = run.charges.at(-1) ?? {}
  const waitedMs = 26 * 86_400_000
  happen(run, { kind: 'chargeDeclined', chargeId, invoiceId, severity: 'soft', waitedMs }, '2026-02-28T00:00:00Z')
  const { status, graceEndAt } = run.state.subscription
  assert.deepEqual([status, graceEndAt], ['ACTIVE', new Date('2026-03-06T00:00:00Z')])
  pass(run, '2026-03-06T00:00:00Z', 'soft')
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-03-06T00:00:00Z'))
})

test('without a grace period, a payment method changed while waiting for the payer is charged, because nothing was declined', () => {
  const run = paidOnce({ gracePeriodDays: 0 })
  pass(run, '2026-02-01T00:00:00Z', null)
  const at = '2026-02-02T00:00:00Z'
  happen(run, { kind: 'paymentMethodChanged' }, at)
  const { chargeId = '', invoiceId = '' } = run.charges.at(-1) ?? {}
  happen(run, { kind: 'chargeDeclined', chargeId, invoiceId, severity: 'soft', isAbandoned: true, waitedMs: 1 }, at)
  assert.equal(run.state.subscription.status, 'ACTIVE')
  pass(run, at, 'succeeded')
  assert.equal(run.state.subscription.paymentStatus, 'CURRENT')
  assert.deepEqual(eventTypesOf(run).slice(-2), ['PAYMENT_FAIL', 'PAYMENT_SUCCESS'])
})

test('after a payment within grace, a later failure has a new grace period', () => {
  const run = paidOnce()
  pass(run, '2026-02-28T00:00:00Z', n => (n === 0 ? 'soft' : 'succeeded'))
  assert.equal(run.state.subscription.firstDeclinedAt, undefined)
  pass(run, '2026-03-01T00:00:00Z', 'soft')
  assert.deepEqual(run.state.subscription.graceEndAt, new Date('2026-03-08T00:00:00Z'))
})

/** Since 1 January, the first month paid. */
function paidOnce(plan: { gracePeriodDays?: number } = {}): Run {
  const run = begin({ plan })
  answer(run, 'succeeded', '2026-01-01T00:00:00Z')
  return run
}

function failedOn(run: Run): string[] {
  return run.events.filter(event => event.type === 'PAYMENT_FAIL').map(event => event.at.toISOString().slice(0, 10))
}
