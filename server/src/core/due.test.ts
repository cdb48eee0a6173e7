import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  answer,
  begin,
  books,
  happen,
  pass,
  type Run,
  renewing,
  told,
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

test('the earlier comes first, whatever it is', () => {
  const subscription = { ...begun().state.subscription, nextRetryAt: new Date('2026-02-01T00:00:01Z'), cancelAt: AT }
  assert.equal(nextDue(subscription)?.trigger.kind, 'cancelAt')
})

test('the next period waits for the outcome of the one before', () => {
  const run = renewing()
  pass(run, '2026-03-15T00:00:00Z', null)
  assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 OPEN'])
  assert.equal(nextDue(run.state.subscription), null)
  pass(run, '2026-03-15T00:00:00Z', 'succeeded')
  assert.deepEqual(books(run), ['2025-12-01 PAID', '2026-01-01 PAID', '2026-02-01 PAID', '2026-03-01 PAID'])
})

test('a period’s end that waits keeps its timer while it is to come; once it has rung, only the outcome sets it again', () => {
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

test('grace end waits for an outcome, and neither a renewal nor a cancellation overtakes it', () => {
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

test('retry, grace end and renewal at one instant: paid by the retry it goes on, else it ends without a new period', () => {
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

test('a retry that is due with a scheduled end is tried first; the end does not wait for it', () => {
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
    assert.deepEqual(told(run), told(stayed))
    assert.deepEqual(
      run.charges.map(charge => charge.invoiceId),
      [...run.invoices.keys()],
    )
    assert.deepEqual(run.state.subscription.nextActionAt, stayed.state.subscription.nextActionAt)
  })
}

test('after a stop, a declined period holds back the charges of later ones, which open all the same', () => {
  const run = begun({ interval: 'DAY', gracePeriodDays: 1 })
  wakeUp(run, '2026-01-10T00:00:00Z', 'soft')
  assert.equal(run.state.subscription.paymentStatus, 'PAST_DUE')
  assert.equal(run.invoices.size, 10)
  assert.equal(run.charges.length, 2)
  assert.deepEqual(run.state.subscription.graceEndAt, new Date('2026-01-11T00:00:00Z'))
})

test('while PAST_DUE, payment goes to the oldest first, one after the other, and then it is CURRENT', () => {
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

test('after a stop beyond grace: a last try, then the end', () => {
  const run = begun()
  pass(run, '2026-02-01T00:00:00Z', 'soft')
  wakeUp(run, '2026-03-08T00:00:00Z', 'soft')
  assert.deepEqual(told(run).slice(-2), ['PAYMENT_FAIL', 'END'])
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 UNCOLLECTIBLE'])
})

test('after a stop, a scheduled end has come at its own instant and no period follows it', () => {
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
  test(`bill day 31 from ${at}: the last day of a shorter month, and 31 again after it`, () => {
    const run = begin({ at })
    pass(run, `${days.at(-1)}T10:00:00Z`, 'succeeded')
    assert.deepEqual(
      books(run),
      days.map(day => `${day} PAID`),
    )
  })
}

test('a trial that ends on 31 January anchors the bill day there', () => {
  const run = begin({ at: '2026-01-01T00:00:00Z', plan: { trialPeriodDays: 30 } })
  pass(run, '2026-03-31T00:00:00Z', 'succeeded')
  assert.deepEqual(run.state.subscription.anchorAt, new Date('2026-01-31T00:00:00Z'))
  assert.deepEqual(books(run), ['2026-01-31 PAID', '2026-02-28 PAID', '2026-03-31 PAID'])
})

test('a trial whose end was missed is anchored at its end, not at the instant it was noticed', () => {
  const run = begin({ plan: { trialPeriodDays: 30 } })
  wakeUp(run, '2026-03-07T09:30:00Z', 'succeeded')
  assert.deepEqual(run.state.subscription.anchorAt, new Date('2026-01-31T00:00:00Z'))
  assert.deepEqual(books(run), ['2026-01-31 PAID', '2026-02-28 PAID'])
})

for (const { id, start, graceDays, paid, nextRenewal } of vectors.graceRecovery) {
  test(`paid within grace, the anchor stays: published case ${id}`, () => {
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
