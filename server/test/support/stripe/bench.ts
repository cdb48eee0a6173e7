import type { Gateway } from '../../../src/money/gateway/gateway.ts'
import type { GatewayOnBench } from '../conformance/bench.ts'
import { dispute } from './disputes.ts'
import { finishIntent } from './intents.ts'
import { createRefund, finishRefund } from './refunds.ts'
import type { FakeStripe } from './server.ts'
import type { Thing } from './state.ts'

/** Stripe's own tolerance is five minutes. */
const LONG_AGO_MS = 301_000

/** The adapter and the fake, for the suite that every adapter passes. */
export function benchOf(gateway: Gateway, stripe: FakeStripe): GatewayOnBench {
  const { state } = stripe
  const of = (object: string, intent: string) =>
    [...state.things.values()].filter(thing => thing.object === object && thing.payment_intent === intent)
  const sum = (things: Thing[]) => things.reduce((total, { amount }) => total + amount, 0)
  return {
    gateway,
    lacks: ['chargedThenUnknown', 'declinedThenUnknown'],
    tokens: {
      ok: 'pm_card_visa',
      soft: 'pm_saved_insufficientFunds',
      hard: 'pm_saved_stolenCard',
      declinedAtSaving: 'pm_card_chargeDeclinedStolenCard',
      actionRequired: 'pm_card_authenticationRequired',
      pending: 'pm_saved_processing',
      refundFails: 'pm_card_refundFail',
      refundPending: 'pm_card_pendingRefund',
      notAToken: 'pm_nothing',
    },
    currency: 'USD',
    booksOf: async id => ({
      charged: sum(of('charge', id).filter(({ status }) => status === 'succeeded')),
      refunded: sum(of('refund', id).filter(({ status }) => status !== 'failed')),
    }),
    refundAtGateway: async (id, amount) => void createRefund(state, { payment_intent: id, amount }),
    dispute: async (id, status) => void dispute(state, id, status),
    // The SDK sends once more by itself what a closed connection may not have carried.
    lose: what =>
      stripe.fail(/confirm$/, what === 'request' ? 'closed before' : '500 after', what === 'request' ? 2 : 1),
    finish: async ({ gatewayChargeId }, outcome) => {
      const refund = of('refund', gatewayChargeId).at(-1)
      if (refund) return finishRefund(state, refund, outcome === 'succeeds' ? 'succeeded' : 'failed')
      const intent = state.things.get(gatewayChargeId)
      if (intent) finishIntent(state, intent, outcome === 'succeeds' ? 'succeeds' : 'declines')
    },
    eventsOf: async id =>
      state.events
        .filter(({ data: { object } }) => object.id === id || object.payment_intent === id)
        .map(event => stripe.sign(event)),
    eventAbout: id => stripe.sign(eventAbout(id)),
    signedByAnother: id => stripe.sign(eventAbout(id), { secret: 'whsec_of_somebody_else' }),
    signedLongAgo: id => stripe.sign(eventAbout(id), { agoMs: LONG_AGO_MS }),
  }
}

function eventAbout(id: string): Thing {
  return {
    ...{ id: `evt_about_${id}`, object: 'event', type: 'payment_intent.succeeded' },
    data: { object: { object: 'payment_intent', id } },
  }
}
