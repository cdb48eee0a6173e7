import { CARDS } from './cards.ts'
import { isDisputed } from './disputes.ts'
import type { Params } from './form.ts'
import { addEvent, get, invalid, put, type State, type Thing } from './state.ts'

export function createRefund(state: State, params: Params): Thing {
  const intent = get(state, params.payment_intent, 'payment_intent')
  if (intent.status !== 'succeeded') {
    throw invalid('payment_intent_unexpected_state', 'This PaymentIntent does not have a successful charge to refund.')
  }
  const charge = get(state, intent.latest_charge)
  const left = charge.amount - charge.amount_refunded
  const amount = Number(params.amount ?? left)
  if (isDisputed(state, charge)) throw invalid('charge_disputed', 'This charge has been charged back.')
  if (left === 0) throw invalid('charge_already_refunded', 'Charge has already been refunded.')
  if (amount > left) throw invalid('charge_exceeds_source_limit', 'Refund amount is greater than unrefunded amount')
  charge.amount_refunded += amount
  const card = CARDS[get(state, intent.payment_method).token] ?? {}
  const status = card.refund === 'pending' ? 'pending' : 'succeeded'
  const { metadata = {} } = params
  const of = { payment_intent: intent.id, charge: charge.id, currency: intent.currency, metadata }
  const refund = put(state, 're', 'refund', { ...of, amount, status })
  addEvent(state, 'refund.created', refund)
  addEvent(state, 'charge.refunded', charge)
  return refund
}

/** Completes a refund days later, as some cards do: a pending refund succeeds, a succeeded one fails. */
export function finishRefund(state: State, refund: Thing, outcome: 'succeeded' | 'failed'): void {
  refund.status = outcome
  if (outcome === 'failed') {
    refund.failure_reason = 'expired_or_canceled_card'
    get(state, refund.charge).amount_refunded -= refund.amount
  }
  addEvent(state, outcome === 'failed' ? 'refund.failed' : 'refund.updated', refund)
}
