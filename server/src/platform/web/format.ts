import type { Recurrence } from '../../core/calendar.ts'
import { formatMoney } from '../../core/money.ts'
import { type AppliedTax, percentOf } from '../../core/tax.ts'
import { type Html, html } from './html.ts'

export interface Recurring extends Recurrence {
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly scope: 'BUSINESS' | 'STORE' | 'DEVICE'
}

/** "$5.00", "¥500", "−$2.74" with a figure-width minus. */
export function moneyWords({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return formatMoney(amount, currency).replace('-', '−')
}

/** "$5.00 per month, per business", "$5.00 + 19 % VAT per month, per business"; "Free". */
export function priceWords({ tax, ...recurring }: Recurring & { readonly tax?: AppliedTax }): string {
  return recurring.amount === 0 ? 'Free' : `${moneyWords(recurring)}${withTaxWords(tax)} ${perWords(recurring)}`
}

/** "per month, per business". */
export function perWords({ scope, ...recurrence }: Omit<Recurring, 'amount' | 'currency'>): string {
  return `${everyWords(recurrence)}, per ${SCOPES[scope]}`
}

/** "per month", "every 3 months". */
export function everyWords({ interval, intervalCount }: Recurrence): string {
  const unit = interval.toLowerCase()
  return intervalCount === 1 ? `per ${unit}` : `every ${intervalCount} ${unit}s`
}

/** "19 % VAT". */
export function taxWords({ name, rate }: Pick<AppliedTax, 'name' | 'rate'>): string {
  return `${percentOf(rate)} % ${name}`
}

/** " + 19 % VAT", " including 20 % VAT"; '' without tax. Follows a price. */
export function withTaxWords(tax: AppliedTax | undefined): string {
  if (tax === undefined) return ''
  if (tax.isReverseCharge) return ` without ${tax.name} (reverse charge)`
  return tax.behavior === 'EXCLUSIVE' ? ` + ${taxWords(tax)}` : ` including ${taxWords(tax)}`
}

/** "14 days free"; '' without a trial. */
export function trialWords(days: number): string {
  if (days === 0) return ''
  return `${days} ${days === 1 ? 'day' : 'days'} free`
}

/** As merchants say it. */
const SCOPES = { BUSINESS: 'business', STORE: 'store', DEVICE: 'terminal' } as const

/** "12 March 2026" in the given time zone. */
export function dayWords(at: Date, timezone = 'UTC'): string {
  return format(at, timezone, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** "12 March 2026 at 14:05". */
export function instantWords(at: Date, timezone = 'UTC'): string {
  const time = format(at, timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${dayWords(at, timezone)} at ${time}`
}

/** "12 March 2026 at 14:05:09 UTC", comparable with logs. */
export function momentWords(at: Date): string {
  return `${dayWords(at)} at ${at.toISOString().slice(11, 19)} UTC`
}

/** The text for people and the instant for programs. */
export function day(at: Date, timezone?: string): Html {
  return html`<time datetime="${at.toISOString()}">${dayWords(at, timezone)}</time>`
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

function format(at: Date, timezone: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: timezone }).format(at)
}
