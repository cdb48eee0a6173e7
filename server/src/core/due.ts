import type { Interval } from './calendar.ts'
import type { DueTrigger, Subscription } from './subscription.ts'

interface Due {
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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Decisions 6: "tries 1, 3, 5, 7 days later (WEEK alike; DAY: 6, 12, 24 h)", counted from the first refusal. */
const RETRY_AFTER_MS: Readonly<Record<Interval, readonly number[]>> = {
  DAY: [6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
  WEEK: [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS, 7 * DAY_MS],
  MONTH: [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS, 7 * DAY_MS],
  YEAR: [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS, 7 * DAY_MS],
}

/** Decisions 6: "pending and action-required wait (no grace runs) up to 3 days, then count as refused". */
export const OUTCOME_WAIT_MS = 3 * DAY_MS

/** When grace is over. Decisions 6: "grace runs from the first refusal". 0 days: at once. */
export function graceEnd(firstDeclinedAt: Date, gracePeriodDays: number): Date {
  return new Date(firstDeclinedAt.getTime() + gracePeriodDays * DAY_MS)
}

/**
 * The next try after `now` that lies within grace, its last instant included; null when there is none.
 * Tries missed while we were down are not made up for: the schedule has one "next".
 */
export function nextRetry(interval: Interval, firstDeclinedAt: Date, graceEndAt: Date, now: Date): Date | null {
  for (const afterMs of RETRY_AFTER_MS[interval]) {
    const at = firstDeclinedAt.getTime() + afterMs
    if (at > now.getTime()) return at <= graceEndAt.getTime() ? new Date(at) : null
  }
  return null
}
