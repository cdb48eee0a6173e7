import { stepOf } from '../../../core/credit.ts'
import { CURRENCIES } from '../../../core/money.ts'

/*
 * Stripe counts most currencies as ISO 4217 does. The exceptions: https://docs.stripe.com/currencies, "Zero-decimal
 * currencies", "Three-decimal currencies" and "Special cases" (read 2026-11).
 */

/** ISO counts whole units, Stripe hundredths that must be 00. */
const HUNDREDTHS_AT_STRIPE = new Set(['ISK', 'UGX'])
/** ISO counts hundredths, Stripe whole units. */
const WHOLE_AT_STRIPE = new Set(['MGA'])
/** An amount as Stripe counts it, or why it cannot take such a one. Never rounded: another amount would be another price. */
export function toStripe(amount: number, currency: string): number | { readonly refused: string } {
  if (amount % stepOf(currency) !== 0) return { refused: 'amount_not_representable' }
  if (HUNDREDTHS_AT_STRIPE.has(currency)) return amount * 100
  if (WHOLE_AT_STRIPE.has(currency)) return amount / 100
  // Of three decimals it takes those in which the last is always 0.
  const isTaken = (CURRENCIES.get(currency) ?? 2) <= 2 || stepOf(currency) > 1
  return isTaken ? amount : { refused: 'currency_not_supported' }
}

/** An amount that Stripe gave, in minor units of ISO 4217. `currency` as Stripe writes it: in lower case. */
export function fromStripe(amount: number, currency: string): number {
  const code = currency.toUpperCase()
  if (HUNDREDTHS_AT_STRIPE.has(code)) return amount / 100
  return WHOLE_AT_STRIPE.has(code) ? amount * 100 : amount
}
