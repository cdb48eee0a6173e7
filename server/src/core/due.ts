import type { DueTrigger, Subscription } from './subscription.ts'

export interface Due {
  readonly trigger: DueTrigger
  readonly at: Date
}

/**
 * The next thing that time alone brings, or null when there is none. Pure in the row: the row is the timer.
 * Decisions 6, at one instant: retry, grace end, scheduled cancel, pending plan change, renewal. Known charge outcomes come before all of
 * these because an awaited charge holds back whatever its outcome decides.
 */
export function nextDue(subscription: Subscription): Due | null {
  if (subscription.status === 'ENDED') return null
  let first: Due | null = null
  for (const due of candidates(subscription)) if (first === null || due.at < first.at) first = due
  return first && overtakesGraceEnd(subscription, first.at) ? null : first
}

/** When to look at the row again; absent when only a person or the gateway can change it. */
export function nextActionAt(subscription: Subscription): Date | undefined {
  return nextDue(subscription)?.at ?? heldBack(subscription)
}

/**
 * A period's end that waits for the outcome of a charge, while it is still to come: nearly always the outcome is known long before, and
 * the timer that stands already need not be set again. Where it is not, the timer finds nothing to do and is taken off.
 */
function heldBack({ status, awaitedChargeId, paymentStatus, phase, ...row }: Subscription): Date | undefined {
  const waits = status === 'ACTIVE' && phase === 'FULL' && paymentStatus === 'CURRENT' && awaitedChargeId !== undefined
  return waits && row.currentPeriodEnd > row.updatedAt ? row.currentPeriodEnd : undefined
}

/** In the order in which they go at one instant. */
function* candidates(subscription: Subscription): Generator<Due> {
  const awaiting = subscription.awaitedChargeId !== undefined
  const pastDue = subscription.paymentStatus === 'PAST_DUE'
  if (subscription.nextRetryAt && !awaiting) yield { trigger: { kind: 'retry' }, at: subscription.nextRetryAt }
  // Decisions 6: grace end "waits while an attempt is in flight or unknown".
  if (subscription.graceEndAt && pastDue && !awaiting)
    yield { trigger: { kind: 'graceEnd' }, at: subscription.graceEndAt }
  if (subscription.cancelAt) yield { trigger: { kind: 'cancelAt' }, at: subscription.cancelAt }
  if (subscription.trialEndingAt) yield { trigger: { kind: 'trialEnding' }, at: subscription.trialEndingAt }
  const isTrial = subscription.phase === 'TRIAL'
  // Decisions 6: the next period "only after the first outcome of the one before"; while PAST_DUE later ones open anyway.
  if (!isTrial && awaiting && !pastDue) return
  const at = subscription.currentPeriodEnd
  // In FULL it brings the next period with it; in the trial the trial's end comes next.
  if (subscription.pendingPlanId) yield { trigger: { kind: 'pendingPlan' }, at }
  yield { trigger: { kind: isTrial ? 'trialEnd' : 'periodEnd' }, at }
}

/** Cancel and renewal come after the grace end, so they wait with it: else a period would open for a subscription that is over. */
function overtakesGraceEnd({ awaitedChargeId, paymentStatus, graceEndAt }: Subscription, at: Date): boolean {
  return awaitedChargeId !== undefined && paymentStatus === 'PAST_DUE' && graceEndAt !== undefined && at >= graceEndAt
}
