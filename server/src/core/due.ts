import type { Interval } from './calendar.ts'
import type { DueTrigger, Subscription } from './subscription.ts'

interface Due {
  readonly trigger: DueTrigger
  readonly at: Date
}

/**
 * The next action of time, or null. The row alone determines it. Decisions 6, at one instant: retry, grace end,
 * scheduled cancel, pending plan change, renewal. An open charge holds back everything that its outcome decides, so
 * known outcomes come first.
 */
export function nextDue(subscription: Subscription): Due | null {
  if (subscription.status === 'ENDED') return null
  if (subscription.status === 'PENDING') return { trigger: { kind: 'notStarted' }, at: startsUntil(subscription) }
  let first: Due | null = null
  for (const due of candidates(subscription)) if (first === null || due.at < first.at) first = due
  return first && overtakesGraceEnd(subscription, first.at) ? null : first
}

/** When the scheduler reads the row again. Absent: only a person or the gateway can change the row. */
export function nextActionAt(subscription: Subscription): Date | undefined {
  return nextDue(subscription)?.at ?? heldBack(subscription)
}

/**
 * A renewal that waits for an open charge keeps its timer: the outcome nearly always arrives first, and the timer
 * need not be set again. Otherwise the timer finds nothing to do and is removed.
 */
function heldBack({ status, awaitedChargeId, paymentStatus, phase, ...row }: Subscription): Date | undefined {
  const waits = status === 'ACTIVE' && phase === 'FULL' && paymentStatus === 'CURRENT' && awaitedChargeId !== undefined
  return waits && row.currentPeriodEnd > row.updatedAt ? row.currentPeriodEnd : undefined
}

/** In the order of decisions 6. */
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
  // Decisions 6: the next period "only after the first outcome of the one before". While PAST_DUE, later periods open
  // anyway.
  if (!isTrial && awaiting && !pastDue) return
  const at = subscription.currentPeriodEnd
  // In FULL a plan change begins the next period. In the trial the end of the trial follows.
  if (subscription.pendingPlanId) yield { trigger: { kind: 'pendingPlan' }, at }
  yield { trigger: { kind: isTrial ? 'trialEnd' : 'periodEnd' }, at }
}

/** The grace end may end the subscription, so a later cancel or renewal waits with it for the open charge. */
function overtakesGraceEnd({ awaitedChargeId, paymentStatus, graceEndAt }: Subscription, at: Date): boolean {
  return awaitedChargeId !== undefined && paymentStatus === 'PAST_DUE' && graceEndAt !== undefined && at >= graceEndAt
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const IN_DAYS = [1 * DAY_MS, 3 * DAY_MS, 5 * DAY_MS, 7 * DAY_MS]

/** Decisions 6: "tries 1, 3, 5, 7 days later (WEEK alike; DAY: 6, 12, 24 h)", counted from the first decline. */
const RETRY_AFTER_MS: Readonly<Record<Interval, readonly number[]>> = {
  DAY: [6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS],
  ...{ WEEK: IN_DAYS, MONTH: IN_DAYS, YEAR: IN_DAYS },
}

/** Decisions 6: "pending and action-required wait (no grace runs) up to 3 days, then count as refused". */
export const OUTCOME_WAIT_MS = 3 * DAY_MS

/** Decisions 5: "PENDING ends after 24 h as NOT_STARTED". */
function startsUntil({ createdAt }: Subscription): Date {
  return new Date(createdAt.getTime() + DAY_MS)
}

/** Decisions 6: "grace runs from the first refusal". */
export function graceEnd(firstDeclinedAt: Date, gracePeriodDays: number): Date {
  return new Date(firstDeclinedAt.getTime() + gracePeriodDays * DAY_MS)
}

/**
 * The next attempt after `now` within grace, including its last instant, or null. Attempts that were missed during
 * downtime are not repeated.
 */
export function nextRetry(interval: Interval, firstDeclinedAt: Date, graceEndAt: Date, now: Date): Date | null {
  for (const afterMs of RETRY_AFTER_MS[interval]) {
    const at = firstDeclinedAt.getTime() + afterMs
    if (at > now.getTime()) return at <= graceEndAt.getTime() ? new Date(at) : null
  }
  return null
}
