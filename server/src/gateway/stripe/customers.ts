import { assert } from '../../core/assert.ts'
import type { StripeAccount } from './client.ts'

/** The customer that stands for a business at Stripe; made at its first need. */
export async function customerOf({ api, db, clock }: StripeAccount, businessId: string): Promise<string> {
  const known = await findCustomer({ db }, businessId)
  if (known !== null) return known
  const made = await api.customers.create({ metadata: { businessId } }, { idempotencyKey: `customer:${businessId}` })
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
