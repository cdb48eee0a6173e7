import { isRejection, type Rejection } from '../../core/rejection.ts'
import { recordDeviceSeen } from '../../merchants/businesses/device-store.ts'
import { grantDeviceOnce } from './device-grants.ts'
import type { GrantOnce } from './grant-once.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import { hashRefreshToken, makeRefreshToken } from './refresh-secret.ts'
import { notSigned, usedBefore, type VerifiedAssertion, type VerifyPorts, verifyAssertion } from './verify-assertion.ts'

type ExchangePorts = IssuePorts & VerifyPorts & { readonly grantOnce: GrantOnce }

/**
 * The self-issued JWT of an app, or of a terminal, becomes an access token and a refresh token: once for each `jti`, however
 * often and however simultaneously it is presented.
 * Source: interface, Authentication, Cloud apps 3; decisions 2 and 9.
 */
export async function exchangeAssertion(ports: ExchangePorts, text: string): Promise<Tokens | Rejection> {
  const assertion = await verifyAssertion(ports, text)
  if (isRejection(assertion)) return assertion

  const { signer } = assertion
  const refreshToken = makeRefreshToken()
  const refreshTokenHash = hashRefreshToken(refreshToken)
  const { kind, organizationId, kid, ...place } = { organizationId: undefined, ...signer }
  const grant = { grantId: ports.newId(), ...place }
  // Decisions 2: "jti required, single use per app for that time, recorded together with the issued token".
  // Signed while that is written: the disk and the processor work at once. What is refused then is never given away.
  const [outcome, accessToken] = await Promise.all([
    grantTo(ports, signer, { ...assertion, grantId: grant.grantId, refreshTokenHash }),
    issueAccessToken(ports, grant, organizationId),
  ])
  // The key may have been revoked since it was read.
  if (outcome === 'key is over') return notSigned()
  if (outcome === 'used before') return usedBefore()
  return { accessToken, refreshToken }
}

async function grantTo(
  { db, clock, grantOnce }: ExchangePorts,
  signer: VerifiedAssertion['signer'],
  { grantId, refreshTokenHash, jti, expiresAt }: VerifiedAssertion & { grantId: string; refreshTokenHash: Buffer },
): Promise<'granted' | 'key is over' | 'used before'> {
  const use = { jti, expiresAt, now: clock.now() }
  if (signer.kind === 'app') return grantOnce({ ...signer, grantId, refreshTokenHash, ...use })
  const outcome = await grantDeviceOnce(db.sql, { ...signer, grantId, refreshTokenHash }, use)
  if (outcome === 'granted') await recordDeviceSeen(db.sql, signer.deviceId, { now: use.now, before: use.now })
  return outcome
}
