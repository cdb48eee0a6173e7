import { type Purchase, purchaseAt, purchaseNotFound } from '../../core/purchase.ts'
import type { PurchasePreview } from '../../core/purchase-preview.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { listPaymentMethods, type PaymentMethod } from '../payment-methods/store.ts'
import { findPurchase } from '../purchases/store.ts'
import { type Buyer, isShownTo, refuseBuyer } from './buyer.ts'
import { considerPurchase } from './consider-purchase.ts'
import { foretellPurchase } from './foretell-purchase.ts'

/** What the screen of a purchase shows. */
export interface PurchaseScreen {
  readonly purchase: Purchase
  /** Why who came may not buy or pay any more, though the purchase is shown. */
  readonly barred?: Rejection
  /** What completing it now would bring, or why it could not be completed; absent once it is over. */
  readonly preview?: PurchasePreview | Rejection
  /** The default comes first. */
  readonly paymentMethods: readonly PaymentMethod[]
}

/**
 * A purchase as its screen shows it, for whoever may complete it; to others there is none. What would be charged now and next is
 * decided by what completing it decides by, from the same facts. Nothing is stored.
 */
export async function showPurchase(
  ports: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { purchaseId, by }: { readonly purchaseId: string; readonly by: Buyer },
): Promise<PurchaseScreen | Rejection> {
  const stored = await findPurchase(ports.db.sql, purchaseId)
  const now = ports.clock.now()
  if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
  const { secretHash, ...purchase } = purchaseAt(stored, now)
  const paymentMethods = await listPaymentMethods(ports.db.sql, purchase.businessId)
  const barred = await refuseBuyer(ports.db.sql, purchase, now)
  const screen = { purchase, paymentMethods, ...(barred === null ? {} : { barred }) }
  if (purchase.status !== 'OPEN') return screen
  const preview = barred ?? (await ports.db.transaction(tx => previewOf(tx, ports, purchase)))
  return { ...screen, preview }
}

async function previewOf(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'newId'>,
  purchase: Purchase,
): Promise<PurchasePreview | Rejection> {
  // The price is shown before a card is asked for.
  const change = await considerPurchase(tx, ports, purchase, { assumesPaymentMethod: true })
  if (isRejection(change)) return change
  return foretellPurchase(tx, ports, change)
}
