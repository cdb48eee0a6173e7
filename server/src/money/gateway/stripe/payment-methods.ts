import Stripe from 'stripe'
import { assert } from '../../../core/assert.ts'
import { cardOf } from '../../../core/card.ts'
import type { BegunPaymentMethod, GatewayDecline, SavedPaymentMethod, Timed } from '../gateway.ts'
import { isMissing, once, orMissing, type StripeAccount, within } from './client.ts'

interface Saving {
  readonly businessId: string
  readonly token: string
  readonly key: string
}

/** Creates a SetupIntent. Stripe's element in a page finishes the intent, so that no card number passes through Tillhook. */
export async function begin(
  account: StripeAccount,
  { businessId, key }: { businessId: string; key: string },
): Promise<BegunPaymentMethod> {
  const intent = await withCustomer(account, businessId, customer =>
    once(`setup:${customer}:${key}`, idempotencyKey =>
      account.api.setupIntents.create(
        { customer, usage: 'off_session', allowed_payment_method_types: ['card'], metadata: { businessId } },
        { idempotencyKey },
      ),
    ),
  )
  const { publishableKey } = account
  assert(intent.client_secret, 'a SetupIntent that was just made has its secret')
  return { clientSecret: intent.client_secret, ...(publishableKey === undefined ? {} : { publishableKey }) }
}

/** The token is a payment method (`pm_…`) or a finished SetupIntent (`seti_…`). */
export async function save(
  account: StripeAccount,
  saving: Saving,
): Promise<SavedPaymentMethod | GatewayDecline | null> {
  const { businessId, token } = saving
  try {
    return await (token.startsWith('seti_')
      ? saveFinished(account, await customerOf(account, businessId), token)
      : withCustomer(account, businessId, customer => attach(account, customer, saving)))
  } catch (error) {
    if (isCustomerMissing(error)) throw error
    if (isMissing(error)) return null
    if (error instanceof Stripe.errors.StripeCardError) {
      return { declined: error.decline_code ?? error.code ?? 'card_declined' }
    }
    // Another kind of id, or a payment method that belongs to others or was used.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
    throw error
  }
}

async function attach(
  { api }: StripeAccount,
  customer: string,
  { token, key }: Saving,
): Promise<SavedPaymentMethod | null> {
  if (!token.startsWith('pm_')) return null
  const attach = (idempotencyKey: string) => api.paymentMethods.attach(token, { customer }, { idempotencyKey })
  const find = () => findAttached(api, customer, token)
  try {
    return savedAs(await once(`attach:${customer}:${key}`, attach, find))
  } catch (error) {
    // Already attached, by an earlier request with a forgotten key or a 500.
    const found = error instanceof Stripe.errors.StripeInvalidRequestError ? await find() : null
    if (found === null) throw error
    return savedAs(found)
  }
}

/** Null if the payment method does not belong to this customer. */
async function findAttached(api: Stripe, customer: string, token: string): Promise<Stripe.PaymentMethod | null> {
  const method = await orMissing(() => api.paymentMethods.retrieve(token))
  return method?.customer === customer ? method : null
}

async function saveFinished(
  { api }: StripeAccount,
  customer: string,
  token: string,
): Promise<SavedPaymentMethod | GatewayDecline | null> {
  const intent = await orMissing(() => api.setupIntents.retrieve(token, { expand: ['payment_method'] }))
  // A SetupIntent of another merchant is not a token.
  if (intent === null || intent.customer !== customer) return null
  if (intent.status !== 'succeeded') return { declined: intent.last_setup_error?.code ?? `setup_${intent.status}` }
  assert(
    intent.payment_method !== null && typeof intent.payment_method === 'object',
    'a finished SetupIntent has a method',
  )
  return savedAs(intent.payment_method)
}

function savedAs({ id, card, type }: Stripe.PaymentMethod): SavedPaymentMethod {
  if (!card) return { reference: id, label: type }
  const described = cardOf({ brand: card.brand, last4: card.last4, month: card.exp_month, year: card.exp_year })
  const label = `${NETWORKS.get(card.brand) ?? card.brand} •••• ${card.last4}`
  return { reference: id, label, ...(described && { card: described }) }
}

/** The names of card networks as people know them, by Stripe's `brand`. */
const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'Mastercard'],
  ['unionpay', 'UnionPay'],
  ['visa', 'Visa'],
])

/** The Stripe customer of a business, created on first use. */
export async function customerOf(account: StripeAccount, businessId: string, timed: Timed = {}): Promise<string> {
  return (await findCustomer(account, businessId)) ?? (await makeCustomer(account, businessId, null, timed))
}

/** Runs `work` with the customer of a business, and once more with a new customer if the first was deleted at Stripe. */
async function withCustomer<T>(
  account: StripeAccount,
  businessId: string,
  work: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await customerOf(account, businessId)
  try {
    return await work(customer)
  } catch (error) {
    if (!isCustomerMissing(error)) throw error
    return await work(await makeCustomer(account, businessId, customer))
  }
}

export function isCustomerMissing(error: unknown): boolean {
  return isMissing(error) && error.param === 'customer'
}

export async function findCustomer({ db }: Pick<StripeAccount, 'db'>, businessId: string): Promise<string | null> {
  const [row] = await db.sql<{ customerId: string }[]>`
    select customer_id as "customerId" from stripe_customers where business_id = ${businessId}`
  return row?.customerId ?? null
}

/** Replaces `gone`, if given. Concurrent calls create one customer by the key; the first row wins. */
async function makeCustomer(
  account: StripeAccount,
  businessId: string,
  gone: string | null,
  timed: Timed = {},
): Promise<string> {
  const { api, db, clock } = account
  const key = gone === null ? `customer:${businessId}` : `customer:${businessId}:after:${gone}`
  const made = await once(key, idempotencyKey =>
    api.customers.create({ metadata: { businessId } }, { ...within(account, timed), idempotencyKey }),
  )
  await db.sql`
    insert into stripe_customers as c (business_id, customer_id, created_at)
    values (${businessId}, ${made.id}, ${clock.now()})
    on conflict (business_id) do update set customer_id = excluded.customer_id, created_at = excluded.created_at
    where c.customer_id = ${gone}`
  const customerId = await findCustomer({ db }, businessId)
  assert(customerId !== null, 'the customer was just stored')
  return customerId
}
