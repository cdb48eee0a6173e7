import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { principalName } from '../../core/principal.ts'
import { reject } from '../../core/rejection.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { type Idempotency, type KeyedRequest, PROVISIONAL } from '../http/ports.ts'
import type { WireAnswer } from '../http/send.ts'
import type { Vault } from '../vault/vault.ts'

const PURPOSE = 'idempotency'

/**
 * Decisions 1: the same caller, path, key and body within 24 h gets the first response again without repeating the work. The transaction
 * of the work stores the response, so a crash leaves both or neither.
 */
export function createIdempotency({ db, clock, vault }: Pick<Ports, 'db' | 'clock' | 'vault'>): Idempotency {
  // A plain hash of a body with a password could be brute-forced at rest.
  const bodyHashOf = ({ body }: KeyedRequest) => vault.mark(PURPOSE, body)
  const again = (kept: KeptAnswer, bodyHash: Buffer) =>
    kept.bodyHash.equals(bodyHash)
      ? replayed(vault, kept)
      : reject('REQUEST_ID_DUPLICATE', 'This id was used with another body. Send a new id for a new request.')
  return {
    async find(request) {
      const bodyHash = bodyHashOf(request)
      const kept = await findKeptAnswer(db.sql, keyHashOf(request, bodyHash), forgottenAt(clock))
      return kept && again(kept, bodyHash)
    },

    once(request, work) {
      const bodyHash = bodyHashOf(request)
      const keyHash = keyHashOf(request, bodyHash)
      return db.transaction(async tx => {
        if (!(await tryLockKey(tx.sql, keyHash))) {
          return reject('REQUEST_IN_PROGRESS', 'Wait for the first request of this id, or repeat this one later.', {
            retryAfterSeconds: 1,
          })
        }
        // Runs after the lock, so this statement sees what the previous holder of the lock committed.
        const kept = await findKeptAnswer(tx.sql, keyHash, forgottenAt(clock))
        if (kept === null) {
          const answer = await work(tx)
          if (isKept(answer)) {
            await saveKeptAnswer(tx.sql, { keyHash, bodyHash, now: clock.now(), ...sealed(vault, answer) })
          }
          return answer
        }
        return again(kept, bodyHash)
      })
    },

    async finish(request, answer) {
      const bodyHash = bodyHashOf(request)
      const keyHash = keyHashOf(request, bodyHash)
      if (await finishKeptAnswer(db.sql, { keyHash, ...sealed(vault, answer) })) return answer
      const kept = await findKeptAnswer(db.sql, keyHash, forgottenAt(clock))
      return kept === null ? answer : again(kept, bodyHash)
    },
  }
}

/** Decisions 1: "Kept are 2xx answers and rejections of a use case (409)". */
function isKept({ status }: WireAnswer): boolean {
  return (status >= 200 && status < 300) || status === 409 || status === PROVISIONAL
}

function sealed(vault: Vault, { status, headers, body }: WireAnswer): Pick<KeptAnswer, 'status' | 'answer'> {
  return { status, answer: vault.seal(PURPOSE, JSON.stringify({ headers, body })) }
}

function replayed(vault: Vault, { status, answer }: KeptAnswer): WireAnswer {
  const { headers, body } = JSON.parse(vault.openText(PURPOSE, answer)) as Pick<WireAnswer, 'headers' | 'body'>
  return { status, headers: { ...headers, 'idempotent-replayed': 'true' }, body }
}

/**
 * Callers without a token are indistinguishable, and two of them may both count their requests from 1. Their requests are equal only if
 * the bodies are equal too; on each such route the body contains a secret of its caller.
 */
function keyHashOf({ principal, method, path, params, key }: KeyedRequest, bodyHash: Buffer): Buffer {
  const caller = principal.kind === 'anonymous' ? [bodyHash.toString('hex')] : []
  return sha256(JSON.stringify([principalName(principal), method, path, params, key, ...caller]))
}

function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

/** Decisions 1: "within 24 h → the first answer again". */
const KEPT_MS = 86_400_000

/** Responses recorded at or before this instant are expired. */
function forgottenAt(clock: Clock): Date {
  return new Date(clock.now().getTime() - KEPT_MS)
}

interface KeptAnswer {
  readonly bodyHash: Buffer
  readonly status: number
  /** Sealed. */
  readonly answer: Buffer
}

/** Holds the key until the transaction ends. False: another transaction has it. */
async function tryLockKey(sql: Sql, keyHash: Buffer): Promise<boolean> {
  // 64 bits of the hash: two keys that share them only see each other as in progress.
  const lock = keyHash.readBigInt64BE(0).toString()
  const [row] = await sql<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${lock}::bigint) as locked`
  return row?.locked === true
}

/** An answer recorded at `since` or before counts as forgotten. */
async function findKeptAnswer(sql: Sql, keyHash: Buffer, since: Date): Promise<KeptAnswer | null> {
  const [row] = await sql<KeptAnswer[]>`
    select body_hash as "bodyHash", status, answer from idempotency_keys
    where key_hash = ${keyHash} and recorded_at > ${since}`
  return row ?? null
}

/** Replaces an expired response. */
async function saveKeptAnswer(
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

/** Replaces a provisional response, once. Returns whether this call did. */
async function finishKeptAnswer(
  sql: Sql,
  { keyHash, status, answer }: Pick<KeptAnswer, 'status' | 'answer'> & { readonly keyHash: Buffer },
): Promise<boolean> {
  const finished = await sql`
    update idempotency_keys set status = ${status}, answer = ${answer}
    where key_hash = ${keyHash} and status = ${PROVISIONAL}`
  return finished.count === 1
}

/** Deletes up to `limit` of those recorded at `before` or earlier, oldest first. Returns how many. */
async function deleteKeptAnswers(sql: Sql, before: Date, limit: number): Promise<number> {
  const result = await sql`
    delete from idempotency_keys where key_hash in (
      select key_hash from idempotency_keys where recorded_at <= ${before}
      order by recorded_at limit ${limit} for update skip locked)`
  return result.count
}

/** Small enough not to delay requests. */
const BATCH = 1_000
/** Bounds one run; the next run continues. */
const MAX_BATCHES = 100

/** Deletes the answers that no request can get any more. Returns how many. */
export function purgeBatches({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purge(db.sql, forgottenAt(clock))
}

/** Deletes what was recorded at `before` or earlier, a batch a statement. Returns how many. */
export async function purge(sql: Sql, before: Date): Promise<number> {
  let purged = 0
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const deleted = await deleteKeptAnswers(sql, before, BATCH)
    purged += deleted
    if (deleted < BATCH) break
  }
  return purged
}
