import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  answer,
  begin,
  books,
  eventTypesOf,
  happen,
  pass,
  type Run,
  renewing,
  wakeUp,
} from '../../test/support/pure-billing.ts'
import { rest, stateAfter } from './change.ts'
import { nextDue } from './due.ts'
import type { DueTrigger, Subscription } from './subscription.ts'

const vectors: {
  graceRecovery: { id: string; start: string; graceDays: number; paid: string; nextRenewal: string }[]
} = JSON.parse(readFileSync(new URL('../../test/vectors/billing-dates.json', import.meta.url), 'utf8'))

const AT = new Date('2026-02-01T00:00:00Z')
const TIES: [DueTrigger['kind'], Partial<Subscription>][] = [
  ['retry', { nextRetryAt: AT }],
  ['graceEnd', { graceEndAt: AT, firstDeclinedAt: AT, paymentStatus: 'PAST_DUE' }],
  ['cancelAt', { cancelAt: AT }],
  ['pendingPlan', { pendingPlanId: 'other', pendingAmount: 100, currentPeriodEnd: AT }],
  ['periodEnd', { currentPeriodEnd: AT }],
]
for (let i = 0; i < TIES.length; i++) {
  test(`at one instant: ${TIES.slice(i)
    .map(([kind]) => kind)
    .join(', then ')}`, () => {
    const subscription = Object.assign({}, begun().state.subscription, ...TIES.slice(i).map(([, fields]) => fields))
    assert.deepEqual(nextDue(subscription), { trigger: { kind: TIES[i]?.[0] }, at: AT })
  })
}

test('the earlier due time comes first, for any trigger', () => {
  const subscription = { ...begun().state.subscription, nextRetryAt: new Date('2026-02-01T00:00:01Z'), cancelAt: AT }
  assert.equal(nextDue(subscription)?.trigger.kind, 'cancelAt')
})

test('the next period waits for the outcome of the previous charge', () => {
  const run = renewing()
  pass(run, '2026-03-15T00:00:00Z', null)
  assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 OPEN'])
  assert.equal(nextDue(run.state.subscription), null)
  pass(run, '2026-03-15T00:00:00Z', 'succeeded')
  assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 PAID', '2026-02-01 PAID', '2026-03-01 PAID'])
})

test("a waiting period's end keeps its timer until its instant, and after that only the outcome sets the timer", () => {
  const run = renewing()
  const { currentPeriodEnd } = run.state.subscription
  assert.ok(run.state.subscription.awaitedChargeId)
  assert.equal(nextDue(run.state.subscription), null)
  assert.deepEqual(run.state.subscription.nextActionAt, currentPeriodEnd)
  run.state = stateAfter(rest(run.state))
  assert.equal(run.state.subscription.nextActionAt, undefined)
  pass(run, currentPeriodEnd.toISOString(), 'succeeded')
  assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 PAID', '2026-02-01 PAID'])
})

test('the grace end waits for an outcome, and neither a renewal nor a cancellation comes before it', () => {
  const run = begun({ interval: 'DAY', gracePeriodDays: 1, cancelPolicy: 'BILLING' })
  pass(run, '2026-01-02T23:59:59Z', 'soft')
  happen(run, { kind: 'cancelled' }, '2026-01-02T23:59:59Z')
  pass(run, '2026-01-05T00:00:00Z', null)
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-01-02 OPEN'])
  assert.equal(run.state.subscription.status, 'ACTIVE')
  answer(run, 'soft', '2026-01-05T00:00:00Z')
  pass(run, '2026-01-05T00:00:00Z', null)
  assert.equal(run.state.subscription.endReason, 'NON_PAYMENT')
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-01-02 UNCOLLECTIBLE'])
})

test('retry, grace end and renewal at one instant: a paid retry continues, and otherwise the subscription ends without a new period', () => {
  for (const [last, expected] of [
    ['succeeded', 'ACTIVE'],
    ['soft', 'ENDED'],
  ] as const) {
    const run = begun({ interval: 'DAY', gracePeriodDays: 1 })
    pass(run, '2026-01-02T23:59:59Z', 'soft')
    pass(run, '2026-01-03T00:00:00Z', last)
    assert.equal(run.state.subscription.status, expected)
    assert.equal(run.invoices.size, expected === 'ACTIVE' ? 3 : 2)
  }
})

test('a retry that is due together with a scheduled end comes first, and the end does not wait for its outcome', () => {
  const run = begun({ cancelPolicy: 'BILLING', gracePeriodDays: 28 })
  pass(run, '2026-02-01T00:00:00Z', null)
  answer(run, 'soft', '2026-02-22T00:00:00Z')
  happen(run, { kind: 'cancelled' }, '2026-02-22T00:00:00Z')
  pass(run, '2026-02-28T23:59:59Z', 'soft')
  const before = run.charges.length
  pass(run, '2026-03-01T00:00:00Z', null)
  assert.equal(run.charges.length, before + 1)
  assert.equal(run.state.subscription.endReason, 'CANCELLED')
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 VOID'])
})

for (const [interval, periods] of [
  ['MONTH', 3],
  ['DAY', 41],
] as const) {
  test(`35 days of downtime, ${interval}: each missed period is billed once, in order, one charge at a time`, () => {
    const run = begun({ interval })
    pass(run, '2026-01-06T00:00:00Z', 'succeeded')
    wakeUp(run, '2026-02-10T00:00:00Z', 'succeeded')
    const stayed = begun({ interval })
    pass(stayed, '2026-02-10T00:00:00Z', 'succeeded')
    const expected = interval === 'MONTH' ? 2 : periods
    assert.equal(run.invoices.size, expected)
    assert.deepEqual(books(run), books(stayed))
    assert.deepEqual(eventTypesOf(run), eventTypesOf(stayed))
    assert.deepEqual(
      run.charges.map(charge => charge.invoiceId),
      [...run.invoices.keys()],
    )
    assert.deepEqual(run.state.subscription.nextActionAt, stayed.state.subscription.nextActionAt)
  })
}

test('after a stop, a declined period delays the charges of later periods, whose invoices are still issued', () => {
  const run = begun({ interval: 'DAY', gracePeriodDays: 1 })
  wakeUp(run, '2026-01-10T00:00:00Z', 'soft')
  assert.equal(run.state.subscription.paymentStatus, 'PAST_DUE')
  assert.equal(run.invoices.size, 10)
  assert.equal(run.charges.length, 2)
  assert.deepEqual(run.state.subscription.graceEndAt, new Date('2026-01-11T00:00:00Z'))
})

test('while PAST_DUE, payments go to the oldest invoice first, and the last one makes the subscription CURRENT', () => {
  const run = begun({ interval: 'DAY', gracePeriodDays: 1 })
  wakeUp(run, '2026-01-04T00:00:00Z', 'soft')
  const paidBefore = run.charges.length
  pass(run, '2026-01-04T06:00:00Z', n => (n < 2 ? 'succeeded' : null))
  assert.equal(run.state.subscription.paymentStatus, 'PAST_DUE')
  pass(run, '2026-01-04T06:00:00Z', 'succeeded')
  assert.deepEqual(
    run.charges.slice(paidBefore).map(charge => charge.invoiceId),
    [...run.invoices.keys()].slice(1),
  )
  assert.equal(run.state.subscription.paymentStatus, 'CURRENT')
  assert.equal(run.state.openInvoices.length, 0)
})

test('after a stop beyond grace there is a last attempt, then the end', () => {
  const run = begun()
  pass(run, '2026-02-01T00:00:00Z', 'soft')
  wakeUp(run, '2026-03-08T00:00:00Z', 'soft')
  assert.deepEqual(eventTypesOf(run).slice(-2), ['PAYMENT_FAIL', 'END'])
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 UNCOLLECTIBLE'])
})

test('after a stop, a scheduled end applies at its own instant, and no period follows', () => {
  const run = begun({ cancelPolicy: 'BILLING' })
  happen(run, { kind: 'cancelled' }, '2026-01-20T00:00:00Z')
  wakeUp(run, '2026-04-10T00:00:00Z', 'succeeded')
  assert.deepEqual(run.state.subscription.endedAt, new Date('2026-02-01T00:00:00Z'))
  assert.equal(run.invoices.size, 1)
})

const monthEnds: [string, string[]][] = [
  ['2026-01-31T10:00:00Z', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
  ['2028-01-31T10:00:00Z', ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']],
]
for (const [at, days] of monthEnds) {
  test(`billing day 31 from ${at}: the last day of a shorter month, and 31 again afterwards`, () => {
    const run = begin({ at })
    pass(run, `${days.at(-1)}T10:00:00Z`, 'succeeded')
    assert.deepEqual(
      books(run),
      days.map(day => `${day} PAID`),
    )
  })
}

test('a trial that ends on 31 January sets the anchor there', () => {
  const run = begin({ at: '2026-01-01T00:00:00Z', plan: { trialPeriodDays: 30 } })
  pass(run, '2026-03-31T00:00:00Z', 'succeeded')
  assert.deepEqual(run.state.subscription.anchorAt, new Date('2026-01-31T00:00:00Z'))
  assert.deepEqual(books(run), ['2026-01-31 PAID', '2026-02-28 PAID', '2026-03-31 PAID'])
})

test('a trial whose end was missed has its anchor at its end, not at the time of the decision', () => {
  const run = begin({ plan: { trialPeriodDays: 30 } })
  wakeUp(run, '2026-03-07T09:30:00Z', 'succeeded')
  assert.deepEqual(run.state.subscription.anchorAt, new Date('2026-01-31T00:00:00Z'))
  assert.deepEqual(books(run), ['2026-01-31 PAID', '2026-02-28 PAID'])
})

for (const { id, start, graceDays, paid, nextRenewal } of vectors.graceRecovery) {
  test(`a payment within grace keeps the anchor: published case ${id}`, () => {
    const run = begin({ at: `${start}T00:00:00Z`, plan: { gracePeriodDays: graceDays } })
    answer(run, 'succeeded', `${start}T00:00:00Z`)
    pass(run, `${paid}T00:00:00Z`, 'soft')
    happen(run, { kind: 'paymentMethodChanged' }, `${paid}T00:00:00Z`)
    answer(run, 'succeeded', `${paid}T00:00:00Z`)
    assert.deepEqual(run.state.subscription.nextActionAt, new Date(`${nextRenewal}T00:00:00Z`))
    assert.deepEqual(run.state.subscription.anchorAt, new Date(`${start}T00:00:00Z`))
  })
}

/** Since 1 January, the first period paid. */
function begun(plan: Partial<Run['state']['plan']> = {}): Run {
  const run = begin({ plan })
  answer(run, 'succeeded', '2026-01-01T00:00:00Z')
  return run
}
