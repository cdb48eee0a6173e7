import { addDays } from './calendar.ts'
import { emit } from './change.ts'
import type { Change, Subscription } from './subscription.ts'

/** Decisions 7: TRIAL_ENDING is told "3 days before; none for shorter trials". */
const TOLD_DAYS_BEFORE = 3

/** When to tell that a trial is about to end: of one of exactly three days when it begins, of a shorter one never. */
export function trialEnding(startedAt: Date, trialEndAt: Date): { trialEndingAt?: Date } {
  const trialEndingAt = addDays(trialEndAt, -TOLD_DAYS_BEFORE)
  return trialEndingAt >= startedAt ? { trialEndingAt } : {}
}

/** Once, and only while there is something left to tell of: after a stop, what follows says that the trial is over. */
export function emitTrialEnding(change: Change, now: Date): Change {
  const { trialEndingAt: _, ...subscription } = change.subscription
  const told = { ...change, subscription }
  const isOver = subscription.trialEndAt === undefined || subscription.trialEndAt <= now
  return isOver ? told : emit(told, 'APPLICATION_SUBSCRIPTION_TRIAL_ENDING', now)
}

/**
 * Whether it has its plan on trial, as of its last decision: what counts where a trial is given once (decisions 4). A plan that
 * takes over at the trial's end was never on trial.
 */
export function isInTrial({ phase, trialEndAt, updatedAt }: Subscription): boolean {
  return phase === 'TRIAL' && trialEndAt !== undefined && trialEndAt > updatedAt
}
