import { type CryptoKey, compactVerify, importJWK } from 'jose'
import type { PublicJwk } from '../core/public-key.ts'
import { createLru, type Lru } from './lru.ts'

/** A public key of an app, as `apps` keeps it. */
export interface AppKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
}

/** Imported keys, by their numbers: a key id may be given again to another key, its numbers never. */
export type ImportedKeys = Lru<CryptoKey>

/** Some 2 KiB each. An app beyond these pays a tenth of a millisecond more. */
const IMPORTED_KEYS = 5_000

export function createImportedKeys(): ImportedKeys {
  return createLru(IMPORTED_KEYS)
}

/**
 * The id of the key that signed `text`; null when none of them did. A `kid` in the header chooses the key, otherwise
 * each is tried (decisions 2). Only the signature is judged: jose would read `exp` its own way.
 */
export async function findSigner(
  text: string,
  kid: string | undefined,
  keys: readonly AppKey[],
  imported: ImportedKeys,
): Promise<string | null> {
  for (const key of kid === undefined ? keys : keys.filter(one => one.kid === kid)) {
    if (await isSignedBy(text, await importedKey(key.publicJwk, imported))) return key.kid
  }
  return null
}

async function isSignedBy(text: string, key: CryptoKey): Promise<boolean> {
  try {
    await compactVerify(text, key, { algorithms: ['RS256'] })
    return true
  } catch {
    return false
  }
}

async function importedKey(jwk: PublicJwk, imported: ImportedKeys): Promise<CryptoKey> {
  const numbers = `${jwk.n}.${jwk.e}`
  const known = imported.get(numbers)
  if (known) return known
  const key = (await importJWK({ ...jwk }, 'RS256')) as CryptoKey
  imported.set(numbers, key)
  return key
}
