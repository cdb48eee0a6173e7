import Stripe from 'stripe'
import { stepOf } from '../../../core/credit.ts'
import type { Evidence } from '../../../core/dispute.ts'
import { CURRENCIES } from '../../../core/money.ts'
import type {
  DisputeAtGateway,
  GatewayDecline,
  GatewayFee,
  MoneyAtGateway,
  RefundAtGateway,
  RefundCharge,
  RefundOutcome,
  SendEvidence,
  SentEvidence,
  Timed,
} from '../gateway.ts'
import { everyOf, once, orMissing, type StripeAccount, unknownReason, within } from './client.ts'

const PAGE = 100

/** Payments, refunds and disputes of one intent. */
export async function findMoney(account: StripeAccount, gatewayChargeId: string): Promise<MoneyAtGateway | null> {
  const { api } = account
  const intent = await orMissing(() =>
    api.paymentIntents.retrieve(gatewayChargeId, { expand: ['latest_charge.balance_transaction'] }),
  )
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
    ...(charge?.status === 'succeeded' && chargeFeeOf(charge)),
    disputes: charge?.disputed === true ? await listDisputes(account, gatewayChargeId) : [],
  }
}

/** Final statuses; every other status is open. The charge itself stays `disputed`. */
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
      ...(dispute.evidence_details.due_by && { evidenceDueAt: new Date(dispute.evidence_details.due_by * 1_000) }),
      ...feeOf(dispute.balance_transactions),
    })
  }
  return disputes
}

/**
 * Submits the evidence of a dispute: Stripe passes it to the bank at once. Stripe accepts evidence once, so a repeat after the life of the
 * key is recognized by the texts that Stripe has.
 */
export async function sendEvidence(
  { api }: StripeAccount,
  { gatewayDisputeId, key, evidence }: SendEvidence,
): Promise<SentEvidence | GatewayDecline> {
  const texts = textsOf(evidence)
  try {
    await api.disputes.update(
      gatewayDisputeId,
      { evidence: texts, submit: true },
      { idempotencyKey: `evidence:${key}` },
    )
    return { kind: 'sent' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    const has = await api.disputes.retrieve(gatewayDisputeId)
    const isSubmitted = has.evidence_details.submission_count > 0
    const isSame = TEXTS.every(name => (has.evidence[name] ?? undefined) === texts[name])
    return isSubmitted && isSame ? { kind: 'sent' } : { declined: error.code ?? 'evidence_rejected' }
  }
}

const TEXTS = ['product_description', 'uncategorized_text'] as const

/** Stripe's field for communication with the customer takes a file, so the text goes to the field for any text. */
function textsOf({ productDescription, customerCommunication, uncategorizedText }: Evidence) {
  const communication = customerCommunication && `Communication with the customer:\n\n${customerCommunication}`
  const other = [communication, uncategorizedText].filter(text => text !== undefined).join('\n\n')
  return {
    ...(productDescription !== undefined && { product_description: productDescription }),
    ...(other !== '' && { uncategorized_text: other }),
  }
}

/** Stripe settles some charges later: the balance transaction is null until then. */
function chargeFeeOf({ balance_transaction: moved }: Stripe.Charge): Pick<MoneyAtGateway, 'fee'> {
  return moved !== null && typeof moved === 'object' ? feeOf([moved]) : {}
}

/** All movements of one dispute are in one currency. */
function feeOf(moved: readonly Stripe.BalanceTransaction[]): { fee?: GatewayFee } {
  const currency = moved[0]?.currency
  if (currency === undefined) return {}
  const fee = moved.reduce((sum, one) => sum + one.fee, 0)
  return { fee: { amount: fromStripe(fee, currency), currency: currency.toUpperCase() } }
}

/** Reads the lists of charges, refunds and disputes, a hundred items per call. */
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

/** Repeats a failed call once, so that one lost page of results does not restart the whole list. */
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

/**
 * The id of our refund is the key and is stored in the metadata. Only the key prevents a second partial refund: after a 500, another key is used only
 * when the refund was not found for over a minute.
 */
export async function refund(account: StripeAccount, request: RefundCharge & Timed): Promise<RefundOutcome> {
  const { gatewayChargeId, key, currency, isLongUnseen } = request
  const amount = toStripe(request.amount, currency)
  if (typeof amount !== 'number') return { kind: 'failed', code: amount.declined }
  try {
    const params = { payment_intent: gatewayChargeId, amount, metadata: { refundId: key } }
    const order = async (idempotencyKey: string): Promise<RefundOutcome> =>
      outcomeOf(await account.api.refunds.create(params, { ...within(account, request), idempotencyKey }))
    const first = `refund:${key}`
    return await (isLongUnseen ? once(first, order, () => findRefund(account, request)) : order(first))
  } catch (error) {
    // Too much, never charged, disputed: final errors.
    const isRejected = error instanceof Stripe.errors.StripeInvalidRequestError
    if (!isRejected && !(error instanceof Stripe.errors.StripeCardError)) throw error
    return { kind: 'failed', code: error.code ?? 'refund_declined' }
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

function outcomeOf({ status, failure_reason: reason }: Stripe.Refund): RefundAtGateway['outcome'] {
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

/*
 * Stripe uses the minor units of ISO 4217, except for special cases: https://docs.stripe.com/currencies, "Zero-decimal currencies", "Three-decimal
 * currencies" and "Special cases" (read 2026-11).
 */

/** Whole units in ISO 4217; hundredths ending in 00 at Stripe. */
const HUNDREDTHS_AT_STRIPE = new Set(['ISK', 'UGX'])
/** Hundredths in ISO 4217, whole units at Stripe. */
const WHOLE_AT_STRIPE = new Set(['MGA'])
/** The amount in Stripe's units, or the reason why Stripe cannot charge exactly this amount. Never rounded. */
export function toStripe(amount: number, currency: string): number | { readonly declined: string } {
  if (amount % stepOf(currency) !== 0) return { declined: 'amount_not_representable' }
  if (HUNDREDTHS_AT_STRIPE.has(currency)) return amount * 100
  if (WHOLE_AT_STRIPE.has(currency)) return amount / 100
  // For currencies with three decimals, Stripe accepts only amounts that end in 0.
  const isTaken = (CURRENCIES.get(currency) ?? 2) <= 2 || stepOf(currency) > 1
  return isTaken ? amount : { declined: 'currency_not_supported' }
}

/** An amount of Stripe in minor units of ISO 4217. */
export function fromStripe(amount: number, currency: string): number {
  const code = currency.toUpperCase()
  if (HUNDREDTHS_AT_STRIPE.has(code)) return amount / 100
  return WHOLE_AT_STRIPE.has(code) ? amount * 100 : amount
}
