import Stripe from 'stripe'
import type { Gateway, GatewayEvent, PostedEvent } from '../gateway.ts'
import { cancel, confirm, create, findCharge, findConfirmation } from './charge.ts'
import { openAccount, orUnknown, orUnreachable, type StripeAccount, type StripeOptions } from './client.ts'
import { findMoney, findRefund, listTouched, refund, sendEvidence } from './money.ts'
import { begin, save } from './payment-methods.ts'

/** The adapter for Stripe, with the official SDK. README.md maps the terms. */
export function createStripe(options: StripeOptions): Gateway {
  const account = openAccount(options)
  return {
    name: 'stripe',
    // Two calls of 0.4 s per charge. Stripe allows 100 calls a second, and 25 in test mode.
    atOnce: 16,
    beginPaymentMethod: request => orUnreachable(() => begin(account, request)),
    savePaymentMethod: request => orUnreachable(() => save(account, request)),
    createCharge: request => orUnreachable(() => create(account, request)),
    confirmCharge: request => orUnknown(() => confirm(account, request)),
    findConfirmation: request => orUnknown(() => findConfirmation(account, request)),
    cancelCharge: request => orUnknown(() => cancel(account, request)),
    findCharge: request => orUnreachable(() => findCharge(account, request)),
    refund: request => orUnknown(() => refund(account, request)),
    findRefund: request => orUnknown(() => findRefund(account, request)),
    findMoney: gatewayChargeId => orUnreachable(() => findMoney(account, gatewayChargeId)),
    sendEvidence: request => orUnreachable(() => sendEvidence(account, request)),
    listTouched: request => orUnreachable(() => listTouched(account, request)),
    readEvent: posted => readEvent(account, posted),
  }
}

/** Reads only the intent from a signed event. */
function readEvent({ api, webhookSecret, clock }: StripeAccount, posted: PostedEvent): GatewayEvent | null {
  const signature = posted.headers['stripe-signature']
  if (webhookSecret === undefined || typeof signature !== 'string') return null
  const payload = Buffer.from(posted.payload)
  try {
    const tolerance = api.webhooks.DEFAULT_TOLERANCE
    const now = clock.now().getTime()
    const event = api.webhooks.constructEvent(payload, signature, webhookSecret, tolerance, undefined, now)
    const gatewayChargeId = intentOf(event.data.object)
    return { eventId: event.id, kind: event.type, ...(gatewayChargeId === undefined ? {} : { gatewayChargeId }) }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}

/** The id of an intent, or the intent of a charge, refund or dispute. */
function intentOf(thing: object): string | undefined {
  if (!('object' in thing)) return undefined
  if (thing.object === 'payment_intent' && 'id' in thing) return String(thing.id)
  return 'payment_intent' in thing && typeof thing.payment_intent === 'string' ? thing.payment_intent : undefined
}
