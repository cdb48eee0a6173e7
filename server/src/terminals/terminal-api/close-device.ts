import { endSessionsOfDevice } from '../../access/business-users/session-store.ts'
import { revokeGrantsOfDevice } from '../../access/tokens/device-grants.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { closeDeviceRow, revokeDeviceKey } from '../../merchants/businesses/device-store.ts'
import { findDevice } from '../../merchants/businesses/store.ts'
import { cancelPurchasesOfDevice } from '../../money/purchases/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

/**
 * Closes a terminal for good, as one that is lost or sold. Its key and code, every token that came from it, who is signed in on it,
 * and what they asked to buy and did not confirm, end with it: at once here, within a second in every other process. Its
 * subscriptions go on: they move to the terminal that takes its place, or are cancelled (decisions 5, "Device moves").
 * Closed before: unchanged. DEVICE_NOT_FOUND where the business has no such device.
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

/** The same, in a transaction of the caller. False: there is none, or it is closed already. */
export async function closeWith(
  tx: Tx,
  { revocations }: { readonly revocations: Revocations },
  { businessId, deviceId, now }: { readonly businessId: string; readonly deviceId: string; readonly now: Date },
): Promise<boolean> {
  const { sql } = tx
  if ((await closeDeviceRow(sql, { businessId, deviceId, now })) === null) return false
  // The key first: an exchange that holds it is waited for, and the grant it makes is then seen.
  await revokeDeviceKey(sql, deviceId, now)
  await endSessionsOfDevice(sql, deviceId, now)
  const ended = await revokeGrantsOfDevice(sql, deviceId, now)
  await cancelPurchasesOfDevice(sql, deviceId, now)
  tx.afterCommit(() => revocations.add(ended, now))
  return true
}
