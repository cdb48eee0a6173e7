import { decodeJwt, decodeProtectedHeader } from 'jose'
import { findDeviceKeys } from '../businesses/device-store.ts'
import { type Assertion, type Claims, checkAssertionClaims } from '../core/assertion.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import type { Ports } from '../ports.ts'
import { findSigner, type ImportedKeys } from './app-signature.ts'
import { findAppKeys } from './store.ts'

export type VerifyPorts = Pick<Ports, 'db' | 'clock' | 'settings'> & { readonly importedKeys: ImportedKeys }

/** Whose signature an assertion bears. Whether it was used before is another question. */
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
 * A self-issued JWT whose claims are right and whose signature is of an active key of who it says it comes from. An unknown app
 * or terminal, a disabled or closed one and a wrong signature get one and the same INVALID_ASSERTION, so that nobody learns
 * which there are. Source: decisions 2 and 9.
 */
export async function verifyAssertion(ports: VerifyPorts, text: string): Promise<VerifiedAssertion | Refusal> {
  const { clock, settings } = ports
  const parts = decode(text)
  if (parts === null) return invalidAssertion('assertion: is not a JWT in compact form.')
  const assertion = checkAssertionClaims(parts.header, parts.claims, { baseUrl: settings.baseUrl, now: clock.now() })
  if (isRefusal(assertion)) return assertion
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
  { db, importedKeys }: VerifyPorts,
  text: string,
  { issuer: { kind, id }, kid }: Assertion,
): Promise<VerifiedAssertion['signer'] | null> {
  if (kind === 'app') {
    const app = await findAppKeys(db.sql, id)
    const signer = app && (await findSigner(text, kid, app.keys, importedKeys))
    if (app === null || signer === null) return null
    return { kind, appId: id, organizationId: app.organizationId, kid: signer }
  }
  const device = await findDeviceKeys(db.sql, id)
  const signer = device && (await findSigner(text, kid, device.keys, importedKeys))
  if (device === null || signer === null) return null
  return { kind, deviceId: id, businessId: device.businessId, storeId: device.storeId, kid: signer }
}

export function notSigned(): Refusal {
  return invalidAssertion(
    'assertion: signature is not of an active key of an enabled app, or a terminal, with the id in sub.',
  )
}

export function usedBefore(): Refusal {
  return invalidAssertion('assertion: jti was used before; make a new assertion for each token.')
}

function invalidAssertion(developerMessage: string): Refusal {
  return refuse('INVALID_ASSERTION', developerMessage, { oauthError: 'invalid_grant' })
}
