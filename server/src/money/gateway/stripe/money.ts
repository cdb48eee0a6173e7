import type Stripe from 'stripe'
import type { DisputeAtGateway, MoneyAtGateway, RefundAtGateway } from '../gateway.ts'
import { fromStripe } from './amounts.ts'
import type { StripeAccount } from './client.ts'
import { orMissing, unknownReason } from './failures.ts'
import { everyOf } from './pages.ts'
import { outcomeOf } from './refund.ts'

const PAGE = 100

/** What Stripe's books say of one intent. */
export async function findMoney(account: StripeAccount, gatewayChargeId: string): Promise<MoneyAtGateway | null> {
  const { api } = account
  const intent = await orMissing(() => api.paymentIntents.retrieve(gatewayChargeId, { expand: ['latest_charge'] }))
  if (intent === null) return null
  const refunds: RefundAtGateway[] = []
  for await (const refund of api.refunds.list({ payment_intent: gatewayChargeId, limit: PAGE })) {
    refunds.push(refundOf(refund))
  }
  const { invoiceId } = intent.metadata
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  return {
    ...(invoiceId === undefined ? {} : { invoiceId }),
    currency: intent.currency.toUpperCase(),
    charged: intent.status === 'succeeded' ? fromStripe(intent.amount_received, intent.currency) : 0,
    ...(intent.status === 'canceled' && { isCancelled: true }),
    refunds,
    disputes: charge?.disputed === true ? await listDisputes(account, gatewayChargeId) : [],
  }
}

/** Lost, or over in another way; every other status waits for somebody. The charge itself stays `disputed` for ever. */
const STATUSES = new Map<string, DisputeAtGateway['status']>([
  ['lost', 'lost'],
  ['won', 'won'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
])

async function listDisputes({ api }: StripeAccount, gatewayChargeId: string): Promise<DisputeAtGateway[]> {
  const disputes: DisputeAtGateway[] = []
  for await (const dispute of api.disputes.list({ payment_intent: gatewayChargeId, limit: PAGE })) {
    disputes.push({
      gatewayDisputeId: dispute.id,
      amount: fromStripe(dispute.amount, dispute.currency),
      status: STATUSES.get(dispute.status) ?? 'open',
      beganAt: new Date(dispute.created * 1_000),
    })
  }
  return disputes
}

/** By the lists of charges, refunds and disputes made since: a hundred to a call. */
export async function listTouched({ api }: StripeAccount, { since }: { since: Date }): Promise<readonly string[]> {
  const made = { created: { gte: Math.floor(since.getTime() / 1000) }, limit: PAGE }
  const touched = new Set<string>()
  for await (const charge of everyOf(after => orAgain(() => api.charges.list({ ...made, ...after })))) {
    const isOurs = charge.metadata.invoiceId !== undefined
    if (charge.status === 'succeeded' && isOurs) add(touched, charge.payment_intent)
  }
  for await (const refund of everyOf(after => orAgain(() => api.refunds.list({ ...made, ...after })))) {
    add(touched, refund.payment_intent)
  }
  for await (const dispute of everyOf(after => orAgain(() => api.disputes.list({ ...made, ...after })))) {
    add(touched, dispute.payment_intent)
  }
  return [...touched]
}

/** Of hundreds of pages one is lost now and then: asked once more, it does not make the whole list begin anew. */
async function orAgain<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (unknownReason(error) === null) throw error
    return await ask()
  }
}

function add(touched: Set<string>, intent: string | { id: string } | null): void {
  if (intent !== null) touched.add(typeof intent === 'string' ? intent : intent.id)
}

function refundOf(refund: Stripe.Refund): RefundAtGateway {
  const key = refund.metadata?.refundId
  return {
    gatewayRefundId: refund.id,
    ...(key === undefined ? {} : { key }),
    amount: fromStripe(refund.amount, refund.currency),
    outcome: outcomeOf(refund),
  }
}
