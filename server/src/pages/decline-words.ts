import { type Html, html } from '../platform/web/html.ts'

/** From the sentence to the codes of Stripe (https://docs.stripe.com/declines/codes, failed refunds), of the sandbox and of Tillhook. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  'There was not enough money on the account.': ['insufficient_funds'],
  'The card has expired.': ['expired_card'],
  'The card has expired or was cancelled.': ['expired_or_canceled_card'],
  'The card is reported lost.': ['lost_card'],
  'The card is reported stolen.': ['stolen_card'],
  'The card is reported lost or stolen.': ['lost_or_stolen_card', 'pickup_card'],
  'The bank has restricted the card.': ['restricted_card', 'bank_account_restricted'],
  'The payment looks like fraud.': ['fraudulent', 'security_violation'],
  'The card is on your block list at the gateway.': ['merchant_blacklist'],
  'The number of the card or account is wrong.': [
    'incorrect_number',
    'invalid_number',
    'invalid_account',
    'no_account',
  ],
  'The expiry date of the card is wrong.': ['invalid_expiry_month', 'invalid_expiry_year'],
  'The security code of the card is wrong.': ['incorrect_cvc', 'invalid_cvc'],
  'The address of the payer does not match.': ['incorrect_address', 'incorrect_zip'],
  'The card cannot make this kind of payment.': [
    ...['card_not_supported', 'transaction_not_allowed', 'service_not_allowed', 'not_permitted'],
    ...['invalid_amount', 'testmode_decline', 'live_mode_test_card'],
  ],
  'The card does not support the currency.': ['currency_not_supported'],
  'The limit of the card is reached.': ['card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
  'The bank asks the payer to confirm the payment.': ['authentication_required', 'offline_pin_required'],
  'The payer did not confirm the payment at the bank.': ['payment_intent_authentication_failure'],
  'The payer forbids further charges.': [
    ...['do_not_try_again', 'stop_payment_order', 'debit_not_authorized'],
    ...['revocation_of_authorization', 'revocation_of_all_authorizations'],
  ],
  'The account is closed.': ['account_closed'],
  'The payer has a new card or account.': ['new_account_information_available'],
  'The bank sees a duplicate of an earlier payment.': ['duplicate_transaction'],
  'The bank could not process the payment. A later attempt may succeed.': [
    ...['processing_error', 'issuer_not_available', 'reenter_transaction', 'try_again_later', 'approve_with_id'],
  ],
  'The merchant has no payment method.': ['no_payment_method'],
  'The payment method belongs to another gateway.': ['other_gateway', 'gateway_not_for_business'],
  'The payment was cancelled at the gateway.': ['canceled_at_gateway', 'canceled', 'merchant_request'],
  'The payer’s bank disputes the payment.': ['charge_for_pending_refund_disputed'],
  'The charge of the invoice did not succeed.': ['charge_not_succeeded'],
  'The bank declined the refund.': ['refund_declined'],
}

const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES).flatMap(([sentence, codes]) => codes.map(code => [code, sentence] as const)),
)

/** Why a charge or a refund failed, for operators and developers. Other codes say only that the bank declined. */
export function declineReason(code: string): Html {
  return html`${SENTENCES.get(code) ?? 'The bank declined and gave no details.'} <code>${code}</code>`
}
