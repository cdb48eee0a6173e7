import { assert } from '../../core/assert.ts'
import { type Refund, refundableAmount } from '../../core/refund.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findGranted } from '../credits/store.ts'
import { lockInvoice } from '../invoices/store.ts'
import { insertRefunds, lockWaitingOwed, postponeRefund, sumPendingRefunds } from '../refunds/store.ts'
import { findSubscription } from '../subscriptions/store.ts'
import { nowOf } from './load.ts'

export interface RefundInput {
  readonly businessId: string
  readonly invoiceId: string
  /** Only an invoice of an app of this organization. */
  readonly organizationId?: string
  /** Minor units; all that is left when absent. */
  readonly amount?: number
  readonly reason?: string
}

/**
 * Orders a refund. It is PENDING until the gateway has answered; then REFUND_SUCCESS is told, or it is shown as FAILED. Where the same is
 * owed already and waits for another try, that try is made at once: nobody is given it twice.
 * Source: decisions 6, Refund.
 */
export async function refund(
  ports: Pick<Ports, 'db' | 'clock' | 'newId' | 'wake'>,
  input: RefundInput,
): Promise<Refund | Rejection> {
  return await ports.db.transaction(async tx => {
    const invoice = await lockInvoice(tx.sql, input.invoiceId)
    const foreign = input.organizationId !== undefined && invoice?.organizationId !== input.organizationId
    if (invoice === null || invoice.businessId !== input.businessId || foreign) {
      return reject('INVOICE_NOT_FOUND', 'The business has no invoice with this invoiceId.')
    }
    const now = ports.clock.now()
    const waiting = await lockWaitingOwed(tx.sql, { invoiceId: invoice.invoiceId, now })
    if (waiting !== null && (input.amount ?? waiting.amount) === waiting.amount) {
      await postponeRefund(tx.sql, { refundId: waiting.refundId, nextPollAt: now })
      tx.afterCommit(() => ports.wake.refunds())
      return waiting
    }
    const pendingRefunds = await sumPendingRefunds(tx.sql, invoice.invoiceId)
    const creditGranted = await findGranted(tx.sql, invoice.invoiceId)
    const amount = refundableAmount({ ...invoice, pendingRefunds, creditGranted }, input.amount)
    if (isRejection(amount)) return amount
    const subscription = await findSubscription(tx.sql, invoice.subscriptionId)
    assert(subscription, 'an invoice has a subscription')
    const createdAt = await nowOf(tx.sql, subscription, now)
    const made: Refund = {
      refundId: ports.newId(),
      invoiceId: invoice.invoiceId,
      businessId: invoice.businessId,
      amount,
      currency: invoice.currency,
      reason: input.reason ?? '',
      origin: 'API',
      status: 'PENDING',
      createdAt,
      updatedAt: createdAt,
      pollCount: 0,
    }
    await insertRefunds(tx.sql, [{ ...made, nextPollAt: now }])
    tx.afterCommit(() => ports.wake.refunds())
    return made
  })
}
