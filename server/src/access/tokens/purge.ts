import { PURGED_AT_ONCE } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import { REFRESH_TOKEN_IDLE_MS } from './exchange-refresh-token.ts'

/** The idle time of a refresh token, the lifetime of its last access token, and another day for differences between clocks. */
const GRANT_KEPT_MS = REFRESH_TOKEN_IDLE_MS + 2 * ACCESS_TOKEN_SECONDS * 1000

/** The lifetime of an access token. Tokens of terminal users live an hour, and the rest covers differences between clocks. */
const USER_GRANT_KEPT_MS = ACCESS_TOKEN_SECONDS * 1000

/**
 * Deletes one batch of uses of assertions that are too old to be accepted, and of grants whose tokens have all expired. Grants of terminal users have no
 * refresh token. Returns the number of rows.
 */
export async function purgeTokens({ db: { sql }, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const nowMs = clock.now().getTime()
  const uses = await sql`
    delete from assertion_uses where (issuer_id, jti) in (
      select issuer_id, jti from assertion_uses where expires_at < ${new Date(nowMs)}
      order by expires_at limit ${PURGED_AT_ONCE} for update skip locked)`
  const grants = await sql`
    delete from grants where grant_id in (
      select grant_id from grants where used_at < ${new Date(nowMs - GRANT_KEPT_MS)}
      order by used_at limit ${PURGED_AT_ONCE} for update skip locked)`
  const ofUsers = await sql`
    delete from grants where grant_id in (
      select grant_id from grants where refresh_token_hash is null and used_at < ${new Date(nowMs - USER_GRANT_KEPT_MS)}
      order by used_at limit ${PURGED_AT_ONCE} for update skip locked)`
  return uses.count + grants.count + ofUsers.count
}
