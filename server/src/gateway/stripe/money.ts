import type Stripe from 'stripe'
import type { DisputeAtGateway, MoneyAtGateway, RefundAtGateway } from '../gateway.ts'
import { fromStripe } from './amounts.ts'
import type { StripeAccount } from './client.ts'
import { orMissing } from './failures.ts'
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
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const touched = new Set<string>()
  for await (const charge of api.charges.list({ created, limit: PAGE })) {
    const isOurs = charge.metadata.invoiceId !== undefined
    if (charge.status === 'succeeded' && isOurs) add(touched, charge.payment_intent)
  }
  for await (const refund of api.refunds.list({ created, limit: PAGE })) add(touched, refund.payment_intent)
  for await (const dispute of api.disputes.list({ created, limit: PAGE })) add(touched, dispute.payment_intent)
  return [...touched]
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
