import { assert } from './assert.ts'

/** A UTC month, `YYYY-MM`, years 1000 to 9999. */
export const MONTH_PATTERN = '^[1-9]\\d{3}-(0[1-9]|1[0-2])$'

/** OPEN: bookings may be added. CLOSED: the statement is final. */
export const MONTH_STATUSES = ['OPEN', 'CLOSED'] as const
export type MonthStatus = (typeof MONTH_STATUSES)[number]

/** A booking has the time of its settlement and commits within moments. An hour covers the commit and the clock differences of processes. */
const SETTLES_WITHIN_MS = 3_600_000

/** Real time. Bookings of test merchants have the time of their clocks, so their months stay open. */
export function monthStatus(month: string, { live, now }: { live: boolean; now: Date }): MonthStatus {
  return live && now.getTime() >= endOfMonth(month).getTime() + SETTLES_WITHIN_MS ? 'CLOSED' : 'OPEN'
}

export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7)
}

export function startOfMonth(month: string): Date {
  assert(new RegExp(MONTH_PATTERN).test(month), `startOfMonth: ${month} is not a month`)
  return new Date(`${month}-01T00:00:00Z`)
}

/** The first instant of the next month. */
export function endOfMonth(month: string): Date {
  const start = startOfMonth(month)
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1))
}
