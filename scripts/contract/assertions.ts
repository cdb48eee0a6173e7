import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ASSERTION_CASES, type AssertionCase, BASE_URL, DEVICE, NOW } from './assertion-cases.ts'

/** A public key pair for these vectors. No app may use it. */
const key = createPrivateKey(readFileSync(new URL('assertion-key.pem', import.meta.url)))

/** Self-issued JWTs with the expected result of each. RS256 is deterministic. */
export function assertionVectors() {
  const { kty, n, e } = createPublicKey(key).export({ format: 'jwk' })
  return {
    about:
      'Each is sent to POST /token at `now`, to a service whose {base_url} is `baseUrl`, by the app `appId` and the terminal `deviceId`, both with `publicKey`.',
    baseUrl: BASE_URL,
    now: NOW,
    appId: 'urn:aid:019a3c7e-5c00-7000-8000-0000000000a1',
    deviceId: DEVICE,
    publicKey: { kty, n, e, kid: 'contract' },
    vectors: ASSERTION_CASES.map(one => ({
      name: one.name,
      header: one.header,
      claims: one.claims,
      assertion: assertionOf(one),
      expect: one.expect,
    })),
  }
}

function assertionOf({ header, claims, tampering }: AssertionCase): string {
  const signed = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('RSA-SHA256', Buffer.from(signed), key)
  switch (tampering) {
    case 'no signature':
      return `${signed}.`
    case 'another signature':
      signature[0] = (signature[0] ?? 0) ^ 1
      return `${signed}.${signature.toString('base64url')}`
    case 'other claims':
      return `${encoded(header)}.${encoded({ ...claims, jti: 'changed' })}.${signature.toString('base64url')}`
    default:
      return `${signed}.${signature.toString('base64url')}`
  }
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
