import type { Ports } from '../../ports.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findSecondFactor, type SecondFactor, takeStep, useRecoveryCode } from './store.ts'
import { stepOf } from './totp.ts'

/** What the secret of an authenticator app is sealed for. */
export const SECRET_PURPOSE = 'second factor'

/** What somebody typed beside the password: what their app shows, or a code from the paper. */
export interface SecondCode {
  readonly totp?: string
  readonly recoveryCode?: string
}

export function isGiven({ totp, recoveryCode }: SecondCode): boolean {
  return totp !== undefined || recoveryCode !== undefined
}

/** Whether the code is right, and was not used before: by this it is used, also where two try it at once. */
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

/** The same, of a factor that may not have been confirmed yet. */
export async function takeCode(
  { db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>,
  userId: string,
  factor: SecondFactor,
  totp: string,
): Promise<boolean> {
  const step = stepOf(totp.replace(/\s/g, ''), vault.openText(SECRET_PURPOSE, factor.secret), clock.now())
  return step !== null && takeStep(db.sql, userId, step)
}
