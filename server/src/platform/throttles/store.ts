import type { Tries } from '../../core/throttle.ts'
import type { Sql } from '../db/db.ts'

/** By the hash in hexadecimal digits. Holds the rows, those not yet there too: who comes meanwhile waits, and sees what became of them. */
export async function lockTries(
  sql: Sql,
  kind: string,
  keyHashes: readonly Buffer[],
  now: Date,
): Promise<Map<string, Tries>> {
  const known = new Map<string, Tries>()
  for (const keyHash of keyHashes) {
    const [row] = await sql<Tries[]>`
      insert into throttles as t (kind, key_hash, tries, tried_at, open_at)
      values (${kind}, ${keyHash}, 0, ${now}, ${now})
      on conflict (kind, key_hash) do update set kind = t.kind
      returning tries, tried_at as "triedAt", open_at as "openAt"`
    if (row !== undefined) known.set(keyHash.toString('hex'), row)
  }
  return known
}

export async function saveTries(sql: Sql, kind: string, keyHash: Buffer, { tries, triedAt, openAt }: Tries) {
  await sql`
    update throttles set tries = ${tries}, tried_at = ${triedAt}, open_at = ${openAt}
    where kind = ${kind} and key_hash = ${keyHash}`
}

export async function deleteTries(sql: Sql, kind: string, keyHash: Buffer): Promise<void> {
  await sql`delete from throttles where kind = ${kind} and key_hash = ${keyHash}`
}

/** One try fewer, and no wait that it brought. */
export async function takeBackTry(sql: Sql, kind: string, keyHash: Buffer): Promise<void> {
  await sql`
    update throttles set tries = tries - 1, open_at = tried_at
    where kind = ${kind} and key_hash = ${keyHash} and tries > 0`
}

/** Gives how many. */
export async function purgeThrottles(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from throttles where (kind, key_hash) in (
      select kind, key_hash from throttles where tried_at < ${before} limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}
