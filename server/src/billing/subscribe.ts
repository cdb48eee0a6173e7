import { findApp } from '../apps/store.ts'
import { lockBusiness } from '../businesses/store.ts'
import { type Business, effectiveNow } from '../core/business.ts'
import { type Plan, priceIn } from '../core/plan.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import { start } from '../core/start.ts'
import type { Subscription } from '../core/subscription.ts'
import type { Sql, Tx } from '../db/db.ts'
import { findPaymentMethod, listPaymentMethods, preferPaymentMethod } from '../payment-methods/store.ts'
import { findPlan } from '../plans/store.ts'
import type { Ports } from '../ports.ts'
import { findLive, insertSubscription, lockUnpaidOfBusiness } from '../subscriptions/store.ts'
import { hadTrial } from '../subscriptions/trials.ts'
import { chargeWhatIsDue } from './charge-what-is-due.ts'
import { freshIds, openPurse } from './load.ts'
import { placeOf } from './place.ts'
import { type WritePorts, writeEffects } from './write.ts'

export interface SubscribeInput {
  readonly appId: string
  readonly businessId: string
  readonly planId: string
  readonly storeId?: string
  readonly deviceId?: string
  readonly paymentMethodId?: string
}

/**
 * A business takes a plan. Subscription, invoice and notifications appear together or not at all; the first charge, if one is
 * due, is committed with them and sent right after. Source: interface, States and transitions; decisions 5.
 */
export async function subscribe(
  ports: WritePorts & Pick<Ports, 'db'>,
  input: SubscribeInput,
): Promise<Subscription | Refusal> {
  return await ports.db.transaction(async tx => {
    // One business subscribes once at a time: two at once to the same plan meet here, and the second is refused.
    const business = await lockBusiness(tx.sql, input.businessId)
    if (business === null) return refuse('BUSINESS_NOT_FOUND', 'There is no business with this businessId.')
    const app = await findApp(tx.sql, input.appId)
    if (app === null) return refuse('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    if (app.status === 'DISABLED')
      return refuse('APPLICATION_DISABLED', 'The app is disabled: it takes no subscribers.')
    const plan = await findPlan(tx.sql, input.planId)
    if (plan === null || plan.appId !== app.appId || plan.approvedAt === undefined) {
      return refuse('PLAN_NOT_FOUND', 'The app has no approved plan with this planId.')
    }
    const place = await placeOf(tx.sql, plan, input)
    if (isRefusal(place)) return place
    const live = await findLive(tx.sql, { planId: plan.planId, businessId: business.businessId, ...place })
    if (live !== null) {
      return refuse('ALREADY_SUBSCRIBED', `Subscription ${live} to this plan is still live. Cancel or change that one.`)
    }
    const hasPaymentMethod = await canPay(tx.sql, input)
    if (isRefusal(hasPaymentMethod)) return hasPaymentMethod
    // Those that `prefer` will lock: in the order of locks they come before the credit.
    if (input.paymentMethodId !== undefined) await lockUnpaidOfBusiness(tx.sql, business.businessId)
    const change = start({
      plan,
      organizationId: app.organizationId,
      business: business satisfies Business,
      ...place,
      hasPaymentMethod,
      hadTrial: await hadTrial(tx.sql, { planId: plan.planId, businessId: business.businessId }),
      credit: await creditFor(tx.sql, plan, app, business),
      ids: { ...freshIds(ports.newId), subscriptionId: ports.newId(), bundleId: ports.newId() },
      now: effectiveNow(business, ports.clock.now()),
    })
    if (isRefusal(change)) return change
    await prefer(tx, ports, input)
    await insertSubscription(tx.sql, change.subscription)
    await writeEffects(tx, ports, [change])
    return change.subscription
  })
}

/** In the currency of the price; 0 where the plan has none. */
async function creditFor(
  sql: Sql,
  plan: Plan,
  { organizationId }: { readonly organizationId: string },
  { businessId, country }: Business,
): Promise<number> {
  const price = priceIn(plan, country)
  if (price === null) return 0
  const holder = { businessId, organizationId, currency: price.currency }
  return (await openPurse(sql, [holder])).of(holder)
}

async function canPay(sql: Sql, { businessId, paymentMethodId }: SubscribeInput): Promise<boolean | Refusal> {
  if (paymentMethodId === undefined) return (await listPaymentMethods(sql, businessId)).length > 0
  const method = await findPaymentMethod(sql, { businessId, paymentMethodId })
  if (method === null) {
    return refuse('PAYMENT_METHOD_NOT_FOUND', 'The business has no payment method with this paymentMethodId.')
  }
  return true
}

/** A payment method named here becomes the default of the business, so that later charges and its changes mean one thing. */
async function prefer(tx: Tx, ports: WritePorts, { businessId, paymentMethodId }: SubscribeInput): Promise<void> {
  if (paymentMethodId === undefined) return
  await preferPaymentMethod(tx.sql, { businessId, paymentMethodId, now: ports.clock.now() })
  await chargeWhatIsDue(tx, ports, businessId)
}
