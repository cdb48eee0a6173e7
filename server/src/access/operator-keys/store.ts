import type { Sql } from '../../platform/db/db.ts'

/** Any constant: concurrent starts take turns. */
const OPERATOR_KEY_LOCK = 7_461_003

export async function lockOperatorKeys(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${OPERATOR_KEY_LOCK})`
}

export async function findOperatorKeyHashes(sql: Sql): Promise<Buffer[]> {
  const rows = await sql<{ keyHash: Buffer }[]>`select key_hash as "keyHash" from operator_keys`
  return rows.map(row => row.keyHash)
}

export async function insertOperatorKeyHash(sql: Sql, keyHash: Buffer, now: Date): Promise<void> {
  await sql`insert into operator_keys (key_hash, created_at) values (${keyHash}, ${now})`
}
