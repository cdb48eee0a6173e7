import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answer,
  begin,
  books,
  current,
  ended,
  eventTypesOf,
  happen,
  PLAN,
  pass,
  pastDue,
  renewing,
  retrying,
  trial,
} from '../../test/support/pure-billing.ts'
import { ABANDONED, askUntil, type ChargeResult, isSettled, nextLatePollAt, pollAfter, triggerOf } from './charge.ts'
import { decide } from './decide.ts'
import { isRejection } from './rejection.ts'

const NOON = '2026-01-15T12:00:00Z'
const CHARGE = { chargeId: 'c', invoiceId: 'i', amount: 500 }

test('FULL, charge succeeded: CURRENT, invoice PAID, PAYMENT_SUCCESS with the id of the invoice', () => {
  const run = current()
  assert.equal(run.state.subscription.paymentStatus, 'CURRENT')
  assert.deepEqual(books(run), ['2026-01-01 PAID'])
  assert.equal(run.events.at(-1)?.type, 'PAYMENT_SUCCESS')
  assert.equal(run.events.at(-1)?.invoiceId, 'invoice-0')
})

test('FULL, charge declined: PAST_DUE, the next retry, PAYMENT_FAIL with the id of the invoice', () => {
  const run = pastDue()
  assert.equal(run.state.subscription.paymentStatus, 'PAST_DUE')
  assert.deepEqual(run.state.subscription.nextRetryAt, new Date('2026-01-16T00:00:00Z'))
  assert.equal(run.events.at(-1)?.type, 'PAYMENT_FAIL')
  assert.equal(run.events.at(-1)?.invoiceId, [...run.invoices.keys()][1])
})

for (const severity of ['soft', 'hard'] as const) {
  test(`a first charge that is declined (${severity}) starts nothing: invoice VOID, PAYMENT_FAIL, no START and no END`, () => {
    const run = begin({ credit: 100 })
    answer(run, severity, '2026-01-01T00:00:00Z')
    const { status, endReason, nextActionAt } = run.state.subscription
    assert.deepEqual([status, endReason, nextActionAt], ['ENDED', 'NOT_STARTED', undefined])
    assert.deepEqual(books(run), ['2026-01-01 VOID'])
    assert.deepEqual(eventTypesOf(run), ['PAYMENT_FAIL'])
    assert.equal(run.state.credit, 100)
  })

  test(`the first charge after a free plan has no grace (${severity})`, () => {
    const run = begin({ amount: 0 })
    const plan = { ...PLAN, planId: 'paid' }
    happen(run, { kind: 'planChanged', plan, when: 'NOW', hasPaymentMethod: true }, NOON)
    answer(run, severity, NOON)
    assert.equal(run.state.subscription.endReason, 'NON_PAYMENT')
    assert.deepEqual(eventTypesOf(run).slice(-2), ['PAYMENT_FAIL', 'END'])
  })
}

test('a first payment starts the subscription: START, then PAYMENT_SUCCESS', () => {
  const run = begin()
  assert.equal(run.state.subscription.status, 'PENDING')
  answer(run, 'succeeded', NOON)
  assert.equal(run.state.subscription.status, 'ACTIVE')
  assert.deepEqual(eventTypesOf(run), ['START', 'PAYMENT_SUCCESS'])
})

test('a subscription that is PENDING for 24 hours ends without an event, and a later payment is refunded', () => {
  const run = begin()
  pass(run, '2026-01-01T23:59:59Z', null)
  assert.equal(run.state.subscription.status, 'PENDING')
  pass(run, '2026-01-02T00:00:00Z', null)
  assert.deepEqual(
    [run.state.subscription.endReason, eventTypesOf(run), books(run)],
    ['NOT_STARTED', [], ['2026-01-01 VOID']],
  )
  answer(run, 'succeeded', '2026-01-02T00:00:01Z')
  assert.deepEqual(eventTypesOf(run), ['PAYMENT_SUCCESS'])
  assert.deepEqual(
    run.refunds.map(({ amount }) => amount),
    [500],
  )
})

test('a hard decline of the first charge after a trial, or of a second attempt, does not end the subscription', () => {
  const afterTrial = trial()
  pass(afterTrial, '2026-01-31T00:00:00Z', 'hard')
  const secondTry = retrying()
  answer(secondTry, 'hard', NOON)
  for (const { state } of [afterTrial, secondTry]) {
    assert.deepEqual([state.subscription.status, state.subscription.paymentStatus], ['ACTIVE', 'PAST_DUE'])
  }
})

test('PAST_DUE, charge succeeded: CURRENT with the same anchor and period, and without a grace end', () => {
  const run = retrying()
  const { anchorAt, currentPeriodEnd } = run.state.subscription
  answer(run, 'succeeded', NOON)
  const { subscription } = run.state
  assert.deepEqual([subscription.anchorAt, subscription.currentPeriodEnd], [anchorAt, currentPeriodEnd])
  assert.equal(subscription.paymentStatus, 'CURRENT')
  assert.deepEqual(
    [subscription.firstDeclinedAt, subscription.graceEndAt, subscription.nextRetryAt],
    Array(3).fill(undefined),
  )
})

test('ENDED, charge succeeded late: PAID, PAYMENT_SUCCESS and a full refund', () => {
  const run = ended(renewing())
  const invoiceId = run.charges.at(-1)?.invoiceId ?? ''
  answer(run, 'succeeded', NOON)
  assert.deepEqual([...run.invoices.values()][1]?.closings, ['VOID', 'PAID'])
  assert.deepEqual(
    run.refunds.map(({ invoiceId, amount }) => [invoiceId, amount]),
    [[invoiceId, 500]],
  )
  assert.deepEqual(eventTypesOf(run).slice(-2), ['END', 'PAYMENT_SUCCESS'])
  happen(run, { kind: 'refundSucceeded', invoiceId }, NOON)
  assert.equal(eventTypesOf(run).at(-1), 'REFUND_SUCCESS')
  assert.equal(run.state.subscription.status, 'ENDED')
})

test('ENDED, charge declined late: PAYMENT_FAIL without a retry, and the subscription stays ended', () => {
  const run = ended(renewing())
  answer(run, 'soft', NOON)
  assert.deepEqual(eventTypesOf(run).slice(-2), ['END', 'PAYMENT_FAIL'])
  assert.equal(run.state.subscription.status, 'ENDED')
  assert.equal(run.state.subscription.nextActionAt, undefined)
})

test('if another charge than the awaited charge succeeds, no new charge starts until the awaited outcome is known', () => {
  const run = retrying()
  const { awaitedChargeId } = run.state.subscription
  const charged = run.charges.length
  happen(run, firstOfJanuary(run), NOON)
  assert.equal(run.state.subscription.paymentStatus, 'CURRENT')
  assert.equal(run.state.subscription.awaitedChargeId, awaitedChargeId)
  answer(run, 'soft', NOON)
  assert.equal(run.charges.length, charged)
  assert.deepEqual([run.state.subscription.paymentStatus, run.state.subscription.graceEndAt], ['CURRENT', undefined])
})

test('a second success for one invoice is refunded', () => {
  const run = retrying()
  happen(run, firstOfJanuary(run), NOON)
  answer(run, 'succeeded', NOON)
  assert.equal(run.refunds.length, 1)
})

test('a decision does not share objects with its input and can be repeated', () => {
  const { state } = pastDue()
  const ids = { invoiceId: 'i', chargeId: 'c', refundId: 'r' }
  const ask = () => decide(state, { kind: 'retry' }, ids, new Date(NOON))
  const first = ask()
  assert.ok(!isRejection(first))
  assert.deepEqual(ask(), first)
})

const OF = { chargeId: 'c', invoiceId: 'i', waitedMs: 5 }
const results: [ChargeResult, ReturnType<typeof triggerOf>, boolean][] = [
  [{ status: 'SUCCEEDED' }, { kind: 'chargeSucceeded', ...CHARGE, waitedMs: 5 }, true],
  [
    { status: 'DECLINED_SOFT', reason: 'x' },
    { kind: 'chargeDeclined', ...OF, severity: 'soft', hasNeverPaid: true, isAbandoned: false },
    true,
  ],
  [
    { status: 'DECLINED_SOFT', reason: ABANDONED },
    { kind: 'chargeDeclined', ...OF, severity: 'soft', hasNeverPaid: true, isAbandoned: true },
    true,
  ],
  [
    { status: 'DECLINED_HARD', reason: 'x' },
    { kind: 'chargeDeclined', ...OF, severity: 'hard', hasNeverPaid: true },
    true,
  ],
  [{ status: 'PENDING' }, null, false],
  [{ status: 'ACTION_REQUIRED' }, null, false],
  [{ status: 'UNKNOWN', reason: 'timeout' }, null, false],
  [{ status: 'WITHDRAWN' }, null, true],
]
for (const [result, trigger, settled] of results) {
  test(`${result.status}${'reason' in result ? ` (${result.reason})` : ''} means ${trigger?.kind ?? 'nothing'} to the subscription, and ${settled ? 'is final' : 'is polled again'}`, () => {
    assert.deepEqual(triggerOf(CHARGE, result, { waitedMs: 5, hasNeverPaid: true }), trigger)
    assert.equal(isSettled(result.status), settled)
  })
}

test('an unknown outcome is polled after 2 s, then at doubled intervals up to 10 minutes', () => {
  const now = new Date(NOON)
  const seconds = [0, 1, 2, 8, 9, 1_000].map(pollCount => (pollAfter(pollCount, now).getTime() - now.getTime()) / 1_000)
  assert.deepEqual(seconds, [2, 4, 8, 512, 600, 600])
})

test('a given-up charge is polled every six hours for 30 days, with any number of earlier polls', () => {
  const settledAt = new Date(NOON)
  const after = (days: number) => new Date(settledAt.getTime() + days * 86_400_000)
  for (const pollCount of [1, 600, 5_000]) {
    assert.deepEqual(nextLatePollAt({ pollCount, settledAt }, after(0)), after(0.25))
    assert.deepEqual(nextLatePollAt({ pollCount, settledAt }, after(29.9)), after(30.15))
    assert.equal(nextLatePollAt({ pollCount, settledAt }, after(30)), null)
  }
})

test('a given-up charge on a test clock is polled a fixed number of times', () => {
  const of = { testClockId: 't', settledAt: new Date('2031-01-01T00:00:00Z') }
  assert.notEqual(nextLatePollAt({ ...of, pollCount: 599 }, new Date(NOON)), null)
  assert.equal(nextLatePollAt({ ...of, pollCount: 600 }, new Date(NOON)), null)
})

test('the timeout of a gateway call ends before the lease, with time to save the outcome', () => {
  assert.equal(askUntil(new Date(NOON)).getTime() - new Date(NOON).getTime(), 50_000)
})

/** The success of January's first attempt, which was declined before. */
function firstOfJanuary({ charges }: ReturnType<typeof retrying>) {
  const [, charge] = charges
  assert.ok(charge)
  return { kind: 'chargeSucceeded', ...charge } as const
}
