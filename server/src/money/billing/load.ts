import { findPlans } from '../../catalog/plans/store.ts'
import { assert } from '../../core/assert.ts'
import { effectiveNow } from '../../core/business.ts'
import type { CreditHolder } from '../../core/credit.ts'
import type { NewId } from '../../core/id.ts'
import type { Change, FreshIds, Subscription, SubscriptionState } from '../../core/subscription.ts'
import { findBusinessesForBilling } from '../../merchants/businesses/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import { pipeline } from '../../platform/db/sql.ts'
import { keyOf, lockCredits } from '../credits/store.ts'
import { findOpenInvoices } from '../invoices/store.ts'

/** What decisions about these subscriptions read, in the same order. The subscriptions must be locked. */
export async function loadStates(sql: Sql, subscriptions: readonly Subscription[]): Promise<SubscriptionState[]> {
  if (subscriptions.length === 0) return []
  const planIds = [
    ...new Set(
      subscriptions.flatMap(({ planId, pendingPlanId }) => (pendingPlanId ? [planId, pendingPlanId] : planId)),
    ),
  ]
  const [found, open] = await pipeline([
    findPlans(sql, planIds),
    findOpenInvoices(
      sql,
      subscriptions.map(({ subscriptionId }) => subscriptionId),
    ),
  ])
  const plans = new Map(found.map(plan => [plan.planId, plan]))
  return subscriptions.map(subscription => {
    const plan = plans.get(subscription.planId)
    assert(plan, 'a plan with subscriptions is never deleted')
    const pendingPlan = subscription.pendingPlanId === undefined ? undefined : plans.get(subscription.pendingPlanId)
    const openInvoices = open.get(subscription.subscriptionId) ?? []
    return { subscription, plan, ...(pendingPlan === undefined ? {} : { pendingPlan }), openInvoices }
  })
}

export async function loadState(sql: Sql, subscription: Subscription): Promise<SubscriptionState> {
  const [state] = await loadStates(sql, [subscription])
  assert(state, 'one subscription has one state')
  return state
}

/** The credit that decisions of one transaction draw on, one after the other. */
interface Purse {
  of(holder: CreditHolder): number
  /** What a decision has left, for the next one. */
  keep(change: Change): void
}

/** Locks the credit of these holders. In the order of locks it comes after every subscription. */
export async function openPurse(sql: Sql, holders: readonly CreditHolder[]): Promise<Purse> {
  const balances = await lockCredits(sql, holders)
  return {
    of: holder => balances.get(keyOf(holder)) ?? 0,
    keep: ({ subscription, credit }) => {
      if (credit !== undefined) balances.set(keyOf(subscription), credit)
    },
  }
}

/** The time that this subscription lives in: real time, or its merchant's test clock. */
export async function nowOf(sql: Sql, subscription: Subscription, realNow: Date): Promise<Date> {
  return (await openClocks(sql, [subscription], realNow))(subscription)
}

/** The same for any number. */
export async function openClocks(
  sql: Sql,
  subscriptions: readonly Subscription[],
  realNow: Date,
): Promise<(subscription: Subscription) => Date> {
  const onClocks = subscriptions.filter(({ testClockId }) => testClockId !== undefined)
  const businesses = await findBusinessesForBilling(sql, [...new Set(onClocks.map(({ businessId }) => businessId))])
  return ({ testClockId, businessId }) => {
    if (testClockId === undefined) return effectiveNow({}, realNow)
    const business = businesses.get(businessId)
    assert(business, 'a business with subscriptions is never deleted')
    return effectiveNow(business, realNow)
  }
}

export function freshIds(newId: NewId): FreshIds {
  return { invoiceId: newId(), chargeId: newId(), refundId: newId() }
}
