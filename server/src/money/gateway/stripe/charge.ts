import Stripe from 'stripe'
import type {
  CancelledObject,
  ChargeObjectId,
  ChargeOutcome,
  ConfirmCharge,
  CreateCharge,
  GatewayDecline,
  Timed,
} from '../gateway.ts'
import { everyOf, once, orMissing, type StripeAccount, within } from './client.ts'
import { toStripe } from './money.ts'
import { customerOf, findCustomer, isCustomerMissing } from './payment-methods.ts'

/** Errors that every attempt with this amount would get. */
const DECLINED_AMOUNTS = new Set([
  'amount_too_small',
  'amount_too_large',
  'invalid_charge_amount',
  'currency_not_supported',
])

/** Creates the PaymentIntent of an invoice, with the invoice id in its metadata. */
export async function create(
  account: StripeAccount,
  { key, amount, currency, metadata, ...timed }: CreateCharge & Timed,
): Promise<ChargeObjectId | GatewayDecline> {
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
    // The customer was deleted at Stripe with all cards. A new card creates another customer.
    if (isCustomerMissing(error)) return { declined: 'customer_missing' }
    const isInvalid = error instanceof Stripe.errors.StripeInvalidRequestError
    if (isInvalid && (DECLINED_AMOUNTS.has(error.code ?? '') || error.param === 'currency')) {
      return { declined: error.code ?? 'currency_not_supported' }
    }
    throw error
  }
}

/**
 * One attempt. The intent's metadata names the attempt first: Stripe copies the metadata to the charge, so that the attempt is found after a lost
 * response.
 */
export async function confirm(
  account: StripeAccount,
  request: ConfirmCharge & Timed,
): Promise<ChargeOutcome | CancelledObject> {
  const { gatewayChargeId, key, reference } = request
  // An attempt that finds its intent cancelled is repeated with another intent.
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
  { wasAsked = false } = {},
): Promise<ChargeOutcome | CancelledObject> {
  if (error instanceof Stripe.errors.StripeCardError) {
    if (error.code === 'authentication_required' && !wasAsked) return await askForAuthentication(account, request)
    return declined({ code: error.code, declineCode: error.decline_code, adviceCode: error.advice_code })
  }
  if (error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode !== 409 && !wasAsked) {
    // The attempt was made before with another payment method: its outcome counts.
    return (await findConfirmation(account, request)) ?? (await askForAuthentication(account, request))
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    // Already paid, cancelled or under way: the state is the outcome.
    if (error.code === 'payment_intent_unexpected_state') {
      // Retrieved again: a replayed error may say "processing" for a paid intent.
      const { paymentIntents } = account.api
      const intent = await paymentIntents.retrieve(request.gatewayChargeId, {}, within(account, request))
      return standingOf(account, intent)
    }
    // The payment method was removed or can no longer be used.
    if (error.param === 'payment_method' || error.code?.startsWith('payment_method_')) {
      // Cancelled for a successor, unless the intent has been paid.
      if (await isOfFormerCustomer(account, request)) {
        return standingOf(account, await cancelIntent(account, request.gatewayChargeId, request))
      }
      return { kind: 'declined', severity: 'hard', code: error.code ?? 'payment_method_gone' }
    }
  }
  throw error
}

/** An intent keeps its customer and rejects cards of the next customer. */
async function isOfFormerCustomer(account: StripeAccount, request: ConfirmCharge & Timed): Promise<boolean> {
  const { customer, metadata } = await account.api.paymentIntents.retrieve(
    request.gatewayChargeId,
    {},
    within(account, request),
  )
  return customer !== (await findCustomer(account, metadata.businessId ?? ''))
}

function standingOf(account: StripeAccount, intent: Stripe.PaymentIntent): ChargeOutcome | CancelledObject {
  if (intent.status === 'canceled') return { kind: 'cancelled' }
  // The state that rejected the attempt has passed, and the attempt was not made: the next poll repeats the attempt.
  if (intent.status === 'requires_payment_method') return { kind: 'unknown', reason: 'payment_intent_unexpected_state' }
  return outcomeOf(intent, account)
}

/**
 * If the bank asks for authentication while the payer is absent, Stripe reports a decline. After another confirmation with a return URL, the
 * intent has a page for the payer. The metadata names the attempt before that, because an authentication creates no charge.
 */
async function askForAuthentication(
  account: StripeAccount,
  request: ConfirmCharge & Timed,
): Promise<ChargeOutcome | CancelledObject> {
  const { gatewayChargeId, key, reference } = request
  const id = `${gatewayChargeId}:${key}`
  await mark(account, request, { asked: key }, `asked:${id}`)
  try {
    const params = { payment_method: reference, return_url: account.returnUrl }
    return await confirmOnce(account, request, params, `action:${id}`)
  } catch (error) {
    // Meanwhile somebody may have cancelled the intent in Stripe's dashboard, or detached the card.
    return await outcomeOfError(account, request, error, { wasAsked: true })
  }
}

/** Cancels an intent that waits for the payer. Returns the outcome. */
export async function cancel(
  account: StripeAccount,
  { gatewayChargeId, ...timed }: { gatewayChargeId: string } & Timed,
): Promise<ChargeOutcome> {
  return outcomeOf(await cancelIntent(account, gatewayChargeId, timed), account)
}

/** The cancelled intent, or the paid intent if the payment came first. */
async function cancelIntent(
  account: StripeAccount,
  gatewayChargeId: string,
  timed: Timed,
): Promise<Stripe.PaymentIntent> {
  const { paymentIntents } = account.api
  try {
    return await paymentIntents.cancel(gatewayChargeId, {}, within(account, timed))
  } catch (error) {
    const isOver = error instanceof Stripe.errors.StripeInvalidRequestError
    if (!isOver || error.code !== 'payment_intent_unexpected_state') throw error
    return await paymentIntents.retrieve(gatewayChargeId, {}, within(account, timed))
  }
}

/** More than all attempts of an invoice. */
const PAGE = 100
/** An intent whose id was not stored is among the newest. */
const MOST_INTENTS = 1_000

/** The outcome of one attempt, found by its metadata on the charge or else on the intent. */
export async function findConfirmation(
  account: StripeAccount,
  { gatewayChargeId, key, ...timed }: { gatewayChargeId: string; key: string } & Timed,
): Promise<ChargeOutcome | null> {
  const { api } = account
  const intent = await api.paymentIntents.retrieve(gatewayChargeId, {}, within(account, timed))
  const ofIntent = { payment_intent: gatewayChargeId, limit: PAGE }
  const { data } = await api.charges.list(ofIntent, within(account, timed))
  const charges = data.filter(charge => charge.metadata.try === key)
  if (charges.some(charge => charge.status === 'succeeded')) return { kind: 'succeeded' }
  // The intent names this attempt: its state is the outcome, if the attempt was confirmed.
  if (intent.metadata.try === key && isOutcomeOf(key, intent)) return outcomeOf(intent, account)
  const [newest] = charges
  // Half an attempt: the next step asks the payer. After a crash the attempt is repeated with the same keys.
  if (newest === undefined || newest.failure_code === 'authentication_required') return null
  return outcomeOfCharge(newest)
}

/**
 * True if the state of the intent is the outcome of this attempt. An authentication belongs to the attempt in `asked`: a later attempt may have
 * entered the metadata without being confirmed.
 */
function isOutcomeOf(key: string, { status, last_payment_error: error, metadata }: Stripe.PaymentIntent): boolean {
  // A cancelled intent is the outcome only after the payer was asked.
  if (status === 'canceled') return metadata.asked === key
  const { asked = key } = metadata
  if (status === 'requires_action') return asked === key
  if (status === 'requires_payment_method') {
    return error?.code === 'payment_intent_authentication_failure' && asked === key
  }
  return status === 'succeeded' || status === 'processing'
}

function outcomeOfCharge({ status, failure_code: code, outcome }: Stripe.Charge): ChargeOutcome {
  if (status === 'pending') return { kind: 'pending' }
  return declined({ code, declineCode: outcome?.reason, adviceCode: outcome?.advice_code })
}

/** Reads the list of the customer, since Stripe's search is delayed. */
export async function findCharge(
  account: StripeAccount,
  { key, businessId, ...timed }: { key: string; businessId: string } & Timed,
): Promise<ChargeObjectId | null> {
  const customer = await findCustomer(account, businessId)
  return customer === null ? null : await orMissing(() => findOfCustomer(account, { key, customer, ...timed }))
}

async function findOfCustomer(
  account: StripeAccount,
  { key, customer, ...timed }: { key: string; customer: string } & Timed,
): Promise<ChargeObjectId | null> {
  let seen = 0
  const ask = (after: { starting_after?: string }) =>
    account.api.paymentIntents.list({ customer, limit: PAGE, ...after }, within(account, timed))
  for await (const intent of everyOf(ask)) {
    if (intent.metadata.key === key) return { gatewayChargeId: intent.id }
    if (++seen === MOST_INTENTS) break
  }
  return null
}

/** The outcome of the last attempt by the state of the intent. */
function outcomeOf(intent: Stripe.PaymentIntent, { returnUrl }: { returnUrl: string }): ChargeOutcome {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded' }
    case 'processing':
      return { kind: 'pending' }
    case 'requires_action':
      return { kind: 'actionRequired', url: intent.next_action?.redirect_to_url?.url ?? returnUrl }
    case 'requires_payment_method': {
      const { code, decline_code: declineCode, advice_code: adviceCode } = intent.last_payment_error ?? {}
      return declined({ code, declineCode, adviceCode })
    }
    case 'canceled':
      // Cancelled in the dashboard while waiting for the payer.
      return { kind: 'declined', severity: 'hard', code: 'canceled_at_gateway' }
    default:
      return { kind: 'unknown', reason: intent.status }
  }
}

/** A decline, from an error, a charge's outcome or an intent's last error. */
interface Decline {
  readonly code?: string | null | undefined
  readonly declineCode?: string | null | undefined
  readonly adviceCode?: string | null | undefined
}

/**
 * Hard declines: a later attempt with this payment method cannot succeed or is forbidden (decisions 6). Source: https://docs.stripe.com/declines/codes,
 * column "Next steps". All others are soft, since the schedule of attempts is short.
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
  // https://docs.stripe.com/declines/card#retrying-issuer-declines: the issuer's advice overrides the table.
  const isHard = adviceCode === 'do_not_try_again' || HARD.has(reason) || HARD.has(code ?? '')
  return { kind: 'declined', severity: isHard ? 'hard' : 'soft', code: reason }
}
