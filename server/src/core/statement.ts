import { assert } from './assert.ts'

/** A month in UTC, `YYYY-MM`, of the years 1000 to 9999. */
export const MONTH_PATTERN = '^[1-9]\\d{3}-(0[1-9]|1[0-2])$'

/** OPEN: bookings may still be added. CLOSED: they cannot, and the statement is the last word. */
export const MONTH_STATUSES = ['OPEN', 'CLOSED'] as const
export type MonthStatus = (typeof MONTH_STATUSES)[number]

/**
 * A booking has the instant at which its charge or refund was settled, and is committed within moments. An hour covers those
 * and clocks of several processes that are not quite the same.
 */
const SETTLES_WITHIN_MS = 3_600_000

/** Real time. Money of test merchants is booked in their own time, so no month of theirs is ever closed. */
export function monthStatus(month: string, { live, now }: { live: boolean; now: Date }): MonthStatus {
  return live && now.getTime() >= endOfMonth(month).getTime() + SETTLES_WITHIN_MS ? 'CLOSED' : 'OPEN'
}

export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

export function startOfMonth(month: string): Date {
  assert(new RegExp(MONTH_PATTERN).test(month), `startOfMonth: ${month} is no month`)
  return new Date(`${month}-01T00:00:00Z`)
}

/** The first instant of the next month. */
export function endOfMonth(month: string): Date {
  const start = startOfMonth(month)
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
}
