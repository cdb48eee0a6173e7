import { hash } from 'node:crypto'
import { findApp } from '../apps/store.ts'
import type { AppPrincipal, Principal } from '../core/principal.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Authenticator } from '../http/auth.ts'
import type { OperatorKey } from '../operator-keys/ensure-operator-key.ts'
import type { Ports } from '../ports.ts'
import { findSession, principalOfSession, SESSION_PREFIX } from '../sessions/find.ts'
import { type AccessToken, verifyAccessToken } from './access-token.ts'
import { createLru } from './lru.ts'
import type { Revocations } from './revocations.ts'
import type { SigningKeys } from './signing-keys.ts'
import { isGrantLive } from './store.ts'

type AuthenticatorPorts = Pick<Ports, 'db' | 'clock' | 'settings'> & {
  readonly signingKeys: SigningKeys
  readonly revocations: Revocations
  readonly operatorKey: Pick<OperatorKey, 'verify'>
}

interface Verified {
  readonly principal: AppPrincipal
  readonly expiresAtMs: number
}

/** Some 25 MiB. A token beyond these is verified again, which costs two reads and some half a millisecond. */
const VERIFIED_TOKENS = 50_000

/** RFC 9110, 11.1: the scheme is compared without case. RFC 6750, 2.1: what a bearer token is made of. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * Tells who calls by the Authorization header: the operator by the operator key, a person by the token of a session, an app by
 * an access token. That one is verified once and then known until it expires, or its grant is revoked, or its app disabled.
 */
export function createAuthenticator(ports: AuthenticatorPorts): Authenticator {
  const { clock, revocations } = ports
  const verified = createLru<Verified>(VERIFIED_TOKENS)
  revocations.onRevoked(grantIds => verified.drop(({ principal }) => grantIds.has(principal.grantId)))

  return {
    async authenticate(authorization): Promise<Principal | Refusal> {
      if (authorization === undefined) return invalid('Send Authorization: Bearer <access token>.')
      const token = BEARER.exec(authorization)?.[1]
      if (token === undefined) return invalid('The Authorization header must read: Bearer <access token>.')
      if (token.startsWith(SESSION_PREFIX)) {
        const session = await findSession(ports, token)
        return session === null ? invalid('The session is over. Sign in again.') : principalOfSession(session)
      }
      // The tokens themselves are not kept: a dump of the memory gives none away.
      const key = hash('sha256', token, 'base64')
      // Most calls are of apps, whose tokens are known: the operator's key is compared only with what is not.
      const before = verified.get(key)
      if (before === undefined && ports.operatorKey.verify(token))
        return { kind: 'operator', role: 'ADMIN', name: 'operator' }

      const known = before ?? (await verifiedNow(token, key))
      if (known === null || known.expiresAtMs <= clock.now().getTime() || revocations.isRevoked(known.principal)) {
        return invalid('The access token is invalid, expired or revoked. Get a new one with the refresh token.')
      }
      return known.principal
    },
  }

  async function verifiedNow(token: string, key: string): Promise<Verified | null> {
    const fresh = await verify(ports, token)
    // Revoked while it was being looked up: once in the cache, nobody would come to end it.
    if (fresh === null || revocations.isRevoked(fresh.principal)) return null
    verified.set(key, fresh)
    return fresh
  }
}

async function verify(
  { db, clock, settings, signingKeys }: AuthenticatorPorts,
  text: string,
): Promise<Verified | null> {
  const token = await verifyAccessToken(text, {
    baseUrl: settings.baseUrl,
    now: clock.now(),
    findKey: kid => signingKeys.findPublic(kid),
  })
  if (token === null) return null
  // What was revoked before this process looked for the first time, it learns here.
  const [isLive, app] = await Promise.all([isGrantLive(db.sql, token.grantId), findApp(db.sql, token.appId)])
  if (!isLive || app?.status !== 'ACTIVE') return null
  return { principal: toPrincipal(token), expiresAtMs: token.expiresAtSeconds * 1000 }
}

function toPrincipal({ appId, organizationId, grantId, businessId, storeId, deviceId }: AccessToken): AppPrincipal {
  return {
    kind: 'app',
    appId,
    organizationId,
    grantId,
    ...(businessId === undefined ? {} : { businessId }),
    ...(storeId === undefined ? {} : { storeId }),
    ...(deviceId === undefined ? {} : { deviceId }),
  }
}

function invalid(developerMessage: string): Refusal {
  return refuse('INVALID_ACCESS_TOKEN', developerMessage)
}
