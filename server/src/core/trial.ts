import { addDays } from './calendar.ts'
import type { Subscription } from './subscription.ts'

/** Decisions 7: TRIAL_ENDING is told "3 days before; none for shorter trials". */
const TOLD_DAYS_BEFORE = 3

/** When to tell that a trial is about to end. A trial of three days is about to end when it begins, and is not told of. */
export function trialEnding(startedAt: Date, trialEndAt: Date): { trialEndingAt?: Date } {
  const trialEndingAt = addDays(trialEndAt, -TOLD_DAYS_BEFORE)
  return trialEndingAt > startedAt ? { trialEndingAt } : {}
}

/**
 * Whether it has its plan on trial, as of its last decision: what counts where a trial is given once (decisions 4). A plan that
 * takes over at the trial's end was never on trial.
 */
export function isTrying({ phase, trialEndAt, updatedAt }: Subscription): boolean {
  return phase === 'TRIAL' && trialEndAt !== undefined && trialEndAt > updatedAt
}
