import { type ForecastCharge, forecast } from '../core/forecast.ts'
import type { Subscription, SubscriptionState } from '../core/subscription.ts'
import { findCredits, keyOf } from '../credits/store.ts'
import type { Sql } from '../db/db.ts'
import { findFirstToAct } from '../subscriptions/store.ts'
import { loadStates } from './load.ts'

/** A subscription, and what it will be charged when its current period is over. */
export interface Foreseen extends SubscriptionState {
  /** Absent: nothing, since it is free, ends, or credit covers it. Also while it is past due: then what is open is asked for. */
  readonly nextCharge?: ForecastCharge
}

/**
 * What each of these will be charged next, if every charge succeeds and nobody does anything: a dry run of the engine to the
 * end of the current period, with the credit of today. All of one business, in the same order; nothing is locked.
 */
export async function foresee(sql: Sql, subscriptions: readonly Subscription[], now: Date): Promise<Foreseen[]> {
  const states = await withCredit(sql, await loadStates(sql, subscriptions))
  return states.map(state => {
    const { status, paymentStatus, currentPeriodEnd } = state.subscription
    if (status === 'ENDED' || paymentStatus === 'PAST_DUE') return state
    // The engine bills in whole seconds: this is the instant after the one at which the period is over.
    const until = new Date(Math.max(currentPeriodEnd.getTime(), now.getTime()) + 1_000)
    const [nextCharge] = forecast(state, { now, until })
    return nextCharge === undefined ? state : { ...state, nextCharge }
  })
}

/**
 * What a merchant has as credit is taken off the first of its subscriptions that something will happen to, so that no page
 * counts it again.
 */
export async function withCredit(sql: Sql, states: readonly SubscriptionState[]): Promise<SubscriptionState[]> {
  const balances = await findCredits(
    sql,
    states.map(({ subscription }) => subscription),
  )
  const holders = states
    .map(({ subscription }) => subscription)
    .filter(holder => (balances.get(keyOf(holder)) ?? 0) > 0)
  const first = await findFirstToAct(sql, [...new Set(holders.map(({ businessId }) => businessId))])
  return states.map(state => {
    const { subscription } = state
    const isFirst = first.has(subscription.subscriptionId)
    return { ...state, credit: isFirst ? (balances.get(keyOf(subscription)) ?? 0) : 0 }
  })
}
