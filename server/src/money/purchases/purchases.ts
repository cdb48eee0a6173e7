import { addDays } from '../../core/calendar.ts'
import { type Charge, isSettled } from '../../core/charge.ts'
import { PURCHASE_KEPT_DAYS, type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice } from '../invoices/store.ts'
import { endPurchase, expirePurchases, findPurchase, lockPurchase, purgeNeverCompleted } from './store.ts'

/** A purchase as it is now. `isMine` says which the caller may see: others are not found. */
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
 * The merchant decides against it, or whoever asked takes it back. Cancelled before: unchanged. PURCHASE_CLOSED where it was
 * completed or is over. `isMine` says which purchases the caller may cancel: others are not found.
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

const EXPIRE_BATCH = 500

/** Writes down what is over. Nothing waits for it: whoever reads an open purchase looks at the time. Gives how many. */
export function expireDue({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return expirePurchases(db.sql, { now: clock.now(), limit: EXPIRE_BATCH })
}

const PURGE_BATCH = 1_000

/** Deletes one batch of purchases that were never completed and ended long ago. Gives how many: less than a batch is all. */
export function purgePurchases({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeNeverCompleted(db.sql, addDays(clock.now(), -PURCHASE_KEPT_DAYS), PURGE_BATCH)
}
