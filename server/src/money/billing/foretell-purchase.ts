import { type PurchasePreview, previewOfPurchase } from '../../core/purchase-preview.ts'
import type { Change } from '../../core/subscription.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { nowOf, openPurse } from './load.ts'

/** What the change that a purchase brings would cost, now and next. Writes nothing. */
export async function foretellPurchase(
  { sql }: Tx,
  { clock }: Pick<Ports, 'clock'>,
  change: Change,
): Promise<PurchasePreview> {
  const { subscription } = change
  const now = await nowOf(sql, subscription, clock.now())
  // What follows is foretold with the credit of today, which undoing a cancellation need not know.
  const credit = change.credit ?? (await openPurse(sql, [subscription])).of(subscription)
  return previewOfPurchase({ ...change, credit }, now)
}
