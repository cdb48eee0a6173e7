import Stripe from 'stripe'
import type { GatewayEvent, PostedEvent } from '../gateway.ts'
import type { StripeAccount } from './client.ts'

/** Of what Stripe posts we believe only that something happened to an intent; and that only under its signature. */
export function readEvent({ api, webhookSecret, clock }: StripeAccount, posted: PostedEvent): GatewayEvent | null {
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

/** Intents themselves; charges, refunds and disputes name theirs. */
function intentOf(thing: object): string | undefined {
  if (!('object' in thing)) return undefined
  if (thing.object === 'payment_intent' && 'id' in thing) return String(thing.id)
  return 'payment_intent' in thing && typeof thing.payment_intent === 'string' ? thing.payment_intent : undefined
}
