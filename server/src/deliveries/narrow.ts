import type { Claimed } from './claim.ts'

/**
 * What a claim reads where the whole queue takes long to read: a transaction that stays open keeps every row that was ever queued since,
 * and a claim reads over the dead ones of each hook to find the first that lives. A narrow claim asks for hooks known here alone, and
 * begins with their first attempts where the last one ended.
 */
export interface Narrow {
  /** From when on to read which hooks; undefined: everything, as it takes no time or was not read for long. */
  choose(nowMs: number): ReadonlyMap<string, Date> | undefined
  /** Something of these was left in the queue, and is due since then at the earliest. */
  left(hookIds: readonly string[], now: Date): void
  /** A claim has read, from `now` back, and so have all before it. */
  learn(claimed: readonly Pick<Claimed, 'hookId' | 'lane' | 'recordedAt'>[], read: Read): void
}

export interface Read {
  /** Of the service, at its beginning. */
  readonly now: Date
  /** What it was told to read; undefined: everything. */
  readonly from: ReadonlyMap<string, Date> | undefined
  /** Whether it may have left first attempts of this hook that are due. */
  readonly isFilled: (hookId: string) => boolean
  /** On the clock of `choose`. */
  readonly beganAtMs: number
  readonly endedAtMs: number
}

/** Far above what an index takes, with 10,000 hooks. Twice in a row: once may be a machine that stood still. */
const SLOW_MS = 100
const SLOW_IN_A_ROW = 2
/** So many times longer than everything took to read it is not read again: what a crash left, or is of another hook, waits for that. */
const REST_PER_READ = 10
const REST_AT_MOST_MS = 10_000
/** A transaction that records may commit so much later than another, and clocks be so far apart. Everything else waits for the rest. */
const LATE_MS = 5_000
/** Forgotten from the oldest on. */
const REMEMBERED = 1_000

export function createNarrow(): Narrow {
  const from = new Map<string, number>()
  let slowInARow = 0
  let everythingAtMs = Number.NEGATIVE_INFINITY

  function remember(hookId: string, atMs: number): void {
    from.delete(hookId)
    from.set(hookId, atMs)
    const [oldest] = from.keys()
    if (from.size > REMEMBERED && oldest !== undefined) from.delete(oldest)
  }

  return {
    choose: nowMs => {
      if (slowInARow < SLOW_IN_A_ROW || nowMs >= everythingAtMs) return undefined
      return new Map([...from].map(([hookId, atMs]) => [hookId, new Date(atMs - LATE_MS)]))
    },
    left: (hookIds, now) => {
      for (const hookId of hookIds) if (!from.has(hookId)) remember(hookId, now.getTime())
    },
    learn: (claimed, { now, from: readFrom, isFilled, beganAtMs, endedAtMs }) => {
      if (readFrom === undefined) {
        const tookMs = endedAtMs - beganAtMs
        slowInARow = tookMs < SLOW_MS ? 0 : slowInARow + 1
        everythingAtMs = endedAtMs + Math.min(REST_PER_READ * tookMs, REST_AT_MOST_MS)
      }
      const byHook = Map.groupBy(
        claimed.filter(({ lane }) => lane === 'FIRST'),
        ({ hookId }) => hookId,
      )
      // Those of which only retries were taken too: more of these may be due, and each narrow claim is to find them.
      for (const hookId of new Set([...(readFrom ?? from).keys(), ...claimed.map(({ hookId }) => hookId)])) {
        const taken = byHook.get(hookId) ?? []
        // They came in the order of when they were due, which is never before they were recorded.
        if (!isFilled(hookId)) remember(hookId, now.getTime())
        else if (taken.length > 0) remember(hookId, Math.max(...taken.map(({ recordedAt }) => recordedAt.getTime())))
      }
    },
  }
}
