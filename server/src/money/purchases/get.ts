import { type Purchase, purchaseAt, purchaseNotFound } from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { findPurchase } from './store.ts'

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
