import { createHash } from 'node:crypto'
import { type Rejection, reject } from '../../core/rejection.ts'
import {
  type Attempts,
  attemptAt,
  FORGOTTEN_AFTER_MS,
  PATIENCE_WITH_ADDRESS,
  PATIENCE_WITH_ONE,
  PATIENCE_WITH_SITE,
  type Patience,
} from '../../core/throttle.ts'
import { emailKey } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { networksOf } from '../http/limits.ts'

/** A guessable secret, and the keys that an attacker cannot change at will. */
export interface Throttled {
  /** `password`, `passcode`, … Each kind is counted separately. */
  readonly kind: string
  /** The key of the secret's owner comes first. Other keys, such as an address, may be shared. */
  readonly keys: readonly ThrottleKey[]
}

interface ThrottleKey {
  readonly key: string
  readonly patience: Patience
}

/** The source of an attempt. */
export interface Source {
  readonly address: string
  /** A browser in which the account has signed in before (known-browser.ts). */
  readonly browserId?: string
}

/**
 * Attempts at one account's password or code, wherever the account is asked for, and attempts from one address at all accounts. A known
 * browser has a separate count: strangers cannot lock the owner out, and a stolen cookie gives no additional attempts.
 */
export function passwordThrottle(email: string, { address, browserId }: Source): Throttled {
  const account = `account ${emailKey(email)}`
  const keys =
    browserId === undefined
      ? [accountKey(account), ...addressKeys(address)]
      : [accountKey(`browser ${browserId} of ${account}`)]
  return { kind: 'password', keys }
}

/** Codes of a second factor. A correct password does not clear this count. A known browser has a separate count. */
export function codeThrottle(userId: string, { browserId }: Pick<Source, 'browserId'> = {}): Throttled {
  const user = `user ${userId}`
  const key = browserId === undefined ? user : `browser ${browserId} of ${user}`
  return { kind: 'second factor', keys: [accountKey(key)] }
}

/** Password reset mails. No attempt is ever correct, so each counts for a day. */
export function resetThrottle(email: string, address: string): Throttled {
  return { kind: 'password reset', keys: [accountKey(`account ${emailKey(email)}`), ...addressKeys(address)] }
}

/** Codes of device logins, which a signed-in person guesses. A correct code never clears the count: a guesser can start own logins. */
export function deviceCodeThrottle(userId: string, address: string): Throttled {
  return { kind: 'device code', keys: [accountKey(`user ${userId}`), ...addressKeys(address)] }
}

/** Sign-up mails, like password reset mails. */
export function joinThrottle(email: string, address: string): Throttled {
  return { ...resetThrottle(email, address), kind: 'sign-up' }
}

function accountKey(key: string): ThrottleKey {
  return { key, patience: PATIENCE_WITH_ONE }
}

/** By network: the owner of a network has all of its addresses. */
export function addressKeys(address: string): ThrottleKey[] {
  const patience = [PATIENCE_WITH_ADDRESS, PATIENCE_WITH_SITE]
  return networksOf(address).map((network, index) => ({
    key: `address ${network}`,
    patience: patience[index] ?? PATIENCE_WITH_SITE,
  }))
}

/**
 * Counts an attempt before the secret is compared, so that parallel attempts count as well. If a key has to wait, the attempt is rejected
 * with Retry-After and not counted. Pass the database of the process: a transaction could roll the count back.
 */
export async function countAttempt(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { kind, keys }: Throttled,
): Promise<Rejection | null> {
  const now = clock.now()
  return db.transaction(async ({ sql }) => {
    const outcomes = []
    // One lock order for all processes, so two attempts that share two keys cannot deadlock.
    for (const { keyHash, patience } of hashesOf(kind, keys).sort((a, b) => a.keyHash.compare(b.keyHash))) {
      outcomes.push({ keyHash, outcome: attemptAt(await lockAttempts(sql, kind, keyHash, now), now, patience) })
    }
    const waits = outcomes.flatMap(({ outcome }) => ('waitSeconds' in outcome ? [outcome.waitSeconds] : []))
    if (waits.length > 0) {
      const retryAfterSeconds = Math.max(...waits)
      const problem = `There were too many failed attempts. Try again after ${retryAfterSeconds} s.`
      return reject('TOO_MANY_REQUESTS', problem, { retryAfterSeconds })
    }
    for (const { keyHash, outcome } of outcomes) {
      if (!('counted' in outcome)) continue
      const { attempts, attemptedAt, openAt } = outcome.counted
      await sql`
        update throttles set attempts = ${attempts}, attempted_at = ${attemptedAt}, open_at = ${openAt}
        where kind = ${kind} and key_hash = ${keyHash}`
    }
    return null
  })
}

/** After a correct attempt: clears the count of the owner's key, and takes one attempt off the shared keys. */
export async function clearAttempts({ db }: Pick<Ports, 'db'>, { kind, keys }: Throttled): Promise<void> {
  const [own, ...shared] = hashesOf(kind, keys)
  if (own !== undefined) await db.sql`delete from throttles where kind = ${kind} and key_hash = ${own.keyHash}`
  for (const { keyHash } of shared) await uncount(db.sql, kind, keyHash)
}

/** Uncounts an attempt that was neither right nor wrong, such as a correct password without its second factor. */
export async function uncountAttempt({ db }: Pick<Ports, 'db'>, { kind, keys }: Throttled): Promise<void> {
  for (const { keyHash } of hashesOf(kind, keys)) await uncount(db.sql, kind, keyHash)
}

const BATCH = 1_000

/** Deletes one batch of expired counts and returns its size. */
export async function purgeThrottles({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS)
  const rows = await db.sql`
    delete from throttles where (kind, key_hash) in (
      select kind, key_hash from throttles where attempted_at < ${before} limit ${BATCH} for update skip locked)
    returning 1`
  return rows.length
}

/** Inserts a missing row as well, so that a concurrent attempt waits for this transaction and sees its result. */
async function lockAttempts(sql: Sql, kind: string, keyHash: Buffer, now: Date): Promise<Attempts | null> {
  const [row] = await sql<Attempts[]>`
    insert into throttles as t (kind, key_hash, attempts, attempted_at, open_at)
    values (${kind}, ${keyHash}, 0, ${now}, ${now})
    on conflict (kind, key_hash) do update set kind = t.kind
    returning attempts, attempted_at as "attemptedAt", open_at as "openAt"`
  return row ?? null
}

/** Subtracts one attempt and the wait that the attempt caused. */
async function uncount(sql: Sql, kind: string, keyHash: Buffer): Promise<void> {
  await sql`
    update throttles set attempts = attempts - 1, open_at = attempted_at
    where kind = ${kind} and key_hash = ${keyHash} and attempts > 0`
}

/** The table shows hashes alone, never an account or an address. */
function hashesOf(kind: string, keys: readonly ThrottleKey[]) {
  return keys.map(({ key, patience }) => ({
    keyHash: createHash('sha256').update(`${kind}\0${key}`).digest(),
    patience,
  }))
}
