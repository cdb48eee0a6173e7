import { type AddressRate, addressRateOn, type Jurisdiction } from './address-rate.ts'
import { assert } from './assert.ts'
import { stepOf } from './credit.ts'
import { type Rejection, rejectField } from './rejection.ts'
import { isEuropean, prefixOf, type TaxIdStatus } from './tax-id.ts'

/** INCLUSIVE: the price contains the tax. EXCLUSIVE: the tax is added to the price. NONE: no tax from that date on. */
export const TAX_BEHAVIORS = ['INCLUSIVE', 'EXCLUSIVE', 'NONE'] as const
export type TaxBehavior = (typeof TAX_BEHAVIORS)[number]

/** The rates of a seller: OPERATOR uses the operator's table, OWN the organization's, NONE none. */
export const TAX_SOURCES = ['OPERATOR', 'OWN', 'NONE'] as const
export type TaxSource = (typeof TAX_SOURCES)[number]

/** The rate of a country from a day on, until the next day with a rate. */
export interface TaxRate {
  /** ISO 3166-1 alpha-2, of the buyer. */
  readonly country: string
  /** `YYYY-MM-DD`. The rate applies to invoices issued at or after 00:00 UTC on this date. */
  readonly validFrom: string
  readonly behavior: TaxBehavior
  /** On documents: "VAT", "GST", "Sales tax". */
  readonly name: string
  /** Millionths: 19 % is 190,000. */
  readonly rate: number
  /** The address of the buyer decides the rate, and `rate` applies to addresses without a rate. */
  readonly byAddress?: boolean
}

const PERCENT = 10_000
const WHOLE = 100 * PERCENT

/** The facts that decide the tax of an invoice. */
export interface TaxTerms {
  /** The rates of the seller's and the buyer's country, or of more countries. */
  readonly rates: readonly TaxRate[]
  readonly seller: { readonly country?: string; readonly taxId?: string }
  readonly buyer: {
    readonly country: string
    readonly taxId?: string
    readonly taxIdStatus?: TaxIdStatus
    /** Oldest first. Absent or empty: the provider has no rate for the buyer's address. */
    readonly addressRates?: readonly AddressRate[]
  }
}

/** The tax that applies to an invoice. */
export interface AppliedTax {
  readonly name: string
  readonly behavior: 'INCLUSIVE' | 'EXCLUSIVE'
  /** Millionths. 0 with a reverse charge. */
  readonly rate: number
  readonly isReverseCharge: boolean
  /** ADDRESS: the rate of the buyer's address. FALLBACK: the address had no rate. Absent: a rate of the country. */
  readonly rateSource?: 'ADDRESS' | 'FALLBACK'
  /** The parts of the rate of an address. */
  readonly jurisdictions?: readonly Jurisdiction[]
}

/** The tax of an invoice at issue. Minor units: net + tax = gross. */
export interface InvoiceTax extends AppliedTax {
  readonly net: number
  readonly tax: number
  readonly gross: number
  readonly sellerTaxId?: string
  readonly buyerTaxId?: string
}

/**
 * The tax that applies at an instant, or null. The buyer's country decides the rate, and the instant of issue decides
 * the date. Source: decisions 6, Tax.
 */
export function taxAt({ rates, seller, buyer }: TaxTerms, at: Date): AppliedTax | null {
  const day = at.toISOString().slice(0, 10)
  const own = rateOn(rates, buyer.country, day)
  const home = seller.country === undefined ? undefined : rateOn(rates, seller.country, day)
  if (home !== undefined && isReverseCharged(seller, buyer)) {
    const { name, behavior } = own ?? home
    return { name, behavior, rate: 0, isReverseCharge: true }
  }
  if (own === undefined) return null
  const { byAddress, ...applied } = own
  return { ...applied, ...(byAddress && rateOfAddress(buyer.addressRates, day, own)), isReverseCharge: false }
}

/** The rate of the buyer's address. The rate of the table applies to an address without a rate. */
function rateOfAddress(rates: readonly AddressRate[] = [], day: string, { rate: fallback }: { readonly rate: number }) {
  const found = addressRateOn(rates, day)
  if (found === undefined) return { rate: fallback, rateSource: 'FALLBACK' } as const
  const { rate, jurisdictions } = found
  return { rate, rateSource: 'ADDRESS', ...(jurisdictions.length > 0 && { jurisdictions }) } as const
}

/**
 * Directive 2006/112/EC, articles 44 and 196: a service to a business in another member state is taxed there, and the
 * buyer owes the tax. A tax id that no service has rejected identifies the business.
 */
function isReverseCharged(seller: TaxTerms['seller'], buyer: TaxTerms['buyer']): boolean {
  const prefix = prefixOf(buyer.country)
  return (
    seller.country !== undefined &&
    seller.country !== buyer.country &&
    isEuropean(seller.country) &&
    isEuropean(buyer.country) &&
    prefix !== undefined &&
    buyer.taxId?.startsWith(prefix) === true &&
    buyer.taxIdStatus !== 'INVALID'
  )
}

function rateOn(rates: readonly TaxRate[], country: string, day: string) {
  const latest = rates
    .filter(rate => rate.country === country && rate.validFrom <= day)
    .reduce<TaxRate | undefined>((last, rate) => (last && last.validFrom > rate.validFrom ? last : rate), undefined)
  if (latest === undefined || latest.behavior === 'NONE') return undefined
  const { name, behavior, rate, byAddress = false } = latest
  return { name, behavior, rate, byAddress }
}

/**
 * Splits a price. The tax is rounded once per invoice, half up, to the minor unit, and the other amount is the
 * difference. A tax that is added is a multiple of the currency's card step, so that a card can pay the sum. Minor
 * units. Source: docs/decisions/0019-tax.md.
 */
export function splitPrice(
  price: number,
  { behavior, rate }: Pick<AppliedTax, 'behavior' | 'rate'>,
  currency: string,
): { readonly net: number; readonly tax: number; readonly gross: number } {
  if (behavior === 'INCLUSIVE') {
    const tax = divideHalfUp(BigInt(price) * BigInt(rate), BigInt(WHOLE + rate))
    return { net: price - tax, tax, gross: price }
  }
  const step = stepOf(currency)
  const tax = step * divideHalfUp(BigInt(price) * BigInt(rate), BigInt(WHOLE * step))
  return { net: price, tax, gross: price + tax }
}

/**
 * The tax in a part of an invoice's gross. The tax of the next part is the tax of all parts so far, less the tax of the
 * parts before, so that all parts together have exactly the tax of the invoice. Minor units.
 */
export function taxOfPart(part: number, { tax, gross }: { readonly tax: number; readonly gross: number }): number {
  if (tax === 0) return 0
  const within = Math.min(gross, Math.max(0, part))
  return divideHalfUp(BigInt(tax) * BigInt(within), BigInt(gross))
}

/** Both at least 0, the divisor above 0. */
function divideHalfUp(dividend: bigint, divisor: bigint): number {
  assert(dividend >= 0n && divisor > 0n, 'amounts and rates are not negative')
  return Number((2n * dividend + divisor) / (2n * divisor))
}

/** "19", "8.875": the rate in percent without trailing zeros. */
export function percentOf(rate: number): string {
  return String(rate / PERCENT)
}

/** A rate that a person typed in percent: "19", "8,875". Null: no rate from 0 to 100 with at most four decimals. */
export function rateOfPercent(text: string): number | null {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?$/.exec(text.trim()) ?? []
  const rate = whole === '' ? Number.NaN : Number(whole) * PERCENT + Number(decimals.padEnd(4, '0'))
  return rate <= WHOLE ? rate : null
}

/** Returns null if the date exists. */
export function rejectValidFrom(validFrom: string): Rejection | null {
  const at = new Date(`${validFrom}T00:00:00Z`)
  const exists = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(validFrom)
  return exists ? null : rejectField('validFrom', 'must be a date, YYYY-MM-DD')
}
