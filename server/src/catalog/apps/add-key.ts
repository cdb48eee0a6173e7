import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { MAX_ACTIVE_KEYS } from '../../core/app.ts'
import { assert } from '../../core/assert.ts'
import { type PublicKey, parsePublicKey, thumbprint } from '../../core/public-key.ts'
import { isRejection, type Rejection, reject, rejectField } from '../../core/rejection.ts'
import type { Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { type ActiveKey, findActiveKeys, findKey, insertKey, lockApp } from './store.ts'

type Added = Pick<ActiveKey, 'kid' | 'createdAt'> & Pick<NewKey, 'privateKey'> & { readonly isNew: boolean }

/**
 * Adds a key, so that an app can rotate without a gap: add, use, revoke the old key. Adding an active key again returns that key. A key id
 * names one key forever, so that tokens of a revoked key stay revoked. Decisions 2.
 */
export async function addKey(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { appId, publicKey }: { readonly appId: string; readonly publicKey?: unknown },
): Promise<Added | Rejection> {
  const newKey = await takeOrMakeKey(publicKey)
  if (isRejection(newKey)) return newKey
  const { kid, publicJwk, privateKey } = newKey
  return db.transaction(async ({ sql }) => {
    if ((await lockApp(sql, appId)) === null) return reject('APPLICATION_NOT_FOUND', 'There is no app with this id.')
    const known = await findActiveTwin(sql, { appId, newKey })
    if (known !== null) return known
    const active = await findActiveKeys(sql, appId)
    if (active.length >= MAX_ACTIVE_KEYS) {
      return reject('TOO_MANY_KEYS', `An app has at most ${MAX_ACTIVE_KEYS} active keys. Revoke one first.`)
    }
    const createdAt = clock.now()
    await insertKey(sql, { appId, kid, publicJwk, createdAt })
    return { kid, createdAt, isNew: true, ...(privateKey === undefined ? {} : { privateKey }) }
  })
}

/** Null when the key id is free. */
async function findActiveTwin(sql: Sql, of: { appId: string; newKey: NewKey }): Promise<Added | Rejection | null> {
  const known = await findKey(sql, { appId: of.appId, kid: of.newKey.kid })
  if (known === null) return null
  if (known.revokedAt !== null)
    return rejectField('publicKey', 'was revoked, or has the kid of a revoked key. Send a new key')
  if (thumbprint(known.publicJwk) !== thumbprint(of.newKey.publicJwk)) {
    return rejectField('publicKey', 'has the kid of another key of this app. Send another kid')
  }
  return { kid: known.kid, createdAt: known.createdAt, isNew: false }
}

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
