import Stripe from 'stripe'
import type { RefundAtGateway, RefundCharge, RefundOutcome, Timed } from '../gateway.ts'
import { toStripe } from './amounts.ts'
import { type StripeAccount, within } from './client.ts'

/** Our refund's id is its key there, and is written on it. */
export async function refund(account: StripeAccount, request: RefundCharge & Timed): Promise<RefundOutcome> {
  const { gatewayChargeId, key, currency } = request
  const amount = toStripe(request.amount, currency)
  if (typeof amount !== 'number') return { kind: 'failed', code: amount.refused }
  try {
    const params = { payment_intent: gatewayChargeId, amount, metadata: { refundId: key } }
    const options = { ...within(account, request), idempotencyKey: `refund:${key}` }
    return outcomeOf(await account.api.refunds.create(params, options))
  } catch (error) {
    // More than is left, never charged, disputed: all of them 400, and all of them for good.
    const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError
    if (!isRefused && !(error instanceof Stripe.errors.StripeCardError)) throw error
    return { kind: 'failed', code: error.code ?? 'refund_refused' }
  }
}

export async function findRefund(
  account: StripeAccount,
  { gatewayChargeId, key, ...timed }: { gatewayChargeId: string; key: string } & Timed,
): Promise<RefundOutcome | null> {
  const ofIntent = { payment_intent: gatewayChargeId, limit: 100 }
  for await (const one of account.api.refunds.list(ofIntent, within(account, timed))) {
    if (one.metadata?.refundId === key) return outcomeOf(one)
  }
  return null
}

export function outcomeOf({ status, failure_reason: reason }: Stripe.Refund): RefundAtGateway['outcome'] {
  switch (status) {
    case 'succeeded':
      return { kind: 'succeeded' }
    case 'failed':
    case 'canceled':
      return { kind: 'failed', code: reason ?? status }
    default:
      return { kind: 'pending' }
  }
}
