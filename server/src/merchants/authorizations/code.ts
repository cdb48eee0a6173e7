import { createHash, randomBytes } from 'node:crypto'
import type { Ports } from '../../ports.ts'
import { purgeAuthorizationCodes } from './store.ts'

/** Decisions 8: "single use, 15 minutes". */
export const AUTHORIZATION_CODE_MS = 15 * 60_000

/** 256 random bits, so that a plain hash is enough to keep them by. */
export function makeAuthorizationCode(): string {
  return randomBytes(32).toString('base64url')
}

export function hashAuthorizationCode(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

/** While a code is remembered, using it twice ends what it gave: a day is far longer than anybody holds on to one. */
const KEPT_MS = 24 * 3_600_000
const BATCH = 1_000

/** Deletes a batch of codes long over. Gives how many. */
export function purgeCodes({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purgeAuthorizationCodes(db.sql, new Date(clock.now().getTime() - KEPT_MS), BATCH)
}
