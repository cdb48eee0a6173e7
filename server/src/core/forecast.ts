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

/**
 * What a subscription will be charged before `until` (exclusive): a dry run of the engine itself, each thing decided at the
 * instant at which it falls due, what is overdue at `now`, and each charge taken to succeed at once. Nobody is taken to cancel,
 * to change a card or a plan; a charge that is under way is taken to succeed, and is none of those still to be made.
 */
export function forecast(start: SubscriptionState, { now, until }: { now: Date; until: Date }): ForecastCharge[] {
  const charges: ForecastCharge[] = []
  let state = start
  for (let decisions = 0, at = now; decisions < MOST_DECISIONS; decisions++) {
    let trigger: Trigger | null = successOf(state)
    if (trigger === null) {
      const due = nextDue(state.subscription)
      if (due === null || due.at >= until) break
      at = due.at > now ? due.at : now
      trigger = due.trigger
    }
    const change = decide(state, trigger, idsOf(decisions), at)
    assert(!isRefusal(change), 'neither time nor an outcome is ever refused')
    for (const { amount } of change.charges) charges.push({ at, amount })
    state = stateAfter(change)
  }
  return charges
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
