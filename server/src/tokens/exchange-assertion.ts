import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Assertion, type Claims, checkAssertionClaims } from '../core/assertion.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { AppKeys, KeysOfApp } from './app-keys.ts'
import { findSigner, type ImportedKeys } from './app-signature.ts'
import type { GrantOnce } from './grant-once.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import { hashRefreshToken, makeRefreshToken } from './refresh-secret.ts'

type ExchangePorts = IssuePorts & SignerPorts & { readonly grantOnce: GrantOnce }

interface SignerPorts {
  readonly appKeys: AppKeys
  readonly importedKeys: ImportedKeys
}

/**
 * An app's self-issued JWT becomes an access token and a refresh token: once for each `jti`, however often and however
 * simultaneously it is presented. An unknown app, a disabled one and a wrong signature get one and the same
 * INVALID_ASSERTION, so that nobody learns which apps there are.
 * Source: interface, Authentication, Cloud apps 3; decisions 2.
 */
export async function exchangeAssertion(ports: ExchangePorts, text: string): Promise<Tokens | Refusal> {
  const { clock, newId, settings } = ports
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
  const { jti, expiresAt } = assertion
  const outcome = await ports.grantOnce({ ...grant, ...proof, jti, expiresAt, now })
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

/** Most apps keep their keys: those read before prove most assertions, and cost no way to the database. */
async function findSignerOf(ports: SignerPorts, text: string, assertion: Assertion): Promise<Signer | null> {
  const { appKeys } = ports
  const known = appKeys.known(assertion.appId)
  const signer = known === undefined ? null : await signerAmong(ports, text, assertion, known)
  if (signer !== null) return signer
  const app = await appKeys.read(assertion.appId)
  return app === null ? null : signerAmong(ports, text, assertion, app)
}

interface Signer {
  readonly kid: string
  readonly organizationId: string
}

async function signerAmong(
  { importedKeys }: SignerPorts,
  text: string,
  { kid }: Assertion,
  { organizationId, keys }: KeysOfApp,
): Promise<Signer | null> {
  const signer = await findSigner(text, kid, keys, importedKeys)
  return signer === null ? null : { kid: signer, organizationId }
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
