import type Stripe from 'stripe'
import type { ChargeObjectId, ChargeOutcome, Timed } from '../gateway.ts'
import { type StripeAccount, within } from './client.ts'
import { findCustomer } from './customers.ts'
import { declined } from './declines.ts'
import { orMissing } from './failures.ts'
import { outcomeOf } from './outcome.ts'
import { everyOf } from './pages.ts'

/** All tries of an invoice fit into one page many times over: a schedule has four. */
const PAGE = 100
/** An intent that was made and not stored is the newest or nearly so: at most an outage ago. */
const MOST_INTENTS = 1_000

/** What became of one try. Found by what `confirm` marked it with: on the charge that came of it, else on the intent. */
export async function findConfirmation(
  account: StripeAccount,
  { gatewayChargeId, key, ...timed }: { gatewayChargeId: string; key: string } & Timed,
): Promise<ChargeOutcome | null> {
  const { api } = account
  const intent = await api.paymentIntents.retrieve(gatewayChargeId, {}, within(account, timed))
  const ofIntent = { payment_intent: gatewayChargeId, limit: PAGE }
  const { data } = await api.charges.list(ofIntent, within(account, timed))
  const charges = data.filter(charge => charge.metadata.try === key)
  if (charges.some(charge => charge.status === 'succeeded')) return { kind: 'succeeded' }
  // The last try that was marked. What the intent says now it says of that one, unless it was never confirmed.
  if (intent.metadata.try === key && saysOf(key, intent)) return outcomeOf(intent, account)
  const [newest] = charges
  // Half a try: whoever makes it asks the payer next, and where they are gone it is made again, by the same keys.
  if (newest === undefined || newest.failure_code === 'authentication_required') return null
  return outcomeOfCharge(newest)
}

/**
 * States that stand for the try of the mark. A charge that failed speaks for itself; an authentication leaves none, and is of
 * the try that asked for it: one marked after that, and never confirmed, has done nothing.
 */
function saysOf(key: string, { status, last_payment_error: error, metadata }: Stripe.PaymentIntent): boolean {
  // Before anybody was asked, a try that finds it cancelled is made with another one.
  if (status === 'canceled') return metadata.asked === key
  const { asked = key } = metadata
  if (status === 'requires_action') return asked === key
  if (status === 'requires_payment_method') {
    return error?.code === 'payment_intent_authentication_failure' && asked === key
  }
  return status === 'succeeded' || status === 'processing'
}

function outcomeOfCharge({ status, failure_code: code, outcome }: Stripe.Charge): ChargeOutcome {
  if (status === 'pending') return { kind: 'pending' }
  return declined({ code, declineCode: outcome?.reason, adviceCode: outcome?.advice_code })
}

/** By its customer's list, which is up to date at once; Stripe's search is not. */
export async function findCharge(
  account: StripeAccount,
  { key, businessId, ...timed }: { key: string; businessId: string } & Timed,
): Promise<ChargeObjectId | null> {
  const customer = await findCustomer(account, businessId)
  return customer === null ? null : await orMissing(() => findOfCustomer(account, { key, customer, ...timed }))
}

async function findOfCustomer(
  account: StripeAccount,
  { key, customer, ...timed }: { key: string; customer: string } & Timed,
): Promise<ChargeObjectId | null> {
  let seen = 0
  const ask = (after: { starting_after?: string }) =>
    account.api.paymentIntents.list({ customer, limit: PAGE, ...after }, within(account, timed))
  for await (const intent of everyOf(ask)) {
    if (intent.metadata.key === key) return { gatewayChargeId: intent.id }
    if (++seen === MOST_INTENTS) break
  }
  return null
}
