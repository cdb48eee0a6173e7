import { setImmediate } from 'node:timers/promises'
import { type ForecastCharge, forecastInSteps } from '../../core/forecast.ts'
import type { Subscription, SubscriptionState } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findCredits, keyOf } from '../credits/store.ts'
import { findDrawing } from '../subscriptions/store.ts'
import { loadStates } from './load.ts'

/** A subscription and its next charge. */
export interface SubscriptionForecast extends SubscriptionState {
  /**
   * Absent while the subscription is past due, and where nothing will be charged: a free plan, a scheduled end, or
   * enough credit.
   */
  readonly nextCharge?: ForecastCharge
}

/** The forecast of one credit balance reads at most this many subscriptions. */
const MOST_DRAWING = 1_000

/**
 * Forecasts the charge at the end of each current period, assuming that every charge succeeds and that no person changes anything. Runs
 * the billing engine without writing. Keeps the order of the input.
 */
export async function forecastNext(
  sql: Sql,
  subscriptions: readonly Subscription[],
  now: Date,
): Promise<SubscriptionForecast[]> {
  const states = await loadStates(sql, subscriptions)
  const charges = await forecastCharges(sql, states, { now, until: state => overAt(state, now) })
  return states.map(state => {
    const { subscriptionId, status, paymentStatus } = state.subscription
    if (status === 'ENDED' || paymentStatus === 'PAST_DUE') return state
    const nextCharge = charges.get(subscriptionId)?.find(({ at }) => at < overAt(state, now))
    return nextCharge === undefined ? state : { ...state, nextCharge }
  })
}

/**
 * Forecasts the charges of each subscription until an instant. All subscriptions that share a credit balance use it
 * in turn, including those that are not in the input.
 */
export async function forecastCharges(
  sql: Sql,
  states: readonly SubscriptionState[],
  { now, until }: { now: Date; until: (state: SubscriptionState) => Date },
): Promise<Map<string, ForecastCharge[]>> {
  const balances = await findCredits(
    sql,
    states.map(({ subscription }) => subscription),
  )
  const holders = Map.groupBy(
    states.filter(({ subscription }) => balances.has(keyOf(subscription))),
    ({ subscription }) => keyOf(subscription),
  )
  const charges = new Map<string, ForecastCharge[]>()
  const drawing = await findDrawingOf(sql, holders)
  // Ninety days of 1,000 daily plans take half a second, or two seconds if all of them share a credit balance.
  const take = openSteps()
  for (const [key, shown] of holders) {
    const latest = new Date(Math.max(...shown.map(state => until(state).getTime())))
    const together = drawing.get(key) ?? []
    const all = await take(forecastInSteps(together, { now, until: latest, credit: balances.get(key) ?? 0 }))
    for (const [n, { subscription }] of together.entries()) charges.set(subscription.subscriptionId, all[n] ?? [])
  }
  for (const state of states) {
    const { subscriptionId } = state.subscription
    if (charges.has(subscriptionId)) continue
    const [alone = []] = await take(forecastInSteps([state], { now, until: until(state), credit: 0 }))
    charges.set(subscriptionId, alone)
  }
  return charges
}

async function findDrawingOf(
  sql: Sql,
  holders: ReadonlyMap<string, readonly SubscriptionState[]>,
): Promise<Map<string, SubscriptionState[]>> {
  const found = await findDrawing(
    sql,
    [...holders.values()].flatMap(([first]) => first?.subscription ?? []),
    { limit: MOST_DRAWING },
  )
  return Map.groupBy(await loadStates(sql, found), ({ subscription }) => keyOf(subscription))
}

/** One second after the current period: the engine bills in whole seconds. */
function overAt({ subscription: { currentPeriodEnd } }: SubscriptionState, now: Date): Date {
  return new Date(Math.max(currentPeriodEnd.getTime(), now.getTime()) + 1_000)
}

/** The event loop is blocked for at most this time. */
const HOLD_MS = 10

/** Runs long computations to their ends and yields to the event loop in between. */
export function openSteps(): <T>(steps: Iterator<void, T>) => Promise<T> {
  let sinceMs = performance.now()
  return async steps => {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value
      if (performance.now() - sinceMs < HOLD_MS) continue
      await setImmediate()
      sinceMs = performance.now()
    }
  }
}
