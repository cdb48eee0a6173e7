import { type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { endPurchase, lockPurchase } from './store.ts'

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
