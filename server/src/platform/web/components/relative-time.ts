import { dayWords, momentWords } from '../format.ts'
import { type Html, html } from '../html.ts'

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** After this long a date says more. */
const LONGEST_DAYS = 30

/** "5 minutes ago", "in 2 hours", "yesterday"; a date when the instant is more than 30 days away. */
export function relativeWords(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000
  if (Math.abs(seconds) > LONGEST_DAYS * 86_400) return dayWords(at)
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? []
  if (unit === undefined || size === undefined) return 'just now'
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
}

/** The distance from now; the exact instant is the title. Script keeps the words true. */
export function relativeTime(at: Date, now: Date): Html {
  return html`<time datetime="${at.toISOString()}" title="${momentWords(at)}" data-relative>${relativeWords(at, now)}</time>`
}
