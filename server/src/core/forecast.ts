import { assert } from './assert.ts'
import { followedBy, rest, stateAfter } from './change.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { isRejection } from './rejection.ts'
import type { Change, FreshIds, SubscriptionState, Trigger } from './subscription.ts'

/** A future charge, if every earlier charge succeeds. */
export interface ForecastCharge {
  readonly at: Date
  /** Minor units, in the subscription's currency. */
  readonly amount: number
}

/** Ninety days of a daily plan take 180 decisions. A longer forecast is cut off. */
const MOST_DECISIONS = 400

interface Span {
  readonly now: Date
  readonly until: Date
}

interface Life {
  state: SubscriptionState
  readonly charges: ForecastCharge[]
  decisions: number
  /** Milliseconds. `Infinity`: time brings nothing more. */
  dueAt: number
}

interface CreditBalance {
  /** Minor units. */
  credit: number
}

/**
 * Forecasts the charges of a subscription before `until`. The billing engine runs without writing and assumes that every charge succeeds
 * and that no person changes anything. An open charge is not part of the forecast.
 */
export function forecast(start: SubscriptionState, span: Span): ForecastCharge[] {
  const [charges = []] = forecastTogether([start], { ...span, credit: start.credit ?? 0 })
  return charges
}

/**
 * Forecasts subscriptions that share a credit balance, in the order in which `billing/advance.ts` advances them.
 * Keeps the order of the input.
 */
export function forecastTogether(starts: readonly SubscriptionState[], span: CreditBalance & Span): ForecastCharge[][] {
  const steps = forecastInSteps(starts, span)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
  }
}

/** Like `forecastTogether`, with a pause before each due instant. */
export function* forecastInSteps(
  starts: readonly SubscriptionState[],
  { now, until, credit }: CreditBalance & Span,
): Generator<void, ForecastCharge[][]> {
  const lives = starts.map((state): Life => ({ state, charges: [], decisions: 0, dueAt: 0 }))
  const balance = { credit }
  for (const life of lives) succeed(life, balance, now)
  for (;;) {
    yield
    const next = Math.max(now.getTime(), Math.min(...lives.map(({ dueAt }) => dueAt)))
    if (next >= until.getTime()) return lives.map(({ charges }) => charges)
    const at = new Date(next)
    const due = lives.filter(({ dueAt }) => dueAt <= next).sort(inTurn)
    for (const life of due) take(life, balance, at, state => catchUp(state, () => idsOf(life.decisions++), at))
    for (const life of due) succeed(life, balance, at)
  }
}

/** The order of the scheduler (`subscriptions/store.ts`). */
function inTurn(a: Life, b: Life): number {
  return a.dueAt - b.dueAt || (a.state.subscription.subscriptionId < b.state.subscription.subscriptionId ? -1 : 1)
}

/** Pays the open charge, and with it every older invoice. */
function succeed(life: Life, balance: CreditBalance, at: Date): void {
  for (let trigger = successOf(life.state); trigger !== null; trigger = successOf(life.state)) {
    const success = trigger
    take(life, balance, at, state => {
      const change = decide(state, success, idsOf(life.decisions++), at)
      assert(!isRejection(change), 'an outcome is never rejected')
      return change
    })
  }
  const due = life.decisions < MOST_DECISIONS ? nextDue(life.state.subscription) : null
  life.dueAt = due?.at.getTime() ?? Number.POSITIVE_INFINITY
}

function take(life: Life, balance: CreditBalance, at: Date, change: (state: SubscriptionState) => Change): void {
  const taken = change({ ...life.state, credit: balance.credit })
  for (const { amount } of taken.charges) life.charges.push({ at, amount })
  life.state = stateAfter(taken)
  balance.credit = taken.credit ?? balance.credit
}

function successOf({ subscription: { awaitedChargeId }, openInvoices: [oldest] }: SubscriptionState): Trigger | null {
  if (awaitedChargeId === undefined || oldest === undefined) return null
  const { invoiceId, amount } = oldest
  return { kind: 'chargeSucceeded', chargeId: awaitedChargeId, invoiceId, amount }
}

/** Ids that only need to differ, because nothing is written. */
function idsOf(n: number): FreshIds {
  return { invoiceId: `invoice-${n}`, chargeId: `charge-${n}`, refundId: `refund-${n}` }
}

/** A subscription that is years behind catches up in several passes, so that no pass holds locks for long. */
const DECISIONS_PER_PASS = 100

/**
 * Decides everything that time has brought to a subscription by `now`, as one change. An open charge ends the pass.
 * Decisions 6: "each missed period is billed once, in order".
 */
export function catchUp(start: SubscriptionState, freshIds: () => FreshIds, now: Date): Change {
  let state = start
  let all: Change | null = null
  for (let decisions = 0; decisions < DECISIONS_PER_PASS; decisions++) {
    const due = nextDue(state.subscription)
    if (due === null || due.at > now) break
    const change = decide(state, due.trigger, freshIds(), now)
    assert(!isRejection(change), 'time is never rejected')
    all = all === null ? change : followedBy(all, change)
    state = stateAfter(change)
  }
  // Everything that was due waits for an open charge.
  return all ?? rest(state)
}
