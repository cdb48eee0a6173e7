import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { assert } from '../../core/assert.ts'
import { type PublicKey, parsePublicKey } from '../../core/public-key.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'

export interface NewKey extends PublicKey {
  /** PKCS#8 PEM, when we made the pair: shown once, never kept. */
  readonly privateKey?: string
}

/** Parses the caller's public key, or creates a pair if there is none, which takes 50 to 500 ms: never inside a transaction. */
export async function takeOrMakeKey(publicKey: unknown): Promise<NewKey | Rejection> {
  return publicKey === undefined ? makeKeyPair() : parsePublicKey(publicKey)
}

async function makeKeyPair(): Promise<NewKey> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const key = parsePublicKey(pair.publicKey.export({ format: 'jwk' }))
  assert(!isRejection(key), 'a generated key pair is rejected')
  return { ...key, privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}
