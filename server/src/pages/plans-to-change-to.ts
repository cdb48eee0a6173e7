import { listPlans } from '../catalog/plans/store.ts'
import { type Plan, priceIn } from '../core/plan.ts'
import type { Subscription } from '../core/subscription.ts'
import type { Sql } from '../platform/db/db.ts'

/** The plans that this subscription can change to, cheapest first. */
export async function plansToChangeTo(sql: Sql, subscription: Subscription, current: Plan): Promise<Plan[]> {
  const plans = await listPlans(sql, { appId: subscription.appId, status: 'ACTIVE' })
  const priced = plans.flatMap(plan => {
    const price = priceIn(plan, subscription.country)
    const isOther = plan.planId !== current.planId && plan.planId !== subscription.pendingPlanId
    const fits = isOther && plan.scope === current.scope && price?.currency === subscription.currency
    return fits && price ? [{ plan, value: price.value }] : []
  })
  return priced.toSorted((a, b) => a.value - b.value).map(({ plan }) => plan)
}
