import { assert } from './assert.ts'
import { stateAfter } from './change.ts'
import { decide } from './decide.ts'
import { nextDue } from './due.ts'
import { isRefusal } from './refusal.ts'
import type { FreshIds, SubscriptionState, Trigger } from './subscription.ts'

/** A charge that will be made, if all before it succeed. */
export interface ForecastCharge {
  readonly at: Date
  /** Minor units, in the subscription's currency. */
  readonly amount: number
}

/** Ninety days of a daily plan take 180. One that was asleep for longer is told as far as this goes. */
const MOST_DECISIONS = 400

interface Span {
  readonly now: Date
  readonly until: Date
}

/**
 * What a subscription will be charged before `until` (exclusive): a dry run of the engine itself, each thing decided at the
 * instant at which it falls due, what is overdue at `now`, and each charge taken to succeed at once. Nobody is taken to cancel,
 * to change a card or a plan; a charge that is under way is taken to succeed, and is none of those still to be made.
 */
export function forecast(start: SubscriptionState, span: Span): ForecastCharge[] {
  const [charges = []] = forecastTogether([start], { ...span, credit: start.credit ?? 0 })
  return charges
}

/** The same of all subscriptions that draw on one credit: each finds what those have left that were billed before it. */
export function forecastTogether(
  starts: readonly SubscriptionState[],
  { now, until, credit: balance }: Span & { readonly credit: number },
): ForecastCharge[][] {
  const lives = starts.map(state => ({ state, charges: [] as ForecastCharge[], decisions: 0 }))
  let credit = balance
  for (;;) {
    const steps = lives.flatMap(life => {
      const step = life.decisions < MOST_DECISIONS ? nextStep(life.state, now) : null
      return step === null || step.at >= until ? [] : { life, step }
    })
    const [next] = steps.sort((a, b) => a.step.at.getTime() - b.step.at.getTime())
    if (next === undefined) return lives.map(({ charges }) => charges)
    const { life, step } = next
    const change = decide({ ...life.state, credit }, step.trigger, idsOf(life.decisions), step.at)
    assert(!isRefusal(change), 'neither time nor an outcome is ever refused')
    for (const { amount } of change.charges) life.charges.push({ at: step.at, amount })
    life.state = stateAfter(change)
    life.decisions++
    credit = life.state.credit ?? credit
  }
}

/** A charge that is awaited succeeds at the instant at which it was made, or now. */
function nextStep(state: SubscriptionState, now: Date): { at: Date; trigger: Trigger } | null {
  const { lastTriggerAt } = state.subscription
  const success = successOf(state)
  if (success !== null) return { at: lastTriggerAt > now ? lastTriggerAt : now, trigger: success }
  const due = nextDue(state.subscription)
  return due && { at: due.at > now ? due.at : now, trigger: due.trigger }
}

function successOf({ subscription: { awaitedChargeId }, openInvoices: [oldest] }: SubscriptionState): Trigger | null {
  if (awaitedChargeId === undefined || oldest === undefined) return null
  const { invoiceId, amount } = oldest
  return { kind: 'chargeSucceeded', chargeId: awaitedChargeId, invoiceId, amount }
}

/** Nothing of it is written: they need only differ. */
function idsOf(n: number): FreshIds {
  return { invoiceId: `invoice-${n}`, chargeId: `charge-${n}`, refundId: `refund-${n}` }
}
