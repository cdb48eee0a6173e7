import type { Device } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { newActivationCode } from './renew-activation-code.ts'
import { findStore, insertDevice, lockBusiness } from './store.ts'

export interface AddDevice {
  /** Id of a form that may be sent twice: the second submission adds nothing, and its code activates nothing. */
  readonly deviceId?: string
  readonly businessId: string
  readonly storeId: string
  readonly name: string
  readonly serialNumber: string
}

export interface NewDevice {
  readonly device: Device
  /** Shown this once: only its hash is stored. */
  readonly activationCode: string
  readonly activationExpiresAt: Date
}

/** Registers a terminal in a store, with an activation code that is valid for 15 minutes. Decisions 9 and 11. */
export async function addDevice(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  input: AddDevice,
): Promise<NewDevice | Rejection> {
  const now = clock.now()
  const device: Device = { deviceId: newId(), ...input, status: 'NEW', createdAt: now, updatedAt: now }
  const { activationCode, ...code } = newActivationCode(now)
  return db.transaction(async ({ sql }) => {
    // Locked: a concurrent closing of the store comes before or after.
    if ((await lockBusiness(sql, input.businessId)) === null) {
      return reject('BUSINESS_NOT_FOUND', 'There is no business with this id.')
    }
    const store = await findStore(sql, input.businessId, input.storeId)
    if (store === null || store.status === 'CLOSED') {
      return reject('STORE_NOT_FOUND', 'This business has no open store with this id.')
    }
    await insertDevice(sql, device, code)
    return { device, activationCode, activationExpiresAt: code.expiresAt }
  })
}
