import { findBusinessesForBilling } from '../businesses/store.ts'
import { assert } from '../core/assert.ts'
import { effectiveNow } from '../core/business.ts'
import type { NewId } from '../core/id.ts'
import type { FreshIds, Subscription, SubscriptionState } from '../core/subscription.ts'
import type { Sql } from '../db/db.ts'
import { findOpenInvoices } from '../invoices/store.ts'
import { findPlans } from '../plans/store.ts'

/** What decisions about these subscriptions read, in the same order. The subscriptions must be locked. */
export async function loadStates(sql: Sql, subscriptions: readonly Subscription[]): Promise<SubscriptionState[]> {
  if (subscriptions.length === 0) return []
  const planIds = [...new Set(subscriptions.map(subscription => subscription.planId))]
  const plans = new Map((await findPlans(sql, planIds)).map(plan => [plan.planId, plan]))
  const open = await findOpenInvoices(
    sql,
    subscriptions.map(subscription => subscription.subscriptionId),
  )
  return subscriptions.map(subscription => {
    const plan = plans.get(subscription.planId)
    assert(plan, 'a plan with subscriptions is never deleted')
    return { subscription, plan, openInvoices: open.get(subscription.subscriptionId) ?? [] }
  })
}

export async function loadState(sql: Sql, subscription: Subscription): Promise<SubscriptionState> {
  const [state] = await loadStates(sql, [subscription])
  assert(state, 'one subscription has one state')
  return state
}

/** The time that this subscription lives in: real time, or its merchant's test clock. */
export async function nowOf(sql: Sql, subscription: Subscription, realNow: Date): Promise<Date> {
  if (subscription.testClockId === undefined) return effectiveNow({}, realNow)
  const business = (await findBusinessesForBilling(sql, [subscription.businessId])).get(subscription.businessId)
  assert(business, 'a business with subscriptions is never deleted')
  return effectiveNow(business, realNow)
}

export function freshIds(newId: NewId): FreshIds {
  return { invoiceId: newId(), chargeId: newId(), refundId: newId() }
}
