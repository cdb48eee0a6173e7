import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { PublicJwk } from '../../core/public-key.ts'
import { createLru, type Lru } from './lru.ts'

/** A public key of an app as stored. */
export interface AppKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
}

/** Active keys of an enabled app, and its organization. */
export interface KeysOfApp {
  readonly organizationId: string
  readonly keys: readonly AppKey[]
}

/** Imported keys by modulus and exponent, because two apps may use the same key id for different keys. */
export type ImportedKeys = Lru<KeyObject>

/** About 2 KiB each. More apps cost 0.1 ms per exchange. */
const IMPORTED_KEYS = 5_000

const BASE64URL = /^[\w-]+$/

export function createImportedKeys(): ImportedKeys {
  return createLru(IMPORTED_KEYS)
}

/**
 * The id of the key that signed `text` by RS256; null if no key did. A `kid` in the header chooses the key, otherwise every key is tried
 * (decisions 2). Checks only the signature: the caller checks the header's `alg` and the claims.
 */
export function findSigner(
  text: string,
  kid: string | undefined,
  keys: readonly AppKey[],
  imported: ImportedKeys,
): string | null {
  const candidates = kid === undefined ? keys : keys.filter(one => one.kid === kid)
  return candidates.find(key => isSignedBy(text, importedKey(key.publicJwk, imported)))?.kid ?? null
}

/** RFC 7515, 5.2. Synchronous: verification takes 35 µs, and twice the processor time through jose and WebCrypto (docs/decisions/0009). */
function isSignedBy(text: string, key: KeyObject): boolean {
  const signedUntil = text.lastIndexOf('.')
  const signature = text.slice(signedUntil + 1)
  // Buffer skips characters outside the alphabet; RFC 7515, 2 does not allow them.
  if (!BASE64URL.test(signature)) return false
  return verify('RSA-SHA256', Buffer.from(text.slice(0, signedUntil)), key, Buffer.from(signature, 'base64url'))
}

function importedKey(jwk: PublicJwk, imported: ImportedKeys): KeyObject {
  const numbers = `${jwk.n}.${jwk.e}`
  const known = imported.get(numbers)
  if (known) return known
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  imported.set(numbers, key)
  return key
}
