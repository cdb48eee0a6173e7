import { ANSWER_WITHIN_MS } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findRevocations } from './store.ts'

/**
 * What this process knows to be revoked. Verified tokens are cached until they expire; this is what ends them before.
 * Filled at once by what this process revokes itself, and by `refreshRevocations` from what the others do.
 */
export interface Revocations {
  isRevoked(token: { readonly grantId: string; readonly appId?: string }): boolean
  add(grantIds: readonly string[], now: Date): void
  /** Called with grants that were not known to be revoked. */
  onRevoked(listener: (grantIds: ReadonlySet<string>) => void): void
}

export interface RevocationMemory extends Revocations {
  /** From when on the next look at the database has to see. */
  since(): Date
  /** Gives how many grants were new. */
  replace(seen: { grantIds: readonly string[]; disabledAppIds: readonly string[] }, now: Date): number
}

/**
 * How far each look reaches back beyond the one before, in answer times of the database: `revoked_at` is taken before the
 * transaction begins that writes it. Three tries of it, of five statements that each wait for a lock as long as they may.
 */
const OVERLAP_IN_ANSWERS = 15
/** What clocks of two processes may be apart. */
const SKEW_MS = 5_000

/**
 * How long a revocation is remembered, against the overlap. A token may be on its way into the cache, checked against the
 * database before the revocation, and none takes this long; and what a look can still see must not be new to it each time.
 */
const KEPT_IN_OVERLAPS = 2

/**
 * `startedAt`: before the first token is verified by this process. The first look at the database reaches back to it.
 * `answerWithinMs`: how long a statement may take, here and in the processes beside this one.
 */
export function createRevocations(startedAt: Date, answerWithinMs: number = ANSWER_WITHIN_MS): RevocationMemory {
  const overlapMs = OVERLAP_IN_ANSWERS * answerWithinMs + SKEW_MS
  const keptMs = KEPT_IN_OVERLAPS * overlapMs
  const grants = new Map<string, number>()
  const listeners: ((grantIds: ReadonlySet<string>) => void)[] = []
  let disabledApps: ReadonlySet<string> = new Set()
  let lookedAt = startedAt

  return {
    isRevoked: ({ grantId, appId }) => grants.has(grantId) || (appId !== undefined && disabledApps.has(appId)),
    add,
    onRevoked: listener => {
      listeners.push(listener)
    },
    since: () => new Date(lookedAt.getTime() - overlapMs),
    replace({ grantIds, disabledAppIds }, now) {
      disabledApps = new Set(disabledAppIds)
      lookedAt = now
      for (const [grantId, addedMs] of grants) if (now.getTime() - addedMs > keptMs) grants.delete(grantId)
      return add(grantIds, now)
    },
  }

  function add(grantIds: readonly string[], now: Date): number {
    const fresh = new Set(grantIds.filter(grantId => !grants.has(grantId)))
    for (const grantId of fresh) grants.set(grantId, now.getTime())
    if (fresh.size > 0) for (const listener of listeners) listener(fresh)
    return fresh.size
  }
}

/**
 * Learns what other processes revoked since the last look. To be run each half second, which makes a revocation
 * effective everywhere within one. While the database is away nothing is learned, and verified tokens stay good.
 * Gives how many grants were new.
 */
export async function refreshRevocations({
  db,
  clock,
  revocations,
}: Pick<Ports, 'db' | 'clock'> & { revocations: RevocationMemory }): Promise<number> {
  const now = clock.now()
  return revocations.replace(await findRevocations(db.sql, revocations.since()), now)
}
