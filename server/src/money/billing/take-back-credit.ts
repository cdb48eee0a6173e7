import { takenTwice } from '../../core/credit.ts'
import { bookCredit, bookCreditUse } from '../../core/ledger.ts'
import type { Subscription } from '../../core/subscription.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findGranted, findTakenBack, saveTakenBack } from '../credits/store.ts'
import { findInvoice } from '../invoices/store.ts'
import { insertLedgerTransactions } from '../ledger/store.ts'

/**
 * What an invoice gave as credit and gives back in cash as well, as somebody may at the gateway itself after a change of plan, is taken
 * back: off the credit that is there, and else off the next that is granted. Nobody is charged for it. Should the refund come
 * back, so does the credit. So also for what the payer's bank took. The subscription, its credit and the invoice must be locked, and what went back booked.
 */
export async function takeBackCredit(
  sql: Sql,
  { newId }: Pick<Ports, 'newId'>,
  {
    subscription,
    sourceId,
    invoiceId,
    at,
  }: { subscription: Subscription; sourceId: string; invoiceId: string; at: Date },
): Promise<void> {
  const granted = await findGranted(sql, invoiceId)
  const invoice = granted === 0 ? null : await findInvoice(sql, invoiceId)
  if (invoice === null) return
  const takenBack = takenTwice(granted, invoice)
  const more = takenBack - (await findTakenBack(sql, invoiceId))
  if (more === 0) return
  const { businessId, organizationId, currency } = subscription
  const of = { businessId, organizationId, currency }
  await saveTakenBack(sql, { ...of, invoiceId, takenBack, more, at })
  const booking = { ...of, ledgerTransactionId: newId(), sourceId, invoiceId, bookedAt: at }
  await insertLedgerTransactions(sql, [
    more > 0 ? bookCreditUse({ ...booking, amount: more }) : bookCredit({ ...booking, amount: -more }),
  ])
}
