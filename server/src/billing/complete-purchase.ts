import { timingSafeEqual } from 'node:crypto'
import type { Principal } from '../core/principal.ts'
import { type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../core/purchase.ts'
import { isRefusal, type Refusal } from '../core/refusal.ts'
import { isTakenByRole } from '../core/roles.ts'
import type { Ports } from '../ports.ts'
import { endPurchase, lockPurchase, type StoredPurchase } from '../purchases/store.ts'
import { considerPurchase, writePurchase } from './consider-purchase.ts'
import { hashSecret } from './open-purchase.ts'
import type { WritePorts } from './write.ts'

/** Who stands before the screen: whoever has its address, or a merchant's user who signed in. */
export type Buyer = { readonly secret: string } | { readonly principal: Principal }

export interface CompletePurchase {
  readonly purchaseId: string
  /** Absent: with what the business pays with by default. */
  readonly paymentMethodId?: string
  readonly by: Buyer
}

/**
 * The merchant confirms: the purchase, and what it brings, are one transaction, so that it comes true once, however often and
 * wherever it is pressed, and is OPEN after a crash before the commit. Completed before: as it was, and nothing happens. Refused
 * (a payment method is missing, the plan was retired meanwhile): it stays OPEN, and nothing is changed. The charge follows by
 * itself; `purchases/outcome.ts` tells what became of it. Source: decisions 9.
 */
export function completePurchase(
  ports: WritePorts & Pick<Ports, 'db'>,
  { purchaseId, paymentMethodId, by }: CompletePurchase,
): Promise<Purchase | Refusal> {
  return ports.db.transaction(async tx => {
    const stored = await lockPurchase(tx.sql, purchaseId)
    if (stored === null || !mayBuy(stored, by)) return purchaseNotFound()
    const now = ports.clock.now()
    const { secretHash, ...purchase } = purchaseAt(stored, now)
    if (purchase.status === 'COMPLETED') return purchase
    if (purchase.status !== 'OPEN') return purchaseClosed(purchase)
    const paying = paymentMethodId === undefined ? {} : { paymentMethodId }
    const change = await considerPurchase(tx, ports, purchase, paying)
    if (isRefusal(change)) return change
    await writePurchase(tx, ports, change, { ...purchase, ...paying })
    // Where credit pays for all of it, there is nothing to wait for.
    const invoiceId = change.charges[0]?.invoiceId
    const { subscriptionId } = change.subscription
    const completed: Purchase = {
      ...purchase,
      ...{ subscriptionId, status: 'COMPLETED', endedAt: now },
      ...(invoiceId === undefined ? {} : { invoiceId }),
    }
    await endPurchase(tx.sql, completed)
    return completed
  })
}

/**
 * A terminal's purchase: whoever has the address of its screen, which the terminal got for a user who may subscribe. An app's:
 * only a merchant's user of that business who may subscribe, after signing in. Others are told that there is none.
 */
export function mayBuy({ secretHash, businessId }: StoredPurchase, by: Buyer): boolean {
  if ('secret' in by) return secretHash !== undefined && timingSafeEqual(secretHash, hashSecret(by.secret))
  const { principal } = by
  if (principal.kind !== 'merchant' || secretHash !== undefined) return false
  return principal.businessId === businessId && !isTakenByRole(principal, 'subscriptions.subscribe')
}
