import { assert } from '../../../core/assert.ts'
import type { Timed } from '../gateway.ts'
import { type StripeAccount, within } from './client.ts'
import { isMissing } from './failures.ts'
import { once } from './once.ts'

/** The customer that stands for a business at Stripe; made at its first need. */
export async function customerOf(account: StripeAccount, businessId: string, timed: Timed = {}): Promise<string> {
  return (await findCustomer(account, businessId)) ?? (await makeCustomer(account, businessId, null, timed))
}

/** Does what needs the customer of a business: with another one, where theirs was deleted at Stripe. */
export async function withCustomer<T>(
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

/** In the place of `gone`, or of none. Two at once make the same one, by its key; days later, the first row stands. */
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
  assert(customerId !== null, 'a customer that was stored is there')
  return customerId
}
