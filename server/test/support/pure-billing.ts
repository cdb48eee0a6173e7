import { assert } from '../../src/core/assert.ts'
import { stateAfter } from '../../src/core/change.ts'
import type { CreditMovement } from '../../src/core/credit.ts'
import { decide } from '../../src/core/decide.ts'
import { nextDue } from '../../src/core/due.ts'
import type { IssuedInvoice } from '../../src/core/invoice.ts'
import type { Plan } from '../../src/core/plan.ts'
import { isRejection, type Rejection } from '../../src/core/rejection.ts'
import { start } from '../../src/core/start.ts'
import type { Change, PlanChanged, SubscriptionState, Trigger } from '../../src/core/subscription.ts'

/** How the gateway answers a try at once; `null`: not known yet, so the subscription waits for it. */
export type Answer = 'succeeded' | 'soft' | 'hard' | null

/** The plan, the merchant and the start, where they differ from 5.00 USD a month without trial, a week of grace. */
export interface Terms {
  readonly plan?: Partial<Plan>
  /** Minor units. */
  readonly amount?: number
  readonly at?: string
  readonly hasPaymentMethod?: boolean
  readonly hadTrial?: boolean
  /** Minor units. */
  readonly credit?: number
  readonly country?: string
  readonly testClockId?: string
}

export interface TrackedInvoice extends IssuedInvoice {
  readonly closings: ('PAID' | 'VOID' | 'UNCOLLECTIBLE')[]
}

/** One subscription, driven without a database: what the engine decided for it, and what came of that. */
export interface Run {
  state: SubscriptionState
  readonly invoices: Map<string, TrackedInvoice>
  readonly charges: Change['charges'][number][]
  readonly refunds: Change['refunds'][number][]
  readonly credits: CreditMovement[]
  readonly events: { readonly type: string; readonly at: Date; readonly invoiceId?: string }[]
  decisions: number
}

export const PLAN: Plan = {
  planId: 'plan',
  appId: 'app',
  releaseId: 'release',
  name: 'Loyalty',
  description: '',
  amounts: [{ country: 'US', currency: 'USD', value: 500 }],
  interval: 'MONTH',
  intervalCount: 1,
  trialPeriodDays: 0,
  trialEligibility: 'ALWAYS',
  startPolicy: 'IMMEDIATE',
  cancelPolicy: 'IMMEDIATE',
  gracePeriodDays: 7,
  scope: 'BUSINESS',
  status: 'ACTIVE',
  createdAt: new Date(0),
  updatedAt: new Date(0),
}

/** The result of `start` for these terms: the change or its rejection. */
export function startOf(terms: Terms): Change | Rejection {
  const now = new Date(terms.at ?? '2026-01-01T00:00:00Z')
  const clock = terms.testClockId === undefined ? {} : { clock: { testClockId: terms.testClockId, now } }
  return start({
    plan: planOf(terms),
    organizationId: 'organization',
    business: { businessId: 'business', type: 'MERCHANT', country: terms.country ?? 'US', ...clock },
    hasPaymentMethod: terms.hasPaymentMethod ?? true,
    hadTrial: terms.hadTrial ?? false,
    credit: terms.credit ?? 0,
    ids: { ...idsOf(0), subscriptionId: 'subscription', bundleId: 'bundle' },
    now,
  })
}

/** A new subscription; its first charge, if it has one, is not answered yet. */
export function begin(terms: Terms = {}): Run {
  const change = startOf(terms)
  assert(!isRejection(change), 'the terms allow a start')
  const run: Run = {
    state: stateAfter(change),
    invoices: new Map(),
    charges: [],
    refunds: [],
    credits: [],
    events: [],
    decisions: 1,
  }
  record(run, change)
  return run
}

/** Decides one trigger, and takes the decision over. A rejection changes nothing. */
export function happen(run: Run, trigger: Trigger, at: Date | string): Change | Rejection {
  const change = decide(run.state, trigger, idsOf(run.decisions++), new Date(at))
  if (!isRejection(change)) record(run, change)
  return change
}

/** The outcome of the charge that was made last. */
export function answer(run: Run, outcome: Exclude<Answer, null>, at: Date | string): Change {
  const charge = run.charges.at(-1)
  assert(charge, 'something was charged')
  const { chargeId, invoiceId, amount } = charge
  const change = happen(
    run,
    outcome === 'succeeded'
      ? { kind: 'chargeSucceeded', chargeId, invoiceId, amount }
      : { kind: 'chargeDeclined', chargeId, invoiceId, severity: outcome, hasNeverPaid: hasNeverPaid(run) },
    at,
  )
  assert(!isRejection(change), 'an outcome is never rejected')
  return change
}

/** Lets time pass: all that falls due up to and with `to` is decided at its own instant, and each charge answered there. */
export function pass(run: Run, to: Date | string, answers: Answer | ((n: number) => Answer)): void {
  advance(run, new Date(to), answers, due => due)
}

/** Comes back after a stop: all that fell due up to `at` is decided now, one after the other. */
export function wakeUp(run: Run, at: Date | string, answers: Answer | ((n: number) => Answer)): void {
  const now = new Date(at)
  advance(run, now, answers, () => now)
}

/** The payment of the current period, as a plan change needs it. No refunds. */
export function paidFor({ state: { subscription }, invoices }: Run): Pick<PlanChanged, 'current'> {
  const { term, periodIndex } = subscription
  const found = [...invoices.values()].find(one => one.term === term && one.periodIndex === periodIndex)
  if (found?.closings.at(-1) !== 'PAID') return {}
  return { current: { invoiceId: found.invoiceId, value: found.amount + found.creditApplied } }
}

/** Event types in order, without what all of them begin with. */
export function eventTypesOf(run: Run): string[] {
  return run.events.map(event => event.type)
}

/** For each invoice in order: the first day of its period, and its last status. */
export function books(run: Run): string[] {
  return [...run.invoices.values()].map(
    ({ periodStart, closings }) => `${periodStart.toISOString().slice(0, 10)} ${closings.at(-1) ?? 'OPEN'}`,
  )
}

/** From 1 to 31 January. */
export function trial(): Run {
  return begin({ plan: { trialPeriodDays: 30 } })
}

/** The month of January, paid. */
export function current(plan: Partial<Plan> = {}): Run {
  const run = begin({ plan })
  answer(run, 'succeeded', '2026-01-01T00:00:00Z')
  return run
}

/** January is paid, and it ends with it: cancelled on the 10th. */
export function scheduled(): Run {
  const run = current({ cancelPolicy: 'BILLING' })
  happen(run, { kind: 'cancelled' }, '2026-01-10T00:00:00Z')
  return run
}

/** January is paid, and from February on there is another plan. */
export function waiting(): Run {
  const run = current()
  const plan = { ...PLAN, planId: 'other' }
  happen(run, { kind: 'planChanged', plan, when: 'PERIOD_END', hasPaymentMethod: true }, '2026-01-10T00:00:00Z')
  return run
}

/** December is paid, and the charge of January is not answered yet. */
export function renewing(): Run {
  const run = begin({ at: '2025-12-01T00:00:00Z' })
  answer(run, 'succeeded', '2025-12-01T00:00:00Z')
  pass(run, '2026-01-01T00:00:00Z', null)
  return run
}

/** The charge of January was declined on the 15th. */
export function pastDue(): Run {
  const run = renewing()
  answer(run, 'soft', '2026-01-15T00:00:00Z')
  return run
}

/** Declined on the 10th, tried again on the 11th, and not answered yet. */
export function retrying(): Run {
  const run = renewing()
  answer(run, 'soft', '2026-01-10T00:00:00Z')
  pass(run, '2026-01-11T00:00:00Z', null)
  return run
}

/** Ended by the operator on the 10th. */
export function ended(run: Run): Run {
  happen(run, { kind: 'operatorEnded' }, '2026-01-10T00:00:00Z')
  return run
}

/** More decisions than ten years of days take. */
const MOST_DECISIONS = 20_000

function advance(run: Run, to: Date, answers: Answer | ((n: number) => Answer), nowAt: (due: Date) => Date): void {
  const answerOf = typeof answers === 'function' ? answers : () => answers
  let now = run.state.subscription.lastTriggerAt
  for (let decided = 0, asked = 0; decided < MOST_DECISIONS; decided++) {
    if (run.state.subscription.awaitedChargeId !== undefined) {
      const outcome = answerOf(asked++)
      if (outcome !== null) {
        answer(run, outcome, now)
        continue
      }
    }
    const due = nextDue(run.state.subscription)
    if (due === null || due.at > to) return
    now = nowAt(due.at)
    happen(run, due.trigger, now)
  }
  throw new Error('time does not pass: something stays due for ever')
}

function record(run: Run, change: Change): void {
  run.state = stateAfter(change)
  for (const invoice of change.issued) run.invoices.set(invoice.invoiceId, { ...invoice, closings: [] })
  for (const { invoiceId, status } of change.closed) {
    const invoice = run.invoices.get(invoiceId)
    assert(invoice, 'only what was issued is closed')
    invoice.closings.push(status)
  }
  run.charges.push(...change.charges)
  run.refunds.push(...change.refunds)
  run.credits.push(...change.credits)
  for (const { eventType, occurredAt: at, invoiceId } of change.events) {
    const type = eventType.replace('APPLICATION_SUBSCRIPTION_', '')
    run.events.push(invoiceId === undefined ? { type, at } : { type, at, invoiceId })
  }
}

function planOf({ plan, amount }: Terms): Plan {
  const amounts = amount === undefined ? PLAN.amounts : [{ country: 'US', currency: 'USD', value: amount }]
  return { ...PLAN, amounts, ...plan }
}

function idsOf(n: number) {
  return { invoiceId: `invoice-${n}`, chargeId: `charge-${n}`, refundId: `refund-${n}` }
}

function hasNeverPaid({ invoices }: Run): boolean {
  return ![...invoices.values()].some(({ closings }) => closings.includes('PAID'))
}
