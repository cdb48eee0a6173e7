import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Assertion, type Claims, checkAssertionClaims } from '../core/assertion.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { Ports } from '../ports.ts'
import { findSigner, type ImportedKeys } from './app-signature.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import { hashRefreshToken, makeRefreshToken } from './refresh-secret.ts'
import { findAppKeys, grantOnce } from './store.ts'

type ExchangePorts = IssuePorts & Pick<Ports, 'db'> & { readonly importedKeys: ImportedKeys }

/**
 * An app's self-issued JWT becomes an access token and a refresh token: once for each `jti`, however often and however
 * simultaneously it is presented. An unknown app, a disabled one and a wrong signature get one and the same
 * INVALID_ASSERTION, so that nobody learns which apps there are.
 * Source: interface, Authentication, Cloud apps 3; decisions 2.
 */
export async function exchangeAssertion(ports: ExchangePorts, text: string): Promise<Tokens | Refusal> {
  const { db, clock, newId, settings } = ports
  const now = clock.now()
  const parts = decode(text)
  if (parts === null) return invalid('assertion: is not a JWT in compact form.')
  const assertion = checkAssertionClaims(parts.header, parts.claims, { baseUrl: settings.baseUrl, now })
  if (isRefusal(assertion)) return assertion

  const signer = await findSignerOf(ports, text, assertion)
  if (signer === null) return notSigned()

  const refreshToken = makeRefreshToken()
  const grant = { grantId: newId(), appId: assertion.appId }
  const proof = { kid: signer.kid, refreshTokenHash: hashRefreshToken(refreshToken) }
  // Decisions 2: "jti required, single use per app for that time, recorded together with the issued token".
  const outcome = await grantOnce(db.sql, { ...grant, ...proof }, { ...assertion, now })
  // The key may have been revoked since it was read.
  if (outcome === 'key is over') return notSigned()
  if (outcome === 'used before') return usedBefore()
  return { accessToken: await issueAccessToken(ports, grant, signer.organizationId), refreshToken }
}

function decode(text: string): { header: Claims; claims: Claims } | null {
  try {
    return { header: decodeProtectedHeader(text), claims: decodeJwt(text) }
  } catch {
    return null
  }
}

async function findSignerOf(
  { db, importedKeys }: ExchangePorts,
  text: string,
  { appId, kid }: Assertion,
): Promise<{ kid: string; organizationId: string } | null> {
  const app = await findAppKeys(db.sql, appId)
  if (app === null) return null
  const signer = await findSigner(text, kid, app.keys, importedKeys)
  return signer === null ? null : { kid: signer, organizationId: app.organizationId }
}

function notSigned(): Refusal {
  return invalid('assertion: signature is not of an active key of an enabled app with the id in sub.')
}

function usedBefore(): Refusal {
  return invalid('assertion: jti was used before; make a new assertion for each token.')
}

function invalid(developerMessage: string): Refusal {
  return refuse('INVALID_ASSERTION', developerMessage, { oauthError: 'invalid_grant' })
}
