import type { Claimed } from './claim.ts'
import type { PerLane } from './lane.ts'

/** What a claim was allowed to take of first attempts. */
export interface Allowed {
  readonly rooms: ReadonlyMap<string, PerLane>
  readonly roomOfOthers: PerLane
  readonly limit: number
  /** What was recorded before is late: nothing waits so long while all is well. */
  readonly lateBefore: Date
}

/**
 * Hooks with more in the queue than they have room for. What is recorded for one of them lines up behind it, or the queue would never
 * be served; and it asks for no claim, as the next one comes with the room.
 */
export interface Behind {
  has(hookId: string): boolean
  add(hookId: string): void
  /** Those behind by seconds, as after a breaker that closed: they catch up, and give way to the others. */
  readonly late: ReadonlySet<string>
  /** A claim reads the queue from now on. */
  begins(): void
  /** Whether a claim must be asked for, now that something was left in the queue of these, and is committed. */
  left(hookIds: readonly string[]): boolean
  /**
   * From what the claim found: a hook of which it took less than it had room for has nothing left in the queue, but for what was
   * committed while it read. Returns whether there is such a one.
   */
  learn(claimed: readonly Pick<Claimed, 'hookId' | 'lane' | 'recordedAt'>[], allowed: Allowed): boolean
}

export function createBehind(): Behind {
  const behind = new Set<string>()
  const late = new Set<string>()
  const leftMeanwhile = new Set<string>()
  return {
    has: hookId => behind.has(hookId),
    add: hookId => void behind.add(hookId),
    late,
    begins: () => leftMeanwhile.clear(),
    left: hookIds => {
      for (const hookId of hookIds) leftMeanwhile.add(hookId)
      return hookIds.some(hookId => !behind.has(hookId))
    },
    learn: (claimed, { rooms, roomOfOthers, limit, lateBefore }) => {
      const first = claimed.filter(({ lane }) => lane === 'FIRST')
      const byHook = Map.groupBy(first, ({ hookId }) => hookId)
      let mustLookAgain = false
      for (const hookId of new Set([...behind, ...byHook.keys()])) {
        const taken = byHook.get(hookId) ?? []
        const places = (rooms.get(hookId) ?? roomOfOthers).FIRST
        if (taken.length >= places || first.length >= limit) {
          behind.add(hookId)
          if (taken.some(({ recordedAt }) => recordedAt < lateBefore)) late.add(hookId)
        } else if (behind.has(hookId) && leftMeanwhile.has(hookId)) mustLookAgain = true
        else {
          behind.delete(hookId)
          late.delete(hookId)
        }
      }
      return mustLookAgain
    },
  }
}
