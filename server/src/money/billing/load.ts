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
import { findTaxTerms } from '../tax/terms.ts'

/** Reads the facts of decisions about locked subscriptions, in the same order. */
export async function loadStates(sql: Sql, subscriptions: readonly Subscription[]): Promise<SubscriptionState[]> {
  if (subscriptions.length === 0) return []
  const planIds = [
    ...new Set(
      subscriptions.flatMap(({ planId, pendingPlanId }) => (pendingPlanId ? [planId, pendingPlanId] : planId)),
    ),
  ]
  const [found, open, taxes] = await pipeline([
    findPlans(sql, planIds),
    findOpenInvoices(
      sql,
      subscriptions.map(({ subscriptionId }) => subscriptionId),
    ),
    findTaxTerms(sql, subscriptions),
  ])
  const plans = new Map(found.map(plan => [plan.planId, plan]))
  return subscriptions.map(subscription => {
    const plan = plans.get(subscription.planId)
    assert(plan, 'a plan with subscriptions is never deleted')
    const pendingPlan = subscription.pendingPlanId === undefined ? undefined : plans.get(subscription.pendingPlanId)
    const openInvoices = open.get(subscription.subscriptionId) ?? []
    const tax = taxes(subscription)
    return {
      ...{ subscription, plan, openInvoices },
      ...(pendingPlan === undefined ? {} : { pendingPlan }),
      ...(tax === undefined ? {} : { tax }),
    }
  })
}

export async function loadState(sql: Sql, subscription: Subscription): Promise<SubscriptionState> {
  const [state] = await loadStates(sql, [subscription])
  assert(state, 'one subscription has one state')
  return state
}

/** Credit balances that the decisions of one transaction use in sequence. */
interface CreditBalances {
  of(holder: CreditHolder): number
  /** Keeps the balance that a decision leaves for the next decision. */
  carryOver(change: Change): void
}

/** Locks credit balances. In the order of locks they follow all subscriptions. */
export async function openCreditBalances(sql: Sql, holders: readonly CreditHolder[]): Promise<CreditBalances> {
  const balances = await lockCredits(sql, holders)
  return {
    of: holder => balances.get(keyOf(holder)) ?? 0,
    carryOver: ({ subscription, credit }) => {
      if (credit !== undefined) balances.set(keyOf(subscription), credit)
    },
  }
}

/** The business time of a subscription: real time, or the merchant's test clock. */
export async function nowOf(sql: Sql, subscription: Subscription, realNow: Date): Promise<Date> {
  return (await openClocks(sql, [subscription], realNow))(subscription)
}

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
