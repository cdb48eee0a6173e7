import { type Charge, isSettled } from '../../core/charge.ts'
import type { Purchase } from '../../core/purchase.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice } from '../invoices/store.ts'

/** What became of the money of a completed purchase, as far as it is known by now. */
export type PurchaseOutcome =
  | { readonly status: 'NOTHING_DUE' }
  | { readonly status: 'PAID' }
  /** Under way, or not known yet: look again. */
  | { readonly status: 'PENDING' }
  /** The payer has something to do there, as to prove who they are. */
  | { readonly status: 'ACTION_REQUIRED'; readonly actionUrl?: string }
  | { readonly status: 'DECLINED'; readonly reason?: string }

/** Reads the invoice of the purchase and its latest charge. */
export async function outcomeOf(
  { db }: Pick<Ports, 'db'>,
  { invoiceId }: Pick<Purchase, 'invoiceId'>,
): Promise<PurchaseOutcome> {
  if (invoiceId === undefined) return { status: 'NOTHING_DUE' }
  const invoice = await findInvoice(db.sql, invoiceId)
  if (invoice?.status === 'PAID') return { status: 'PAID' }
  const charges = await findChargesOfInvoices(db.sql, [invoiceId])
  const latest = charges.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime()).at(-1)
  return latest === undefined ? { status: 'PENDING' } : outcomeOfCharge(latest)
}

function outcomeOfCharge({ status, reason, actionUrl }: Charge): PurchaseOutcome {
  if (status === 'ACTION_REQUIRED') return { status, ...(actionUrl === undefined ? {} : { actionUrl }) }
  // One that has succeeded and is not booked yet is a moment from PAID.
  if (!isSettled(status) || status === 'SUCCEEDED') return { status: 'PENDING' }
  return { status: 'DECLINED', ...(reason === undefined ? {} : { reason }) }
}
