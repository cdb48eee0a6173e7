import { hash } from 'node:crypto'
import { findApp } from '../../catalog/apps/store.ts'
import { assert } from '../../core/assert.ts'
import type { BusinessUserRole } from '../../core/business-user.ts'
import { given } from '../../core/given.ts'
import type { AppPrincipal, Principal, TerminalPrincipal } from '../../core/principal.ts'
import { type Rejection, reject } from '../../core/rejection.ts'
import { isDeviceWorking, recordDeviceSeen } from '../../merchants/businesses/device-store.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Authenticator } from '../../platform/http/ports.ts'
import type { Ports } from '../../ports.ts'
import { findUserOfSession } from '../business-users/session-store.ts'
import { findActiveRole } from '../business-users/store.ts'
import type { OperatorKey } from '../operator-keys/ensure-operator-key.ts'
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
  readonly principal: AppPrincipal | TerminalPrincipal
  /** The grant whose revocation ends this token. */
  readonly grantId: string
  readonly appId?: string
  readonly expiresAtMs: number
  /** Time at which the terminal's last contact was recorded. */
  seenAtMs?: number
}

/** Decisions 5, `lastSeenAt`: at most one write per terminal and minute. */
const SEEN_RECORDED_EVERY_MS = 60_000

/** About 25 MiB. More tokens are verified again: two reads and 0.5 ms each. */
const VERIFIED_TOKENS = 50_000

/** RFC 9110, 11.1: schemes are case-insensitive. RFC 6750, 2.1: characters of a bearer token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * Authenticates the Authorization header: the operator by the operator key, a person by a session token, an app or a terminal by an access
 * token. An access token is verified once and cached until it expires, its grant is revoked or its app is disabled.
 */
export function createAuthenticator(ports: AuthenticatorPorts): Authenticator {
  const { clock, revocations } = ports
  const verified = createLru<Verified>(VERIFIED_TOKENS)
  revocations.onRevoked(grantIds => verified.drop(({ grantId }) => grantIds.has(grantId)))

  return {
    async authenticate(authorization, userSession): Promise<Principal | Rejection> {
      if (authorization === undefined) return invalid('Send Authorization: Bearer <access token>.')
      const token = BEARER.exec(authorization)?.[1]
      if (token === undefined) return invalid('The Authorization header must read: Bearer <access token>.')
      if (token.startsWith(SESSION_PREFIX)) {
        const session = await findSession(ports, token)
        return session === null ? invalid('The session is over. Sign in again.') : principalOfSession(session)
      }
      // The cache contains only hashes, so a memory dump reveals no token.
      const key = hash('sha256', token, 'base64')
      // Most calls come from apps with a cached token, so only an uncached token is compared with the operator key.
      const before = verified.get(key)
      if (before === undefined && ports.operatorKey.verify(token))
        return { kind: 'operator', role: 'ADMIN', name: 'operator' }

      const known = before ?? (await verifiedNow(token, key))
      if (known === null || known.expiresAtMs <= clock.now().getTime() || revocations.isRevoked(known)) {
        return invalid('The access token is invalid, expired or revoked. Get a new one with the refresh token.')
      }
      if (known.principal.kind !== 'terminal') return known.principal
      await recordSeen(known, known.principal.deviceId)
      return await atTerminal(ports, known.principal, userSession)
    },
  }

  async function recordSeen(known: Verified, deviceId: string): Promise<void> {
    const now = clock.now()
    const before = new Date(now.getTime() - SEEN_RECORDED_EVERY_MS)
    if (known.seenAtMs !== undefined && known.seenAtMs > before.getTime()) return
    known.seenAtMs = now.getTime()
    await recordDeviceSeen(ports.db.sql, deviceId, { now, before })
  }

  async function verifiedNow(token: string, key: string): Promise<Verified | null> {
    const fresh = await verify(ports, token)
    // Revoked during the lookup: nothing would remove the entry from the cache later.
    if (fresh === null || revocations.isRevoked(fresh)) return null
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
  // Finds revocations from before this process's first poll.
  const [isLive, isActive, role] = await Promise.all([
    isGrantLive(db.sql, token.grantId),
    isHolderActive(db.sql, token),
    token.userId === undefined ? undefined : findActiveRole(db.sql, token.userId),
  ])
  if (!isLive || !isActive || role === null) return null
  const { grantId, appId } = token
  return {
    principal: appId === undefined ? toTerminal(token) : toApp(token, appId, role),
    grantId,
    ...(appId === undefined ? {} : { appId }),
    expiresAtMs: token.expiresAtSeconds * 1000,
  }
}

/** The app is enabled and the terminal, if any, is open. */
async function isHolderActive(sql: Sql, { appId, deviceId }: AccessToken): Promise<boolean> {
  if (appId !== undefined && (await findApp(sql, appId))?.status !== 'ACTIVE') return false
  return deviceId === undefined || (await isDeviceWorking(sql, deviceId))
}

/** Adds the signed-in user that the request names. */
async function atTerminal(
  ports: AuthenticatorPorts,
  terminal: TerminalPrincipal,
  userSession: string | undefined,
): Promise<TerminalPrincipal | Rejection> {
  if (userSession === undefined) return terminal
  const user = await findUserOfSession(ports, { token: userSession, deviceId: terminal.deviceId })
  if (user) return { ...terminal, user }
  return reject(
    'INVALID_USER_SESSION',
    'The session in Service-User-Session has ended, or belongs to another terminal. Sign in again.',
  )
}

function toTerminal({ businessId, storeId, deviceId }: AccessToken): TerminalPrincipal {
  assert(businessId && storeId && deviceId, 'the token of a terminal names its location')
  return { kind: 'terminal', businessId, storeId, deviceId }
}

/** A change of the user's role revokes the grant, so the role may be cached with the token. */
function toApp(token: AccessToken, appId: string, role: BusinessUserRole | undefined): AppPrincipal {
  const { organizationId, grantId, businessId, storeId, deviceId, userId } = token
  assert(organizationId, 'the token of an app names its organization')
  const user = userId === undefined || role === undefined ? undefined : { businessUserId: userId, role }
  return { kind: 'app', ...given({ appId, organizationId, grantId, businessId, storeId, deviceId, user }) }
}

function invalid(developerMessage: string): Rejection {
  return reject('INVALID_ACCESS_TOKEN', developerMessage)
}
