import Stripe from 'stripe'
import { assert } from '../../../core/assert.ts'
import type { BegunPaymentMethod, GatewayRefusal, SavedPaymentMethod } from '../gateway.ts'
import type { StripeAccount } from './client.ts'
import { customerOf, isCustomerMissing, withCustomer } from './customers.ts'
import { isMissing, orMissing } from './failures.ts'
import { once } from './once.ts'

interface Saving {
  readonly businessId: string
  readonly token: string
  readonly key: string
}

/** A SetupIntent: Stripe's own element in a page finishes it, so that no card number passes us, and bank checks are done there. */
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

/** The token is a payment method (`pm_…`), or a SetupIntent (`seti_…`) that the page has finished. */
export async function save(
  account: StripeAccount,
  saving: Saving,
): Promise<SavedPaymentMethod | GatewayRefusal | null> {
  const { businessId, token } = saving
  try {
    return await (token.startsWith('seti_')
      ? saveFinished(account, await customerOf(account, businessId), token)
      : withCustomer(account, businessId, customer => attach(account, customer, saving)))
  } catch (error) {
    if (isCustomerMissing(error)) throw error
    if (isMissing(error)) return null
    if (error instanceof Stripe.errors.StripeCardError) {
      return { refused: error.decline_code ?? error.code ?? 'card_declined' }
    }
    // An id of another kind, or a method that belongs to somebody else or was used up.
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
    // It may say that it is attached: by this request, whose key is forgotten, or by one whose answer was a 500.
    const found = error instanceof Stripe.errors.StripeInvalidRequestError ? await find() : null
    if (found === null) throw error
    return savedAs(found)
  }
}

/** Null: it is not of this customer. */
async function findAttached(api: Stripe, customer: string, token: string): Promise<Stripe.PaymentMethod | null> {
  const method = await orMissing(() => api.paymentMethods.retrieve(token))
  return method?.customer === customer ? method : null
}

async function saveFinished(
  { api }: StripeAccount,
  customer: string,
  token: string,
): Promise<SavedPaymentMethod | GatewayRefusal | null> {
  const intent = await orMissing(() => api.setupIntents.retrieve(token, { expand: ['payment_method'] }))
  // Another merchant's SetupIntent is no token of this one.
  if (intent === null || intent.customer !== customer) return null
  if (intent.status !== 'succeeded') return { refused: intent.last_setup_error?.code ?? `setup_${intent.status}` }
  assert(
    intent.payment_method !== null && typeof intent.payment_method === 'object',
    'a finished SetupIntent has a method',
  )
  return savedAs(intent.payment_method)
}

function savedAs({ id, card, type }: Stripe.PaymentMethod): SavedPaymentMethod {
  return { reference: id, label: card ? `${card.brand} •••• ${card.last4}` : type }
}
