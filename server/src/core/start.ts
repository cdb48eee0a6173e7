import { bill, taxOf } from './bill.ts'
import type { Business } from './business.ts'
import { addDays, startOfDay } from './calendar.ts'
import { changeOf, emit, settleTimer } from './change.ts'
import { periodOf } from './invoice.ts'
import { type Plan, priceIn } from './plan.ts'
import { type Rejection, reject } from './rejection.ts'
import type { Change, FreshIds, Subscription } from './subscription.ts'
import type { TaxTerms } from './tax.ts'
import { emitTrialEnding, trialEnding } from './trial.ts'

interface StartInput {
  readonly plan: Plan
  readonly organizationId: string
  readonly business: Business
  readonly storeId?: string
  readonly deviceId?: string
  readonly hasPaymentMethod: boolean
  /** The business has had a trial of this app. */
  readonly hadTrial: boolean
  /** The credit of the business with the organization, in the currency of the price. Minor units. */
  readonly credit: number
  /** Absent: the seller has no tax settings. */
  readonly tax?: TaxTerms
  readonly ids: FreshIds & { readonly subscriptionId: string; readonly bundleId: string }
  /** Business time. */
  readonly now: Date
}

/**
 * Starts a subscription: a TRIAL if the plan has one and the business may have it, else FULL with the first invoice
 * and charge. While the first charge is open the subscription is PENDING and has no START. Rejects a retired plan, a country without a price, and a first charge without a payment method. Source:
 * interface, States and transitions; decisions 4 and 5.
 */
export function start(input: StartInput): Change | Rejection {
  const { plan, business, now } = input
  if (plan.status !== 'ACTIVE')
    return reject('PLAN_RETIRED', 'This plan accepts no new subscribers. Choose an active plan.')
  const price = priceIn(plan, business.country)
  if (price === null) {
    return reject(
      'PLAN_NOT_SOLD_IN_COUNTRY',
      `The plan has no price for ${business.country}, the country of the business.`,
    )
  }
  const trialDays = plan.trialEligibility === 'ONCE_PER_BUSINESS' && input.hadTrial ? 0 : plan.trialPeriodDays
  const taxed = { ...(input.tax === undefined ? {} : { tax: input.tax }), subscription: price }
  const gross = taxOf(taxed, price.value, now)?.gross ?? price.value
  if (trialDays === 0 && gross > input.credit && !input.hasPaymentMethod) {
    return reject(
      'PAYMENT_METHOD_REQUIRED',
      'The first charge follows at once: add a payment method to the business first.',
    )
  }
  const trialEndAt = trialDays > 0 ? addDays(now, trialDays) : undefined
  const first = trialEndAt ? { start: now, end: trialEndAt } : periodOf(now, plan, 0)
  const subscription: Subscription = {
    subscriptionId: input.ids.subscriptionId,
    appId: plan.appId,
    organizationId: input.organizationId,
    businessId: business.businessId,
    planId: plan.planId,
    bundleId: input.ids.bundleId,
    ...(input.storeId === undefined ? {} : { storeId: input.storeId }),
    ...(input.deviceId === undefined ? {} : { deviceId: input.deviceId }),
    ...(business.clock === undefined ? {} : { testClockId: business.clock.testClockId }),
    merchantType: business.type,
    country: price.country,
    currency: price.currency,
    amount: price.value,
    phase: trialEndAt ? 'TRIAL' : 'FULL',
    status: 'ACTIVE',
    paymentStatus: 'CURRENT',
    startAt: startOfDay(now),
    startedAt: now,
    ...(trialEndAt ? { trialEndAt, ...trialEnding(now, trialEndAt) } : { anchorAt: now, periodIndex: 0 }),
    term: 0,
    currentPeriodStart: first.start,
    currentPeriodEnd: first.end,
    lastTriggerAt: now,
    resourceSeq: 0,
    createdAt: now,
    updatedAt: now,
  }
  const state = { ...taxed, subscription, plan, openInvoices: [], credit: input.credit }
  if (!trialEndAt) {
    const pending = { ...subscription, status: 'PENDING' as const }
    const billed = bill(changeOf({ ...state, subscription: pending }), input.ids, now)
    // Decisions 5: "The first payment decides". A free period, or one that credit covers, has no payment.
    if (billed.charges.length > 0) return settleTimer(billed)
  }
  const started = emit(changeOf(state), 'APPLICATION_SUBSCRIPTION_START', now)
  if (!trialEndAt) return settleTimer(bill(started, input.ids, now))
  const isEnding = subscription.trialEndingAt !== undefined && subscription.trialEndingAt <= now
  return settleTimer(isEnding ? emitTrialEnding(started, now) : started)
}
