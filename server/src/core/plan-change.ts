import { assert } from './assert.ts'
import { bill } from './bill.ts'
import type { Recurrence } from './calendar.ts'
import { changeOf, emit, moveCredit } from './change.ts'
import { unusedShare } from './credit.ts'
import { periodOf } from './invoice.ts'
import { priceIn } from './plan.ts'
import { alreadyEnded, type Rejection, reject } from './rejection.ts'
import type { Change, FreshIds, PlanChanged, PlanTerms, Subscription, SubscriptionState } from './subscription.ts'

/**
 * Changes the plan. NOW: the unused share of the paid period becomes credit, and the first period of the new plan begins a new term; in the trial
 * only the plan changes. PERIOD_END: the plan becomes the pending plan and replaces an earlier pending plan; a change to the current plan removes
 * the pending plan. Source: decisions 5, Change plan; decisions 6, Change now.
 */
export function changePlan(
  state: SubscriptionState,
  trigger: PlanChanged,
  ids: FreshIds,
  now: Date,
): Change | Rejection {
  const { subscription } = state
  const rejection = rejectionOfAnyChange(subscription, now)
  if (rejection !== null) return rejection
  if (trigger.when === 'PERIOD_END' && isUndoing(subscription, trigger)) return changeOf(withoutPending(state))
  // The pending plan was agreed, even if the plan is retired by now.
  if (trigger.when === 'PERIOD_END' && subscription.pendingPlanId === trigger.plan.planId) return changeOf(state)
  const price = priceOf(state, trigger.plan)
  if (typeof price !== 'number') return price
  if (trigger.when === 'PERIOD_END') return postpone(state, trigger.plan, price)
  const swapped = emit(changeOf(swap(state, trigger.plan, price)), 'APPLICATION_SUBSCRIPTION_PLAN_CHANGE', now)
  if (subscription.phase === 'TRIAL') return swapped
  const changed = bill(beginTerm(grant(swapped, subscription, trigger, now), now), ids, now)
  if (changed.charges.length > 0 && !trigger.hasPaymentMethod) {
    return reject(
      'PAYMENT_METHOD_REQUIRED',
      'The difference is charged at once: add a payment method to the business first.',
    )
  }
  return changed
}

/**
 * The pending plan takes over at the end of the period. With periods of the same length the anchor stays, so that billing day 31 remains;
 * otherwise, and after a free plan, a new term begins (decisions 6: "Free → paid: anchor now"). In the trial only the plan changes.
 */
export function takePendingPlan(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const { subscription, plan, pendingPlan } = state
  assert(pendingPlan && subscription.pendingAmount !== undefined, 'a plan is waiting')
  const swapped = emit(
    changeOf(swap(state, pendingPlan, subscription.pendingAmount)),
    'APPLICATION_SUBSCRIPTION_PLAN_CHANGE',
    now,
  )
  if (subscription.phase === 'TRIAL') return swapped
  const keepsAnchor = hasSamePeriods(plan, pendingPlan) && subscription.amount > 0
  return bill(keepsAnchor ? beginNext(swapped) : beginTerm(swapped, subscription.currentPeriodEnd), ids, now)
}

function hasSamePeriods(one: Recurrence, other: Recurrence): boolean {
  return one.interval === other.interval && one.intervalCount === other.intervalCount
}

/** The reason why no plan change is possible now, or null. */
function rejectionOfAnyChange(subscription: Subscription, now: Date): Rejection | null {
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (subscription.cancelAt !== undefined) {
    return reject('CANCEL_SCHEDULED', 'The subscription ends with its period. Restore it first.')
  }
  if (subscription.paymentStatus === 'PAST_DUE') {
    return reject('PAYMENT_DUE', 'An invoice is past due. Pay the invoice before you change the plan.')
  }
  // After the end of the period the renewal is a moment away, with a charge.
  if (subscription.awaitedChargeId !== undefined || subscription.currentPeriodEnd <= now) {
    return reject(
      'CHARGE_IN_PROGRESS',
      'The outcome of a charge is not known yet. Try again when the outcome is known.',
    )
  }
  return null
}

/** The price of the plan for this subscription. Country and currency are fixed at subscribing. */
function priceOf({ subscription, plan: current }: SubscriptionState, plan: PlanTerms): number | Rejection {
  if (plan.planId === current.planId) return reject('SAME_PLAN', 'The subscription has this plan already.')
  if (plan.status !== 'ACTIVE')
    return reject('PLAN_RETIRED', 'This plan accepts no new subscribers. Choose an active plan.')
  if (plan.scope !== current.scope) {
    return reject('PLAN_INCOMPATIBLE', `The plan has scope ${plan.scope}, the subscription has ${current.scope}.`)
  }
  const price = priceIn(plan, subscription.country)
  if (price === null) {
    return reject(
      'PLAN_NOT_SOLD_IN_COUNTRY',
      `The plan has no price for ${subscription.country}, the country of the subscription.`,
    )
  }
  if (price.currency !== subscription.currency) {
    return reject(
      'PLAN_INCOMPATIBLE',
      `The plan is sold in ${price.currency}, the subscription in ${subscription.currency}.`,
    )
  }
  return price.value
}

function isUndoing({ planId, pendingPlanId }: Subscription, { plan }: PlanChanged): boolean {
  return pendingPlanId !== undefined && plan.planId === planId
}

function postpone(state: SubscriptionState, plan: PlanTerms, price: number): Change {
  const subscription = { ...state.subscription, pendingPlanId: plan.planId, pendingAmount: price }
  return changeOf({ ...state, subscription, pendingPlan: plan })
}

/** Replaces the plan and drops a pending plan. */
function swap(state: SubscriptionState, plan: PlanTerms, amount: number): SubscriptionState {
  const { subscription, ...rest } = withoutPending(state)
  return { ...rest, plan, subscription: { ...subscription, planId: plan.planId, amount } }
}

function withoutPending({ pendingPlan: _, ...state }: SubscriptionState): SubscriptionState {
  const { pendingPlanId: __, pendingAmount: ___, ...subscription } = state.subscription
  return { ...state, subscription }
}

/**
 * Decisions 6: "credit = unused share, to the second, of (cash paid + credit applied − refunds) of the current
 * invoice".
 */
function grant(change: Change, before: Subscription, { current }: PlanChanged, now: Date): Change {
  if (current === undefined) return change
  const period = { start: before.currentPeriodStart, end: before.currentPeriodEnd }
  const amount = unusedShare(current.value, period, now)
  return amount === 0 ? change : moveCredit(change, { kind: 'GRANT', invoiceId: current.invoiceId, amount })
}

/** Decisions 6: "a new anchor (plan change) begins a new term". */
function beginTerm(change: Change, anchorAt: Date): Change {
  const term = change.subscription.term + 1
  return inPeriod({ ...change, subscription: { ...change.subscription, anchorAt, term } }, anchorAt, 0)
}

function beginNext(change: Change): Change {
  const { anchorAt, periodIndex } = change.subscription
  assert(anchorAt && periodIndex !== undefined, 'only a paid phase has periods')
  return inPeriod(change, anchorAt, periodIndex + 1)
}

function inPeriod(change: Change, anchorAt: Date, periodIndex: number): Change {
  const { start, end } = periodOf(anchorAt, change.plan, periodIndex)
  const subscription = { ...change.subscription, periodIndex, currentPeriodStart: start, currentPeriodEnd: end }
  return { ...change, subscription }
}
