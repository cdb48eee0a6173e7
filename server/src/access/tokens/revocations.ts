import { ANSWER_WITHIN_MS } from '../../platform/db/db.ts'
import type { Ports } from '../../ports.ts'
import { findRevocations } from './store.ts'

/**
 * The revocations known to this process. Verified tokens are cached until they expire; a revocation ends them earlier. Own revocations
 * apply at once, those of other processes through `refreshRevocations`.
 */
export type RevocationMemory = ReturnType<typeof createRevocations>
export type Revocations = Pick<RevocationMemory, 'isRevoked' | 'onRevoked'> & {
  add(grantIds: readonly string[], now: Date): void
}

/**
 * Overlap of consecutive polls, in answer times of the database: `revoked_at` is set before its transaction begins. Covers three attempts of five
 * statements that each take the whole statement timeout.
 */
const OVERLAP_IN_ANSWERS = 15
/** Largest clock difference between processes. */
const SKEW_MS = 5_000

/**
 * How long a revocation is remembered, in overlaps. A token may be verified against the database before the revocation and cached after
 * it; and a poll must not report a known revocation as new.
 */
const KEPT_IN_OVERLAPS = 2

/**
 * `startedAt` precedes the first token verified by this process: the first poll reaches back to it. `answerWithinMs` is the statement
 * timeout of all processes.
 */
export function createRevocations(startedAt: Date, answerWithinMs: number = ANSWER_WITHIN_MS) {
  const overlapMs = OVERLAP_IN_ANSWERS * answerWithinMs + SKEW_MS
  const keptMs = KEPT_IN_OVERLAPS * overlapMs
  const grants = new Map<string, number>()
  const listeners: ((grantIds: ReadonlySet<string>) => void)[] = []
  let disabledApps: ReadonlySet<string> = new Set()
  let lookedAt = startedAt

  return {
    isRevoked: ({ grantId, appId }: { readonly grantId: string; readonly appId?: string }) =>
      grants.has(grantId) || (appId !== undefined && disabledApps.has(appId)),
    add,
    /** Called with newly revoked grants. */
    onRevoked(listener: (grantIds: ReadonlySet<string>) => void): void {
      listeners.push(listener)
    },
    /** The instant from which the next poll reads revocations. */
    since: () => new Date(lookedAt.getTime() - overlapMs),
    /** Returns the number of new grants. */
    replace({ grantIds, disabledAppIds }: Awaited<ReturnType<typeof findRevocations>>, now: Date): number {
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
 * Reads the revocations of other processes since the last poll. Runs each half second, so that a revocation applies everywhere within a
 * second. While the database is unavailable, verified tokens stay valid. Returns the number of new grants.
 */
export async function refreshRevocations({
  db,
  clock,
  revocations,
}: Pick<Ports, 'db' | 'clock'> & { revocations: RevocationMemory }): Promise<number> {
  const now = clock.now()
  return revocations.replace(await findRevocations(db.sql, revocations.since()), now)
}
