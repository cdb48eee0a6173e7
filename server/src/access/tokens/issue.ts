import type { Ports } from '../../ports.ts'
import { ACCESS_TOKEN_SECONDS, type AccessToken, signAccessToken } from './access-token.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Grant } from './store.ts'

/** Answer of every grant type. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export type IssuePorts = Pick<Ports, 'clock' | 'newId' | 'settings'> & { readonly signingKeys: SigningKeys }

/** Issues an access token of a grant. The token is valid for a day or the given duration, unless the grant is revoked earlier. */
export async function issueAccessToken(
  ports: IssuePorts,
  grant: Grant & Pick<AccessToken, 'issuedTo'>,
  organizationId?: string,
  lifetimeSeconds = ACCESS_TOKEN_SECONDS,
): Promise<string> {
  const issuedAtSeconds = Math.floor(ports.clock.now().getTime() / 1000)
  const token = {
    ...grant,
    ...(organizationId === undefined ? {} : { organizationId }),
    jti: ports.newId(),
    issuedAtSeconds,
    expiresAtSeconds: issuedAtSeconds + lifetimeSeconds,
  }
  return signAccessToken(token, await ports.signingKeys.current(), ports.settings.baseUrl)
}
