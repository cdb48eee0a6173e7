import { wrongClaim } from '../../core/assertion.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import { isApprovedNow } from '../../merchants/approvals/store.ts'
import { recordDeviceSeen } from '../../merchants/businesses/device-store.ts'
import { findDevice, findStore } from '../../merchants/businesses/store.ts'
import { hashSecret, makeSecret } from '../../platform/vault/vault.ts'
import { type IssuePorts, issueAccessToken, type Tokens } from './issue.ts'
import { grantDeviceOnce, grantEachOnce } from './store.ts'
import type { GrantOnce } from './token-memory.ts'
import {
  type AppSigner,
  type DeviceSigner,
  notSigned,
  usedBefore,
  type VerifiedAssertion,
  type VerifyPorts,
  verifyAssertion,
} from './verify-assertion.ts'

interface Location {
  readonly businessId?: string
  readonly storeId?: string
  readonly deviceId?: string
}

type ToGrant = VerifiedAssertion & {
  readonly grantId: string
  readonly refreshTokenHash: Buffer
  readonly location: Location
}

type ExchangePorts = IssuePorts & VerifyPorts & { readonly grantOnce: GrantOnce }

/** `address`: of the caller. */
interface Sent {
  readonly assertion: string
  readonly address: string
}

/**
 * Exchanges the self-issued JWT of an app or a terminal for an access token and a refresh token, once for each `jti`. The claims
 * `service.biz`, `service.str` and `service.did` narrow the token of an app to a business that approved the app, its store and its device;
 * other custom claims must be true of the issuer. INVALID_ASSERTION names the claim that is wrong.
 * Source: interface, Authentication, Cloud apps 3; decisions 2 and 9.
 */
export async function exchangeAssertion(ports: ExchangePorts, sent: Sent): Promise<Tokens | Rejection> {
  const assertion = await verifyAssertion(ports, sent.assertion)
  if (isRejection(assertion)) return assertion

  const { signer } = assertion
  const location =
    signer.kind === 'app' ? await locationOfApp(ports, assertion, signer) : locationOfTerminal(assertion, signer)
  if (isRejection(location)) return location
  // Before the grant: a write that fails leaves the assertion unused.
  if (signer.kind === 'app') await ports.appKeys.noteUse(signer, sent.address, ports.clock.now())
  const refreshToken = makeSecret()
  const refreshTokenHash = hashSecret(refreshToken)
  const { kind, organizationId, kid, ...holder } = { organizationId: undefined, ...signer }
  const grant = { grantId: ports.newId(), ...holder, ...location }
  // Decisions 2: "jti required, single use per app for that time, recorded together with the issued token". The token is signed while the
  // grant is written; a rejected grant discards the token.
  const [outcome, accessToken] = await Promise.all([
    grantTo(ports, signer, { ...assertion, location, grantId: grant.grantId, refreshTokenHash }),
    issueAccessToken(ports, grant, organizationId),
  ])
  // The key may have been revoked since the read.
  if (outcome === 'key is over') return notSigned()
  if (outcome === 'used before') return usedBefore()
  if (outcome === 'not approved') return notApproved()
  return { accessToken, refreshToken }
}

async function grantTo(
  { db, clock, grantOnce }: ExchangePorts,
  signer: VerifiedAssertion['signer'],
  { grantId, refreshTokenHash, jti, expiresAt, location }: ToGrant,
): Promise<'granted' | 'key is over' | 'used before' | 'not approved'> {
  const use = { jti, expiresAt, now: clock.now() }
  if (signer.kind === 'app') {
    const granted = { ...signer, ...location, grantId, refreshTokenHash, ...use }
    const { businessId } = location
    if (businessId === undefined) return grantOnce(granted)
    return db.transaction(async ({ sql }) => {
      // Locks the approval: a later revocation finds the grant and ends it.
      if (!(await isApprovedNow(sql, businessId, signer.appId))) return 'not approved'
      return (await grantEachOnce(sql, [granted])).get(grantId) ?? 'key is over'
    })
  }
  const outcome = await grantDeviceOnce(db.sql, { ...signer, grantId, refreshTokenHash }, use)
  if (outcome === 'granted') await recordDeviceSeen(db.sql, signer.deviceId, { now: use.now, before: use.now })
  return outcome
}

/** The location to which an app narrows its token. The transaction of the grant checks the approval again. */
async function locationOfApp(
  { db }: ExchangePorts,
  { narrowing }: VerifiedAssertion,
  signer: AppSigner,
): Promise<Location | Rejection> {
  const { organizationId, businessId, storeId, deviceId } = narrowing
  if (organizationId !== undefined && organizationId !== signer.organizationId) {
    return wrongClaim('service.org', 'is not the organization of the app')
  }
  if (businessId === undefined) return {}
  if (!(await isApprovedNow(db.sql, businessId, signer.appId))) return notApproved()
  if (deviceId !== undefined) {
    const device = await findDevice(db.sql, businessId, deviceId)
    if (device === null || device.status === 'CLOSED')
      return wrongClaim('service.did', 'is not a device of that business')
    if (storeId !== undefined && storeId !== device.storeId)
      return wrongClaim('service.str', 'is not the store of that device')
    return { businessId, storeId: device.storeId, deviceId }
  }
  if (storeId === undefined) return { businessId }
  const store = await findStore(db.sql, businessId, storeId)
  return store === null ? wrongClaim('service.str', 'is not a store of that business') : { businessId, storeId }
}

/** A terminal's token is bound to the terminal's own location already: a claim may repeat that location. */
function locationOfTerminal(
  { narrowing }: VerifiedAssertion,
  { businessId, storeId, deviceId }: DeviceSigner,
): Location | Rejection {
  if (narrowing.organizationId !== undefined) return wrongClaim('service.org', 'does not apply to a terminal')
  if ((narrowing.businessId ?? businessId) !== businessId)
    return wrongClaim('service.biz', "is not the terminal's business")
  if ((narrowing.storeId ?? storeId) !== storeId) return wrongClaim('service.str', "is not the terminal's store")
  if ((narrowing.deviceId ?? deviceId) !== deviceId) return wrongClaim('service.did', 'is not the terminal')
  return {}
}

/** Same answer for an unknown business. */
function notApproved(): Rejection {
  return wrongClaim('service.biz', 'names a business that has not approved the app')
}
