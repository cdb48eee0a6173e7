import { randomBytes } from 'node:crypto'
import {
  ACTIVATION_CODE_BYTES,
  ACTIVATION_CODE_LIFETIME_MS,
  activationCodeOf,
  hashActivationCode,
} from '../../core/activation-code.ts'
import type { Device } from '../../core/business-record.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { saveActivationCode } from './device-store.ts'
import { findStore, insertDevice, lockBusiness } from './store.ts'

interface AddDevice {
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

export interface ActivationCode {
  readonly deviceId: string
  /** Shown this once: only its hash is stored. */
  readonly activationCode: string
  readonly activationExpiresAt: Date
}

/**
 * Creates a new activation code for a terminal; the previous code ends. The terminal's key works until the new code is used. Source:
 * decisions 9.
 */
export async function renewActivationCode(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  of: { readonly businessId: string; readonly deviceId: string },
): Promise<ActivationCode | Rejection> {
  const now = clock.now()
  const { activationCode, ...code } = newActivationCode(now)
  const isSaved = await db.transaction(({ sql }) => saveActivationCode(sql, { ...of, ...code, now }))
  if (!isSaved) return reject('DEVICE_NOT_FOUND', 'The business has no open device with this id.')
  return { deviceId: of.deviceId, activationCode, activationExpiresAt: code.expiresAt }
}

/** A code that is valid for 15 minutes, with the hash to store. */
function newActivationCode(now: Date) {
  const activationCode = activationCodeOf(randomBytes(ACTIVATION_CODE_BYTES))
  const expiresAt = new Date(now.getTime() + ACTIVATION_CODE_LIFETIME_MS)
  return { activationCode, codeHash: hashActivationCode(activationCode), expiresAt }
}
