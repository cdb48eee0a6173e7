import { type CryptoKey, importJWK, type JWK } from 'jose'
import { assert } from '../../core/assert.ts'
import type { Ports } from '../../ports.ts'
import type { SigningPair } from './access-token.ts'
import { ACCESS_TOKEN_SECONDS } from './access-token.ts'
import { makeSigningKey } from './make-signing-key.ts'
import { findSigningKeys, insertSigningKey, lockSigningKeys, type StoredSigningKey } from './signing-key-store.ts'

/** The keys that this service signs access tokens with, as this process knows them. */
export interface SigningKeys {
  /** The one that signs now. The very first is made here. */
  current(): Promise<SigningPair>
  /** The public key with this id, while tokens of it may live; else null. */
  findPublic(kid: string): Promise<CryptoKey | null>
  /** The one that signs now comes first. */
  published(): Promise<readonly [JWK, ...JWK[]]>
}

type SigningKeyPorts = Pick<Ports, 'db' | 'clock' | 'vault'>

/** A retired key is published until its last token is over, and an hour more for processes that learned of it late. */
const PUBLISHED_AFTER_RETIREMENT_MS = (ACCESS_TOKEN_SECONDS + 3_600) * 1000

/** Far below the time between publishing a key and signing with it, so that every process changes over in time. */
const KNOWN_FOR_MS = 60_000

/** A key id that nobody knows costs a look at the database, but not for each request that makes one up. */
const LOOK_AGAIN_MS = 1_000

export function createSigningKeys(ports: SigningKeyPorts): SigningKeys {
  const publicKeys = new Map<string, CryptoKey>()
  const privateKeys = new Map<string, CryptoKey>()
  let known: readonly StoredSigningKey[] = []
  let readAtMs = Number.NEGATIVE_INFINITY

  return {
    async current() {
      const key = await signing()
      return { kid: key.kid, privateKey: await privateKeyOf(key) }
    },
    async findPublic(kid) {
      if (!known.some(key => key.kid === kid)) await readUnlessNewerThan(LOOK_AGAIN_MS)
      const key = known.find(one => one.kid === kid)
      return key ? publicKeyOf(key) : null
    },
    async published() {
      const first = await signing()
      return [published(first), ...known.filter(key => key.kid !== first.kid).map(published)]
    },
  }

  async function signing(): Promise<StoredSigningKey> {
    await readUnlessNewerThan(KNOWN_FOR_MS)
    if (known.length === 0) known = await makeFirst(ports)
    const now = ports.clock.now()
    // Rotation publishes the next key before it signs: the oldest that is not retired is the one to use.
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

/** Two processes may make one at once: the lock decides whose is kept. */
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

/** RFC 7517: what a verifier needs beside the numbers. */
function published({ kid, publicJwk }: StoredSigningKey): JWK {
  return { ...publicJwk, kid, use: 'sig', alg: 'RS256' }
}
