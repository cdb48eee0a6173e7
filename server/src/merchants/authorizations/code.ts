import { createHash, randomBytes } from 'node:crypto'
import type { Ports } from '../../ports.ts'
import { purgeAuthorizationCodes } from './store.ts'

/** Decisions 8: "single use, 15 minutes". */
export const AUTHORIZATION_CODE_MS = 15 * 60_000

/** 256 random bits, so a plain hash protects the stored code. */
export function makeAuthorizationCode(): string {
  return randomBytes(32).toString('base64url')
}

export function hashAuthorizationCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** A second use of a remembered code ends its grant. No attacker waits longer than a day. */
const KEPT_MS = 24 * 3_600_000
const BATCH = 1_000

/** Deletes one batch of codes that expired long ago. Returns how many. */
export function purgeCodes({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeAuthorizationCodes(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}
