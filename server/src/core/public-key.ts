import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { isRejection, type Rejection, rejectField } from './rejection.ts'

/** An RSA public key, and nothing else, as a JWK (RFC 7517, RFC 7518 6.3.1). */
export interface PublicJwk {
  readonly kty: 'RSA'
  readonly n: string
  readonly e: string
}

export interface PublicKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
}

/** Decisions 2: "RSA of 2048 bits or more". */
const MIN_MODULUS_BITS = 2_048
/** The cost of a verification grows with the square of the key size, and an assertion may be verified with five keys. */
const MAX_MODULUS_BITS = 8_192
/** Longer than the key ids of clients. A kid is part of a row's key and of a path. */
const KID = /^[\x21-\x7e]{1,128}$/
/** RFC 7518, 6.3.2: members of private keys. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth']
const PEM = /^-----BEGIN (RSA )?PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END (RSA )?PUBLIC KEY-----$/

/**
 * Parses an app's public key: PEM (PKCS#1 or SPKI) or a JWK, as an object or JSON text. The kid is the JWK's, else the thumbprint (RFC
 * 7638). Private material is rejected, and no rejection repeats the input. Source: decisions 2.
 */
export function parsePublicKey(input: unknown, path = 'publicKey'): PublicKey | Rejection {
  const given = typeof input === 'string' ? input.trim() : input
  if (typeof given !== 'string') return readJwk(given, path)
  if (given.startsWith('{')) return readJwkText(given, path)
  return readPem(given, path)
}

/** RFC 7638: SHA-256 over the required members in lexical order. */
export function thumbprint({ e, kty, n }: PublicJwk): string {
  return createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
}

function readPem(pem: string, path: string): PublicKey | Rejection {
  if (pem.includes('PRIVATE KEY')) return rejectPrivate(path)
  if (!PEM.test(pem)) return rejectField(path, 'send one public key: PEM ("PUBLIC KEY" or "RSA PUBLIC KEY") or a JWK')
  return fromKey(() => createPublicKey(pem), undefined, path)
}

function readJwkText(text: string, path: string): PublicKey | Rejection {
  const jwk = parseJson(text)
  return jwk === undefined ? rejectField(path, 'is neither PEM nor the JSON of a JWK') : readJwk(jwk, path)
}

function readJwk(jwk: unknown, path: string): PublicKey | Rejection {
  if (!isObject(jwk)) return rejectField(path, 'must be PEM text or a JWK')
  if (PRIVATE_MEMBERS.some(member => Object.hasOwn(jwk, member))) return rejectPrivate(path)
  if ('keys' in jwk) return rejectField(path, 'is a set of keys; send one JWK at a time')
  if (jwk.kty !== 'RSA') return rejectField(path, 'kty must be "RSA": assertions are signed with RS256')
  if (jwk.alg !== undefined && jwk.alg !== 'RS256') return rejectField(path, 'alg must be "RS256" or absent')
  if (jwk.use !== undefined && jwk.use !== 'sig') return rejectField(path, 'use must be "sig" or absent')
  const { n, e, kid } = jwk
  if (typeof n !== 'string' || typeof e !== 'string') return rejectField(path, 'n and e must be base64url text')
  if (kid !== undefined && (typeof kid !== 'string' || !KID.test(kid))) {
    return rejectField(path, 'kid must be 1 to 128 visible ASCII characters')
  }
  return fromKey(() => createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }), kid, path)
}

function fromKey(read: () => KeyObject, kid: string | undefined, path: string): PublicKey | Rejection {
  const key = attempt(read)
  if (key === undefined) return rejectField(path, 'cannot be read as a public key')
  const weakness = weaknessOf(key, path)
  if (isRejection(weakness)) return weakness
  const { n, e } = key.export({ format: 'jwk' })
  if (n === undefined || e === undefined) return rejectField(path, 'cannot be read as a public key')
  const publicJwk: PublicJwk = { kty: 'RSA', n, e }
  return { kid: kid ?? thumbprint(publicJwk), publicJwk }
}

function weaknessOf(key: KeyObject, path: string): Rejection | null {
  if (key.asymmetricKeyType !== 'rsa') return rejectField(path, 'must be an RSA key: assertions are signed with RS256')
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < MIN_MODULUS_BITS) return rejectField(path, `must have ${MIN_MODULUS_BITS} bits or more`)
  if (modulusLength > MAX_MODULUS_BITS) return rejectField(path, `must have ${MAX_MODULUS_BITS} bits or fewer`)
  // With exponent 1 anyone could sign; an even exponent has no private key; a huge one makes verification slow.
  if (publicExponent < 3n || publicExponent % 2n === 0n || publicExponent >= 2n ** 64n) {
    return rejectField(path, 'has an unsafe exponent; use 65537')
  }
  return null
}

function rejectPrivate(path: string): Rejection {
  return rejectField(
    path,
    'contains a private key. Consider the private key exposed, create another pair, and send only the public key',
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  return attempt(() => JSON.parse(text) as unknown)
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
