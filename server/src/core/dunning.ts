import type { Interval } from './calendar.ts'

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
