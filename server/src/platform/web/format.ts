import type { Recurrence } from '../../core/calendar.ts'
import { formatMoney } from '../../core/money.ts'
import { type AppliedTax, percentOf } from '../../core/tax.ts'
import { type Html, html } from './html.ts'
import { locale, say } from './say.ts'

export interface Recurring extends Recurrence {
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly scope: 'BUSINESS' | 'STORE' | 'DEVICE'
}

/** "$5.00", "¥500", "−$2.74" with a figure-width minus; "5,00 €" in German. */
export function moneyWords({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const isEnglish = locale().startsWith('en')
  return formatMoney(amount, currency, isEnglish ? undefined : locale()).replace('-', '−')
}

/** "$5.00 per month, per business", "$5.00 + 19% VAT per month, per business"; "Free". */
export function priceWords({ tax, ...recurring }: Recurring & { readonly tax?: AppliedTax }): string {
  return recurring.amount === 0 ? say`Free` : `${moneyWords(recurring)}${withTaxWords(tax)} ${perWords(recurring)}`
}

/** "per month, per business". */
export function perWords({ scope, ...recurrence }: Omit<Recurring, 'amount' | 'currency'>): string {
  return `${everyWords(recurrence)}, ${PER_SCOPE[scope]()}`
}

/** "per month", "every 3 months". */
export function everyWords({ interval, intervalCount }: Recurrence): string {
  return intervalCount === 1 ? PER[interval]() : EVERY[interval](intervalCount)
}

/** "19% VAT", "8.875% Sales tax"; "19 % VAT" in German, "VAT 19 %" in French. */
export function taxWords({ name, rate }: Pick<AppliedTax, 'name' | 'rate'>): string {
  return say`${rateWords(rate)} ${name}`
}

/** "8.875%" for a rate in millionths. */
export function rateWords(rate: number): string {
  return percentWords(Number(percentOf(rate)) / 100, 4)
}

/** "98.5%" for 0.985, "98,5 %" in German. Rounds to the given decimals. */
export function percentWords(share: number, decimals = 1): string {
  const words = share.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: decimals })
  // No-break spaces break searches and comparisons, like those of `formatMoney`.
  return words.replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** "Sales tax: 4% New York, 4.5% New York City". */
export function jurisdictionWords({ name, jurisdictions = [] }: AppliedTax): string {
  return `${name}: ${jurisdictions.map(taxWords).join(', ')}`
}

/** " + 19% VAT", " including 20% VAT"; '' without tax. Follows a price. */
export function withTaxWords(tax: AppliedTax | undefined): string {
  if (tax === undefined) return ''
  if (tax.isReverseCharge) return ` ${say`without ${tax.name} (reverse charge)`}`
  return tax.behavior === 'EXCLUSIVE' ? ` + ${taxWords(tax)}` : ` ${say`including ${taxWords(tax)}`}`
}

/** "14 days free"; '' without a trial. */
export function trialWords(days: number): string {
  if (days === 0) return ''
  return days === 1 ? say`1 day free` : say`${days} days free`
}

const PER = {
  DAY: () => say`per day`,
  WEEK: () => say`per week`,
  MONTH: () => say`per month`,
  YEAR: () => say`per year`,
} as const

const EVERY = {
  DAY: (n: number) => say`every ${n} days`,
  WEEK: (n: number) => say`every ${n} weeks`,
  MONTH: (n: number) => say`every ${n} months`,
  YEAR: (n: number) => say`every ${n} years`,
} as const

/** As merchants say it. */
const PER_SCOPE = {
  BUSINESS: () => say`per business`,
  STORE: () => say`per store`,
  DEVICE: () => say`per terminal`,
} as const

/** "12 March 2026" in the given time zone. */
export function dayWords(at: Date, timezone = 'UTC'): string {
  const words = format(at, timezone, { day: 'numeric', month: 'long', year: 'numeric' })
  // French writes the first day of a month as "1er mars", which `Intl` does not.
  return locale().startsWith('fr') ? words.replace(/^1\s/, '1er ') : words
}

/** "March 2026" for `2026-03`. */
export function monthWords(month: string): string {
  return format(new Date(`${month}-01`), 'UTC', { month: 'long', year: 'numeric' })
}

/** "12 March 2026 at 14:05". */
export function instantWords(at: Date, timezone = 'UTC'): string {
  const time = format(at, timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return say`${dayWords(at, timezone)} at ${time}`
}

/** "12 March 2026 at 14:05:09 UTC", comparable with logs. */
export function momentWords(at: Date): string {
  return say`${dayWords(at)} at ${at.toISOString().slice(11, 19)} UTC`
}

/** The text for people and the instant for programs. */
export function day(at: Date, timezone?: string): Html {
  return html`<time class="day" datetime="${at.toISOString()}">${dayWords(at, timezone)}</time>`
}

export function instant(at: Date, timezone?: string): Html {
  return html`<time datetime="${at.toISOString()}">${instantWords(at, timezone)}</time>`
}

export function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${momentWords(at)}</time>`
}

/** "12 Mar 2026, 14:05:09" in UTC, for a column that names the time zone. The title has the words of `moment`. */
export function shortMoment(at: Date): Html {
  const words = format(at, 'UTC', { day: 'numeric', month: 'short', year: 'numeric' })
  return html`<time datetime="${at.toISOString()}" title="${momentWords(at)}">${words}, ${at.toISOString().slice(11, 19)}</time>`
}

/** "14:05" in UTC. */
export function shortTime(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${at.toISOString().slice(11, 16)}</time>`
}

/** Cached, because creating a format costs some hundred times as much as using it. At most one per language, time zone and shape. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: Date, timezone: string, parts: Intl.DateTimeFormatOptions): string {
  const key = [locale(), timezone, ...Object.values(parts)].join(' ')
  let known = formats.get(key)
  if (known === undefined) {
    known = new Intl.DateTimeFormat(locale(), { ...parts, timeZone: timezone })
    formats.set(key, known)
  }
  return known.format(at)
}

/** "31 Jan" of a day or an instant in UTC: longer labels of a chart overlap. */
export function shortDay(at: Date | string): string {
  return SHORT_DAY.format(new Date(at))
}

const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The words with a capital first letter. */
export function capital(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
