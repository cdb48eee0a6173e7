import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, eventTypesOf, PLAN, startOf, type Terms } from '../../test/support/pure-billing.ts'
import { isRejection } from './rejection.ts'

test('without a trial: FULL from the instant of the start, one invoice, one charge, PENDING, no START', () => {
  const run = begin({ at: '2026-03-05T13:45:10Z' })
  const { subscription } = run.state
  assert.equal(subscription.phase, 'FULL')
  assert.equal(subscription.status, 'PENDING')
  assert.equal(subscription.paymentStatus, 'CURRENT')
  assert.equal(subscription.trialEndAt, undefined)
  assert.deepEqual(subscription.anchorAt, new Date('2026-03-05T13:45:10Z'))
  assert.deepEqual(subscription.currentPeriodEnd, new Date('2026-04-05T13:45:10Z'))
  assert.equal(run.invoices.size, 1)
  assert.deepEqual(run.charges, [{ chargeId: 'charge-0', invoiceId: 'invoice-0', amount: 500 }])
  assert.equal(subscription.awaitedChargeId, 'charge-0')
  assert.deepEqual(eventTypesOf(run), [])
})

test('an invoice has the plan, the period, the price, and a number of the series of its year', () => {
  const invoice = begin({ at: '2026-12-31T23:59:59Z' }).invoices.get('invoice-0')
  const period = { periodStart: new Date('2026-12-31T23:59:59Z'), periodEnd: new Date('2027-01-31T23:59:59Z') }
  assert.deepEqual(invoice?.lines, [{ kind: 'PLAN', description: 'Loyalty', amount: 500, ...period }])
  assert.equal(invoice?.series, '2026')
  assert.equal(invoice?.periodIndex, 0)
  assert.equal(invoice?.term, 0)
})

test('with a trial: TRIAL for a multiple of 24 hours, no invoice, START', () => {
  const run = begin({ at: '2026-03-05T13:45:10Z', plan: { trialPeriodDays: 14 } })
  const { subscription } = run.state
  assert.equal(subscription.phase, 'TRIAL')
  assert.deepEqual(subscription.trialEndAt, new Date('2026-03-19T13:45:10Z'))
  assert.deepEqual(subscription.currentPeriodEnd, subscription.trialEndAt)
  assert.deepEqual(subscription.nextActionAt, new Date('2026-03-16T13:45:10Z'))
  assert.equal(subscription.anchorAt, undefined)
  assert.equal(subscription.periodIndex, undefined)
  assert.equal(run.invoices.size + run.charges.length, 0)
  assert.deepEqual(eventTypesOf(run), ['START'])
})

test('startAt is midnight UTC of the day, startedAt the exact instant', () => {
  const { subscription } = begin({ at: '2026-03-05T23:59:59Z' }).state
  assert.deepEqual(subscription.startAt, new Date('2026-03-05T00:00:00Z'))
  assert.deepEqual(subscription.startedAt, new Date('2026-03-05T23:59:59Z'))
})

test('a free plan has no invoice, no charge, and needs no payment method', () => {
  const run = begin({ amount: 0, hasPaymentMethod: false })
  assert.equal(run.invoices.size + run.charges.length, 0)
  assert.equal(run.state.subscription.awaitedChargeId, undefined)
  assert.deepEqual(eventTypesOf(run), ['START'])
})

test('credit is applied to the first invoice, and a fully credited invoice needs no payment method', () => {
  const part = begin({ credit: 120 })
  assert.deepEqual(part.charges, [{ chargeId: 'charge-0', invoiceId: 'invoice-0', amount: 380 }])
  const whole = begin({ credit: 700, hasPaymentMethod: false })
  assert.deepEqual([whole.charges.length, whole.state.credit, whole.state.openInvoices], [0, 200, []])
  assert.deepEqual(whole.invoices.get('invoice-0')?.closings, ['PAID'])
})

test('a trial needs no payment method', () => {
  assert.equal(begin({ hasPaymentMethod: false, plan: { trialPeriodDays: 1 } }).state.subscription.phase, 'TRIAL')
})

test('ONCE_PER_BUSINESS grants no second trial, and ALWAYS does', () => {
  const plan = { trialPeriodDays: 14 }
  const once = { ...plan, trialEligibility: 'ONCE_PER_BUSINESS' } as const
  assert.equal(begin({ plan: once }).state.subscription.phase, 'TRIAL')
  assert.equal(begin({ plan: once, hadTrial: true }).state.subscription.phase, 'FULL')
  assert.equal(begin({ plan, hadTrial: true }).state.subscription.phase, 'TRIAL')
})

test('country, currency and price follow the country of the business', () => {
  const amounts = [...PLAN.amounts, { country: 'JP', currency: 'JPY', value: 800 }]
  const { subscription } = begin({ country: 'JP', plan: { amounts } }).state
  assert.deepEqual([subscription.country, subscription.currency, subscription.amount], ['JP', 'JPY', 800])
})

test('a subscription on a test clock has the id of the clock', () => {
  assert.equal(begin({ testClockId: 'clock' }).state.subscription.testClockId, 'clock')
  assert.equal(begin().state.subscription.testClockId, undefined)
})

const rejected: [string, Terms, string][] = [
  ['a retired plan', { plan: { status: 'INACTIVE' } }, 'PLAN_RETIRED'],
  ['a country without a price', { country: 'FR' }, 'PLAN_NOT_SOLD_IN_COUNTRY'],
  ['a first charge that nothing could pay', { hasPaymentMethod: false }, 'PAYMENT_METHOD_REQUIRED'],
  [
    'a first charge that nothing could pay, after the only trial',
    { hasPaymentMethod: false, hadTrial: true, plan: { trialPeriodDays: 14, trialEligibility: 'ONCE_PER_BUSINESS' } },
    'PAYMENT_METHOD_REQUIRED',
  ],
]
for (const [what, terms, code] of rejected) {
  test(`a refund is rejected: ${what}`, () => {
    const result = startOf(terms)
    assert.equal(isRejection(result) && result.rejected, code)
  })
}
