import { assert } from '../../core/assert.ts'
import type { Timed } from '../gateway.ts'
import { type StripeAccount, within } from './client.ts'

/** The customer that stands for a business at Stripe; made at its first need. */
export async function customerOf(account: StripeAccount, businessId: string, timed: Timed = {}): Promise<string> {
  const { api, db, clock } = account
  const known = await findCustomer({ db }, businessId)
  if (known !== null) return known
  const options = { ...within(account, timed), idempotencyKey: `customer:${businessId}` }
  const made = await api.customers.create({ metadata: { businessId } }, options)
  // Two at once made the same one by its key; days later, the first row stands.
  await db.sql`
    insert into stripe_customers (business_id, customer_id, created_at)
    values (${businessId}, ${made.id}, ${clock.now()})
    on conflict (business_id) do nothing`
  const customerId = await findCustomer({ db }, businessId)
  assert(customerId !== null, 'a customer that was stored is there')
  return customerId
}

export async function findCustomer({ db }: Pick<StripeAccount, 'db'>, businessId: string): Promise<string | null> {
  const [row] = await db.sql<{ customerId: string }[]>`
    select customer_id as "customerId" from stripe_customers where business_id = ${businessId}`
  return row?.customerId ?? null
}
