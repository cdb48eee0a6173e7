import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db, Sql } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'

export interface OperatorKey {
  /** Set if this call created the key: show it now, since only its hash is stored. */
  readonly made?: string
  /** Takes the same time however much of the key is right. */
  verify(key: string): boolean
}

/**
 * Ensures the operator key: the configured key, or a key created at the first start without one. Only its hash is stored. Concurrent
 * starts create one key. Source: decisions 11.
 */
export async function ensureOperatorKey(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  configuredKey?: string,
): Promise<OperatorKey> {
  if (configuredKey !== undefined) return { verify: isOneOf([hashOf(configuredKey)]) }
  // The prefix `tillhook_op_` lets a scanner recognise a leaked key.
  const made = `tillhook_op_${randomBytes(32).toString('base64url')}`
  const kept = await keepUnlessThereIsOne(db, hashOf(made), clock.now())
  return kept === null ? { made, verify: isOneOf([hashOf(made)]) } : { verify: isOneOf(kept) }
}

/** Stores `keyHash` if there is no key. Returns null if it was stored, else the existing hashes. */
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

/** 256 random bits need no slow hash. The operator is responsible for the strength of a configured key. */
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Any constant: concurrent starts take turns. */
const OPERATOR_KEY_LOCK = 7_461_003

export async function lockOperatorKeys(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OPERATOR_KEY_LOCK})`
}

async function findOperatorKeyHashes(sql: Sql): Promise<Buffer[]> {
  const rows = await sql<{ keyHash: Buffer }[]>`select key_hash as "keyHash" from operator_keys`
  return rows.map(row => row.keyHash)
}

async function insertOperatorKeyHash(sql: Sql, keyHash: Buffer, now: Date): Promise<void> {
  await sql`insert into operator_keys (key_hash, created_at) values (${keyHash}, ${now})`
}
