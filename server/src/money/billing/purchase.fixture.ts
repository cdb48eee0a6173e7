import { assert } from '../../core/assert.ts'
import type { Purchase } from '../../core/purchase.ts'
import type { Rejection } from '../../core/rejection.ts'
import { type CompletePorts, type CompletePurchase, completePurchaseAsAgreed } from './purchase.ts'

/** Completes a purchase at any price. */
export async function completePurchase(ports: CompletePorts, input: CompletePurchase): Promise<Purchase | Rejection> {
  const most = Number.POSITIVE_INFINITY
  const completed = await completePurchaseAsAgreed(ports, {
    ...input,
    agreed: { amount: most, price: most, next: most },
  })
  assert(!('costs' in completed), 'no cost exceeds an agreed amount of infinity')
  return completed
}
