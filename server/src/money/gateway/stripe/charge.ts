import Stripe from 'stripe'
import type {
  CancelledObject,
  ChargeObjectId,
  ChargeOutcome,
  ConfirmCharge,
  CreateCharge,
  GatewayRefusal,
  Timed,
} from '../gateway.ts'
import { toStripe } from './amounts.ts'
import { cancelIntent } from './cancel.ts'
import { type StripeAccount, within } from './client.ts'
import { customerOf, findCustomer, isCustomerMissing } from './customers.ts'
import { declined } from './declines.ts'
import { findCharge, findConfirmation } from './find.ts'
import { once } from './once.ts'
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
  { key, amount, currency, metadata, ...timed }: CreateCharge & Timed,
): Promise<ChargeObjectId | GatewayRefusal> {
  const counted = toStripe(amount, currency)
  if (typeof counted !== 'number') return counted
  const { businessId } = metadata
  const customer = await customerOf(account, businessId, timed)
  const make = async (idempotencyKey: string) => {
    const intent = await account.api.paymentIntents.create(
      {
        amount: counted,
        currency: currency.toLowerCase(),
        customer,
        allowed_payment_method_types: ['card'],
        metadata: { ...metadata, key },
      },
      { ...within(account, timed), idempotencyKey },
    )
    return { gatewayChargeId: intent.id }
  }
  try {
    return await once(`charge:${customer}:${key}`, make, () => findCharge(account, { key, businessId, ...timed }))
  } catch (error) {
    // Deleted at Stripe, and all of its cards with it: a new card makes another customer.
    if (isCustomerMissing(error)) return { refused: 'customer_missing' }
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
export async function confirm(
  account: StripeAccount,
  request: ConfirmCharge & Timed,
): Promise<ChargeOutcome | CancelledObject> {
  const { gatewayChargeId, key, reference } = request
  // A try that found its intent cancelled is made with another one.
  const id = `${gatewayChargeId}:${key}`
  try {
    await mark(account, request, { try: key }, `mark:${id}`)
    const params = { payment_method: reference, off_session: true }
    return await confirmOnce(account, request, params, `try:${id}`)
  } catch (error) {
    return await outcomeOfError(account, request, error)
  }
}

async function mark(
  account: StripeAccount,
  { gatewayChargeId, ...timed }: { gatewayChargeId: string } & Timed,
  metadata: Record<string, string>,
  key: string,
): Promise<void> {
  await once(key, idempotencyKey =>
    account.api.paymentIntents.update(gatewayChargeId, { metadata }, { ...within(account, timed), idempotencyKey }),
  )
}

async function confirmOnce(
  account: StripeAccount,
  request: ConfirmCharge & Timed,
  params: Stripe.PaymentIntentConfirmParams,
  key: string,
): Promise<ChargeOutcome> {
  const { paymentIntents } = account.api
  const send = async (idempotencyKey: string) => {
    const options = { ...within(account, request), idempotencyKey }
    return outcomeOf(await paymentIntents.confirm(request.gatewayChargeId, params, options), account)
  }
  return await once(key, send, () => findConfirmation(account, request))
}

async function outcomeOfError(
  account: StripeAccount,
  request: ConfirmCharge & Timed,
  error: unknown,
): Promise<ChargeOutcome | CancelledObject> {
  if (error instanceof Stripe.errors.StripeCardError) {
    if (error.code === 'authentication_required') return await askForAuthentication(account, request)
    return declined({ code: error.code, declineCode: error.decline_code, adviceCode: error.advice_code })
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409) {
    // This try was made before, with another payment method: what became of it stands.
    return (await findConfirmation(account, request)) ?? (await askForAuthentication(account, request))
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    // Paid, cancelled or under way already: its state is the answer.
    if (error.code === 'payment_intent_unexpected_state') {
      // Read, not taken from the error: that may be one that Stripe has kept, and say "processing" of what is long paid.
      const { paymentIntents } = account.api
      const intent = await paymentIntents.retrieve(request.gatewayChargeId, {}, within(account, request))
      return standingOf(account, intent)
    }
    // The method was removed there, or can no longer be used. The intent itself is ours, and is there.
    if (error.param === 'payment_method' || error.code?.startsWith('payment_method_')) {
      if (await isOfGoneCustomer(account, request)) return await giveWay(account, request)
      return { kind: 'declined', severity: 'hard', code: error.code ?? 'payment_method_gone' }
    }
  }
  throw error
}

/** An intent keeps its customer, and takes no card of the one that took its place. */
async function isOfGoneCustomer(account: StripeAccount, request: ConfirmCharge & Timed): Promise<boolean> {
  const { customer, metadata } = await account.api.paymentIntents.retrieve(
    request.gatewayChargeId,
    {},
    within(account, request),
  )
  return customer !== (await findCustomer(account, metadata.businessId ?? ''))
}

/** It makes room for another one. What was done to it meanwhile stands. */
async function giveWay(
  account: StripeAccount,
  { gatewayChargeId, ...timed }: ConfirmCharge & Timed,
): Promise<ChargeOutcome | CancelledObject> {
  return standingOf(account, await cancelIntent(account, gatewayChargeId, timed))
}

function standingOf(account: StripeAccount, intent: Stripe.PaymentIntent): ChargeOutcome | CancelledObject {
  if (intent.status === 'canceled') return { kind: 'cancelled' }
  // What stood in the way is over, and what is told of there is another try's end: this one was not made, and is sent again.
  if (intent.status === 'requires_payment_method') return { kind: 'unknown', reason: 'payment_intent_unexpected_state' }
  return outcomeOf(intent, account)
}

/**
 * Off session the bank's question is a decline. Asked again with a way back for the payer, it is a page to go to. The intent names
 * who asked before it is asked: no charge comes of a question, so that nothing else would tell whose it is.
 */
async function askForAuthentication(account: StripeAccount, request: ConfirmCharge & Timed): Promise<ChargeOutcome> {
  const { gatewayChargeId, key, reference } = request
  const id = `${gatewayChargeId}:${key}`
  await mark(account, request, { asked: key }, `asked:${id}`)
  try {
    const params = { payment_method: reference, return_url: account.returnUrl }
    return await confirmOnce(account, request, params, `action:${id}`)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return declined({ code: error.code, declineCode: error.decline_code, adviceCode: error.advice_code })
  }
}
