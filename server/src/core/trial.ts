import { addDays } from './calendar.ts'
import { emit } from './change.ts'
import type { Change, Subscription } from './subscription.ts'

/** Decisions 7: TRIAL_ENDING is cleared "3 days before; none for shorter trials". */
const EMITTED_DAYS_BEFORE = 3

/** When TRIAL_ENDING is cleared: at the start for a trial of exactly three days, never for a shorter one. */
export function trialEnding(startedAt: Date, trialEndAt: Date): { trialEndingAt?: Date } {
  const trialEndingAt = addDays(trialEndAt, -EMITTED_DAYS_BEFORE)
  return trialEndingAt >= startedAt ? { trialEndingAt } : {}
}

/** Emits TRIAL_ENDING unless the trial has ended. */
export function emitTrialEnding(change: Change, now: Date): Change {
  const { trialEndingAt: _, ...subscription } = change.subscription
  const cleared = { ...change, subscription }
  const isOver = subscription.trialEndAt === undefined || subscription.trialEndAt <= now
  return isOver ? cleared : emit(cleared, 'APPLICATION_SUBSCRIPTION_TRIAL_ENDING', now)
}

/**
 * Whether the subscription was on trial at its last decision: the rule for trials that are given once (decisions 4).
 * A plan that takes over at the end of the trial was never on trial.
 */
export function isInTrial({ phase, trialEndAt, updatedAt }: Subscription): boolean {
  return phase === 'TRIAL' && trialEndAt !== undefined && trialEndAt > updatedAt
}
