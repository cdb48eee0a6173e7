import Stripe from 'stripe'
import { assert } from '../../core/assert.ts'
import type { ChargeObjectId, ChargeOutcome, ConfirmCharge, CreateCharge, GatewayRefusal } from '../gateway.ts'
import { toStripe } from './amounts.ts'
import type { StripeAccount } from './client.ts'
import { customerOf } from './customers.ts'
import { declined } from './declines.ts'
import { findConfirmation } from './find.ts'
import { outcomeOf } from './outcome.ts'

/** What is wrong with an amount, and would be with the next try. */
const REFUSED_AMOUNTS = new Set([
  'amount_too_small',
  'amount_too_large',
  'invalid_charge_amount',
  'currency_not_supported',
])

/** One PaymentIntent an invoice. It names the invoice, so that it is found again by whoever looks at it. */
export async function create(
  account: StripeAccount,
  { key, amount, currency, metadata }: CreateCharge,
): Promise<ChargeObjectId | GatewayRefusal> {
  const counted = toStripe(amount, currency)
  if (typeof counted !== 'number') return counted
  const customer = await customerOf(account, metadata.businessId)
  try {
    const intent = await account.api.paymentIntents.create(
      {
        amount: counted,
        currency: currency.toLowerCase(),
        customer,
        allowed_payment_method_types: ['card'],
        metadata: { ...metadata, key },
      },
      { idempotencyKey: `charge:${key}` },
    )
    return { gatewayChargeId: intent.id }
  } catch (error) {
    const isInvalid = error instanceof Stripe.errors.StripeInvalidRequestError
    if (isInvalid && (REFUSED_AMOUNTS.has(error.code ?? '') || error.param === 'currency')) {
      return { refused: error.code ?? 'currency_not_supported' }
    }
    throw error
  }
}

/**
 * One try. The intent is marked with the try first: Stripe copies its metadata to the charge that a confirmation makes,
 * by which the try is found again when its answer was lost.
 */
export async function confirm(account: StripeAccount, request: ConfirmCharge): Promise<ChargeOutcome> {
  const { gatewayChargeId, key, reference } = request
  const mark = { metadata: { try: key } }
  await account.api.paymentIntents.update(gatewayChargeId, mark, { idempotencyKey: `mark:${key}` })
  try {
    const params = { payment_method: reference, off_session: true }
    const intent = await account.api.paymentIntents.confirm(gatewayChargeId, params, { idempotencyKey: `try:${key}` })
    return outcomeOf(intent, account)
  } catch (error) {
    return await outcomeOfError(account, request, error)
  }
}

async function outcomeOfError(account: StripeAccount, request: ConfirmCharge, error: unknown): Promise<ChargeOutcome> {
  if (error instanceof Stripe.errors.StripeCardError) {
    if (error.code === 'authentication_required') return await askForAuthentication(account, request)
    return declined({ code: error.code, declineCode: error.decline_code, adviceCode: error.advice_code })
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409) {
    // This try was made before, with another payment method: what became of it stands.
    const seen = await findConfirmation(account, request)
    assert(seen, 'a try that Stripe knows is found')
    return seen
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    // Paid, cancelled or under way already: its state is the answer.
    if (error.code === 'payment_intent_unexpected_state') {
      const { gatewayChargeId } = request
      return outcomeOf(error.payment_intent ?? (await account.api.paymentIntents.retrieve(gatewayChargeId)), account)
    }
    // The method was removed there, or can no longer be used. The intent itself is ours, and is there.
    if (error.param === 'payment_method' || error.code?.startsWith('payment_method_')) {
      return { kind: 'declined', severity: 'hard', code: error.code ?? 'payment_method_gone' }
    }
  }
  throw error
}

/** Off session the bank's question is a decline. Asked again with a way back for the payer, it is a page to go to. */
async function askForAuthentication(
  account: StripeAccount,
  { gatewayChargeId, key, reference }: ConfirmCharge,
): Promise<ChargeOutcome> {
  const { api, returnUrl } = account
  try {
    const params = { payment_method: reference, return_url: returnUrl }
    return outcomeOf(
      await api.paymentIntents.confirm(gatewayChargeId, params, { idempotencyKey: `action:${key}` }),
      account,
    )
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return declined({ code: error.code, declineCode: error.decline_code, adviceCode: error.advice_code })
  }
}
