import { endSessionsOfDevice } from '../../access/business-users/session-store.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import { revokeGrantsOfDevice } from '../../access/tokens/store.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { closeDeviceRow, revokeDeviceKey } from '../../merchants/businesses/device-store.ts'
import { closeStoreRow, findDevice, findDevices, findStore, lockBusiness } from '../../merchants/businesses/store.ts'
import { cancelPurchasesOfDevice } from '../../money/purchases/store.ts'
import { findLiveOfStore } from '../../money/subscriptions/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { deleteInstalledOf } from '../installed-apps/store.ts'

/**
 * Closes a lost or sold terminal permanently. Its key, activation code, tokens, signed-in users and open purchases end: at once in this
 * process, within a second in others. Its subscriptions continue until they are moved or cancelled (decisions 5, "Device moves"). A closed
 * terminal stays unchanged. DEVICE_NOT_FOUND if the business has no such device.
 */
export function closeDevice(
  { db, clock, revocations }: Pick<Ports, 'db' | 'clock'> & { readonly revocations: Revocations },
  { businessId, deviceId }: { readonly businessId: string; readonly deviceId: string },
): Promise<'closed' | Rejection> {
  return db.transaction(async tx => {
    if (await closeWith(tx, { revocations }, { businessId, deviceId, now: clock.now() })) return 'closed'
    const device = await findDevice(tx.sql, businessId, deviceId)
    return device === null ? reject('DEVICE_NOT_FOUND', 'The business has no device with this id.') : 'closed'
  })
}

/** Closes the terminal inside the caller's transaction. Returns false if the terminal is unknown or closed. */
async function closeWith(
  tx: Tx,
  { revocations }: { readonly revocations: Revocations },
  { businessId, deviceId, now }: { readonly businessId: string; readonly deviceId: string; readonly now: Date },
): Promise<boolean> {
  const { sql } = tx
  if ((await closeDeviceRow(sql, { businessId, deviceId, now })) === null) return false
  // Key first: a concurrent exchange holds the key, and its grant becomes visible before the next statement.
  await revokeDeviceKey(sql, deviceId, now)
  await endSessionsOfDevice(sql, deviceId, now)
  const ended = await revokeGrantsOfDevice(sql, deviceId, now)
  await cancelPurchasesOfDevice(sql, deviceId, now)
  await deleteInstalledOf(sql, deviceId)
  tx.afterCommit(() => revocations.add(ended, now))
  return true
}

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
