import type { Interval, Recurrence } from './calendar.ts'

/** Intervals per year, of 12 months, 52 weeks or 365 days. */
const TIMES_A_YEAR: Readonly<Record<Interval, bigint>> = { DAY: 365n, WEEK: 52n, MONTH: 12n, YEAR: 1n }

/**
 * Monthly recurring revenue of prices with one recurrence and currency: sum × periods per year ÷ 12, half up. The sum
 * is rounded, not each price. Minor units.
 */
export function monthlyAmount(sum: number, { interval, intervalCount }: Recurrence): number {
  const months = 12n * BigInt(intervalCount)
  return Number((BigInt(sum) * TIMES_A_YEAR[interval] * 2n + months) / (2n * months))
}

/** A share in basis points, half up. Undefined if the whole is 0. */
export function rateOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : Number((BigInt(part) * 20_000n + BigInt(whole)) / (2n * BigInt(whole)))
}
