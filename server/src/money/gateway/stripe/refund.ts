import Stripe from 'stripe'
import type { RefundAtGateway, RefundCharge, RefundOutcome, Timed } from '../gateway.ts'
import { toStripe } from './amounts.ts'
import { type StripeAccount, within } from './client.ts'
import { once } from './once.ts'

/**
 * Our refund's id is its key there, and is written on it. Nothing but its key keeps a part of what was taken from going back twice:
 * after a 500 it is ordered by another one only when it has been looked for over a minute, and now once more.
 */
export async function refund(account: StripeAccount, request: RefundCharge & Timed): Promise<RefundOutcome> {
  const { gatewayChargeId, key, currency, isLongUnseen } = request
  const amount = toStripe(request.amount, currency)
  if (typeof amount !== 'number') return { kind: 'failed', code: amount.refused }
  try {
    const params = { payment_intent: gatewayChargeId, amount, metadata: { refundId: key } }
    const order = async (idempotencyKey: string): Promise<RefundOutcome> =>
      outcomeOf(await account.api.refunds.create(params, { ...within(account, request), idempotencyKey }))
    const first = `refund:${key}`
    return await (isLongUnseen ? once(first, order, () => findRefund(account, request)) : order(first))
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
