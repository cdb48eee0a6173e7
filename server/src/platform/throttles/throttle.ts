import { createHash } from 'node:crypto'
import { type Rejection, reject } from '../../core/rejection.ts'
import {
  FORGOTTEN_AFTER_MS,
  PATIENCE_WITH_ADDRESS,
  PATIENCE_WITH_ONE,
  PATIENCE_WITH_SITE,
  type Patience,
  type Tries,
  tryAt,
} from '../../core/throttle.ts'
import { emailKey } from '../../core/user.ts'
import type { Ports } from '../../ports.ts'
import type { Sql } from '../db/db.ts'
import { networksOf } from '../http/limits.ts'

/** Something secret that is tried, by everything that a guesser cannot change at will: whose it is, where it comes from. */
export interface Throttled {
  /** What is tried: `password`, `passcode`, … Each is counted for itself. */
  readonly kind: string
  readonly keys: readonly ThrottleKey[]
}

interface ThrottleKey {
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

/** Where somebody tries from. */
export interface Whence {
  readonly address: string
  /** Of a browser that the account is known to (known-browser.ts). */
  readonly browserId?: string
}

/**
 * Tries of one account's password or code, wherever it is asked for, and from one address over all accounts. In a browser that
 * the account knows they are counted by that browser alone: what strangers try does not keep its owner out, and who stole its
 * cookie has no more tries than anybody.
 */
export function passwordTries(email: string, { address, browserId }: Whence): Throttled {
  const account = `account ${emailKey(email)}`
  const keys =
    browserId === undefined ? [ofOne(account), ...ofAddress(address)] : [ofOne(`browser ${browserId} of ${account}`)]
  return { kind: 'password', keys }
}

/**
 * Codes of a second factor, of somebody whose password is known: being right about that one forgets nothing of these. Counted
 * for a known browser as passwords are.
 */
export function codeTries(userId: string, { browserId }: Pick<Whence, 'browserId'> = {}): Throttled {
  const user = `user ${userId}`
  return { kind: 'second factor', keys: [ofOne(browserId === undefined ? user : `browser ${browserId} of ${user}`)] }
}

/** Mails that anybody can have sent to a mailbox. None is ever right, so none is forgotten within the day. */
export function resetTries(email: string, address: string): Throttled {
  return {
    kind: 'password reset',
    keys: [ofOne(`account ${emailKey(email)}`), ...ofAddress(address)],
  }
}

function ofOne(key: string): ThrottleKey {
  return { key, patience: PATIENCE_WITH_ONE }
}

/** By network: the owner of a network has all of its addresses. */
export function ofAddress(address: string): ThrottleKey[] {
  const patience = [PATIENCE_WITH_ADDRESS, PATIENCE_WITH_SITE]
  return networksOf(address).map((network, index) => ({
    key: `address ${network}`,
    patience: patience[index] ?? PATIENCE_WITH_SITE,
  }))
}

/** By the hash in hexadecimal digits. Holds the rows, those not yet there too: who comes meanwhile waits, and sees what became of them. */
async function lockTries(sql: Sql, kind: string, keyHashes: readonly Buffer[], now: Date): Promise<Map<string, Tries>> {
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

async function saveTries(sql: Sql, kind: string, keyHash: Buffer, { tries, triedAt, openAt }: Tries) {
  await sql`
    update throttles set tries = ${tries}, tried_at = ${triedAt}, open_at = ${openAt}
    where kind = ${kind} and key_hash = ${keyHash}`
}

async function deleteTries(sql: Sql, kind: string, keyHash: Buffer): Promise<void> {
  await sql`delete from throttles where kind = ${kind} and key_hash = ${keyHash}`
}

/** One try fewer, and no wait that it brought. */
async function takeBackTry(sql: Sql, kind: string, keyHash: Buffer): Promise<void> {
  await sql`
    update throttles set tries = tries - 1, open_at = tried_at
    where kind = ${kind} and key_hash = ${keyHash} and tries > 0`
}

/** Gives how many. */
async function deleteOldTries(sql: Sql, before: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from throttles where (kind, key_hash) in (
      select kind, key_hash from throttles where tried_at < ${before} limit ${limit} for update skip locked)
    returning 1`
  return rows.length
}

const BATCH = 1_000

/** Deletes one batch of what counts no more. Gives how many; less than a batch means that it is done. */
export function purgeThrottles({ db, clock }: Pick<Ports, 'db' | 'clock'>): Promise<number> {
  return deleteOldTries(db.sql, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS), BATCH)
}
