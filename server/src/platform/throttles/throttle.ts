import { createHash } from 'node:crypto'
import { type Rejection, reject } from '../../core/rejection.ts'
import { type Patience, tryAt } from '../../core/throttle.ts'
import type { Ports } from '../../ports.ts'
import { deleteTries, lockTries, saveTries, takeBackTry } from './store.ts'

/** Something secret that is tried, by everything that a guesser cannot change at will: whose it is, where it comes from. */
export interface Throttled {
  /** What is tried: `password`, `passcode`, … Each is counted for itself. */
  readonly kind: string
  readonly keys: readonly ThrottleKey[]
}

export interface ThrottleKey {
  readonly key: string
  readonly patience: Patience
}

/**
 * Counts a try before it is made, so that a thousand at once are a thousand. Refused, with Retry-After, where one of the keys
 * has to wait; then nothing is counted. Say afterwards how it went: `forgetTries` of who proved to be right.
 * Give it the database of the process, not that of a transaction which the rejection might roll back.
 */
export async function takeTry(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { kind, keys }: Throttled,
): Promise<Rejection | null> {
  const hashed = hashesOf(kind, keys)
  const now = clock.now()
  return db.transaction(async ({ sql }) => {
    const known = await lockTries(
      sql,
      kind,
      hashed.map(({ keyHash }) => keyHash),
      now,
    )
    const outcomes = hashed.map(({ keyHash, patience }) => ({
      keyHash,
      outcome: tryAt(known.get(keyHash.toString('hex')) ?? null, now, patience),
    }))
    const waits = outcomes.flatMap(({ outcome }) => ('waitSeconds' in outcome ? [outcome.waitSeconds] : []))
    if (waits.length > 0) {
      const retryAfterSeconds = Math.max(...waits)
      const problem = `There were too many failed tries. Try again after ${retryAfterSeconds} s.`
      return reject('TOO_MANY_REQUESTS', problem, { retryAfterSeconds })
    }
    for (const { keyHash, outcome } of outcomes) {
      if ('counted' in outcome) await saveTries(sql, kind, keyHash, outcome.counted)
    }
    return null
  })
}

/** Who tried was right: what was counted under the first key is forgotten, and under the others this one try. */
export async function forgetTries({ db }: Pick<Ports, 'db'>, { kind, keys }: Throttled): Promise<void> {
  // Only the first is the right one's own: an address may be shared with somebody who goes on guessing.
  const [own, ...shared] = hashesOf(kind, keys, 'as given')
  if (own !== undefined) await deleteTries(db.sql, kind, own.keyHash)
  for (const { keyHash } of shared) await takeBackTry(db.sql, kind, keyHash)
}

/** The try was neither right nor wrong, as a password without the code that has to come with it. */
export async function giveBackTry({ db }: Pick<Ports, 'db'>, { kind, keys }: Throttled): Promise<void> {
  for (const { keyHash } of hashesOf(kind, keys)) await takeBackTry(db.sql, kind, keyHash)
}

/** In one order for everybody, or two who share two keys could wait for each other. What is tried is not told by the table. */
function hashesOf(kind: string, keys: readonly ThrottleKey[], order: 'sorted' | 'as given' = 'sorted') {
  const hashed = keys.map(({ key, patience }) => ({
    keyHash: createHash('sha256').update(`${kind}\0${key}`).digest(),
    patience,
  }))
  return order === 'sorted' ? hashed.sort((a, b) => a.keyHash.compare(b.keyHash)) : hashed
}
