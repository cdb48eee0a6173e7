import { type ForecastCharge, forecast, forecastTogether } from '../core/forecast.ts'
import type { Subscription, SubscriptionState } from '../core/subscription.ts'
import { findCredits, keyOf } from '../credits/store.ts'
import type { Sql } from '../db/db.ts'
import { findFirstToAct, listOfBusiness } from '../subscriptions/store.ts'
import { loadStates } from './load.ts'

/** A subscription, and what it will be charged when its current period is over. */
export interface Foreseen extends SubscriptionState {
  /** Absent: nothing, since it is free, ends, or credit covers it. Also while it is past due: then what is open is asked for. */
  readonly nextCharge?: ForecastCharge
}

/** Live subscriptions of a business that are looked at for who has its credit first: more have one price each, credit or not. */
const MOST_LIVE = 200

/**
 * What each of these will be charged next, if every charge succeeds and nobody does anything: a dry run of the engine to the
 * end of the current period, with the credit of today, which all subscriptions of the business draw on in turn. All of one
 * business, in the same order; nothing is locked.
 */
export async function foresee(sql: Sql, subscriptions: readonly Subscription[], now: Date): Promise<Foreseen[]> {
  const states = await loadStates(sql, subscriptions)
  const charges = await foreseeTogether(sql, states, now)
  return states.map(state => {
    const { subscriptionId, status, paymentStatus } = state.subscription
    if (status === 'ENDED' || paymentStatus === 'PAST_DUE') return state
    const nextCharge = charges.get(subscriptionId)?.find(({ at }) => at < overAt(state, now))
    return nextCharge === undefined ? state : { ...state, nextCharge }
  })
}

/** By subscription. Where there is no credit, none is in another's way. */
async function foreseeTogether(
  sql: Sql,
  states: readonly SubscriptionState[],
  now: Date,
): Promise<Map<string, ForecastCharge[]>> {
  const balances = await findCredits(
    sql,
    states.map(({ subscription }) => subscription),
  )
  const creditOf = ({ subscription }: SubscriptionState) => balances.get(keyOf(subscription)) ?? 0
  const alone = states.filter(state => creditOf(state) <= 0)
  const sharing = states.filter(state => creditOf(state) > 0)
  const charges = new Map(
    alone.map(state => [
      state.subscription.subscriptionId,
      forecast({ ...state, credit: 0 }, { now, until: overAt(state, now) }),
    ]),
  )
  for (const holders of Map.groupBy(await withOthers(sql, sharing), ({ subscription }) =>
    keyOf(subscription),
  ).values()) {
    const [first] = holders
    if (first === undefined || creditOf(first) <= 0) continue
    const shown = sharing.filter(({ subscription }) => keyOf(subscription) === keyOf(first.subscription))
    const until = new Date(Math.max(...shown.map(state => overAt(state, now).getTime())))
    const all = forecastTogether(holders, { now, until, credit: creditOf(first) })
    for (const [n, { subscription }] of holders.entries()) charges.set(subscription.subscriptionId, all[n] ?? [])
  }
  return charges
}

/** These, and all else of their business that is live. */
async function withOthers(sql: Sql, states: readonly SubscriptionState[]): Promise<SubscriptionState[]> {
  const businessId = states[0]?.subscription.businessId
  if (businessId === undefined) return []
  const shown = new Set(states.map(({ subscription }) => subscription.subscriptionId))
  const live = await listOfBusiness(sql, { businessId, status: 'ACTIVE', limit: MOST_LIVE })
  const others = live.filter(({ subscriptionId }) => !shown.has(subscriptionId))
  return [...states, ...(await loadStates(sql, others))]
}

/** The engine bills in whole seconds: this is the instant after the one at which the current period is over. */
function overAt({ subscription: { currentPeriodEnd } }: SubscriptionState, now: Date): Date {
  return new Date(Math.max(currentPeriodEnd.getTime(), now.getTime()) + 1_000)
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
