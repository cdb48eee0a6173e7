import type { Interval } from './calendar.ts'

/** How often a price of this interval is paid in a year, which has 12 months, 52 weeks or 365 days. */
const TIMES_A_YEAR: Readonly<Record<Interval, bigint>> = { DAY: 365n, WEEK: 52n, MONTH: 12n, YEAR: 1n }

/**
 * What prices of one interval and currency bring in a month, in minor units: their sum · times a year ÷ 12, a half rounded up.
 * Sums are rounded, not each price, so that many small ones do not lose what they make together.
 */
export function monthlyAmount(sum: number, interval: Interval): number {
  return Number((BigInt(sum) * TIMES_A_YEAR[interval] * 2n + 12n) / 24n)
}

/** A part of a whole in basis points, a half rounded up; undefined of nothing. */
export function rateOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : Number((BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole)))
}
