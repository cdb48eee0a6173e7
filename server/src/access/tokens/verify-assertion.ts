import { decodeJwt, decodeProtectedHeader } from 'jose'
import { type Assertion, type Claims, checkAssertionClaims } from '../../core/assertion.ts'
import { isRejection, type Rejection, reject } from '../../core/rejection.ts'
import { findDeviceKeys } from '../../merchants/businesses/device-store.ts'
import type { Ports } from '../../ports.ts'
import type { AppKeys } from './app-keys.ts'
import { findSigner, type ImportedKeys, type KeysOfApp } from './app-signature.ts'

export type VerifyPorts = Pick<Ports, 'db' | 'clock' | 'settings'> & {
  readonly appKeys: AppKeys
  readonly importedKeys: ImportedKeys
}

/** A verified assertion and its signer. The caller rejects a `jti` that was used before. */
export interface VerifiedAssertion extends Assertion {
  readonly signer: AppSigner | DeviceSigner
}

export interface AppSigner {
  readonly kind: 'app'
  readonly appId: string
  readonly organizationId: string
  readonly kid: string
}

export interface DeviceSigner {
  readonly kind: 'terminal'
  readonly deviceId: string
  readonly businessId: string
  readonly storeId: string
  readonly kid: string
}

/**
 * Verifies the claims and the signature of a self-issued JWT. Unknown, disabled and closed issuers and wrong signatures get the same
 * INVALID_ASSERTION, so that an attacker learns nothing about existing ids. The caller writes the grant only if the key is still active.
 * Source: decisions 2 and 9.
 */
export async function verifyAssertion(ports: VerifyPorts, text: string): Promise<VerifiedAssertion | Rejection> {
  const { clock, settings } = ports
  const parts = decode(text)
  if (parts === null) return invalidAssertion('assertion: must be a JWT in compact serialization.')
  const assertion = checkAssertionClaims(parts.header, parts.claims, { baseUrl: settings.baseUrl, now: clock.now() })
  if (isRejection(assertion)) return assertion
  const signer = await findSignerOf(ports, text, assertion)
  return signer === null ? notSigned() : { ...assertion, signer }
}

function decode(text: string): { header: Claims; claims: Claims } | null {
  try {
    return { header: decodeProtectedHeader(text), claims: decodeJwt(text) }
  } catch {
    return null
  }
}

async function findSignerOf(
  ports: VerifyPorts,
  text: string,
  assertion: Assertion,
): Promise<VerifiedAssertion['signer'] | null> {
  return assertion.issuer.kind === 'app' ? appSigner(ports, text, assertion) : deviceSigner(ports, text, assertion)
}

/** Tries the cached keys of the app first, because keys rarely change and the cache saves a database query. */
async function appSigner(ports: VerifyPorts, text: string, assertion: Assertion): Promise<AppSigner | null> {
  const { appKeys } = ports
  const { id } = assertion.issuer
  const known = appKeys.known(id)
  const signer = known === undefined ? null : signerAmong(ports, text, assertion, known)
  if (signer !== null) return signer
  const app = await appKeys.read(id)
  return app === null ? null : signerAmong(ports, text, assertion, app)
}

function signerAmong(
  { importedKeys }: VerifyPorts,
  text: string,
  { issuer, kid }: Assertion,
  { organizationId, keys }: KeysOfApp,
): AppSigner | null {
  const signer = findSigner(text, kid, keys, importedKeys)
  return signer === null ? null : { kind: 'app', appId: issuer.id, organizationId, kid: signer }
}

async function deviceSigner(
  { db, importedKeys }: VerifyPorts,
  text: string,
  { issuer: { id }, kid }: Assertion,
): Promise<DeviceSigner | null> {
  const device = await findDeviceKeys(db.sql, id)
  const signer = device && findSigner(text, kid, device.keys, importedKeys)
  if (device === null || signer === null) return null
  return { kind: 'terminal', deviceId: id, businessId: device.businessId, storeId: device.storeId, kid: signer }
}

export function notSigned(): Rejection {
  return invalidAssertion(
    'assertion: signature matches no active key of an enabled app or a terminal with the id in sub.',
  )
}

export function usedBefore(): Rejection {
  return invalidAssertion('assertion: jti was used before; create a new assertion for each token.')
}

function invalidAssertion(developerMessage: string): Rejection {
  return reject('INVALID_ASSERTION', developerMessage, { oauthError: 'invalid_grant' })
}
