import type { Sendable } from './prepare.ts'

/** What is leased and cannot begin yet, one of each hook in turn: it has no room, or it gives way. */
export interface Waiting {
  /** Of a hook. */
  count(hookId: string): number
  hookIds(): string[]
  add(delivery: Sendable): void
  /** Takes out what `mayBegin`, one after the other. */
  takeWhile(mayBegin: (hookId: string) => boolean, begin: (delivery: Sendable) => void): void
  /** All of a hook, or of every one: they are not sent from here. */
  drop(hookId?: string): Sendable[]
  /** All of each hook of which one waits for longer than so: what was known of the hook then may hold no longer. */
  dropStale(afterMs: number): Sendable[]
  readonly size: number
}

/**
 * Of a hook, the oldest first, and beside each since when it waits, on the monotonic clock. No object for each holds both: most of these
 * would live to be moved by the quick collector, whereupon V8 makes them among the old objects, and what one of these has held, delivery
 * and body, waits for the slow collector with it.
 */
interface Line {
  readonly deliveries: Sendable[]
  readonly sinceMs: number[]
}

export function createWaiting(nowMs: () => number = () => performance.now()): Waiting {
  /** In the order of their turns. */
  const lines = new Map<string, Line>()
  let size = 0

  function remove(hookId: string, many: number): Sendable[] {
    const line = lines.get(hookId)
    if (line === undefined) return []
    const removed = line.deliveries.splice(0, many)
    line.sinceMs.splice(0, many)
    size -= removed.length
    lines.delete(hookId)
    // Set anew, at the end.
    if (line.deliveries.length > 0) lines.set(hookId, line)
    return removed
  }

  return {
    count: hookId => lines.get(hookId)?.deliveries.length ?? 0,
    hookIds: () => [...lines.keys()],
    add: delivery => {
      const { hookId } = delivery
      const line = lines.get(hookId) ?? { deliveries: [], sinceMs: [] }
      if (line.deliveries.length === 0) lines.set(hookId, line)
      line.deliveries.push(delivery)
      line.sinceMs.push(nowMs())
      size++
    },
    takeWhile: (mayBegin, begin) => {
      // A hook of which one was taken out comes again, after all others.
      for (const hookId of lines.keys()) if (mayBegin(hookId)) for (const delivery of remove(hookId, 1)) begin(delivery)
    },
    drop: hookId =>
      (hookId === undefined ? [...lines.keys()] : [hookId]).flatMap(each => remove(each, Number.POSITIVE_INFINITY)),
    dropStale: afterMs => {
      const before = nowMs() - afterMs
      const stale = [...lines].filter(
        ([
          ,
          {
            sinceMs: [first],
          },
        ]) => first !== undefined && first < before,
      )
      return stale.flatMap(([hookId]) => remove(hookId, Number.POSITIVE_INFINITY))
    },
    get size() {
      return size
    },
  }
}
