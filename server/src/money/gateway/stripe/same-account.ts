import type { StripeAccount } from './client.ts'
import { isMissing, orUnreachable } from './failures.ts'

/** One may have gone in some way that we do not know of. All of these do in another account alone. */
const ASKED_FOR = 3

/**
 * Whether the key is of an account that knows none of our customers: of somebody else, or of the other of test and live mode. A customer that
 * was deleted is still known there. Without customers nobody was charged yet, and any account will do.
 */
export async function isOtherAccount(account: StripeAccount): Promise<boolean> {
  const customers = await account.db.sql<{ customerId: string }[]>`
    select customer_id as "customerId" from stripe_customers order by created_at desc, customer_id limit ${ASKED_FOR}`
  for (const { customerId } of customers) if (await isKnown(account, customerId)) return false
  return customers.length > 0
}

async function isKnown(account: StripeAccount, customerId: string): Promise<boolean> {
  try {
    await orUnreachable(() => account.api.customers.retrieve(customerId))
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
