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
  const hashesOf = (request: KeyedRequest): Hashes => {
    // A plain hash of a body with a password could be brute-forced at rest.
    const bodyHash = vault.mark(PURPOSE, request.body)
    return { keyHash: keyHashOf(request, bodyHash), bodyHash }
  }
  const again = (kept: KeptAnswer, { bodyHash }: Hashes) =>
    kept.bodyHash.equals(bodyHash)
      ? replayed(vault, kept)
      : reject('REQUEST_ID_DUPLICATE', 'This id was used with another body. Send a new id for a new request.')

  const findOne = async (hashes: Hashes) => {
    const kept = await findKeptAnswers(db.sql, [hashes], forgottenAt(clock))
    const found = kept.get(nameOf(hashes.keyHash))
    return found ? again(found, hashes) : null
  }

  /** The answers that need no work: stored responses, and rejections of keys that another request holds. */
  const answered = async (sql: Sql, hashes: readonly (Hashes | null)[]) => {
    const keyed = hashes.filter(each => each !== null)
    if (keyed.length === 0) return hashes.map(() => null)
    const free = await tryLockKeys(sql, keyed)
    // Runs after the locks, so this statement sees what the previous holders of the locks committed.
    const kept = await findKeptAnswers(sql, free, forgottenAt(clock))
    return hashes.map(each => {
      if (each === null) return null
      if (!free.includes(each)) return IN_PROGRESS
      const found = kept.get(nameOf(each.keyHash))
      return found ? again(found, each) : null
    })
  }

  return {
    find: request => findOne(hashesOf(request)),

    onceEach(requests, work) {
      const hashes = requests.map(request => request && hashesOf(request))
      return db.transaction(async tx => {
        const known = await answered(tx.sql, hashes)
        const asked = known.flatMap((answer, index) => (answer === null ? [index] : []))
        const made = asked.length === 0 ? [] : await work(tx, asked)
        const rows = asked.flatMap((index, at) => {
          const [keyed, answer] = [hashes[index], made[at]]
          return keyed && answer && isKept(answer) ? [{ ...keyed, ...sealed(vault, answer) }] : []
        })
        await saveKeptAnswers(tx.sql, rows, clock.now())
        return known.map((answer, index) => answer ?? (made[asked.indexOf(index)] as WireAnswer))
      })
    },

    async finish(request, answer) {
      const hashes = hashesOf(request)
      if (await finishKeptAnswer(db.sql, { ...hashes, ...sealed(vault, answer) })) return answer
      return (await findOne(hashes)) ?? answer
    },
  }
}

const IN_PROGRESS = reject(
  'REQUEST_IN_PROGRESS',
  'The first request with this id is still in progress. Repeat this request later.',
  {
    retryAfterSeconds: 1,
  },
)

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
 * Callers without a token are indistinguishable, and may use the same keys by chance. For them the body is part of the key; on each such
 * route the body contains a secret of the caller.
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

interface Hashes {
  readonly keyHash: Buffer
  readonly bodyHash: Buffer
}

interface KeptAnswer {
  readonly bodyHash: Buffer
  readonly status: number
  /** Sealed. */
  readonly answer: Buffer
}

function nameOf(keyHash: Buffer): string {
  return keyHash.toString('hex')
}

/** Locks keys until the transaction ends. Returns the keys that were free, without duplicates. */
async function tryLockKeys<K extends Hashes>(sql: Sql, keys: readonly K[]): Promise<K[]> {
  // The lock uses 64 bits of the hash. Two keys with the same bits are only in progress for each other.
  const locks = keys.map(({ keyHash }) => keyHash.readBigInt64BE(0).toString())
  const rows = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(k.lock) as locked
    from unnest(${locks}::text[]::bigint[]) with ordinality as k (lock, position) order by k.position`
  return keys.filter((_, index) => rows[index]?.locked === true && locks.indexOf(locks[index] ?? '') === index)
}

/** The stored responses by key name, without responses recorded at or before `since`. Keeps its plan in the same way as `findTills`. */
async function findKeptAnswers(sql: Sql, keys: readonly Hashes[], since: Date): Promise<Map<string, KeptAnswer>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<(KeptAnswer & { keyHash: Buffer })[]>`
    select k.*
    from jsonb_array_elements_text(${JSON.stringify(keys.map(({ keyHash }) => nameOf(keyHash)))}::text::jsonb) as x (name)
    cross join lateral (
      select key_hash as "keyHash", body_hash as "bodyHash", status, answer
      from idempotency_keys where key_hash = decode(x.name, 'hex') and recorded_at > ${since} limit 1) as k`
  return new Map(rows.map(row => [nameOf(row.keyHash), row]))
}

/** Replaces expired responses. */
async function saveKeptAnswers(sql: Sql, rows: readonly (Hashes & KeptAnswer)[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into idempotency_keys (key_hash, body_hash, status, answer, recorded_at)
    select decode(x.key_hash, 'hex'), decode(x.body_hash, 'hex'), x.status, decode(x.answer, 'hex'), ${now}
    from unnest(
      ${rows.map(({ keyHash }) => nameOf(keyHash))}::text[],
      ${rows.map(({ bodyHash }) => bodyHash.toString('hex'))}::text[],
      ${rows.map(({ status }) => status)}::integer[],
      ${rows.map(({ answer }) => answer.toString('hex'))}::text[]) as x (key_hash, body_hash, status, answer)
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

/** Small enough not to delay requests. */
const BATCH = 1_000
/** Bounds one run; the next run continues. */
const MAX_BATCHES = 100

/** Deletes the answers that no request can get any more. Returns how many. */
export function purgeBatches({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return purge(db.sql, forgottenAt(clock))
}

/** Deletes what was recorded at `before` or earlier, oldest first, a batch a statement. Returns how many. */
export async function purge(sql: Sql, before: Date): Promise<number> {
  let purged = 0
  for (let batches = 0; batches < MAX_BATCHES; batches++) {
    const { count } = await sql`
      delete from idempotency_keys where key_hash in (
        select key_hash from idempotency_keys where recorded_at <= ${before}
        order by recorded_at limit ${BATCH} for update skip locked)`
    purged += count
    if (count < BATCH) break
  }
  return purged
}
