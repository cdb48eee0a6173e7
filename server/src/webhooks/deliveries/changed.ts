/** Which hooks have been changed lately: what was read of one before is not sent, but read anew. */
export interface Changed {
  /** Just now, by this process or by one that has told of it. */
  add(hookIds: readonly string[]): void
  /** Whether it was changed after an instant, on the monotonic clock. */
  isSince(hookId: string, readAtMs: number): boolean
}

/** Far longer than a transaction that records: what it has read of hooks is in memory only once it has committed. */
const REMEMBERED_MS = 5 * 60_000

export function createChanged(nowMs: () => number = () => performance.now()): Changed {
  const changedAtMs = new Map<string, number>()
  return {
    add: hookIds => {
      const now = nowMs()
      for (const hookId of hookIds) {
        // Set anew, so that the map is in the order of time.
        changedAtMs.delete(hookId)
        changedAtMs.set(hookId, now)
      }
      for (const [hookId, atMs] of changedAtMs) {
        if (atMs > now - REMEMBERED_MS) break
        changedAtMs.delete(hookId)
      }
    },
    isSince: (hookId, readAtMs) => (changedAtMs.get(hookId) ?? Number.NEGATIVE_INFINITY) >= readAtMs,
  }
}
