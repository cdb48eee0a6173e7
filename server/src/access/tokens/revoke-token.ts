import { hashSecret } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { verifyAccessToken } from './access-token.ts'
import type { Revocations } from './revocations.ts'
import type { SigningKeys } from './signing-keys.ts'
import { revokeGrant, revokeGrantOfRefreshToken } from './store.ts'

type RevokePorts = Pick<Ports, 'db' | 'clock' | 'settings'> & {
  readonly signingKeys: SigningKeys
  readonly revocations: Revocations
}

/**
 * Ends a grant by its refresh token or one of its access tokens: at once in this process, within a second in others. The holder of a token
 * may end the grant. Unknown and expired tokens are not an error. Source: decisions 2; RFC 7009.
 */
export async function revokeToken(ports: RevokePorts, token: string): Promise<void> {
  const { db, clock, settings, signingKeys, revocations } = ports
  const now = clock.now()
  const access = await verifyAccessToken(token, {
    baseUrl: settings.baseUrl,
    now,
    findKey: kid => signingKeys.findPublic(kid),
  })
  const ended = await (access
    ? revokeGrant(db.sql, access.grantId, now)
    : revokeGrantOfRefreshToken(db.sql, hashSecret(token), now))
  revocations.add(ended, now)
}
