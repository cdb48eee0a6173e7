import { assert, unreachable } from './assert.ts'
import { bill, chargeNext } from './bill.ts'
import { changeOf, emit, moveCredit, settleTimer } from './change.ts'
import { graceEnd, nextRetry } from './due.ts'
import { periodOf } from './invoice.ts'
import { changePlan, takePendingPlan } from './plan-change.ts'
import { alreadyEnded, type Rejection, reject } from './rejection.ts'
import type { Change, EndReason, FreshIds, Location, Subscription, SubscriptionState, Trigger } from './subscription.ts'
import { emitTrialEnding } from './trial.ts'

/**
 * The billing engine: decides what a trigger does to a subscription. Pure: the same state, trigger, ids and time give
 * the same change. `clockNow` is business time. If `clockNow` is earlier than the last decision, the time of the last
 * decision applies, so time never goes back. Source: decisions 5 and 6.
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
    case 'notStarted':
      return end(changeOf(state), 'NOT_STARTED', now)
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
    case 'refundSucceeded':
      return emit(changeOf(state), 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS', now, trigger.invoiceId)
    case 'disputeOpened':
      return emit(changeOf(state), 'APPLICATION_SUBSCRIPTION_DISPUTE_OPENED', now, trigger.invoiceId)
    case 'disputeClosed':
      return closeDispute(state, trigger, now)
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

/** Decisions 6: after a trial the anchor is exactly trialEndAt, even if the decision is late. */
function endTrial(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const { subscription, plan } = state
  assert(subscription.phase === 'TRIAL' && subscription.trialEndAt, 'a trial ends once')
  const anchorAt = subscription.trialEndAt
  const period = periodOf(anchorAt, plan, 0)
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
  const period = periodOf(subscription.anchorAt, plan, periodIndex)
  const renewed = { ...subscription, periodIndex, currentPeriodStart: period.start, currentPeriodEnd: period.end }
  return bill(changeOf({ ...state, subscription: renewed }), ids, now)
}

/** Charges the oldest open invoice, on schedule or because the payment method changed. */
function chargeOldest(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const change = changeOf(state)
  // A PENDING subscription is not charged again: its first payment is still in progress with the first payment method.
  if (state.subscription.status !== 'ACTIVE' || state.openInvoices.length === 0) return withoutRetry(change)
  // Only one attempt runs at a time. If the open attempt is declined, the new method is charged at once, before the
  // end of grace.
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
  const answer = answered(changeOf(state), chargeId, waitedMs)
  const paid = emit(
    { ...(open ? started(answer, now) : answer), closed: [{ invoiceId, status: 'PAID' }] },
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

/** Decisions 5, "The first payment decides": START precedes PAYMENT_SUCCESS. */
function started(change: Change, now: Date): Change {
  if (change.subscription.status !== 'PENDING') return change
  const active = { ...change, subscription: { ...change.subscription, status: 'ACTIVE' as const } }
  return emit(active, 'APPLICATION_SUBSCRIPTION_START', now)
}

type ChargeDeclined = Extract<Trigger, { kind: 'chargeDeclined' }>

function handleDecline(state: SubscriptionState, declined: ChargeDeclined, now: Date): Change {
  const { chargeId, invoiceId, severity, hasNeverPaid, isAbandoned, waitedMs } = declined
  const answer = answered(changeOf(state), chargeId, waitedMs)
  const failed = emit(answer, 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL', now, invoiceId)
  const { subscription } = failed
  // The invoice is not open: the subscription has ended, or another attempt has paid. The decline makes nothing past due.
  if (!failed.openInvoices.some(invoice => invoice.invoiceId === invoiceId)) return failed
  if (subscription.status === 'PENDING') return end(failed, 'NOT_STARTED', now)
  const firstDeclinedAt = subscription.firstDeclinedAt ?? now
  const graceEndAt = subscription.graceEndAt ?? graceEnd(firstDeclinedAt, state.plan.gracePeriodDays)
  // Decisions 6: "before the first success there is no grace", for instance after a free plan; decisions 4: grace 0,
  // "the first refusal ends it".
  const pastDue = { ...subscription, paymentStatus: 'PAST_DUE' as const, firstDeclinedAt, graceEndAt }
  const hasGrace = state.plan.gracePeriodDays > 0 && (hasNeverPaid !== true || subscription.trialEndAt !== undefined)
  if (!hasGrace && isAbandoned !== true) {
    return end({ ...failed, subscription: pastDue }, 'NON_PAYMENT', now)
  }
  // If the payment method changed during the attempt, `nextRetryAt` is set: the new method is charged at once, even
  // after a hard decline.
  const sooner = subscription.nextRetryAt
  const onSchedule = severity === 'hard' ? null : nextRetry(state.plan.interval, firstDeclinedAt, graceEndAt, now)
  const nextRetryAt = sooner ?? onSchedule ?? undefined
  return { ...failed, subscription: { ...pastDue, ...(nextRetryAt === undefined ? {} : { nextRetryAt }) } }
}

/**
 * Decisions 5: IMMEDIATE and TRIAL end at once, BILLING ends with the period. A repeated cancellation changes
 * nothing.
 */
function cancel(state: SubscriptionState, now: Date): Change | Rejection {
  const { subscription, plan } = state
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (subscription.cancelAt !== undefined) return changeOf(state)
  // The paid period is over and not renewed yet, so the cancellation takes effect now.
  const isOver = subscription.currentPeriodEnd <= now
  const hasNotStarted = subscription.status === 'PENDING'
  if (hasNotStarted || subscription.phase === 'TRIAL' || plan.cancelPolicy === 'IMMEDIATE' || isOver) {
    return end(changeOf(state), 'CANCELLED', now)
  }
  const scheduled = { ...subscription, cancelAt: subscription.currentPeriodEnd }
  return emit(changeOf({ ...state, subscription: scheduled }), 'APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED', now)
}

function restore(state: SubscriptionState, now: Date): Change | Rejection {
  if (state.subscription.status === 'ENDED') return alreadyEnded()
  if (state.subscription.cancelAt === undefined) {
    return reject(
      'NOT_SCHEDULED_TO_CANCEL',
      'The subscription is not scheduled to cancel, so there is no cancellation to undo.',
    )
  }
  // Decisions 5: a cancellation can be undone only before its date. The subscription is due to end, even if the job is late.
  if (state.subscription.cancelAt <= now) return alreadyEnded()
  const { cancelAt: _, ...subscription } = state.subscription
  return emit(changeOf({ ...state, subscription }), 'APPLICATION_SUBSCRIPTION_RESTORED', now)
}

/** Decisions 5, "Device moves": plan and periods stay the same at another location. */
function transfer(state: SubscriptionState, to: Location, now: Date): Change | Rejection {
  const { storeId, deviceId, ...subscription } = state.subscription
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (subscription.status === 'PENDING') {
    return reject(
      'CHARGE_IN_PROGRESS',
      'The first payment is not settled yet. Move the subscription once it is ACTIVE.',
    )
  }
  if (storeId === to.storeId && deviceId === to.deviceId) return changeOf(state)
  const moved = changeOf({ ...state, subscription: { ...subscription, ...to } })
  return emit(moved, 'APPLICATION_SUBSCRIPTION_TRANSFERRED', now)
}

/**
 * Decisions 6: open invoices become UNCOLLECTIBLE after non-payment, otherwise VOID. The merchant keeps unused credit
 * after the end, so open invoices return their credit. A subscription that never started emits no END event.
 */
function end(change: Change, reason: EndReason, now: Date): Change {
  const hasStarted = change.subscription.status !== 'PENDING'
  const endReason = hasStarted ? reason : 'NOT_STARTED'
  const status = endReason === 'NON_PAYMENT' ? 'UNCOLLECTIBLE' : 'VOID'
  const { cancelAt, nextRetryAt: _, trialEndingAt: __, ...rest } = change.subscription
  const { pendingPlanId: ___, pendingAmount: ____, ...subscription } = rest
  const endedAt = endReason === 'CANCELLED' && cancelAt !== undefined && cancelAt < now ? cancelAt : now
  const returned = change.openInvoices
    .filter(({ creditApplied }) => creditApplied > 0)
    .map(({ invoiceId, creditApplied }) => ({ kind: 'RETURN', invoiceId, amount: creditApplied }) as const)
  const { pendingPlan: _____, ...others } = moveCredit(change, ...returned)
  const ended: Change = {
    ...others,
    subscription: { ...subscription, status: 'ENDED', endedAt, endReason },
    openInvoices: [],
    closed: [...change.closed, ...change.openInvoices.map(({ invoiceId }) => ({ invoiceId, status }) as const)],
  }
  return hasStarted ? emit(ended, 'APPLICATION_SUBSCRIPTION_END', now) : ended
}

/** Decisions 6, "Disputes": a lost dispute ends the subscription, unless `TILLHOOK_END_DISPUTED` is false. */
function closeDispute(
  state: SubscriptionState,
  { invoiceId, ends }: Extract<Trigger, { kind: 'disputeClosed' }>,
  now: Date,
): Change {
  const closed = emit(changeOf(state), 'APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED', now, invoiceId)
  return ends && state.subscription.status === 'ACTIVE' ? end(closed, 'DISPUTED', now) : closed
}

/** Decisions 6: the grace period is suspended while a charge is pending or waits for the payer. */
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
