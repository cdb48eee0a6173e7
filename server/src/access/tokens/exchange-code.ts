import { hash } from 'node:crypto'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { isApprovedNow } from '../../merchants/approvals/store.ts'
import {
  type AuthorizationCode,
  lockAuthorizationCode,
  useAuthorizationCode,
} from '../../merchants/authorizations/store.ts'
import type { Tx } from '../../platform/db/db.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import type { Revocations } from './revocations.ts'
import { grantEachOnce, revokeGrant } from './store.ts'
import {
  type AppSigner,
  notSigned,
  usedBefore,
  type VerifiedAssertion,
  type VerifyPorts,
  verifyAssertion,
} from './verify-assertion.ts'

type ExchangePorts = IssuePorts & VerifyPorts & { readonly revocations: Revocations }

export interface CodeGrant {
  readonly code: string
  /** The UUID of the app. */
  readonly clientId: string
  readonly redirectUri?: string
  /** RFC 7636 (PKCE). */
  readonly codeVerifier?: string
  /** The app's self-issued JWT proves that the app presents the code. */
  readonly assertion: string
}

/**
 * Exchanges a merchant's authorization code for a token within that merchant, once per code. A second use ends the grant of the first (RFC
 * 6749, 4.1.2): one of the two stole the code. Source: decisions 2 and 8.
 */
export async function exchangeCode(ports: ExchangePorts, grant: CodeGrant): Promise<Tokens | Rejection> {
  const assertion = await verifyAssertion(ports, grant.assertion)
  if (isRejection(assertion)) return assertion
  const { signer } = assertion
  // RFC 6749, 4.1.3: "ensure that the authorization code was issued to the authenticated confidential client".
  if (signer.kind !== 'app' || signer.appId !== grant.clientId)
    return invalid('client_id: must be the id of the app that signed the assertion.')
  const refreshToken = makeSecret()
  const grantId = ports.newId()
  const refreshTokenHash = hashSecret(refreshToken)
  const within = await ports.db.transaction(tx =>
    take(tx, ports, { grant, grantId, refreshTokenHash, assertion: { ...assertion, signer } }),
  )
  if (isRejection(within)) return within
  const { appId, organizationId } = signer
  const accessToken = await issueAccessToken(ports, { grantId, appId, ...within }, organizationId)
  return { accessToken, refreshToken }
}

interface Taking {
  readonly grant: CodeGrant
  readonly grantId: string
  readonly refreshTokenHash: Buffer
  readonly assertion: Omit<VerifiedAssertion, 'signer'> & { readonly signer: AppSigner }
}

/** Uses the code and writes the grant, or returns the rejection. After a rejection, only a revocation is written. */
async function take(
  tx: Tx,
  { clock, revocations }: ExchangePorts,
  { grant, grantId, refreshTokenHash, assertion }: Taking,
): Promise<{ businessId: string } | Rejection> {
  const now = clock.now()
  const code = await lockAuthorizationCode(tx.sql, hashSecret(grant.code))
  if (code === null || code.appId !== grant.clientId) return invalid(UNKNOWN)
  if (code.grantId !== undefined) {
    const ended = await revokeGrant(tx.sql, code.grantId, now)
    tx.afterCommit(() => revocations.add(ended, now))
    return invalid('code: was used before, so its tokens are now revoked. Ask the merchant to approve the app again.')
  }
  if (code.expiresAt <= now) return invalid(UNKNOWN)
  if (!isSentTo(code, grant.redirectUri))
    return invalid('redirect_uri: must equal the redirect_uri of the authorization request.')
  if (!isVerified(code, grant.codeVerifier)) {
    return invalid('code_verifier: does not match the code_challenge of the authorization request.')
  }
  const { appId, businessId, codeHash } = code
  // Locks the approval, so that a concurrent revocation prevents the grant or revokes the grant.
  if (!(await isApprovedNow(tx.sql, businessId, appId))) return invalid('code: the merchant has revoked the approval.')
  const { jti, expiresAt, signer } = assertion
  const proof = { appId, businessId, kid: signer.kid, grantId, refreshTokenHash }
  const outcomes = await grantEachOnce(tx.sql, [{ ...proof, jti, expiresAt, now }])
  const outcome = outcomes.get(grantId)
  if (outcome === 'key is over') return notSigned()
  if (outcome === 'used before') return usedBefore()
  await useAuthorizationCode(tx.sql, { codeHash, grantId, now })
  return { businessId }
}

const UNKNOWN = 'code: is unknown, is older than 15 minutes, or belongs to another app.'

/** RFC 6749, 4.1.3: if the authorization request had a redirect_uri, the token request must have the same redirect_uri. */
function isSentTo({ redirectUri, redirectUriNamed }: AuthorizationCode, named: string | undefined): boolean {
  return named === undefined ? !redirectUriNamed : named === redirectUri
}

/** RFC 7636, 4.6. A verifier without a challenge is wrong too: the challenge was removed from the request. */
function isVerified({ codeChallenge }: AuthorizationCode, verifier: string | undefined): boolean {
  if (codeChallenge === undefined || verifier === undefined) return codeChallenge === verifier
  return /^[\w.~-]{43,128}$/.test(verifier) && hash('sha256', verifier, 'base64url') === codeChallenge
}

function invalid(developerMessage: string): Rejection {
  return reject('INVALID_AUTHORIZATION_CODE', developerMessage, { oauthError: 'invalid_grant' })
}
