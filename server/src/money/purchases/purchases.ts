import { addDays } from '../../core/calendar.ts'
import { type Charge, isSettled } from '../../core/charge.ts'
import { PURCHASE_KEPT_DAYS, type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice } from '../invoices/store.ts'
import { endPurchase, expirePurchases, findPurchase, lockPurchase, purgeNeverCompleted } from './store.ts'

/** Returns a purchase at this moment. `isMine` selects the purchases that the caller may see. */
export async function getPurchase(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { purchaseId, isMine }: { readonly purchaseId: string; readonly isMine: (purchase: Purchase) => boolean },
): Promise<Purchase | Rejection> {
  const stored = await findPurchase(db.sql, purchaseId)
  if (stored === null || !isMine(stored)) return purchaseNotFound()
  const { secretHash, ...purchase } = purchaseAt(stored, clock.now())
  return purchase
}

/**
 * Cancels an OPEN purchase. A cancelled purchase stays unchanged; a completed or expired one is rejected with
 * PURCHASE_CLOSED. `isMine` selects the purchases that the caller may cancel.
 */
export function cancelPurchase(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { purchaseId, isMine }: { readonly purchaseId: string; readonly isMine: (purchase: Purchase) => boolean },
): Promise<Purchase | Rejection> {
  return db.transaction(async ({ sql }) => {
    const stored = await lockPurchase(sql, purchaseId)
    if (stored === null || !isMine(stored)) return purchaseNotFound()
    const now = clock.now()
    const { secretHash, ...purchase } = purchaseAt(stored, now)
    if (purchase.status === 'CANCELLED') return purchase
    if (purchase.status !== 'OPEN') return purchaseClosed(purchase)
    const cancelled: Purchase = { ...purchase, status: 'CANCELLED', endedAt: now }
    await endPurchase(sql, cancelled)
    return cancelled
  })
}

/** The payment of a completed purchase. */
export type PurchaseOutcome =
  | { readonly status: 'NOTHING_DUE' }
  | { readonly status: 'PAID' }
  /** The outcome is not known yet. */
  | { readonly status: 'PENDING' }
  /** The payer must act there, for instance confirm the payment at the bank. */
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
  // The booking of a successful charge follows in a moment.
  if (!isSettled(status) || status === 'SUCCEEDED') return { status: 'PENDING' }
  return { status: 'DECLINED', ...(reason === undefined ? {} : { reason }) }
}

const EXPIRE_BATCH = 500

/**
 * Writes EXPIRED to overdue purchases. Readers compare `expiresAt` themselves, so nothing waits for this job. Returns
 * the number.
 */
export function expireDue({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return expirePurchases(db.sql, { now: clock.now(), limit: EXPIRE_BATCH })
}

const PURGE_BATCH = 1_000

/** Deletes a batch of purchases that ended long ago without being completed. Returns the number. */
export function purgePurchases({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeNeverCompleted(db.sql, addDays(clock.now(), -PURCHASE_KEPT_DAYS), PURGE_BATCH)
}
