import type { Revocations } from '../../access/tokens/revocations.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { closeStoreRow, findDevices, findStore, lockBusiness } from '../../merchants/businesses/store.ts'
import { findLiveOfStore } from '../../money/subscriptions/store.ts'
import type { Ports } from '../../ports.ts'
import { closeWith } from './close-device.ts'

/**
 * Closes a store permanently, with all its terminals (`closeDevice`). Rejected while an uncancelled subscription is for this store or one
 * of its terminals alone: a merchant must not pay for a closed store by oversight. Orders and invoices remain. A closed store stays
 * unchanged. STORE_NOT_FOUND, STORE_IN_USE.
 */
export function closeStore(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { businessId, storeId }: { readonly businessId: string; readonly storeId: string },
): Promise<'closed' | Rejection> {
  const now = clock.now()
  return db.transaction(async tx => {
    const { sql } = tx
    // Locked: a concurrent subscription, move or new terminal comes before and is seen, or comes after and finds the store closed.
    await lockBusiness(sql, businessId)
    const store = await findStore(sql, businessId, storeId)
    if (store === null) return reject('STORE_NOT_FOUND', 'The business has no store with this id.')
    if (store.status === 'CLOSED') return 'closed'
    const live = await findLiveOfStore(sql, { businessId, storeId })
    if (live !== null) {
      const advice = 'Move it, or cancel it, first.'
      return reject('STORE_IN_USE', `Subscription ${live} is for this store or one of its terminals. ${advice}`)
    }
    await closeStoreRow(sql, { businessId, storeId, now })
    const there = (await findDevices(sql, businessId)).filter(device => device.storeId === storeId)
    for (const { deviceId } of there) await closeWith(tx, { revocations }, { businessId, deviceId, now })
    return 'closed'
  })
}
