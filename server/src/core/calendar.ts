import { assert } from './assert.ts'

export type Interval = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'

/** How often a plan bills: `intervalCount` intervals per period. A quarter is MONTH × 3. Source: decisions 4. */
export interface Recurrence {
  readonly interval: Interval
  readonly intervalCount: number
}

const DAY_MS = 86_400_000
/** Decisions 6: a DAY is 24 h in UTC, a WEEK seven DAYs. MONTH and YEAR count months. */
const LENGTH_MS = { DAY: DAY_MS, WEEK: 7 * DAY_MS } as const
const LENGTH_MONTHS = { MONTH: 1, YEAR: 12 } as const

const YEAR_10000 = Date.UTC(10_000, 0)
/** RFC 3339, 5.6, `date-time`; "T" and "Z" may be lower case. `parseInstant` checks the day of the month. */
const RFC_3339 =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i

/**
 * The instant `anchor + n·intervalCount·interval` in UTC, the day of month clamped (31 Jan → 28 Feb → 31 Mar). Computed from the
 * anchor, because an earlier boundary may have been clamped. `n` may be negative. Source: decisions 6.
 */
export function boundary(anchor: Date, { interval, intervalCount }: Recurrence, n: number): Date {
  assert(Number.isSafeInteger(n), `boundary: ${n} is not an integer`)
  const intervals = n * intervalCount
  const at = countsMonths(interval)
    ? addMonths(anchor, intervals * LENGTH_MONTHS[interval])
    : new Date(anchor.getTime() + intervals * LENGTH_MS[interval])
  assert(!Number.isNaN(at.getTime()), `boundary: no such instant, ${intervals} ${interval} after the anchor`)
  return at
}

/** `days` × 24 h later. */
export function addDays(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS)
}

/** Midnight UTC of the day of `at`. */
export function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
}

/** Truncates to seconds. Decisions 1: "Instants that bill are whole seconds, truncated when made." */
export function wholeSeconds(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 1_000) * 1_000)
}

/** An instant as `YYYY-MM-DDThh:mm:ssZ`, truncated. Source: interface, Resources. */
export function toTimestamp(at: Date): string {
  const text = at.toISOString()
  assert(text.length === 24, `toTimestamp: the year of ${text} has more than four digits`)
  return `${text.slice(0, 19)}Z`
}

/**
 * Parses an RFC 3339 instant of the years 1970 to 9999, to the millisecond (decisions 1: "In: any RFC 3339 instant").
 * Returns null for a date without time, a time without offset, 30 February or 24:00. A leap second at the end of a
 * UTC month is the first instant of the next month.
 */
export function parseInstant(text: string): Date | null {
  const found = RFC_3339.exec(text)
  if (found === null) return null
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour = 0, offsetMinute = 0] = found
  const day = Date.parse(`${date}T00:00:00Z`)
  // Date.parse turns 30 February into 2 March, so the day must survive the round trip.
  if (Number.isNaN(day) || new Date(day).toISOString().slice(0, 10) !== date) return null
  const offsetMs = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000
  const clockMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000
  const at = new Date(day + clockMs - offsetMs + Number(`${fraction}000`.slice(0, 3)))
  if (second === '60' && !startsMonth(wholeSeconds(at))) return null
  return at.getTime() >= 0 && at.getTime() < YEAR_10000 ? at : null
}

function countsMonths(interval: Interval): interval is 'MONTH' | 'YEAR' {
  return interval === 'MONTH' || interval === 'YEAR'
}

function addMonths(anchor: Date, months: number): Date {
  const at = new Date(anchor)
  // Day 1 exists in every month. Then the anchor's day, or the last day of the month.
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  at.setUTCDate(Math.min(anchor.getUTCDate(), daysInMonth(at)))
  return at
}

function daysInMonth(firstOfMonth: Date): number {
  const lastDay = new Date(firstOfMonth)
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  return lastDay.getUTCDate()
}

function startsMonth(at: Date): boolean {
  return at.getUTCDate() === 1 && at.getTime() % DAY_MS === 0
}
