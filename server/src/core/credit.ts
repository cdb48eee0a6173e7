import { assert } from './assert.ts'
import { MAX_AMOUNT } from './money.ts'

/** The holder of a credit balance (decisions 6: "belongs to business + organization + currency"). */
export interface CreditHolder {
  readonly businessId: string
  readonly organizationId: string
  readonly currency: string
}

/**
 * GRANT: the unused share of a paid invoice. USE: credit applied to a new invoice. RETURN: credit of an invoice that
 * was closed unpaid. Each happens at most once per invoice. Minor units, above 0.
 */
export interface CreditMovement {
  readonly kind: 'GRANT' | 'USE' | 'RETURN'
  readonly invoiceId: string
  readonly amount: number
}

/** The effect of a movement on the balance. */
export function signed({ kind, amount }: CreditMovement): number {
  return kind === 'USE' ? -amount : amount
}

/** The value of an invoice: cash and credit paid, minus everything returned. Never below 0. Minor units. */
export function valueLeft(invoice: {
  readonly amountPaid: number
  readonly creditApplied: number
  readonly amountRefunded: number
  readonly amountChargedBack: number
  /** Refunds on their way. */
  readonly pendingRefunds: number
}): number {
  const gone = invoice.amountRefunded + invoice.amountChargedBack + invoice.pendingRefunds
  return Math.max(0, invoice.amountPaid + invoice.creditApplied - gone)
}

/**
 * The part of the granted credit that was also returned in cash, by refunds at the gateway or by the payer's bank.
 * Minor units.
 */
export function creditGivenTwice(
  granted: number,
  invoice: Omit<Parameters<typeof valueLeft>[0], 'pendingRefunds'>,
): number {
  return Math.max(0, granted - valueLeft({ ...invoice, pendingRefunds: 0 }))
}

const SECOND_MS = 1_000

/**
 * The unused share of a payment, to the second: value × seconds left ÷ seconds of the period. Rounded down, so that
 * no sequence of changes makes money. The product is a BigInt because it may exceed 2^53. Source: decisions 6, Change
 * now.
 */
export function unusedShare(value: number, period: { readonly start: Date; readonly end: Date }, at: Date): number {
  assert(Number.isSafeInteger(value) && value >= 0, `unusedShare: ${value} is not an amount`)
  const total = secondsBetween(period.start, period.end)
  assert(total > 0, 'unusedShare: a period is not empty')
  const left = Math.min(total, Math.max(0, secondsBetween(at, period.end)))
  return Number((BigInt(value) * BigInt(left)) / BigInt(total))
}

/** Billing instants are whole seconds (decisions 1). A started second counts as used. */
function secondsBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / SECOND_MS)
}

/**
 * The amounts that cards can pay, in minor units of ISO 4217, alike for every gateway. Source:
 * https://docs.stripe.com/currencies, "Minimum and maximum charge amounts", "Three-decimal currencies" and "Special
 * cases" (read 2026-11). Other large card gateways are not stricter.
 */

/** Card amounts are multiples of ten fils in dinars and rials, and of one whole ariary. */
const STEPS: ReadonlyMap<string, number> = new Map([...each(10, 'BHD JOD KWD OMR TND'), ...each(100, 'MGA')])

/**
 * The least charge. The first lines are published values. Any other currency requires the equivalent of 50 US cents,
 * so the rest are round amounts safely above it. A value that is too high only delays some credit by a period.
 * Currencies that no card gateway accepts are missing.
 */
const LEAST: ReadonlyMap<string, number> = new Map([
  ...each(30, 'GBP'),
  ...each(50, 'AUD BRL CAD CHF EUR INR JPY NZD SGD USD'),
  ...each(200, 'AED MYR PLN RON'),
  ...each(250, 'DKK'),
  ...each(300, 'NOK SEK'),
  ...each(400, 'HKD'),
  ...each(1_000, 'MXN THB'),
  ...each(1_500, 'CZK'),
  ...each(17_500, 'HUF'),

  ...each(50, 'BMD BND BSD FKP GIP KYD PAB SHP'),
  ...each(100, 'ISK VUV XPF'),
  ...each(200, 'AWG AZN BAM BBD BZD DJF FJD GEL TOP WST XCD XCG'),
  ...each(500, 'BHD BOB BYN CNY GTQ ILS JOD KMF KWD MOP OMR PEN PGK QAR SAR SBD TTD XAF XOF'),
  ...each(1_000, 'BWP CLP KRW MAD RWF SCR TJS'),
  ...each(2_000, 'GHS HNL LSL MDL MVR NAD SLE STN SZL TND ZAR'),
  ...each(5_000, 'BIF DOP EGP MKD MUR MZN NIO PHP PYG SRD TRY TWD UAH UGX UYU ZMW'),
  ...each(10_000, 'AFN ALL BDT BTN CVE DZD GMD GNF HTG KES KGS NPR RSD RUB'),
  ...each(20_000, 'ETB GYD JMD LKR LRD PKR VND'),
  ...each(50_000, 'AMD CRC KZT SOS YER'),
  ...each(100_000, 'AOA MWK NGN'),
  ...each(200_000, 'ARS CDF MMK TZS'),
  ...each(500_000, 'COP KHR MGA MNT'),
  ...each(2_000_000, 'IDR LAK UZS'),
  ...each(10_000_000, 'LBP'),
])

/** Card amounts in this currency are multiples of this step. */
export function stepOf(currency: string): number {
  return STEPS.get(currency) ?? 1
}

/**
 * The largest price of a plan. Decisions 4 allows more "where the currency's unit is small". A unit is small if the least
 * charge, about half a US dollar, is 1,000 minor units or more.
 */
export function mostOf(currency: string): number {
  return leastOf(currency) >= 1_000 ? MAX_AMOUNT : 99_999_999
}

/** The least amount that a card can pay. */
export function leastOf(currency: string): number {
  return LEAST.get(currency) ?? 1
}

/** Whether a card can pay this amount. */
export function isPayable(amount: number, currency: string): boolean {
  return amount >= leastOf(currency) && amount % stepOf(currency) === 0
}

/**
 * The credit to apply to a price: as much as possible, so that the rest is 0 or payable by card. A negative balance
 * applies none: the next grant fills it.
 */
export function usableCredit(credit: number, price: number, currency: string): number {
  if (credit >= price) return price
  const step = stepOf(currency)
  const least = Math.max(price - Math.max(0, credit), LEAST.get(currency) ?? 1)
  const charged = Math.ceil(least / step) * step
  return Math.max(0, price - charged)
}

function each(amount: number, codes: string): [string, number][] {
  return codes.split(' ').map(code => [code, amount])
}
