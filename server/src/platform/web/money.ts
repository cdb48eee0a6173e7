import { formatMoney } from '../../core/money.ts'

export interface Recurring {
  /** In minor units. */
  readonly amount: number
  readonly currency: string
  readonly interval: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  readonly scope: 'BUSINESS' | 'STORE' | 'DEVICE'
}

/** "$5.00", "¥500", "−$2.74" with a minus that is as wide as a figure. */
export function moneyWords({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return formatMoney(amount, currency).replace('-', '−')
}

/** "$5.00 per month, per business"; "Free". */
export function priceWords(recurring: Recurring): string {
  return recurring.amount === 0 ? 'Free' : `${moneyWords(recurring)} ${perWords(recurring)}`
}

/** "per month, per business". */
export function perWords({ interval, scope }: Pick<Recurring, 'interval' | 'scope'>): string {
  return `per ${interval.toLowerCase()}, per ${SCOPES[scope]}`
}

/** "14 days free"; '' without a trial. */
export function trialWords(days: number): string {
  if (days === 0) return ''
  return `${days} ${days === 1 ? 'day' : 'days'} free`
}

/** As merchants say it. */
const SCOPES = { BUSINESS: 'business', STORE: 'store', DEVICE: 'terminal' } as const
