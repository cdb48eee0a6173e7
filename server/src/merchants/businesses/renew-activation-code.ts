import { randomBytes } from 'node:crypto'
import {
  ACTIVATION_CODE_BYTES,
  ACTIVATION_CODE_LIFETIME_MS,
  activationCodeOf,
  hashActivationCode,
} from '../../core/activation-code.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import { saveActivationCode } from './device-store.ts'

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
export function newActivationCode(now: Date) {
  const activationCode = activationCodeOf(randomBytes(ACTIVATION_CODE_BYTES))
  const expiresAt = new Date(now.getTime() + ACTIVATION_CODE_LIFETIME_MS)
  return { activationCode, codeHash: hashActivationCode(activationCode), expiresAt }
}
