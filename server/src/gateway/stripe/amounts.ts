import { CURRENCIES } from '../../core/money.ts'

/*
 * Stripe counts most currencies as ISO 4217 does. The exceptions: https://docs.stripe.com/currencies, "Zero-decimal
 * currencies", "Three-decimal currencies" and "Special cases" (read 2026-11).
 */

/** ISO counts whole units, Stripe hundredths that must be 00. */
const HUNDREDTHS_AT_STRIPE = new Set(['ISK', 'UGX'])
/** ISO counts hundredths, Stripe whole units. */
const WHOLE_AT_STRIPE = new Set(['MGA'])
/** Their last digit must be 0: "to ensure compatibility with Stripe's payments partners". */
const TENS_AT_STRIPE = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** An amount as Stripe counts it, or why it cannot take such a one. Never rounded: another amount would be another price. */
export function toStripe(amount: number, currency: string): number | { readonly refused: string } {
  if (HUNDREDTHS_AT_STRIPE.has(currency)) return amount * 100
  if (WHOLE_AT_STRIPE.has(currency)) return amount % 100 === 0 ? amount / 100 : NOT_REPRESENTABLE
  if (TENS_AT_STRIPE.has(currency)) return amount % 10 === 0 ? amount : NOT_REPRESENTABLE
  return (CURRENCIES.get(currency) ?? 2) > 2 ? { refused: 'currency_not_supported' } : amount
}

/** An amount that Stripe gave, in minor units of ISO 4217. `currency` as Stripe writes it: in lower case. */
export function fromStripe(amount: number, currency: string): number {
  const code = currency.toUpperCase()
  if (HUNDREDTHS_AT_STRIPE.has(code)) return amount / 100
  return WHOLE_AT_STRIPE.has(code) ? amount * 100 : amount
}

const NOT_REPRESENTABLE = { refused: 'amount_not_representable' } as const
