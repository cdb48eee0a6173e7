import { type Rejection, reject } from '../../core/rejection.ts'
import type { Subscription } from '../../core/subscription.ts'
import { findInvoice, type Invoice } from '../../money/invoices/store.ts'
import { findSubscription } from '../../money/subscriptions/store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Shop } from './own-page.ts'

/** The business's own; another's is as good as none. */
export async function findOwnSubscription(
  sql: Sql,
  { businessId }: Pick<Shop, 'businessId'>,
  subscriptionId: string,
): Promise<Subscription | Rejection> {
  const subscription = await findSubscription(sql, subscriptionId)
  if (subscription?.businessId === businessId) return subscription
  return reject('SUBSCRIPTION_NOT_FOUND', 'The business has no subscription with this id.')
}

export async function findOwnInvoice(
  sql: Sql,
  { businessId }: Pick<Shop, 'businessId'>,
  invoiceId: string,
): Promise<Invoice | Rejection> {
  const invoice = await findInvoice(sql, invoiceId)
  if (invoice?.businessId === businessId) return invoice
  return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this id.')
}
