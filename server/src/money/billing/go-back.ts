import { assert } from '../../core/assert.ts'
import { bookChargeback, bookReturnedChargeback } from '../../core/ledger.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { lockCredits } from '../credits/store.ts'
import { findInvoice, type Invoice, lockInvoice } from '../invoices/store.ts'
import { findBookedCharge, insertLedgerTransactions } from '../ledger/store.ts'
import { lockSubscription } from '../subscriptions/store.ts'
import { nowOf } from './load.ts'
import { takeBackCredit } from './take-back-credit.ts'

/** An invoice whose money goes back or comes again, with all that it concerns. */
export interface LockedInvoice {
  readonly subscription: Subscription
  readonly invoice: Invoice
  /** The subscription's time. */
  readonly at: Date
}

/** The subscription first, as everywhere: one order of locks. */
export async function lockPaid(tx: Tx, { clock }: Pick<Ports, 'clock'>, invoiceId: string): Promise<LockedInvoice> {
  const subscriptionId = (await findInvoice(tx.sql, invoiceId))?.subscriptionId
  assert(subscriptionId, 'what goes back was paid for an invoice')
  const subscription = await lockSubscription(tx.sql, subscriptionId)
  assert(subscription, 'what a refund belongs to is never deleted')
  await lockCredits(tx.sql, [subscription])
  const invoice = await lockInvoice(tx.sql, invoiceId)
  assert(invoice, 'what a refund belongs to is never deleted')
  return { subscription, invoice, at: await nowOf(tx.sql, subscription, clock.now()) }
}

/** What a booking of money that goes back, or comes again, has of its invoice. */
export async function bookingOf(
  { sql }: Pick<Tx, 'sql'>,
  { newId }: Pick<Ports, 'newId'>,
  { subscription, invoice, at }: LockedInvoice,
  { sourceId, amount }: { sourceId: string; amount: number },
) {
  const { invoiceId, businessId, currency } = invoice
  const { organizationId } = subscription
  const booked = await findBookedCharge(sql, invoiceId)
  assert(booked, 'only what was charged, and so booked, goes back')
  const { shareBasisPoints, goneBefore } = booked
  const of = { invoiceId, businessId, organizationId, currency }
  return { ...of, ledgerTransactionId: newId(), sourceId, amount, bookedAt: at, shareBasisPoints, goneBefore }
}

/**
 * What follows once refunds or disputes of an invoice have changed, by that source: of what disputes took, as much is charged back as
 * had not gone back by refunds, whichever we hear of first; and credit that is so given twice is taken back.
 */
export async function settleWhatWentBack(
  tx: Tx,
  ports: Pick<Ports, 'newId'>,
  locked: LockedInvoice,
  sourceId: string,
): Promise<void> {
  const { subscription, invoice, at } = locked
  const { invoiceId } = invoice
  const owed = (await findInvoice(tx.sql, invoiceId))?.amountChargedBack ?? 0
  const more = owed - ((await findBookedCharge(tx.sql, invoiceId))?.chargedBack ?? 0)
  if (more !== 0) {
    const booking = await bookingOf(tx, ports, locked, { sourceId, amount: Math.abs(more) })
    await insertLedgerTransactions(tx.sql, [more > 0 ? bookChargeback(booking) : bookReturnedChargeback(booking)])
  }
  await takeBackCredit(tx.sql, ports, { subscription, sourceId, invoiceId, at })
}
