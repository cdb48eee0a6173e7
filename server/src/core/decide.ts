import { assert, unreachable } from './assert.ts'
import { nextActionAt } from './due.ts'
import { graceEnd, nextRetry } from './dunning.ts'
import type { BillingEventType } from './event.ts'
import { periodOf, seriesOf } from './invoice.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { Change, EndReason, FreshIds, Subscription, SubscriptionState, Trigger } from './subscription.ts'

/**
 * The billing engine: what becomes of a subscription when something happens. Every trigger is decided; one left out does not compile.
 * Pure: the same state, trigger, ids and now give the same change. `now` is the business's effective now; where two clocks
 * disagree it is held at the last decision's instant, so that time never goes back for a subscription.
 * Source: decisions 5 and 6.
 */
export function decide(state: SubscriptionState, trigger: Trigger, ids: FreshIds, clockNow: Date): Change | Refusal {
  const last = state.subscription.lastTriggerAt
  const now = clockNow < last ? last : clockNow
  const decided = choose(state, trigger, ids, now)
  if ('refused' in decided) return decided
  return settleTimer({ ...decided, subscription: { ...decided.subscription, lastTriggerAt: now, updatedAt: now } })
}

function choose(state: SubscriptionState, trigger: Trigger, ids: FreshIds, now: Date): Change | Refusal {
  switch (trigger.kind) {
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
    case 'chargeRefused':
      return suffer(state, trigger, now)
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
    case 'operatorEnded':
      if (state.subscription.status === 'ENDED') return alreadyEnded()
      return end(changeOf(state), 'OPERATOR', now)
    default:
      return unreachable(trigger)
  }
}

/** Decisions 6: after a trial the anchor is exactly trialEndAt, however late this is decided. */
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
  return bill(emit(full, 'APPLICATION_SUBSCRIPTION_PHASE_CHANGE', now), plan.name, ids, now)
}

function renew(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const { subscription, plan } = state
  assert(subscription.anchorAt && subscription.periodIndex !== undefined, 'only a paid phase has periods')
  const periodIndex = subscription.periodIndex + 1
  const period = periodOf(subscription.anchorAt, plan.interval, periodIndex)
  const renewed = { ...subscription, periodIndex, currentPeriodStart: period.start, currentPeriodEnd: period.end }
  return bill(changeOf({ ...state, subscription: renewed }), plan.name, ids, now)
}

/**
 * Issues the invoice of the current period and, unless older debts come first, charges it. A free period has no invoice.
 * Decisions 6: "while PAST_DUE later periods open without a charge and payment goes to the oldest first".
 */
export function bill(change: Change, description: string, ids: FreshIds, now: Date): Change {
  const { subscription } = change
  if (subscription.amount === 0) return change
  assert(subscription.periodIndex !== undefined, 'only a paid phase is billed')
  const { amount, currency, country, currentPeriodStart: periodStart, currentPeriodEnd: periodEnd } = subscription
  const issued: Change = {
    ...change,
    openInvoices: [...change.openInvoices, { invoiceId: ids.invoiceId, amount }],
    issued: [
      ...change.issued,
      {
        invoiceId: ids.invoiceId,
        organizationId: subscription.organizationId,
        appId: subscription.appId,
        businessId: subscription.businessId,
        subscriptionId: subscription.subscriptionId,
        planId: subscription.planId,
        term: subscription.term,
        periodIndex: subscription.periodIndex,
        series: seriesOf(subscription.merchantType, now),
        country,
        currency,
        amount,
        lines: [{ kind: 'PLAN', description, amount, periodStart, periodEnd }],
        periodStart,
        periodEnd,
        createdAt: now,
      },
    ],
  }
  return subscription.paymentStatus === 'PAST_DUE' ? issued : chargeNext(issued, ids.chargeId, now)
}

/** A try at the oldest debt: on schedule, or at once because the payment method changed. */
function chargeOldest(state: SubscriptionState, ids: FreshIds, now: Date): Change {
  const change = changeOf(state)
  if (state.subscription.status === 'ENDED' || state.openInvoices.length === 0) return withoutRetry(change)
  // One try at a time: a refusal of the one in flight finds this instant and tries the new method at once, before a
  // grace end that waits for that outcome.
  const { awaitedChargeId, graceEndAt } = state.subscription
  if (awaitedChargeId !== undefined) {
    const nextRetryAt = graceEndAt && graceEndAt < now ? graceEndAt : now
    return { ...change, subscription: { ...change.subscription, nextRetryAt } }
  }
  return chargeNext(withoutRetry(change), ids.chargeId, now)
}

/** Not after a scheduled end, though nobody has carried it out yet. At its very instant a retry goes first (decisions 6). */
function chargeNext(change: Change, chargeId: string, now: Date): Change {
  const { cancelAt } = change.subscription
  if (cancelAt !== undefined && cancelAt < now) return change
  const oldest = change.openInvoices[0]
  assert(oldest && change.subscription.awaitedChargeId === undefined, 'one charge at a time, for an open invoice')
  return {
    ...change,
    subscription: { ...change.subscription, awaitedChargeId: chargeId },
    charges: [...change.charges, { chargeId, invoiceId: oldest.invoiceId, amount: oldest.amount }],
  }
}

type ChargeSucceeded = Extract<Trigger, { kind: 'chargeSucceeded' }>

function succeed(
  state: SubscriptionState,
  { chargeId, invoiceId, amount }: ChargeSucceeded,
  ids: FreshIds,
  now: Date,
): Change {
  const open = state.openInvoices.some(invoice => invoice.invoiceId === invoiceId)
  const paid = emit(
    { ...answered(changeOf(state), chargeId), closed: [{ invoiceId, status: 'PAID' }] },
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
  const { firstRefusedAt: _, graceEndAt: __, ...subscription } = settled.subscription
  return { ...settled, subscription: { ...subscription, paymentStatus: 'CURRENT' } }
}

type ChargeRefused = Extract<Trigger, { kind: 'chargeRefused' }>

function suffer(state: SubscriptionState, { chargeId, invoiceId, severity }: ChargeRefused, now: Date): Change {
  const failed = emit(answered(changeOf(state), chargeId), 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL', now, invoiceId)
  const { subscription } = failed
  // Told late: the subscription is over, or another try has paid. Nothing is owed, so nothing is past due.
  if (!failed.openInvoices.some(invoice => invoice.invoiceId === invoiceId)) return failed
  const firstRefusedAt = subscription.firstRefusedAt ?? now
  const graceEndAt = subscription.graceEndAt ?? graceEnd(firstRefusedAt, state.plan.gracePeriodDays)
  // Decisions 6: "a hard one on the very first charge without trial ends it at once"; decisions 4: grace 0, "the first refusal ends it".
  const veryFirst =
    subscription.firstRefusedAt === undefined &&
    subscription.trialEndAt === undefined &&
    subscription.term === 0 &&
    subscription.periodIndex === 0
  const pastDue = { ...subscription, paymentStatus: 'PAST_DUE' as const, firstRefusedAt, graceEndAt }
  if ((severity === 'hard' && veryFirst) || state.plan.gracePeriodDays === 0) {
    return end({ ...failed, subscription: pastDue }, 'NON_PAYMENT', now)
  }
  // Set while the try was in flight: the payment method changed, and the new one is tried at once, even after a hard refusal.
  const sooner = subscription.nextRetryAt
  const onSchedule = severity === 'hard' ? null : nextRetry(state.plan.interval, firstRefusedAt, graceEndAt, now)
  const nextRetryAt = sooner ?? onSchedule ?? undefined
  return { ...failed, subscription: { ...pastDue, ...(nextRetryAt === undefined ? {} : { nextRetryAt }) } }
}

/** Decisions 5: IMMEDIATE, or in TRIAL: ENDED now. BILLING: at the period's end. Already scheduled: unchanged. */
function cancel(state: SubscriptionState, now: Date): Change | Refusal {
  const { subscription, plan } = state
  if (subscription.status === 'ENDED') return alreadyEnded()
  if (subscription.cancelAt !== undefined) return changeOf(state)
  // The paid period is over, and nobody has renewed it yet: there is nothing left to wait for.
  const isOver = subscription.currentPeriodEnd <= now
  if (subscription.phase === 'TRIAL' || plan.cancelPolicy === 'IMMEDIATE' || isOver) {
    return end(changeOf(state), 'CANCELLED', now)
  }
  const scheduled = { ...subscription, cancelAt: subscription.currentPeriodEnd }
  return emit(changeOf({ ...state, subscription: scheduled }), 'APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED', now)
}

function restore(state: SubscriptionState, now: Date): Change | Refusal {
  if (state.subscription.status === 'ENDED') return alreadyEnded()
  if (state.subscription.cancelAt === undefined) {
    return refuse('NOT_SCHEDULED_TO_CANCEL', 'The subscription goes on by itself: there is no cancellation to undo.')
  }
  // Decisions 5: "undoes before that"; the end may be a moment late, but it is no longer to be undone.
  if (state.subscription.cancelAt <= now) return alreadyEnded()
  const { cancelAt: _, ...subscription } = state.subscription
  return emit(changeOf({ ...state, subscription }), 'APPLICATION_SUBSCRIPTION_RESTORED', now)
}

/** Decisions 6: open invoices become UNCOLLECTIBLE when nobody paid, VOID when somebody ended it. */
function end(change: Change, endReason: EndReason, now: Date): Change {
  const status = endReason === 'NON_PAYMENT' ? 'UNCOLLECTIBLE' : 'VOID'
  const { cancelAt, nextRetryAt: _, ...subscription } = change.subscription
  const endedAt = endReason === 'CANCELLED' && cancelAt !== undefined && cancelAt < now ? cancelAt : now
  return emit(
    {
      ...change,
      subscription: { ...subscription, status: 'ENDED', endedAt, endReason },
      openInvoices: [],
      closed: [...change.closed, ...change.openInvoices.map(({ invoiceId }) => ({ invoiceId, status }) as const)],
    },
    'APPLICATION_SUBSCRIPTION_END',
    now,
  )
}

/** The state as it is, as the start of a change. */
export function changeOf({ subscription, openInvoices }: SubscriptionState): Change {
  return { subscription, openInvoices, issued: [], closed: [], charges: [], refunds: [], events: [] }
}

/** Adds an event, numbered among the events of this subscription. */
export function emit(change: Change, eventType: BillingEventType, occurredAt: Date, invoiceId?: string): Change {
  const { subscription } = change
  const resourceSeq = subscription.resourceSeq + 1
  const { appId, businessId, merchantType, subscriptionId: resourceId } = subscription
  const event = { eventType, appId, businessId, resourceId, resourceSeq, merchantType, occurredAt }
  return {
    ...change,
    subscription: { ...subscription, resourceSeq },
    events: [...change.events, invoiceId === undefined ? event : { ...event, invoiceId }],
  }
}

/** Sets the row's timer from the row itself. */
export function settleTimer(change: Change): Change {
  const { nextActionAt: _, ...subscription } = change.subscription
  const at = nextActionAt(subscription)
  return { ...change, subscription: at === undefined ? subscription : { ...subscription, nextActionAt: at } }
}

function answered(change: Change, chargeId: string): Change {
  if (change.subscription.awaitedChargeId !== chargeId) return change
  const { awaitedChargeId: _, ...subscription } = change.subscription
  return { ...change, subscription }
}

function withoutRetry(change: Change): Change {
  const { nextRetryAt: _, ...subscription }: Subscription = change.subscription
  return { ...change, subscription }
}

function alreadyEnded(): Refusal {
  return refuse('ALREADY_ENDED', 'The subscription has ended. Subscribe again to go on.')
}
