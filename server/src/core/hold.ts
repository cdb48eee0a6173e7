import type { Subscription } from './subscription.ts'

/** How long the operator had the app disabled. Nothing was charged meanwhile. */
export interface Hold {
  readonly since: Date
  readonly until: Date
}

/**
 * A live subscription after a hold. The grace period is extended by the length of the hold, a declined payment is retried at once, and a trial or
 * a period that would have ended during the hold ends now, so that the next period is charged from now on. A period that waits for an open charge
 * ends as before. Source: decisions 6, "renewals are held, not charged, and no grace runs, until it is enabled again".
 */
export function afterHold(subscription: Subscription, { since, until }: Hold): Subscription {
  if (subscription.status !== 'ACTIVE') return subscription
  return restartPeriod(extendGrace(subscription, { since, until }), until)
}

function extendGrace(subscription: Subscription, { since, until }: Hold): Subscription {
  const { firstDeclinedAt, graceEndAt, nextRetryAt } = subscription
  if (firstDeclinedAt === undefined || graceEndAt === undefined) return subscription
  const from = Math.max(since.getTime(), firstDeclinedAt.getTime())
  return {
    ...subscription,
    graceEndAt: new Date(graceEndAt.getTime() + Math.max(0, until.getTime() - from)),
    ...(nextRetryAt && nextRetryAt < until && { nextRetryAt: until }),
  }
}

function restartPeriod(subscription: Subscription, until: Date): Subscription {
  const { phase, currentPeriodEnd, awaitedChargeId, paymentStatus, term } = subscription
  if (currentPeriodEnd > until) return subscription
  if (phase === 'TRIAL') return { ...subscription, trialEndAt: until, currentPeriodEnd: until }
  if (awaitedChargeId !== undefined && paymentStatus === 'CURRENT') return subscription
  // The renewal that is due now begins period 0 of the new term.
  return { ...subscription, anchorAt: until, term: term + 1, periodIndex: -1, currentPeriodEnd: until }
}
