import type { Ports } from '../../ports.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import { REFRESH_TOKEN_IDLE_MS } from './exchange-refresh-token.ts'
import { purgeAssertionUses, purgeGrants, purgeUserGrants } from './store.ts'

/** A batch holds its locks for milliseconds. */
const BATCH = 1_000

/** The idle time of a refresh token, the lifetime of its last access token, and another day for differences between clocks. */
const GRANT_KEPT_MS = REFRESH_TOKEN_IDLE_MS + 2 * ACCESS_TOKEN_SECONDS * 1000

/** The lifetime of an access token. Tokens of terminal users live an hour, and the rest covers differences between clocks. */
const USER_GRANT_KEPT_MS = ACCESS_TOKEN_SECONDS * 1000

/**
 * Deletes one batch of uses of assertions that are too old to be accepted, and of grants whose tokens have all expired. Returns the number
 * of rows; less than a batch of each means that none are left.
 */
export async function purgeTokens({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const nowMs = clock.now().getTime()
  const uses = await purgeAssertionUses(db.sql, new Date(nowMs), BATCH)
  const grants = await purgeGrants(db.sql, new Date(nowMs - GRANT_KEPT_MS), BATCH)
  const ofUsers = await purgeUserGrants(db.sql, new Date(nowMs - USER_GRANT_KEPT_MS), BATCH)
  return uses + grants + ofUsers
}
