import { endSessionsOfDevice } from '../../access/business-users/session-store.ts'
import { revokeGrantsOfDevice } from '../../access/tokens/device-grants.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { closeDeviceRow, revokeDeviceKey } from '../../merchants/businesses/device-store.ts'
import { findDevice } from '../../merchants/businesses/store.ts'
import { cancelPurchasesOfDevice } from '../../money/purchases/store.ts'
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
export async function closeWith(
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
