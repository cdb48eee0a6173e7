import assert from 'node:assert/strict'
import fc from 'fast-check'
import { begin, happen, PLAN, paidFor, pass, type Run, type Terms, wakeUp } from '../../test/support/pure-billing.ts'
import type { Interval } from './calendar.ts'
import { isPayable, signed } from './credit.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { type IssuedInvoice, periodOf } from './invoice.ts'
import { MAX_GRACE_DAYS, type Plan } from './plan.ts'
import { isRejection } from './rejection.ts'
import { CHANGE_TIMES, type Change, type ChangeTime, type SubscriptionState, type Trigger } from './subscription.ts'

const HOUR_MS = 3_600_000
const INTERVAL_HOURS: Readonly<Record<Interval, number>> = { DAY: 24, WEEK: 168, MONTH: 730, YEAR: 8_760 }

/** One step: time passes, the gateway answers, or a caller acts. `hours` may be negative: clocks disagree. */
type Step =
  | { readonly kind: 'due' | 'answered' | 'refunded'; readonly pick: number; readonly hours: number }
  | { readonly kind: 'cancelled' | 'restored' | 'paymentMethodChanged' | 'operatorEnded'; readonly hours: number }
  | { readonly kind: 'planChanged'; readonly plan: Plan; readonly when: ChangeTime; readonly hours: number }
  | { readonly kind: 'transferred'; readonly device: number; readonly hours: number }

/** Targets of plan changes: higher, lower, free, and of the same and other intervals. */
const PLANS: readonly Plan[] = [
  [500, 'MONTH'],
  [1_999, 'MONTH'],
  [99, 'DAY'],
  [0, 'MONTH'],
  [99_999_999, 'YEAR'],
].map(([value, interval], i) => ({
  ...PLAN,
  planId: `plan-${i}`,
  amounts: [{ country: 'US', currency: 'USD', value: Number(value) }],
  interval: interval as Interval,
}))

/** Includes starts at the end of a month, free plans, trials and grace periods of every length. */
const allTerms: fc.Arbitrary<Terms> = fc.constantFrom<Interval>('DAY', 'WEEK', 'MONTH', 'YEAR').chain(interval =>
  fc.record({
    at: fc.constantFrom('2026-01-31T10:00:00Z', '2024-02-29T00:00:00Z', '2026-03-05T13:45:10Z', '2027-12-31T23:59:59Z'),
    amount: fc.constantFrom(500, 500, 500, 0),
    plan: fc.record({
      interval: fc.constant(interval),
      intervalCount: fc.constantFrom(1, 1, 1, 2, 3, 12),
      trialPeriodDays: fc.constantFrom(0, 0, 1, 3, 14, 31),
      gracePeriodDays: fc.integer({ min: 0, max: MAX_GRACE_DAYS[interval] }),
      cancelPolicy: fc.constantFrom('IMMEDIATE', 'BILLING'),
    }),
  }),
)

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    ...(['due', 'answered', 'refunded'] as const).map(kind => ({
      weight: { due: 8, answered: 8, refunded: 1 }[kind],
      arbitrary: fc.record({ kind: fc.constant(kind), pick: fc.nat(2), hours: fc.constantFrom(0, 0, 1, 30, 200, -5) }),
    })),
    ...(['cancelled', 'restored', 'paymentMethodChanged', 'operatorEnded'] as const).map(kind => ({
      weight: { cancelled: 1, restored: 1, paymentMethodChanged: 3, operatorEnded: 0.2 }[kind] * 5,
      arbitrary: fc.record({ kind: fc.constant(kind), hours: fc.constantFrom(0, 1, 30, -5) }),
    })),
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('planChanged' as const),
        plan: fc.constantFrom(...PLANS),
        when: fc.constantFrom(...CHANGE_TIMES),
        hours: fc.constantFrom(0, 0, 1, 30, 200, -5),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('transferred' as const), device: fc.nat(2), hours: fc.constant(1) }),
    },
  ),
  { minLength: 1, maxLength: 40 },
)

/** Plays random sequences of steps, and checks the invariants after each step. */
export function checkBilling(runs: number): void {
  fc.assert(
    fc.property(allTerms, steps, (terms, life) => {
      const run = begin(terms)
      checkState(run)
      for (const step of life) {
        const before = run.state
        const trigger = triggerOf(run, step)
        if (trigger === null) continue
        const now = instantOf(run, step)
        checkSame(before, trigger, now, run.decisions)
        const change = happen(freeze(run), trigger, now)
        if (isRejection(change)) continue
        checkChange(before, change, trigger)
        checkState(run)
      }
    }),
    { numRuns: runs },
  )
}

/** A subscription that is advanced at random, late instants has the same periods, payments and events as one that is advanced on time. */
export function checkCatchingUp(runs: number): void {
  const wakes = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 6 })
  const waiting = fc.option(fc.constantFrom(...PLANS), { nil: null })
  fc.assert(
    fc.property(allTerms, waiting, wakes, (terms, plan, permilles) => {
      const [late, onTime] = [beginWith(terms, plan), beginWith(terms, plan)]
      const intervals = [late.state.plan.interval, ...(plan === null ? [] : [plan.interval])]
      const intervalMs = Math.min(...intervals.map(interval => INTERVAL_HOURS[interval])) * HOUR_MS
      let at = late.state.subscription.startedAt
      for (const permille of permilles) {
        at = new Date(at.getTime() + Math.floor((permille * intervalMs) / 1_000_000) * 1_000)
        wakeUp(late, at, 'succeeded')
        checkState(late)
      }
      pass(onTime, at, 'succeeded')
      assert.deepEqual(summary(late), summary(onTime))
    }),
    { numRuns: runs },
  )
}

/** Starts a subscription, settles its first charge, and schedules the plan for the period's end. */
function beginWith(terms: Terms, plan: Plan | null): Run {
  const run = begin(terms)
  pass(run, run.state.subscription.startedAt, 'succeeded')
  if (plan !== null) happen(run, changeTo(run, plan, 'PERIOD_END'), run.state.subscription.startedAt)
  return run
}

function changeTo(run: Run, plan: Plan, when: ChangeTime): Trigger {
  return { kind: 'planChanged', plan, when, hasPaymentMethod: true, ...paidFor(run) }
}

function summary({ state, invoices, charges, events }: Run) {
  return {
    next: state.subscription.nextActionAt,
    periods: [...invoices.values()].map(({ planId, term, periodIndex, periodStart, closings }) => [
      planId,
      term,
      periodIndex,
      periodStart,
      closings,
    ]),
    paid: charges.map(({ amount }) => amount),
    // A late TRIAL_ENDING is dropped.
    eventTypes: events.map(({ type }) => type).filter(type => type !== 'TRIAL_ENDING'),
  }
}

/** The trigger of the step in this state; null if impossible: an outcome arrives once, for an existing charge. */
function triggerOf(run: Run, step: Step): Trigger | null {
  const { subscription } = run.state
  switch (step.kind) {
    case 'due':
      return nextDue(subscription)?.trigger ?? null
    case 'answered': {
      const charge = run.charges.at(-1)
      if (charge === undefined || subscription.awaitedChargeId !== charge.chargeId) return null
      const { chargeId, invoiceId, amount } = charge
      const waitedMs = Math.max(0, step.hours) * HOUR_MS
      if (step.pick === 0) return { kind: 'chargeSucceeded', chargeId, invoiceId, amount, waitedMs }
      const hasNeverPaid = ![...run.invoices.values()].some(({ closings }) => closings.includes('PAID'))
      const severity = step.pick === 1 ? 'soft' : 'hard'
      return { kind: 'chargeDeclined', chargeId, invoiceId, severity, hasNeverPaid, waitedMs }
    }
    case 'refunded': {
      const paid = [...run.invoices.values()].find(({ closings }) => closings.at(-1) === 'PAID')
      return paid ? { kind: 'refundSucceeded', invoiceId: paid.invoiceId } : null
    }
    case 'planChanged':
      return changeTo(run, step.plan, step.when)
    case 'transferred':
      return { kind: 'transferred', to: { storeId: 'store', deviceId: `device-${step.device}` } }
    default:
      return { kind: step.kind }
  }
}

function instantOf({ state }: Run, { kind, hours }: Step): Date {
  const last = state.subscription.lastTriggerAt.getTime()
  const due = kind === 'due' ? (nextDue(state.subscription)?.at.getTime() ?? last) : last
  // Time triggers arrive at their instant or later.
  return new Date(kind === 'due' ? due + Math.max(0, hours) * HOUR_MS : last + hours * HOUR_MS)
}

function checkSame(state: SubscriptionState, trigger: Trigger, now: Date, n: number): void {
  const ids = { invoiceId: `invoice-${n}`, chargeId: `charge-${n}`, refundId: `refund-${n}` }
  assert.deepEqual(decide(state, trigger, ids, now), decide(structuredClone(state), trigger, ids, now))
}

function checkChange(before: SubscriptionState, change: Change, trigger: Trigger): void {
  const was = before.subscription
  const is = change.subscription
  assert.deepEqual(
    change.events.map(event => event.resourceSeq),
    change.events.map((_, i) => was.resourceSeq + 1 + i),
  )
  assert.equal(is.resourceSeq, was.resourceSeq + change.events.length)
  assert.ok(is.lastTriggerAt >= was.lastTriggerAt, 'the last trigger never goes back')
  assert.ok(was.status !== 'ENDED' || is.status === 'ENDED', 'what ended stays ended')
  assert.ok(is.status !== 'PENDING' || was.status === 'PENDING', 'what started stays started')
  const starts = change.events.filter(({ eventType }) => eventType === 'APPLICATION_SUBSCRIPTION_START').length
  assert.equal(starts, was.status === 'PENDING' && is.status === 'ACTIVE' ? 1 : 0)
  if (was.status === 'PENDING') assert.equal(is.endReason ?? 'NOT_STARTED', 'NOT_STARTED')
  const ends = change.events.filter(({ eventType }) => eventType === 'APPLICATION_SUBSCRIPTION_END').length
  assert.equal(ends, was.status === 'ACTIVE' && is.status === 'ENDED' ? 1 : 0)
  assert.ok(change.charges.length <= 1)
  for (const charge of change.charges) {
    assert.deepEqual([is.status, is.phase], ['ACTIVE', 'FULL'], 'charged only in FULL, and never after the end')
    assert.equal(is.awaitedChargeId, charge.chargeId)
    assert.equal(charge.invoiceId, change.openInvoices[0]?.invoiceId, 'the oldest first')
    const answered = 'chargeId' in trigger && trigger.chargeId === was.awaitedChargeId
    assert.ok(was.awaitedChargeId === undefined || answered, 'one charge at a time')
  }
  const moved = was.term !== is.term || was.periodIndex !== is.periodIndex
  const isNow = trigger.kind === 'planChanged' && trigger.when === 'NOW'
  const begins = isNow ? is.lastTriggerAt : was.currentPeriodEnd
  if (moved) assert.deepEqual(is.currentPeriodStart, begins, 'no gap and no overlap')
  if (moved && was.term === is.term) assert.equal(is.periodIndex, (was.periodIndex ?? -1) + 1)
  if (was.term !== is.term) assert.deepEqual([is.term, is.periodIndex], [was.term + 1, 0])
  assert.equal(change.issued.length, moved && is.amount > 0 ? 1 : 0)
  const changes = change.events.filter(({ eventType }) => eventType === 'APPLICATION_SUBSCRIPTION_PLAN_CHANGE').length
  assert.equal(changes, was.planId === is.planId ? 0 : 1)
  assert.equal(change.plan.planId, is.planId)
  checkCredit(before, change)
}

/** The balance equals the movements; an invoice's amount equals its lines, and a charge exists only for a positive amount. */
function checkCredit(before: SubscriptionState, change: Change): void {
  assert.ok(before.credit !== undefined && change.credit !== undefined && change.credit >= 0)
  assert.equal(
    change.credit,
    change.credits.reduce((sum, movement) => sum + signed(movement), before.credit),
  )
  for (const { amount, creditApplied, lines, invoiceId } of change.issued) {
    const sum = (kinds: readonly string[]) =>
      lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, line) => total + line.amount, 0)
    assert.equal(amount, sum(['PLAN', 'CREDIT']))
    assert.equal(creditApplied + sum(['CREDIT']), 0)
    assert.ok(amount >= 0)
    const isPaid = change.closed.some(closed => closed.invoiceId === invoiceId && closed.status === 'PAID')
    assert.equal(isPaid, amount === 0, 'an invoice covered by credit is paid at once')
    const isLeft = creditApplied > 0 && amount > 0
    if (isLeft) assert.ok(isPayable(amount, change.subscription.currency), 'a card can pay the rest')
  }
}

function checkState(run: Run): void {
  const { subscription: s, openInvoices, plan } = run.state
  if (s.anchorAt !== undefined && s.periodIndex !== undefined) {
    const period = periodOf(s.anchorAt, plan, s.periodIndex)
    assert.deepEqual([s.currentPeriodStart, s.currentPeriodEnd], [period.start, period.end])
    if (s.term === 0) assert.deepEqual(s.anchorAt, s.trialEndAt ?? s.startedAt)
  }
  assert.equal(s.phase === 'FULL', s.anchorAt !== undefined && s.periodIndex !== undefined)
  const invoices = [...run.invoices.values()]
  for (const [i, invoice] of invoices.entries()) {
    const previous = invoices[i - 1]
    if (previous) checkOrder(previous, invoice)
    const { closings } = invoice
    const late = closings.length === 2 && closings[0] !== 'PAID' && closings[1] === 'PAID'
    assert.ok(closings.length < 2 || late, `closed once: ${closings}`)
    assert.equal(run.refunds.filter(refund => refund.invoiceId === invoice.invoiceId).length, late ? 1 : 0)
  }
  const open = invoices.filter(({ closings }) => closings.length === 0).map(({ invoiceId }) => invoiceId)
  assert.deepEqual(
    openInvoices.map(({ invoiceId }) => invoiceId),
    open,
  )
  const paid = invoices.filter(({ closings }) => closings[0] === 'PAID').reduce((sum, { amount }) => sum + amount, 0)
  assert.ok((run.state.credit ?? 0) <= paid, 'credit never exceeds the money paid')
  assert.equal(run.state.pendingPlan?.planId, s.pendingPlanId)
  assert.equal(s.pendingPlanId === undefined, s.pendingAmount === undefined)
  if (s.status === 'ENDED') checkEnded(run)
  else checkActive(run)
  assert.deepEqual(s.nextActionAt, earliestDue(run.state)?.at)
}

/** A period begins at the end of the previous one, or begins a term. */
function checkOrder(a: IssuedInvoice, b: IssuedInvoice): void {
  if (b.term === a.term) {
    assert.equal(b.periodIndex, a.periodIndex + 1)
    assert.deepEqual(b.periodStart, a.periodEnd)
  } else {
    assert.ok(b.term > a.term)
    assert.equal(b.periodIndex, 0)
  }
}

function checkEnded({ state: { subscription: s, openInvoices } }: Run): void {
  for (const at of [s.nextActionAt, s.nextRetryAt, s.cancelAt, s.trialEndingAt]) assert.equal(at, undefined)
  assert.equal(s.pendingPlanId, undefined)
  assert.ok(s.endedAt && s.endReason)
  assert.equal(openInvoices.length, 0)
}

function checkActive({ state: { subscription: s, openInvoices } }: Run): void {
  assert.ok(s.endedAt === undefined && s.endReason === undefined)
  assert.equal(s.paymentStatus === 'PAST_DUE', s.firstDeclinedAt !== undefined)
  assert.equal(s.graceEndAt === undefined, s.firstDeclinedAt === undefined)
  if (s.paymentStatus === 'PAST_DUE') assert.ok(openInvoices.length > 0, 'PAST_DUE needs an open invoice')
  else
    assert.equal(
      openInvoices.length,
      s.awaitedChargeId === undefined ? 0 : 1,
      'CURRENT has one open invoice per charge',
    )
}

/** A second implementation of decisions 6, for comparison: the earliest due instant that nothing blocks; the first in the list wins a tie. */
function earliestDue({ subscription: s }: SubscriptionState): { at: Date } | undefined {
  if (s.status === 'ENDED') return undefined
  if (s.status === 'PENDING') return { at: new Date(s.createdAt.getTime() + 24 * HOUR_MS) }
  const awaiting = s.awaitedChargeId !== undefined
  const graceWaits = awaiting && s.graceEndAt !== undefined
  const behindGrace = (at: Date) => graceWaits && s.graceEndAt !== undefined && at >= s.graceEndAt
  const renewalWaits = awaiting && s.paymentStatus === 'CURRENT' && s.phase === 'FULL'
  const dues = [
    ...(s.nextRetryAt && !awaiting ? [s.nextRetryAt] : []),
    ...(s.graceEndAt && !graceWaits ? [s.graceEndAt] : []),
    ...(s.trialEndingAt ? [s.trialEndingAt] : []),
    ...(s.cancelAt && !behindGrace(s.cancelAt) ? [s.cancelAt] : []),
    ...(renewalWaits || behindGrace(s.currentPeriodEnd) ? [] : [s.currentPeriodEnd]),
  ]
  // A waiting renewal keeps its timer until the instant passes or the outcome arrives.
  const held = renewalWaits && s.currentPeriodEnd > s.updatedAt ? [s.currentPeriodEnd] : []
  const at = dues.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? held[0]
  return at && { at }
}

function freeze(run: Run): Run {
  deepFreeze(run.state)
  return run
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Date || Object.isFrozen(value)) return
  for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
}
