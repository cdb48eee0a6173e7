import type { Revocations } from '../../access/tokens/revocations.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { closeStoreRow, findDevices, findStore, lockBusiness } from '../../merchants/businesses/store.ts'
import { findLiveOfStore } from '../../money/subscriptions/store.ts'
import type { Ports } from '../../ports.ts'
import { closeWith } from './close-device.ts'

/**
 * Closes a store for good, and with it every terminal there, as `closeDevice` closes one. Not while a subscription is for this store
 * or one of its terminals alone, and not cancelled: nobody goes on paying for what is shut by oversight. Its orders and invoices stay.
 * Closed before: unchanged. STORE_NOT_FOUND where the business has no such store, STORE_IN_USE.
 */
export function closeStore(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { businessId, storeId }: { readonly businessId: string; readonly storeId: string },
): Promise<'closed' | Rejection> {
  const now = clock.now()
  return db.transaction(async tx => {
    const { sql } = tx
    // Whoever subscribes, moves a subscription or adds a terminal there comes before, and is seen, or after, and finds it closed.
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
