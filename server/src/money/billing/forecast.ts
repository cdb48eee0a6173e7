import { setImmediate } from 'node:timers/promises'
import { type ForecastCharge, forecastInSteps } from '../../core/forecast.ts'
import type { Subscription, SubscriptionState } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import { findCredits, keyOf } from '../credits/store.ts'
import { findDrawing } from '../subscriptions/store.ts'
import { loadStates } from './load.ts'

/** A subscription, and what it will be charged when its current period is over. */
export interface Foreseen extends SubscriptionState {
  /** Absent: nothing, since it is free, ends, or credit covers it. Also while it is past due: then what is open is asked for. */
  readonly nextCharge?: ForecastCharge
}

/** Of each holder of credit, looked at for who has it first: more than any business has. */
const MOST_DRAWING = 1_000

/**
 * What each of these will be charged next, if every charge succeeds and nobody does anything: a dry run of the engine to the
 * end of the current period. In the same order; nothing is locked.
 */
export async function foresee(sql: Sql, subscriptions: readonly Subscription[], now: Date): Promise<Foreseen[]> {
  const states = await loadStates(sql, subscriptions)
  const charges = await foreseeCharges(sql, states, { now, until: state => overAt(state, now) })
  return states.map(state => {
    const { subscriptionId, status, paymentStatus } = state.subscription
    if (status === 'ENDED' || paymentStatus === 'PAST_DUE') return state
    const nextCharge = charges.get(subscriptionId)?.find(({ at }) => at < overAt(state, now))
    return nextCharge === undefined ? state : { ...state, nextCharge }
  })
}

/**
 * What each of these will be charged until then at the least, by subscription: with the credit of today, which all
 * subscriptions of its holder draw on in turn, whether or not they are among these. Where there never was credit, none is in another's way.
 */
export async function foreseeCharges(
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
  // Ninety days of 1,000 daily plans take half a second; of 1,000 that draw on one credit, two.
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

/** The engine bills in whole seconds: this is the instant after the one at which the current period is over. */
function overAt({ subscription: { currentPeriodEnd } }: SubscriptionState, now: Date): Date {
  return new Date(Math.max(currentPeriodEnd.getTime(), now.getTime()) + 1_000)
}

/** What waits meanwhile, as an answer that came or a webhook that is due, waits no longer than this. */
const HOLD_MS = 10

/** Takes pure work that is long to its ends, and lets the process do other things in between. Of one such work, however many ends it has. */
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
