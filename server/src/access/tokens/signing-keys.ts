import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { assert } from '../../core/assert.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import type { Ports } from '../../ports.ts'
import { ACCESS_TOKEN_SECONDS, type SigningPair } from './access-token.ts'
import { findSigningKeys, insertSigningKey, lockSigningKeys, type StoredSigningKey } from './signing-key-store.ts'

/** The keys that sign access tokens, as this process knows them. */
export type SigningKeys = ReturnType<typeof createSigningKeys>

type SigningKeyPorts = Pick<Ports, 'db' | 'clock' | 'vault'>

/** A retired key stays published until its last token expires, plus an hour for processes that learned of the retirement late. */
const PUBLISHED_AFTER_RETIREMENT_MS = (ACCESS_TOKEN_SECONDS + 3_600) * 1000

/** Far shorter than the time between publishing and first use, so that every process switches in time. */
const KNOWN_FOR_MS = 60_000

/** An unknown key id costs a database read at most once per second, even if every request makes one up. */
const READ_AGAIN_MS = 1_000

export function createSigningKeys(ports: SigningKeyPorts) {
  const publicKeys = new Map<string, CryptoKey>()
  const privateKeys = new Map<string, CryptoKey>()
  let known: readonly StoredSigningKey[] = []
  let readAtMs = Number.NEGATIVE_INFINITY

  return {
    /** The key that signs now. Creates the very first key. */
    async current(): Promise<SigningPair> {
      const key = await signing()
      return { kid: key.kid, privateKey: await privateKeyOf(key) }
    },
    /** The public key with this id while its tokens may live, else null. */
    async findPublic(kid: string): Promise<CryptoKey | null> {
      if (!known.some(key => key.kid === kid)) await readUnlessNewerThan(READ_AGAIN_MS)
      const key = known.find(one => one.kid === kid)
      return key ? publicKeyOf(key) : null
    },
    /** The key that signs now comes first. */
    async published(): Promise<readonly [JWK, ...JWK[]]> {
      const first = await signing()
      return [published(first), ...known.filter(key => key.kid !== first.kid).map(published)]
    },
  }

  async function signing(): Promise<StoredSigningKey> {
    await readUnlessNewerThan(KNOWN_FOR_MS)
    if (known.length === 0) known = await makeFirst(ports)
    const now = ports.clock.now()
    // Rotation publishes the next key before its first use: the oldest key that is not retired signs.
    const key = known.find(one => one.retiredAt === undefined || one.retiredAt > now)
    assert(key, 'signing keys: all are retired')
    return key
  }

  async function readUnlessNewerThan(ageMs: number): Promise<void> {
    const now = ports.clock.now()
    if (now.getTime() - readAtMs < ageMs) return
    known = await findSigningKeys(ports.db.sql, new Date(now.getTime() - PUBLISHED_AFTER_RETIREMENT_MS))
    readAtMs = now.getTime()
  }

  async function privateKeyOf(key: StoredSigningKey): Promise<CryptoKey> {
    return privateKeys.get(key.kid) ?? keep(privateKeys, key.kid, openPrivateJwk(ports, key))
  }

  async function publicKeyOf(key: StoredSigningKey): Promise<CryptoKey> {
    return publicKeys.get(key.kid) ?? keep(publicKeys, key.kid, key.publicJwk)
  }
}

/** Two processes may create a key at once: the lock decides which key stays. */
async function makeFirst({ db, clock, vault }: SigningKeyPorts): Promise<readonly StoredSigningKey[]> {
  const made = await makeSigningKey(vault, clock.now())
  return db.transaction(async tx => {
    await lockSigningKeys(tx.sql)
    const others = await findSigningKeys(tx.sql, made.createdAt)
    if (others.length > 0) return others
    await insertSigningKey(tx.sql, made)
    return [made]
  })
}

function openPrivateJwk({ vault }: SigningKeyPorts, key: StoredSigningKey): JWK {
  return JSON.parse(vault.openText('signing-key', key.sealedPrivateJwk)) as JWK
}

async function keep(keys: Map<string, CryptoKey>, kid: string, jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'RS256')
  assert(!(key instanceof Uint8Array), 'signing keys: a secret where an RSA key belongs')
  keys.set(kid, key)
  return key
}

/** RFC 7517: the members a verifier needs besides the numbers. */
function published({ kid, publicJwk }: StoredSigningKey): JWK {
  return { ...publicJwk, kid, use: 'sig', alg: 'RS256' }
}

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
