import Stripe from 'stripe'
import type { ChargeOutcome, Timed } from '../gateway.ts'
import { type StripeAccount, within } from './client.ts'
import { outcomeOf } from './outcome.ts'

/** Cancels an intent that waits for the payer, whose page then takes nothing any more. Says what became of it. */
export async function cancel(
  account: StripeAccount,
  { gatewayChargeId, ...timed }: { gatewayChargeId: string } & Timed,
): Promise<ChargeOutcome> {
  return outcomeOf(await cancelIntent(account, gatewayChargeId, timed), account)
}

/** Nobody can pay it any more, unless somebody has before: it is given as it is then. */
export async function cancelIntent(
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
