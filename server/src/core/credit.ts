import { assert } from './assert.ts'

/** Whose credit it is (decisions 6: "belongs to business + organization + currency"). */
export interface CreditHolder {
  readonly businessId: string
  readonly organizationId: string
  readonly currency: string
}

/**
 * GRANT: the unused share of a paid invoice. USE: taken off an invoice as it is issued. RETURN: given back by an invoice that was
 * closed unpaid. Each at most once for an invoice, whose id is given. Minor units, above 0.
 */
export interface CreditMovement {
  readonly kind: 'GRANT' | 'USE' | 'RETURN'
  readonly invoiceId: string
  readonly amount: number
}

/** What a movement does to the balance. */
export function signed({ kind, amount }: CreditMovement): number {
  return kind === 'USE' ? -amount : amount
}

/** What an invoice was paid with and has not given back: what a change of plan shares out. Never below 0. Minor units. */
export function valueLeft(invoice: {
  readonly amountPaid: number
  readonly creditApplied: number
  readonly amountRefunded: number
  readonly amountChargedBack: number
  /** On their way. */
  readonly pendingRefunds: number
}): number {
  const gone = invoice.amountRefunded + invoice.amountChargedBack + invoice.pendingRefunds
  return Math.max(0, invoice.amountPaid + invoice.creditApplied - gone)
}

/**
 * How much of the credit that an invoice granted is given twice: once as credit, and once in cash by refunds made at the gateway, or
 * by the payer's bank, which nobody could refuse. Minor units.
 */
export function creditGivenTwice(
  granted: number,
  invoice: Omit<Parameters<typeof valueLeft>[0], 'pendingRefunds'>,
): number {
  return Math.max(0, granted - valueLeft({ ...invoice, pendingRefunds: 0 }))
}

const SECOND_MS = 1_000

/**
 * The unused share, to the second, of what a period was paid with: value × seconds left ÷ seconds of the period. Minor units.
 * Rounded down, always: a credit is never above what was paid, so that no change, nor any row of changes, makes money; the
 * fraction of one minor unit that is lost stays with the organization. Integers only; the product is taken as a BigInt,
 * since a large amount over a year may pass 2^53. Before the period nothing is used, after it everything is.
 * Source: decisions 6, Change now.
 */
export function unusedShare(value: number, period: { readonly start: Date; readonly end: Date }, at: Date): number {
  assert(Number.isSafeInteger(value) && value >= 0, `unusedShare: ${value} is no amount`)
  const total = secondsBetween(period.start, period.end)
  assert(total > 0, 'unusedShare: a period is not empty')
  const left = Math.min(total, Math.max(0, secondsBetween(at, period.end)))
  return Number((BigInt(value) * BigInt(left)) / BigInt(total))
}

/** Instants that bill are whole seconds (decisions 1); of any other, the second that has begun counts as used. */
function secondsBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / SECOND_MS)
}

/*
 * What can be paid by card, in minor units of ISO 4217. The same for every gateway, so that a price is paid in the same parts wherever
 * it is paid. Source: https://docs.stripe.com/currencies, "Minimum and maximum charge amounts", "Three-decimal currencies" and
 * "Special cases" (read 2026-11); other large card gateways have no stricter ones.
 */

/** Card networks' partners take dinars and rials by tens of fils, and ariary whole. */
const STEPS: ReadonlyMap<string, number> = new Map([...each(10, 'BHD JOD KWD OMR TND'), ...each(100, 'MGA')])

/**
 * The least charge. The first lines are as published; a charge in any other currency must be worth as much as 50 US cents (or the
 * least of the currency that it is paid out in), so the others are some amount of the next round kind that surely is. Being too high
 * there does no harm: some credit is used a period later. Currencies that no card gateway takes are left out.
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

/** What every amount of this currency that is moved by card is a multiple of. */
export function stepOf(currency: string): number {
  return STEPS.get(currency) ?? 1
}

/** Whether a card can be charged this amount. */
export function isPayable(amount: number, currency: string): boolean {
  return amount >= (LEAST.get(currency) ?? 1) && amount % stepOf(currency) === 0
}

/**
 * How much of the credit is taken off a price: as much as can be, so that what is left to pay is nothing, or can be paid by card. Never
 * above either. Below 0 while credit that was given twice is still to be taken back: none is used then, as it is taken off the next
 * that is granted, never by a charge.
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
