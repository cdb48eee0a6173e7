import Stripe from 'stripe'
import type { Jurisdiction } from '../../core/address-rate.ts'
import { openAccount, type StripeOptions, unknownReason } from '../gateway/stripe/client.ts'
import type { RateAnswer, TaxProvider } from './provider.ts'

export interface StripeTaxOptions extends StripeOptions {
  /** Category of the sold product: `txcd_…`. Absent: the category in the account's tax settings. */
  readonly taxCode?: string
}

/** $100.00: the shares of an amount that are taxable are exact to a hundredth of a percent. */
const ASKED_AMOUNT = 10_000

/**
 * Stripe Tax. The rate of an address is the sum over the jurisdictions of the rate in percent, times the taxable share
 * of the amount: some states tax only a part of a price. A jurisdiction in which the account has no registration has
 * the rate 0. Source: https://docs.stripe.com/tax/custom.
 */
export function createStripeTax(options: StripeTaxOptions): TaxProvider {
  const { api } = openAccount(options)
  const { taxCode } = options
  return {
    name: 'Stripe Tax',
    async findRate({ country, address }, day) {
      // The country of the business decides the tax. An address in another country says nothing about the rate.
      const { countryCode = country, line1, line2, city, territory, postalCode } = address ?? {}
      if (countryCode !== country) return { kind: 'invalid-address' }
      const calculation = () =>
        api.tax.calculations.create({
          currency: 'usd',
          line_items: [{ amount: ASKED_AMOUNT, reference: 'rate', ...(taxCode && { tax_code: taxCode }) }],
          customer_details: {
            address: {
              country,
              ...(line1 && { line1 }),
              ...(line2 && { line2 }),
              ...(city && { city }),
              ...(territory && { state: territory }),
              ...(postalCode && { postal_code: postalCode }),
            },
            address_source: 'billing',
          },
          // Noon UTC is in the same calendar day from UTC−12 to UTC+11.
          tax_date: Date.parse(`${day}T12:00:00Z`) / 1_000,
          expand: ['line_items.data.tax_breakdown'],
        })
      try {
        return rateOf(await calculation())
      } catch (error) {
        return failureOf(error)
      }
    },
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

function failureOf(error: unknown): RateAnswer {
  const reason = unknownReason(error)
  if (reason !== null) return { kind: 'unavailable', reason }
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  if (error.code === 'customer_tax_location_invalid') return { kind: 'invalid-address' }
  // Such as Stripe Tax that is not set up in the account.
  return { kind: 'unavailable', reason: error.code ?? 'invalid_request' }
}
