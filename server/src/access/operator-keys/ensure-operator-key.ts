import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findOperatorKeyHashes, insertOperatorKeyHash, lockOperatorKeys } from './store.ts'

export interface OperatorKey {
  /** The key, when it was made by this call: to be shown to the operator now, as nobody can show it again. */
  readonly made?: string
  /** Takes the same time however much of the key is right. */
  verify(key: string): boolean
}

/**
 * The key of the operator: the configured one, else the one that the first start without one made. Only its hash is
 * kept. Processes that start at once make one key between them. Source: decisions 11.
 */
export async function ensureOperatorKey(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  configuredKey?: string,
): Promise<OperatorKey> {
  if (configuredKey !== undefined) return { verify: isOneOf([hashOf(configuredKey)]) }
  // `tillhook_op_`: a scanner for leaked secrets can tell what it has found.
  const made = `tillhook_op_${randomBytes(32).toString('base64url')}`
  const kept = await keepUnlessThereIsOne(db, hashOf(made), clock.now())
  return kept === null ? { made, verify: isOneOf([hashOf(made)]) } : { verify: isOneOf(kept) }
}

/** Null when `keyHash` was kept; the hashes that were there before otherwise. */
async function keepUnlessThereIsOne(db: Db, keyHash: Buffer, now: Date): Promise<Buffer[] | null> {
  return db.transaction(async ({ sql }) => {
    await lockOperatorKeys(sql)
    const kept = await findOperatorKeyHashes(sql)
    if (kept.length > 0) return kept
    await insertOperatorKeyHash(sql, keyHash, now)
    return null
  })
}

function isOneOf(hashes: readonly Buffer[]): (key: string) => boolean {
  return key => {
    const hash = hashOf(key)
    return hashes.some(one => timingSafeEqual(one, hash))
  }
}

/** 256 random bits need no slow hash. A configured key is the operator's to choose well. */
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
