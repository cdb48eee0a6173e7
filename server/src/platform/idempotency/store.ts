import type { Sql } from '../db/db.ts'

export interface KeptAnswer {
  readonly bodyHash: Buffer
  readonly status: number
  /** Sealed. */
  readonly answer: Buffer
}

/** Holds the key until the transaction ends. False: another transaction has it. */
export async function tryLockKey(sql: Sql, keyHash: Buffer): Promise<boolean> {
  // 64 bits of it: two keys that happen to share them only see each other as in progress.
  const lock = keyHash.readBigInt64BE(0).toString()
  const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${lock}::bigint) as locked`
  return row?.locked === true
}

/** An answer recorded at `since` or before counts as forgotten. */
export async function findKeptAnswer(sql: Sql, keyHash: Buffer, since: Date): Promise<KeptAnswer | null> {
  const [row] = await sql<KeptAnswer[]>`
    select body_hash as "bodyHash", status, answer from idempotency_keys
    where key_hash = ${keyHash} and recorded_at > ${since}`
  return row ?? null
}

/** Takes the place of a forgotten one. */
export async function saveKeptAnswer(
  sql: Sql,
  { keyHash, bodyHash, status, answer, now }: KeptAnswer & { readonly keyHash: Buffer; readonly now: Date },
): Promise<void> {
  await sql`
    insert into idempotency_keys (key_hash, body_hash, status, answer, recorded_at)
    values (${keyHash}, ${bodyHash}, ${status}, ${answer}, ${now})
    on conflict (key_hash) do update set
      body_hash = excluded.body_hash, status = excluded.status,
      answer = excluded.answer, recorded_at = excluded.recorded_at`
}

/** Deletes up to `limit` of those recorded at `before` or earlier, oldest first. Returns how many. */
export async function deleteKeptAnswers(sql: Sql, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where key_hash in (
      select key_hash from idempotency_keys where recorded_at <= ${before}
      order by recorded_at limit ${limit} for update skip locked)`
  return result.count
}
