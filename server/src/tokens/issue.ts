import type { Ports } from '../ports.ts'
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './access-token.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { Grant } from './store.ts'

/** What both grants answer with. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
}

export type IssuePorts = Pick<Ports, 'clock' | 'newId' | 'settings'> & { readonly signingKeys: SigningKeys }

/** A new access token of a grant. Good for a day from now, or until the grant is revoked. */
export async function issueAccessToken(ports: IssuePorts, grant: Grant, organizationId: string): Promise<string> {
  const issuedAtSeconds = Math.floor(ports.clock.now().getTime() / 1000)
  const token = {
    ...grant,
    organizationId,
    jti: ports.newId(),
    issuedAtSeconds,
    expiresAtSeconds: issuedAtSeconds + ACCESS_TOKEN_SECONDS,
  }
  return signAccessToken(token, await ports.signingKeys.current(), ports.settings.baseUrl)
}
