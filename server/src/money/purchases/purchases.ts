import { addDays } from '../../core/calendar.ts'
import { type Charge, isSettled } from '../../core/charge.ts'
import {
  isPayable,
  PURCHASE_KEPT_DAYS,
  type Purchase,
  purchaseAt,
  purchaseClosed,
  purchaseNotFound,
} from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findChargesOfInvoices } from '../charges/store.ts'
import { findInvoice } from '../invoices/store.ts'
import { findSubscription } from '../subscriptions/store.ts'
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
    const { purchase: open } = await offeredAgain({ sql }, purchase, now)
    if (open.status !== 'OPEN') return purchaseClosed(purchase)
    const cancelled: Purchase = { ...open, status: 'CANCELLED', endedAt: now }
    await endPurchase(sql, cancelled)
    return cancelled
  })
}

/** A purchase, and the decline that made it open again. */
export interface OfferedAgain {
  readonly purchase: Purchase
  readonly declined?: Extract<PurchaseOutcome, { status: 'DECLINED' }>
}

/**
 * Decisions 5: "The purchase screen shows a declined card and lets the merchant choose another." A purchase whose first
 * payment was declined is OPEN again for the time in which a payment can be repeated. Any other purchase stays unchanged.
 */
export async function offeredAgain(db: Pick<Tx, 'sql'>, purchase: Purchase, now: Date): Promise<OfferedAgain> {
  const { status, kind, subscriptionId, invoiceId, endedAt, ...open } = purchase
  if (status !== 'COMPLETED' || kind !== 'SUBSCRIBE' || !isPayable(purchase, now)) return { purchase }
  const subscription = await findSubscription(db.sql, subscriptionId ?? '')
  if (subscription?.endReason !== 'NOT_STARTED') return { purchase }
  const declined = await outcomeOf({ db }, purchase)
  return declined.status === 'DECLINED' ? { purchase: { ...open, kind, status: 'OPEN' }, declined } : { purchase }
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
  { db }: { readonly db: Pick<Tx, 'sql'> },
  { invoiceId }: Pick<Purchase, 'invoiceId'>,
): Promise<PurchaseOutcome> {
  if (invoiceId === undefined) return { status: 'NOTHING_DUE' }
  const invoice = await findInvoice(db.sql, invoiceId)
  if (invoice?.status === 'PAID') return { status: 'PAID' }
  const latest = (await findChargesOfInvoices(db.sql, [invoiceId])).at(-1)
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

/** Deletes a batch of purchases that ended long ago without being completed. Returns how many. */
export function purgePurchases({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeNeverCompleted(db.sql, addDays(clock.now(), -PURCHASE_KEPT_DAYS), PURGE_BATCH)
}
