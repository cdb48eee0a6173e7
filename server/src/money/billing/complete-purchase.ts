import { assert } from '../../core/assert.ts'
import { type Purchase, purchaseAt, purchaseClosed, purchaseNotFound } from '../../core/purchase.ts'
import type { PurchasePreview } from '../../core/purchase-preview.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { endPurchase, lockPurchase } from '../purchases/store.ts'
import { type Buyer, holdBuyer, isShownTo } from './buyer.ts'
import { considerPurchase, writePurchase } from './consider-purchase.ts'
import { foretellPurchase } from './foretell-purchase.ts'
import type { WritePorts } from './write.ts'

type CompletePorts = WritePorts & Pick<Ports, 'db'>

export interface CompletePurchase {
  readonly purchaseId: string
  /** Absent: with what the business pays with by default. */
  readonly paymentMethodId?: string
  readonly by: Buyer
}

/**
 * The merchant confirms: the purchase, and what it brings, are one transaction, so that it comes true once, however often and
 * wherever it is pressed, and is OPEN after a crash before the commit. Completed before: as it was, and nothing happens. Refused
 * (a payment method is missing, the plan was retired, its user is not signed in on the terminal any more): it stays OPEN, and nothing is changed. The charge follows by
 * itself; `purchases/outcome.ts` tells what became of it. Source: decisions 9.
 */
export async function completePurchase(ports: CompletePorts, input: CompletePurchase): Promise<Purchase | Rejection> {
  const most = Number.POSITIVE_INFINITY
  const completed = await completePurchaseAsShown(ports, {
    ...input,
    agreed: { amount: most, price: most, next: most },
  })
  assert(!('costs' in completed), 'nothing costs more than anything')
  return completed
}

/** What a person was shown: what is charged at once, for each period, and at the end of the first. Minor units. */
export interface Agreed {
  readonly amount: number
  readonly price: number
  readonly next: number
}

/**
 * The same, where a person was shown what it costs and agreed to that. Were it more by now, since time has passed or credit was
 * used elsewhere, nothing happens, the purchase stays OPEN, and what it costs is told. Less is never objected to.
 */
export function completePurchaseAsShown(
  ports: CompletePorts,
  { purchaseId, paymentMethodId, by, agreed }: CompletePurchase & { readonly agreed: Agreed },
): Promise<Purchase | { readonly costs: PurchasePreview } | Rejection> {
  return ports.db.transaction(async tx => {
    const stored = await lockPurchase(tx.sql, purchaseId)
    const now = ports.clock.now()
    if (stored === null || !isShownTo(stored, by, now)) return purchaseNotFound()
    const { secretHash, ...purchase } = purchaseAt(stored, now)
    if (purchase.status === 'COMPLETED') return purchase
    if (purchase.status !== 'OPEN') return purchaseClosed(purchase)
    const barred = await holdBuyer(tx.sql, purchase, now)
    if (barred !== null) return barred
    const paying = paymentMethodId === undefined ? {} : { paymentMethodId }
    const change = await considerPurchase(tx, ports, purchase, paying)
    if (isRejection(change)) return change
    const costs = await foretellPurchase(tx, ports, change)
    if (isMore(costs, agreed)) return { costs }
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

function isMore({ amount, price, next }: PurchasePreview, agreed: Agreed): boolean {
  return amount > agreed.amount || price > agreed.price || (next?.amount ?? 0) > agreed.next
}
