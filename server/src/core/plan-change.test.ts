import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  answer,
  begin,
  books,
  current,
  ended,
  eventTypesOf,
  happen,
  PLAN,
  paidFor,
  pass,
  pastDue,
  type Run,
  retrying,
  scheduled,
  trial,
} from '../../test/support/pure-billing.ts'
import { decide } from './decide.ts'
import type { Plan } from './plan.ts'
import { type Preview, previewOfPlanChange } from './preview.ts'
import { isRejection } from './rejection.ts'
import { CHANGE_TIMES, type ChangeTime, type PlanChanged } from './subscription.ts'

const NOON = '2026-01-15T12:00:00Z'
const FEBRUARY = '2026-02-01T00:00:00Z'
const IDS = { invoiceId: 'invoice', chargeId: 'charge', refundId: 'refund' }

const PRO = planOf({ planId: 'pro' }, 2_000)
const BASIC = planOf({ planId: 'basic' }, 100)
const FREE = planOf({ planId: 'free' }, 0)
const DAILY = planOf({ planId: 'daily', interval: 'DAY' }, 50)
const QUARTERLY = planOf({ planId: 'quarterly', intervalCount: 3 }, 1_200)

const STATES = {
  TRIAL: () => trial(),
  'first charge in flight': () => begin(),
  CURRENT: () => current(),
  'CURRENT, end scheduled': () => scheduled(),
  PAST_DUE: () => pastDue(),
  'PAST_DUE, retry in flight': () => retrying(),
  ENDED: () => ended(current()),
} satisfies Record<string, () => Run>

/** From each state: the result of a change now and at the period's end: the pending plan or the rejection. */
const CHANGES: [keyof typeof STATES, now: string, atPeriodEnd: string][] = [
  ['TRIAL', 'pro', 'plan then pro'],
  ['first charge in flight', 'CHARGE_IN_PROGRESS', 'CHARGE_IN_PROGRESS'],
  ['CURRENT', 'pro', 'plan then pro'],
  ['CURRENT, end scheduled', 'CANCEL_SCHEDULED', 'CANCEL_SCHEDULED'],
  ['PAST_DUE', 'PAYMENT_DUE', 'PAYMENT_DUE'],
  ['PAST_DUE, retry in flight', 'PAYMENT_DUE', 'PAYMENT_DUE'],
  ['ENDED', 'ALREADY_ENDED', 'ALREADY_ENDED'],
]
for (const [state, ...expected] of CHANGES) {
  for (const [i, when] of CHANGE_TIMES.entries()) {
    test(`${state}, plan changed ${when}: ${expected[i]}`, () => {
      const run = STATES[state]()
      const before = run.state
      const result = change(run, PRO, when)
      const { planId, pendingPlanId } = run.state.subscription
      if (isRejection(result)) {
        assert.equal(result.rejected, expected[i])
        assert.equal(run.state, before)
      } else {
        assert.equal(pendingPlanId === undefined ? planId : `${planId} then ${pendingPlanId}`, expected[i])
      }
    })
  }
}

const REJECTED: [string, Plan, string][] = [
  ['the current plan', PLAN, 'SAME_PLAN'],
  ['a retired plan', { ...PRO, status: 'INACTIVE' }, 'PLAN_RETIRED'],
  ['a plan of another scope', { ...PRO, scope: 'DEVICE' }, 'PLAN_INCOMPATIBLE'],
  [
    'a plan sold in another currency',
    { ...PRO, amounts: [{ country: 'US', currency: 'EUR', value: 5 }] },
    'PLAN_INCOMPATIBLE',
  ],
  [
    "a plan not sold in the merchant's country",
    { ...PRO, amounts: [{ country: 'JP', currency: 'JPY', value: 5 }] },
    'PLAN_NOT_SOLD_IN_COUNTRY',
  ],
]
for (const [what, plan, code] of REJECTED) {
  test(`a change to ${what} is rejected, now and at the period's end`, () => {
    for (const when of CHANGE_TIMES) {
      const result = change(current(), plan, when)
      assert.equal(isRejection(result) && result.rejected, code)
    }
  })
}

test('a change is rejected after the end of the period, while the renewal is due', () => {
  const result = change(current(), PRO, 'NOW', FEBRUARY)
  assert.equal(isRejection(result) && result.rejected, 'CHARGE_IN_PROGRESS')
})

test('without a payment method, a change is rejected unless credit covers the whole difference', () => {
  const result = change(current(), PRO, 'NOW', NOON, { hasPaymentMethod: false })
  assert.equal(isRejection(result) && result.rejected, 'PAYMENT_METHOD_REQUIRED')
  assert.ok(!isRejection(change(current(), BASIC, 'NOW', NOON, { hasPaymentMethod: false })))
})

test('an upgrade now credits the unused share, charges the rest, and begins a new term at that second', () => {
  const run = current()
  change(run, PRO, 'NOW', '2026-01-16T12:00:00Z')
  const { planId, amount, term, periodIndex, anchorAt, currentPeriodEnd } = run.state.subscription
  assert.deepEqual([planId, amount, term, periodIndex], ['pro', 2_000, 1, 0])
  assert.deepEqual([anchorAt, currentPeriodEnd].map(String), ['2026-01-16T12:00:00Z', '2026-02-16T12:00:00Z'].map(date))
  assert.deepEqual(lastLines(run), [
    ['PLAN', 2_000],
    ['CREDIT', -250],
  ])
  assert.equal(run.charges.at(-1)?.amount, 1_750)
  assert.equal(run.state.credit, 0)
  assert.deepEqual(eventTypesOf(run), ['START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE'])
})

test('after a downgrade now, credit pays the next invoices until it is used up; a fully credited invoice has no charge', () => {
  const run = current()
  change(run, BASIC, 'NOW', '2026-01-16T12:00:00Z')
  pass(run, '2026-04-16T12:00:00Z', 'succeeded')
  const invoices = [...run.invoices.values()].slice(1)
  assert.deepEqual(
    invoices.map(({ amount, creditApplied, closings }) => [amount, creditApplied, closings]),
    [
      [0, 100, ['PAID']],
      [0, 100, ['PAID']],
      [50, 50, ['PAID']],
      [100, 0, ['PAID']],
    ],
  )
  assert.deepEqual(
    run.charges.slice(1).map(({ amount }) => amount),
    [50, 100],
  )
  assert.deepEqual(eventTypesOf(run).slice(2), ['PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS'])
})

test('a change to a free plan keeps the credit, and a later paid plan uses the credit', () => {
  const run = current()
  change(run, FREE, 'NOW', '2026-01-16T12:00:00Z')
  assert.equal(run.state.credit, 250)
  assert.equal(run.invoices.size, 1)
  change(run, PRO, 'NOW', '2026-01-20T00:00:00Z')
  assert.deepEqual(lastLines(run), [
    ['PLAN', 2_000],
    ['CREDIT', -250],
  ])
  assert.deepEqual(run.state.subscription.anchorAt, new Date('2026-01-20T00:00:00Z'))
})

test('a change during the trial replaces the plan, keeps the end of the trial, and credits nothing', () => {
  const run = trial()
  const { trialEndAt } = run.state.subscription
  change(run, PRO, 'NOW')
  assert.equal(run.state.subscription.phase, 'TRIAL')
  assert.deepEqual(run.state.subscription.trialEndAt, trialEndAt)
  pass(run, '2026-01-31T00:00:00Z', null)
  assert.deepEqual(lastLines(run), [['PLAN', 2_000]])
  assert.deepEqual(eventTypesOf(run), ['START', 'PLAN_CHANGE', 'TRIAL_ENDING', 'PHASE_CHANGE'])
})

test("a change scheduled for the trial's end replaces the plan before the trial ends", () => {
  const run = trial()
  change(run, PRO, 'PERIOD_END')
  pass(run, '2026-01-31T00:00:00Z', null)
  assert.deepEqual(lastLines(run), [['PLAN', 2_000]])
  assert.deepEqual(eventTypesOf(run), ['START', 'TRIAL_ENDING', 'PLAN_CHANGE', 'PHASE_CHANGE'])
})

test("a change at the period's end emits its event then, credits nothing, and charges the new price from then on", () => {
  const run = current()
  change(run, PRO, 'PERIOD_END')
  assert.deepEqual(eventTypesOf(run), ['START', 'PAYMENT_SUCCESS'])
  pass(run, FEBRUARY, 'succeeded')
  assert.deepEqual(lastLines(run), [['PLAN', 2_000]])
  assert.deepEqual(run.credits, [])
  assert.deepEqual(eventTypesOf(run).slice(2), ['PLAN_CHANGE', 'PAYMENT_SUCCESS'])
  assert.deepEqual([run.state.pendingPlan, run.state.subscription.pendingAmount], [undefined, undefined])
})

test("a change at the period's end to the same interval keeps the anchor: billing stays on day 31", () => {
  const run = begin({ at: '2026-01-31T00:00:00Z' })
  pass(run, '2026-02-10T00:00:00Z', 'succeeded')
  change(run, PRO, 'PERIOD_END', '2026-02-10T00:00:00Z')
  pass(run, '2026-03-31T00:00:00Z', 'succeeded')
  assert.deepEqual(books(run), ['2026-01-31 PAID', '2026-02-28 PAID', '2026-03-31 PAID'])
  assert.equal(run.state.subscription.term, 0)
})

test("a change at the period's end from a month to a quarter begins a new term of three months", () => {
  const run = current()
  change(run, QUARTERLY, 'PERIOD_END')
  pass(run, '2026-08-01T00:00:00Z', 'succeeded')
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 PAID', '2026-05-01 PAID', '2026-08-01 PAID'])
  assert.deepEqual([run.state.subscription.term, run.state.subscription.periodIndex], [1, 2])
})

test('a change now in the middle of a quarter credits the unused share of three months', () => {
  const run = begin({ plan: { intervalCount: 3 }, at: '2026-01-01T00:00:00Z', amount: 900 })
  pass(run, '2026-02-15T00:00:00Z', 'succeeded')
  change(run, PRO, 'NOW', '2026-02-15T00:00:00Z')
  // 45 of 90 days are left.
  assert.deepEqual(lastLines(run)?.slice(1), [['CREDIT', -450]])
})

test("a change at the period's end to another interval begins a new term at that instant", () => {
  const run = current()
  change(run, DAILY, 'PERIOD_END')
  pass(run, '2026-02-02T00:00:00Z', 'succeeded')
  assert.deepEqual(books(run), ['2026-01-01 PAID', '2026-02-01 PAID', '2026-02-02 PAID'])
  assert.deepEqual([run.state.subscription.term, run.state.subscription.periodIndex], [1, 1])
})

test('a second pending change replaces the first, and a change to the current plan removes the pending change', () => {
  const run = current()
  change(run, PRO, 'PERIOD_END')
  change(run, BASIC, 'PERIOD_END')
  assert.equal(run.state.subscription.pendingPlanId, 'basic')
  change(run, PLAN, 'PERIOD_END')
  assert.equal(run.state.subscription.pendingPlanId, undefined)
  pass(run, FEBRUARY, 'succeeded')
  assert.deepEqual(lastLines(run), [['PLAN', 500]])
})

test('a change now removes the pending change', () => {
  const run = current()
  change(run, BASIC, 'PERIOD_END')
  change(run, PRO, 'NOW')
  const { planId, pendingPlanId } = run.state.subscription
  assert.deepEqual([planId, pendingPlanId], ['pro', undefined])
})

test('a scheduled cancellation wins over a pending plan, and a restored subscription keeps the pending plan', () => {
  const run = current({ cancelPolicy: 'BILLING' })
  change(run, PRO, 'PERIOD_END')
  happen(run, { kind: 'cancelled' }, NOON)
  happen(run, { kind: 'restored' }, NOON)
  assert.equal(run.state.subscription.pendingPlanId, 'pro')
  happen(run, { kind: 'cancelled' }, NOON)
  pass(run, FEBRUARY, 'succeeded')
  const { status, planId, pendingPlanId } = run.state.subscription
  assert.deepEqual([status, planId, pendingPlanId], ['ENDED', 'plan', undefined])
  assert.deepEqual(eventTypesOf(run).slice(-1), ['END'])
})

for (const [outcome, kind, status] of [
  ['soft', 'operatorEnded', 'VOID'],
  ['hard', 'graceEnd', 'UNCOLLECTIBLE'],
] as const) {
  test(`an invoice that becomes ${status} at the end returns its credit`, () => {
    const run = current()
    change(run, PRO, 'NOW', '2026-01-16T12:00:00Z')
    answer(run, outcome, '2026-01-16T12:00:00Z')
    assert.equal(run.state.credit, 0)
    happen(run, { kind }, '2026-01-23T12:00:00Z')
    assert.equal([...run.invoices.values()].at(-1)?.closings.at(-1), status)
    assert.equal(run.state.credit, 250)
  })
}

test('a preview and the change agree to the cent, and reject the same requests', () => {
  const plans = fc.constantFrom(PRO, BASIC, FREE, DAILY, PLAN)
  const states = fc.constantFrom(...Object.values(STATES))
  const seconds = fc.integer({ min: 0, max: 16 * 86_400 })
  fc.assert(
    fc.property(states, plans, fc.constantFrom(...CHANGE_TIMES), seconds, (stateOf, plan, when, second) => {
      const run = stateOf()
      const at = new Date(Date.parse('2026-01-15T00:00:00Z') + second * 1_000)
      const decided = decide(run.state, triggerOf(run, plan, when), IDS, at)
      const preview = isRejection(decided) ? decided : previewOfPlanChange(decided, when, IDS, at)
      const invoices = run.invoices.size
      const charges = run.charges.length
      const done = change(run, plan, when, at)
      assert.deepEqual(isRejection(preview) && preview.rejected, isRejection(done) && done.rejected)
      if (isRejection(preview) || isRejection(done)) return
      if (when === 'PERIOD_END') pass(run, preview.effectiveAt, null)
      agree(preview, run, { invoices, charges })
    }),
    { numRuns: 5_000 },
  )
})

function agree(preview: Preview, run: Run, before: { invoices: number; charges: number }): void {
  const issued = [...run.invoices.values()].slice(before.invoices)
  assert.deepEqual(
    preview.lines,
    issued.flatMap(({ lines }) => lines),
  )
  const charged = run.charges.slice(before.charges).reduce((sum, { amount }) => sum + amount, 0)
  assert.equal(preview.amount, charged)
  const granted = run.credits.filter(({ kind }) => kind === 'GRANT').reduce((sum, { amount }) => sum + amount, 0)
  assert.deepEqual([preview.creditGranted, preview.creditBalance], [granted, run.state.credit])
}

function change(run: Run, plan: Plan, when: ChangeTime, at: string | Date = NOON, given: Partial<PlanChanged> = {}) {
  return happen(run, { ...triggerOf(run, plan, when), ...given }, at)
}

function triggerOf(run: Run, plan: Plan, when: ChangeTime): PlanChanged {
  return { kind: 'planChanged', plan, when, hasPaymentMethod: true, ...paidFor(run) }
}

function lastLines({ invoices }: Run) {
  return [...invoices.values()].at(-1)?.lines.map(({ kind, amount }) => [kind, amount])
}

function planOf(plan: Partial<Plan>, value: number): Plan {
  return { ...PLAN, name: plan.planId ?? '', ...plan, amounts: [{ country: 'US', currency: 'USD', value }] }
}

function date(text: string): string {
  return String(new Date(text))
}
