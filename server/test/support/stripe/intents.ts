import { CARDS } from './cards.ts'
import type { Params } from './form.ts'
import { ApiError, addEvent, get, invalid, put, type State, type Thing } from './state.ts'

/** Stripe's least charge in dollars. */
const LEAST = 50

export function createIntent(state: State, params: Params): Thing {
  const amount = Number(params.amount)
  const currency = String(params.currency)
  if (amount < LEAST) throw invalid('amount_too_small', 'Amount must be at least $0.50 usd', { param: 'amount' })
  const isByTens = ['bhd', 'jod', 'kwd', 'omr', 'tnd'].includes(currency)
  if (isByTens && amount % 10 !== 0) throw invalid('invalid_charge_amount', 'Not by tens', { param: 'amount' })
  if (currency === 'lyd') throw invalid('invalid_currency', 'Invalid currency: lyd', { param: 'currency' })
  get(state, params.customer, 'customer')
  const { customer, metadata = {} } = params
  const fresh = { status: 'requires_payment_method', amount_received: 0, latest_charge: null, last_payment_error: null }
  const intent = put(state, 'pi', 'payment_intent', {
    amount,
    currency,
    customer,
    metadata,
    ...fresh,
    next_action: null,
  })
  addEvent(state, 'payment_intent.created', intent)
  return intent
}

export function confirmIntent(state: State, intent: Thing, params: Params): Thing {
  if (['succeeded', 'processing', 'canceled'].includes(intent.status)) {
    const message = `This PaymentIntent's status is ${intent.status}.`
    throw invalid('payment_intent_unexpected_state', message, { payment_intent: intent })
  }
  const method = get(state, params.payment_method, 'payment_method')
  if (method.customer !== intent.customer) {
    throw invalid('payment_method_unexpected_state', 'Not of this customer', { param: 'payment_method' })
  }
  const card = CARDS[method.token] ?? {}
  intent.payment_method = method.id
  intent.next_action = null
  if (card.asks && params.off_session === 'true') return decline(state, intent, 'authentication_required', method)
  if (card.asks) {
    intent.status = 'requires_action'
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: `https://hooks.stripe.invalid/${intent.id}` },
    }
    addEvent(state, 'payment_intent.requires_action', intent)
    return intent
  }
  if (card.declines) return decline(state, intent, card.declines, method, card.code)
  if (card.processes) {
    intent.latest_charge = putCharge(state, intent, { status: 'pending' }).id
    intent.status = 'processing'
    addEvent(state, 'payment_intent.processing', intent)
    return intent
  }
  return take(state, intent)
}

/** Cancels an intent, as the dashboard and the adapter do. */
export function cancelIntent(state: State, intent: Thing): Thing {
  if (['succeeded', 'processing', 'canceled'].includes(intent.status)) {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`
    throw invalid('payment_intent_unexpected_state', message, { payment_intent: intent })
  }
  Object.assign(intent, { status: 'canceled', next_action: null })
  addEvent(state, 'payment_intent.canceled', intent)
  return intent
}

/** Ends what was processing or waited for the payer. */
export function finishIntent(state: State, intent: Thing, outcome: 'succeeds' | 'declines'): void {
  if (intent.status === 'requires_action' && outcome === 'declines') {
    intent.status = 'requires_payment_method'
    intent.next_action = null
    intent.last_payment_error = { type: 'card_error', code: 'payment_intent_authentication_failure' }
    addEvent(state, 'payment_intent.payment_failed', intent)
    return
  }
  const pending = state.things.get(intent.latest_charge)
  if (outcome === 'succeeds') {
    if (pending?.status === 'pending') {
      pending.status = 'succeeded'
      paid(state, intent, pending)
    } else take(state, intent)
    return
  }
  if (pending) Object.assign(pending, failed('insufficient_funds'))
  intent.status = 'requires_payment_method'
  intent.last_payment_error = { type: 'card_error', code: 'card_declined', charge: pending?.id }
  addEvent(state, 'payment_intent.payment_failed', intent)
}

function take(state: State, intent: Thing): Thing {
  const charge = putCharge(state, intent, { status: 'succeeded' })
  paid(state, intent, charge)
  return intent
}

/** Stripe's price of a card payment: 2.9 % and 30 cents. */
export const feeOf = (amount: number) => Math.round(amount * 0.029) + 30

function paid(state: State, intent: Thing, charge: Thing): void {
  const { amount, currency } = intent
  const fee = feeOf(amount)
  charge.balance_transaction = put(state, 'txn', 'balance_transaction', { amount, fee, net: amount - fee, currency }).id
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    next_action: null,
  })
  addEvent(state, 'charge.succeeded', charge)
  addEvent(state, 'payment_intent.succeeded', intent)
}

function decline(state: State, intent: Thing, reason: string, method: Thing, code = 'card_declined'): never {
  const asksCode = reason === 'authentication_required' ? reason : code
  const charge = putCharge(state, intent, failed(reason, asksCode))
  const message = 'Your card was declined.'
  const error = { type: 'card_error', code: asksCode, decline_code: reason, charge: charge.id, message }
  Object.assign(intent, { status: 'requires_payment_method', latest_charge: charge.id })
  intent.last_payment_error = { ...error, payment_method: method }
  addEvent(state, 'charge.failed', charge)
  addEvent(state, 'payment_intent.payment_failed', intent)
  throw new ApiError(402, { ...error, payment_intent: intent })
}

function failed(reason: string, code = 'card_declined'): Thing {
  return { status: 'failed', failure_code: code, outcome: { type: 'issuer_declined', reason } }
}

/** It copies what the intent's metadata are now, and keeps them. */
function putCharge(state: State, intent: Thing, fields: Thing): Thing {
  const { id: payment_intent, amount, currency, customer, payment_method } = intent
  const copied = { payment_intent, amount, currency, customer, payment_method, metadata: { ...intent.metadata } }
  const plain = {
    failure_code: null,
    outcome: { type: 'authorized', reason: null },
    amount_refunded: 0,
    disputed: false,
  }
  return put(state, 'ch', 'charge', { ...copied, ...plain, ...fields })
}
