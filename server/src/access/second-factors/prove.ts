import { randomBytes } from 'node:crypto'
import { ACTIVATION_CODE_BYTES, activationCodeOf, hashActivationCode } from '../../core/activation-code.ts'
import type { Ports } from '../../ports.ts'
import { findSecondFactor, type SecondFactor, takeStep, useRecoveryCode } from './store.ts'
import { stepOf } from './totp.ts'

/** Purpose of the sealed secret of an authenticator app. */
export const SECRET_PURPOSE = 'second factor'

/** The code beside the password: from the app, or a recovery code. */
export interface SecondCode {
  readonly totp?: string
  readonly recoveryCode?: string
}

export function isGiven({ totp, recoveryCode }: SecondCode): boolean {
  return totp !== undefined || recoveryCode !== undefined
}

/** Checks the code and marks the code as used. If two calls use a code at once, one call succeeds. */
export async function proveSecondFactor(
  { db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>,
  userId: string,
  { totp, recoveryCode }: SecondCode,
): Promise<boolean> {
  if (recoveryCode !== undefined) {
    return useRecoveryCode(db.sql, userId, hashRecoveryCode(recoveryCode), clock.now())
  }
  const factor = await findSecondFactor(db.sql, userId)
  return totp !== undefined && factor !== null && takeCode({ db, clock, vault }, userId, factor, totp)
}

/** Checks a code like `proveSecondFactor`, also for an unconfirmed factor. */
export async function takeCode(
  { db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>,
  userId: string,
  factor: SecondFactor,
  totp: string,
): Promise<boolean> {
  const step = stepOf(totp.replace(/\s/g, ''), vault.openText(SECRET_PURPOSE, factor.secret), clock.now())
  return step !== null && takeStep(db.sql, userId, step)
}

/** As many as other services give: enough for years, and few enough to be kept on paper. */
const HOW_MANY = 10

/** Written like activation codes: 80 bits, easy to read aloud. A plain hash protects them. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: HOW_MANY }, () => activationCodeOf(randomBytes(ACTIVATION_CODE_BYTES)))
}

export function hashRecoveryCode(code: string): Buffer {
  return hashActivationCode(code)
}
