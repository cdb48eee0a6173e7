import type { ChargeOutcome } from '../gateway.ts'

/** What Stripe says of a decline, in an error, in a charge's outcome or in an intent's last error. */
export interface Decline {
  readonly code?: string | null | undefined
  readonly declineCode?: string | null | undefined
  readonly adviceCode?: string | null | undefined
}

/**
 * No later try with this payment method can succeed, or one must not be made: stolen or closed (decisions 6), or the
 * issuer or card network forbids it. Source: https://docs.stripe.com/declines/codes, column "Next steps". All others are
 * soft: the schedule of tries is short and ends by itself, while a card given up too early is a customer lost.
 */
const HARD = new Set([
  ...['lost_card', 'stolen_card', 'pickup_card', 'restricted_card', 'fraudulent', 'merchant_blacklist'],
  ...['expired_card', 'invalid_account', 'incorrect_number', 'invalid_number'],
  ...['invalid_expiry_month', 'invalid_expiry_year', 'new_account_information_available'],
  ...['card_not_supported', 'currency_not_supported', 'transaction_not_allowed'],
  ...['do_not_try_again', 'revocation_of_authorization', 'revocation_of_all_authorizations', 'stop_payment_order'],
  ...['account_closed', 'bank_account_restricted', 'debit_not_authorized', 'no_account', 'testmode_decline'],
])

export function declined({ code, declineCode, adviceCode }: Decline): Extract<ChargeOutcome, { kind: 'declined' }> {
  const reason = declineCode || code || 'declined'
  // https://docs.stripe.com/declines/card#retrying-issuer-declines: the issuer's own advice stands above our table.
  const isHard = adviceCode === 'do_not_try_again' || HARD.has(reason) || HARD.has(code ?? '')
  return { kind: 'declined', severity: isHard ? 'hard' : 'soft', code: reason }
}
