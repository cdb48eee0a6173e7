import type { Ports } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import { REFRESH_TOKEN_IDLE_MS } from './exchange-refresh-token.ts'
import { purgeAssertionUses, purgeGrants } from './store.ts'

/** Small enough that a batch holds its locks for milliseconds. */
const BATCH = 1_000

/** The two clocks of a grant, and another day for a process whose clock is off. */
const GRANT_KEPT_MS = REFRESH_TOKEN_IDLE_MS + 2 * ACCESS_TOKEN_SECONDS * 1000

/**
 * Deletes one batch of what nothing depends on any more: notes of assertions too old to be accepted, and grants whose
 * refresh token and access tokens are over. Gives how many rows; less than a batch of each means that it is done.
 */
export async function purgeTokens({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const nowMs = clock.now().getTime()
  const uses = await purgeAssertionUses(db.sql, new Date(nowMs), BATCH)
  const grants = await purgeGrants(db.sql, new Date(nowMs - GRANT_KEPT_MS), BATCH)
  return uses + grants
}
