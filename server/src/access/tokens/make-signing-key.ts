import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { Vault } from '../../platform/vault/vault.ts'
import type { StoredSigningKey } from './signing-key-store.ts'

/** Creates an RSA key with a sealed private half. Takes up to 0.5 s: never inside a transaction. */
export async function makeSigningKey(vault: Vault, now: Date): Promise<StoredSigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true })
  const publicJwk = await exportJWK(publicKey)
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    sealedPrivateJwk: vault.seal('signing-key', JSON.stringify(await exportJWK(privateKey))),
    publicJwk,
    createdAt: now,
  }
}
