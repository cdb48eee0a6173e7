import { CARDS } from './cards.ts'
import type { Params } from './form.ts'
import { ApiError, get, invalid, put, type State, type Thing } from './state.ts'

/** A test token makes a method of its own each time. */
export function attachMethod(state: State, id: string, params: Params): Thing {
  get(state, params.customer, 'customer')
  const card = CARDS[id]
  if (!card) {
    const method = get(state, id, 'payment_method')
    // Once, to the same customer too (the documentation leaves that open: the stricter reading); nor again when that one is gone.
    if (method.customer !== undefined)
      throw invalid('payment_method_unexpected_state', 'Attached to a customer already')
    return Object.assign(method, { customer: params.customer })
  }
  if (card.attachDeclines) {
    const message = 'Your card was declined.'
    throw new ApiError(402, { type: 'card_error', code: 'card_declined', decline_code: card.attachDeclines, message })
  }
  return putMethod(state, id, params.customer)
}

export function createSetupIntent(state: State, params: Params): Thing {
  const { customer, metadata = {} } = params
  get(state, customer, 'customer')
  const status = 'requires_payment_method'
  const intent = put(state, 'seti', 'setup_intent', { customer, metadata, status, payment_method: null })
  return Object.assign(intent, { client_secret: `${intent.id}_secret_of_the_test` })
}

/** The payment method that a page creates from a typed card, not attached to a customer. */
export function makeMethod(state: State, token: string): Thing {
  return putMethod(state, token, undefined)
}

/** Completes the setup as the payer does on the page. */
export function finishSetupIntent(state: State, id: string, token: string): void {
  const intent = get(state, id)
  Object.assign(intent, { status: 'succeeded', payment_method: putMethod(state, token, intent.customer).id })
}

/** Deletes a customer as the dashboard does: its payment methods are detached and unusable. */
export function deleteCustomer(state: State, businessId: string): void {
  for (const [id, { object, metadata }] of state.things) {
    if (object !== 'customer' || metadata.businessId !== businessId) continue
    state.things.delete(id)
    for (const thing of state.things.values()) {
      if (thing.object === 'payment_method' && thing.customer === id) thing.customer = null
    }
  }
}

function putMethod(state: State, token: string, customer: unknown): Thing {
  return put(state, 'pm', 'payment_method', { token, customer, type: 'card', card: { brand: 'visa', last4: '4242' } })
}
