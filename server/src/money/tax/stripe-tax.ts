import Stripe from 'stripe'
import type { Jurisdiction } from '../../core/address-rate.ts'
import { addDays } from '../../core/calendar.ts'
import { once, openAccount, type StripeOptions, unknownReason } from '../gateway/stripe/client.ts'
import { fromStripe, toStripe } from '../gateway/stripe/money.ts'
import type { ProviderFailure, RateAnswer, TaxedSale, TaxProvider } from './provider.ts'

export interface StripeTaxOptions extends StripeOptions {
  /** Stripe's product tax code of the apps: `txcd_…`. Absent: the tax code in the account's tax settings. */
  readonly taxCode?: string
}

/** $100.00, so that the taxable share of the amount is exact to a hundredth of a percent. */
const ASKED_AMOUNT = 10_000
/** Stripe accepts tax dates up to 31 days in the past. */
const OLDEST_TAX_DATE_DAYS = 30

/**
 * Stripe Tax. The rate of an address is the sum over the jurisdictions of the rate in percent, times the taxable share
 * of the amount: some states tax only a part of a price. A jurisdiction in which the account has no registration has
 * the rate 0. Source: https://docs.stripe.com/tax/custom.
 */
export function createStripeTax(options: StripeTaxOptions): TaxProvider {
  const { api } = openAccount(options)
  const taxCode = options.taxCode && { tax_code: options.taxCode }
  return {
    name: 'Stripe Tax',
    async findRate(place, day) {
      const address = addressOf(place)
      if (address === null) return { kind: 'invalid-address' }
      // Noon UTC is in the same calendar day from UTC−12 to UTC+11.
      const taxDate = new Date(`${day}T12:00:00Z`)
      try {
        const calculation = await api.tax.calculations.create({
          currency: 'usd',
          line_items: [{ amount: ASKED_AMOUNT, reference: 'rate', ...taxCode }],
          ...{ customer_details: { address, address_source: 'billing' }, tax_date: seconds(taxDate) },
          expand: ['line_items.data.tax_breakdown'],
        })
        return rateOf(calculation)
      } catch (error) {
        return isUnlocated(error) ? { kind: 'invalid-address' } : { ...failureOf(error), kind: 'unavailable' }
      }
    },
    calculateSale: sale => orFailure(() => calculate(api, options, sale)),
    recordSale: ({ calculationId: calculation, reference, bookedAt }) =>
      orFailure(async () => {
        const posted = { posted_at: seconds(bookedAt) }
        const { id: providerId } = await once(`tax:${reference}`, idempotencyKey =>
          api.tax.transactions.createFromCalculation({ calculation, reference, ...posted }, { idempotencyKey }),
        )
        return { kind: 'recorded', providerId }
      }),
    recordReturn: ({ providerId: original_transaction, reference, amount, currency }) =>
      orFailure(async () => {
        const flat = toStripe(amount, currency)
        if (typeof flat !== 'number') return { kind: 'rejected', reason: flat.declined }
        const reversal = await once(`tax:${reference}`, idempotencyKey =>
          api.tax.transactions.createReversal(
            { mode: 'partial', original_transaction, reference, flat_amount: -flat, expand: ['line_items'] },
            { idempotencyKey },
          ),
        )
        const tax = reversal.line_items?.data.reduce((sum, line) => sum - line.amount_tax, 0) ?? 0
        return { kind: 'recorded', tax: fromStripe(tax, currency) }
      }),
  }
}

async function calculate(
  api: Stripe,
  { taxCode, clock }: Pick<StripeTaxOptions, 'taxCode' | 'clock'>,
  { amount, currency, issuedAt, ...place }: TaxedSale,
): ReturnType<TaxProvider['calculateSale']> {
  const address = addressOf(place)
  if (address === null) return { kind: 'rejected', reason: UNLOCATED }
  const sent = toStripe(amount, currency)
  if (typeof sent !== 'number') return { kind: 'rejected', reason: sent.declined }
  const oldest = addDays(clock.now(), -OLDEST_TAX_DATE_DAYS)
  const { id, tax_amount_inclusive: tax } = await api.tax.calculations.create({
    currency: currency.toLowerCase(),
    line_items: [
      { amount: sent, tax_behavior: 'inclusive', reference: 'subscription', ...(taxCode && { tax_code: taxCode }) },
    ],
    customer_details: { address, address_source: 'billing' },
    tax_date: seconds(issuedAt < oldest ? oldest : issuedAt),
  })
  if (id === null) return { kind: 'rejected', reason: 'calculation_without_id' }
  return { kind: 'calculated', calculationId: id, tax: fromStripe(tax, currency) }
}

/** The country of the business decides the tax. Returns null if the address is in another country. */
function addressOf({ country, address }: Pick<TaxedSale, 'country' | 'address'>) {
  const { countryCode = country, line1, line2, city, territory, postalCode } = address ?? {}
  if (countryCode !== country) return null
  return {
    country,
    ...(line1 && { line1 }),
    ...(line2 && { line2 }),
    ...(city && { city }),
    ...(territory && { state: territory }),
    ...(postalCode && { postal_code: postalCode }),
  }
}

function rateOf({ line_items: lines }: Stripe.Tax.Calculation): RateAnswer {
  const jurisdictions = (lines?.data[0]?.tax_breakdown ?? []).flatMap((part): Jurisdiction[] => {
    const percent = Number(part.tax_rate_details?.percentage_decimal ?? 0)
    const rate = Math.round((percent * 10_000 * part.taxable_amount) / ASKED_AMOUNT)
    return rate === 0 ? [] : [{ name: part.jurisdiction.display_name, rate }]
  })
  return { kind: 'found', rate: jurisdictions.reduce((sum, { rate }) => sum + rate, 0), jurisdictions }
}

async function orFailure<T>(work: () => Promise<T | ProviderFailure>): Promise<T | ProviderFailure> {
  try {
    return await work()
  } catch (error) {
    return failureOf(error)
  }
}

/** An error of the request is final, for example because Stripe Tax is not set up in the account or the reference exists. */
function failureOf(error: unknown): ProviderFailure {
  const reason = unknownReason(error)
  if (reason !== null) return { kind: 'unavailable', reason }
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  return { kind: 'rejected', reason: error.code ?? 'invalid_request' }
}

const UNLOCATED = 'customer_tax_location_invalid'

function isUnlocated(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === UNLOCATED
}

function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000)
}
