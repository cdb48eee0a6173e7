import { randomInt } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { DEVICE_LOGIN_LIFETIME_MS, readUserCode, USER_CODE_LENGTH, USER_CODE_LETTERS } from '../../core/device-login.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import type { Origin } from '../sessions/sign-in.ts'
import { insertDeviceLogin } from './store.ts'

/** A duplicate code is rare: there are 20^8 codes, and a login expires after 15 minutes. */
const ATTEMPTS = 5

export interface Started {
  /** Returned once. */
  readonly deviceCode: string
  readonly userCode: string
  readonly expiresInSeconds: number
}

/** Starts a login that waits for a person's decision (RFC 8628, 3.1). */
export async function startDeviceLogin(
  { db, clock, newId }: Pick<Ports, 'db' | 'clock' | 'newId'>,
  { address, agent }: Origin,
): Promise<Started> {
  const deviceCode = makeSecret()
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + DEVICE_LOGIN_LIFETIME_MS)
  const fixed = { deviceLoginId: newId(), deviceCodeHash: hashSecret(deviceCode), address, agent, createdAt, expiresAt }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const userCode = makeUserCode()
    if (await insertDeviceLogin(db.sql, { ...fixed, userCode })) {
      return { deviceCode, userCode, expiresInSeconds: DEVICE_LOGIN_LIFETIME_MS / 1_000 }
    }
  }
  assert(false, 'a user code that no other login has')
}

function makeUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
  const code = readUserCode(letters.join(''))
  assert(code !== null, 'a user code is readable')
  return code
}
