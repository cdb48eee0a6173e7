import { assert, unreachable } from './assert.ts'
import { bill, chargeNext } from './bill.ts'
import { changeOf, emit, moveCredit, settleTimer } from './change.ts'
import { graceEnd, nextRetry } from './due.ts'
import { periodOf } from './invoice.ts'
import { changePlan, takePendingPlan } from './plan-change.ts'
import { alreadyEnded, type Rejection, reject } from './rejection.ts'
import type { Change, EndReason, FreshIds, Place, Subscription, SubscriptionState, Trigger } from './subscription.ts'
import { emitTrialEnding } from './trial.ts'

/**
 * The billing engine: decides what a trigger does to a subscription. Pure: the same state, trigger, ids and time give
 * the same change. `clockNow` is business time; if it is earlier than the last decision, the last decision's time
 * counts, so time never goes back. Source: decisions 5 and 6.
 */
export function decide(state: SubscriptionState, trigger: Trigger, ids: FreshIds, clockNow: Date): Change | Rejection {
  const last = state.subscription.lastTriggerAt
  const now = clockNow < last ? last : clockNow
  const decided = decideTrigger(state, trigger, ids, now)
  if ('rejected' in decided) return decided
  return settleTimer({ ...decided, subscription: { ...decided.subscription, lastTriggerAt: now, updatedAt: now } })
}

function decideTrigger(state: SubscriptionState, trigger: Trigger, ids: FreshIds, now: Date): Change | Rejection {
  switch (trigger.kind) {
    case 'trialEnding':
      return emitTrialEnding(changeOf(state), now)
    case 'pendingPlan':
      return takePendingPlan(state, ids, now)
    case 'trialEnd':
      return endTrial(state, ids, now)
    case 'periodEnd':
      return renew(state, ids, now)
    case 'retry':
    case 'paymentMethodChanged':
      return chargeOldest(state, ids, now)
    case 'graceEnd':
      return end(changeOf(state), 'NON_PAYMENT', now)
    case 'cancelAt':
      return end(changeOf(state), 'CANCELLED', now)
    case 'chargeSucceeded':
      return succeed(state, trigger, ids, now)
    case 'chargeDeclined':
      return handleDecline(state, trigger, now)
    case 'chargePending':
    case 'actionRequired':
    case 'refundFailed':
      return changeOf(state)
    case 'refundSucceeded':
      return emit(changeOf(state), 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS', now, trigger.invoiceId)
    case 'cancelled':
      return cancel(state, now)
    case 'restored':
      return restore(state, now)
    case 'planChanged':
      return changePlan(state, trigger, ids, now)
    case 'transferred':
      return transfer(state, trigger.to, now)
    case 'operatorEnded':
      if (state.subscription.status === 'ENDED') return alreadyEnded()
      return end(changeOf(state), 'OPERATOR', now)
    default:
      return unreachable(trigger)
  }
}

/** Decisions 6: after a trial the anchor is exactly trialEndAt, however late the decision is. */
function endTrial(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const { subscription, plan } = state
  assert(subscription.phase === 'TRIAL' && subscription.trialEndAt, 'a trial ends once')
  const anchorAt = subscription.trialEndAt
  const period = periodOf(anchorAt, plan.interval, 0)
  const full = changeOf({
    ...state,
    subscription: {
      ...subscription,
      phase: 'FULL',
      anchorAt,
      periodIndex: 0,
      currentPeriodStart: period.start,
      currentPeriodEnd: period.end,
    },
  })
  return bill(emit(full, 'APPLICATION_SUBSCRIPTION_PHASE_CHANGE', now), ids, now)
}

function renew(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const { subscription, plan } = state
  assert(subscription.anchorAt && subscription.periodIndex !== undefined, 'only a paid phase has periods')
  const periodIndex = subscription.periodIndex + 1
  const period = periodOf(subscription.anchorAt, plan.interval, periodIndex)
  const renewed = { ...subscription, periodIndex, currentPeriodStart: period.start, currentPeriodEnd: period.end }
  return bill(changeOf({ ...state, subscription: renewed }), ids, now)
}

/** Charges the oldest open invoice, on schedule or because the payment method changed. */
function chargeOldest(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const change = changeOf(state)
  if (state.subscription.status === 'ENDED' || state.openInvoices.length === 0) return withoutRetry(change)
  // One attempt at a time. If the open attempt is declined, the new method is charged at once, before a grace end
  // that waits for the outcome.
  const { awaitedChargeId, graceEndAt } = state.subscription
  if (awaitedChargeId !== undefined) {
    const nextRetryAt = graceEndAt && graceEndAt < now ? graceEndAt : now
    return { ...change, subscription: { ...change.subscription, nextRetryAt } }
  }
  return chargeNext(withoutRetry(change), ids.chargeId, now)
}

type ChargeSucceeded = Extract<Trigger, { kind: 'chargeSucceeded' }>

function succeed(
  state: SubscriptionState,
  { chargeId, invoiceId, amount, waitedMs }: ChargeSucceeded,
  ids: FreshIds,
  now: Date,
): Change {
  const open = state.openInvoices.some(invoice => invoice.invoiceId === invoiceId)
  const paid = emit(
    { ...answered(changeOf(state), chargeId, waitedMs), closed: [{ invoiceId, status: 'PAID' }] },
    'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
    now,
    invoiceId,
  )
  // Decisions 6: "A success that arrives after the end: PAID, PAYMENT_SUCCESS, then refunded by itself."
  if (!open) return { ...paid, refunds: [{ refundId: ids.refundId, invoiceId, amount }] }
  const remaining = paid.openInvoices.filter(invoice => invoice.invoiceId !== invoiceId)
  const settled = withoutRetry({ ...paid, openInvoices: remaining })
  if (remaining.length > 0) {
    return settled.subscription.awaitedChargeId === undefined ? chargeNext(settled, ids.chargeId, now) : settled
  }
  const { firstDeclinedAt: _, graceEndAt: __, ...subscription } = settled.subscription
  return { ...settled, subscription: { ...subscription, paymentStatus: 'CURRENT' } }
}

type ChargeDeclined = Extract<Trigger, { kind: 'chargeDeclined' }>

function handleDecline(state: SubscriptionState, declined: ChargeDeclined, now: Date): Change {
  const { chargeId, invoiceId, severity, isVeryFirst, isAbandoned, waitedMs } = declined
  const answer = answered(changeOf(state), chargeId, waitedMs)
  const failed = emit(answer, 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL', now, invoiceId)
  const { subscription } = failed
  // The subscription has ended or another attempt has paid, so nothing is past due.
  if (!failed.openInvoices.some(invoice => invoice.invoiceId === invoiceId)) return failed
  const firstDeclinedAt = subscription.firstDeclinedAt ?? now
  const graceEndAt = subscription.graceEndAt ?? graceEnd(firstDeclinedAt, state.plan.gracePeriodDays)
  // Decisions 6: "a hard one on the very first charge without trial ends it at once"; decisions 4: grace 0, "the
  // first refusal ends it".
  const pastDue = { ...subscription, paymentStatus: 'PAST_DUE' as const, firstDeclinedAt, graceEndAt }
  const endsAtOnce = severity === 'hard' && isVeryFirst === true && subscription.trialEndAt === undefined
  const endsWithoutGrace = state.plan.gracePeriodDays === 0 && isAbandoned !== true
  if (endsAtOnce || endsWithoutGrace) {
    return end({ ...failed, subscription: pastDue }, 'NON_PAYMENT', now)
  }
  // The payment method changed during the attempt: the new method is charged at once, even after a hard decline.
  const sooner = subscription.nextRetryAt
  const onSchedule = severity === 'hard' ? null : nextRetry(state.plan.interval, firstDeclinedAt, graceEndAt, now)
  const nextRetryAt = sooner ?? onSchedule ?? undefined
  return { ...failed, subscription: { ...pastDue, ...(nextRetryAt === undefined ? {} : { nextRetryAt }) } }
}

/**
 * Decisions 5: IMMEDIATE and TRIAL end at once, BILLING ends with the period. A scheduled cancellation stays as it
 * is.
 */
function cancel(state: SubscriptionState, now: Date): Change | Rejection {
  const { subscription, plan } = state
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (subscription.cancelAt !== undefined) return changeOf(state)
  // The paid period is over and not renewed yet, so the cancellation has nothing to wait for.
  const isOver = subscription.currentPeriodEnd <= now
  if (subscription.phase === 'TRIAL' || plan.cancelPolicy === 'IMMEDIATE' || isOver) {
    return end(changeOf(state), 'CANCELLED', now)
  }
  const scheduled = { ...subscription, cancelAt: subscription.currentPeriodEnd }
  return emit(changeOf({ ...state, subscription: scheduled }), 'APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED', now)
}

function restore(state: SubscriptionState, now: Date): Change | Rejection {
  if (state.subscription.status === 'ENDED') return alreadyEnded()
  if (state.subscription.cancelAt === undefined) {
    return reject('NOT_SCHEDULED_TO_CANCEL', 'The subscription goes on by itself: there is no cancellation to undo.')
  }
  // Decisions 5: "undoes before that". The end is due, even if the job has not carried it out.
  if (state.subscription.cancelAt <= now) return alreadyEnded()
  const { cancelAt: _, ...subscription } = state.subscription
  return emit(changeOf({ ...state, subscription }), 'APPLICATION_SUBSCRIPTION_RESTORED', now)
}

/** Decisions 5, "Device moves": plan and periods stay the same at another location. */
function transfer(state: SubscriptionState, to: Place, now: Date): Change | Rejection {
  const { storeId, deviceId, ...subscription } = state.subscription
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (storeId === to.storeId && deviceId === to.deviceId) return changeOf(state)
  const moved = changeOf({ ...state, subscription: { ...subscription, ...to } })
  return emit(moved, 'APPLICATION_SUBSCRIPTION_TRANSFERRED', now)
}

/**
 * Decisions 6: open invoices become UNCOLLECTIBLE after non-payment, else VOID. Credit "survives END", so open
 * invoices return the credit that they used.
 */
function end(change: Change, endReason: EndReason, now: Date): Change {
  const status = endReason === 'NON_PAYMENT' ? 'UNCOLLECTIBLE' : 'VOID'
  const { cancelAt, nextRetryAt: _, trialEndingAt: __, ...rest } = change.subscription
  const { pendingPlanId: ___, pendingAmount: ____, ...subscription } = rest
  const endedAt = endReason === 'CANCELLED' && cancelAt !== undefined && cancelAt < now ? cancelAt : now
  const returned = change.openInvoices
    .filter(({ creditApplied }) => creditApplied > 0)
    .map(({ invoiceId, creditApplied }) => ({ kind: 'RETURN', invoiceId, amount: creditApplied }) as const)
  const { pendingPlan: _____, ...others } = moveCredit(change, ...returned)
  return emit(
    {
      ...others,
      subscription: { ...subscription, status: 'ENDED', endedAt, endReason },
      openInvoices: [],
      closed: [...change.closed, ...change.openInvoices.map(({ invoiceId }) => ({ invoiceId, status }) as const)],
    },
    'APPLICATION_SUBSCRIPTION_END',
    now,
  )
}

/** Decisions 6: while a charge is pending or waits for the payer, "no grace runs". */
function answered(change: Change, chargeId: string, waitedMs = 0): Change {
  if (change.subscription.awaitedChargeId !== chargeId) return change
  const { awaitedChargeId: _, ...subscription } = change.subscription
  const { graceEndAt } = subscription
  if (graceEndAt === undefined) return { ...change, subscription }
  return { ...change, subscription: { ...subscription, graceEndAt: new Date(graceEndAt.getTime() + waitedMs) } }
}

function withoutRetry(change: Change): Change {
  const { nextRetryAt: _, ...subscription }: Subscription = change.subscription
  return { ...change, subscription }
}
