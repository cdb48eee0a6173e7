import { endSessionsOfDevice } from '../../access/business-users/session-store.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import { revokeGrantsOfDevice } from '../../access/tokens/store.ts'
import { hashActivationCode } from '../../core/activation-code.ts'
import type { Device } from '../../core/business-record.ts'
import { parsePublicKey } from '../../core/public-key.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { replaceDeviceKey, useActivationCode } from '../../merchants/businesses/device-store.ts'
import type { Ports } from '../../ports.ts'
import { deleteInstalledOf } from '../installed-apps/store.ts'

type ActivatePorts = Pick<Ports, 'db' | 'clock' | 'newId'> & { readonly revocations: Revocations }

/**
 * Exchanges an activation code for the terminal's key, once per code and within 15 minutes. The previous key, its tokens and the signed-in
 * users end: at once in this process, within a second in others. Unknown, used and expired codes get the same answer. Source: decisions 9.
 */
export async function activate(
  { db, clock, newId, revocations }: ActivatePorts,
  { activationCode, publicKey }: { readonly activationCode: string; readonly publicKey: unknown },
): Promise<{ readonly device: Device; readonly kid: string } | Rejection> {
  const key = parsePublicKey(publicKey)
  if (isRejection(key)) return key
  const now = clock.now()
  return db.transaction(async tx => {
    const device = await useActivationCode(tx.sql, { hash: hashActivationCode(activationCode), now })
    if (device === null) {
      return reject('ACTIVATION_CODE_INVALID', 'The code is unknown, used or older than 15 minutes. Ask for a new one.')
    }
    // Replaces the key first: a concurrent token request holds the key's lock, and its grant is visible to the next statement.
    await replaceDeviceKey(tx.sql, { ...key, deviceKeyId: newId(), device, now })
    await endSessionsOfDevice(tx.sql, device.deviceId, now)
    const ended = await revokeGrantsOfDevice(tx.sql, device.deviceId, now)
    // The device may be replaced, so the terminal must report its apps again.
    await deleteInstalledOf(tx.sql, device.deviceId)
    tx.afterCommit(() => revocations.add(ended, now))
    return { device, kid: key.kid }
  })
}
