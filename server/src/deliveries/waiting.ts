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

interface Held {
  readonly delivery: Sendable
  /** On the monotonic clock. */
  readonly sinceMs: number
}

export function createWaiting(nowMs: () => number = () => performance.now()): Waiting {
  const queues = new Map<string, Held[]>()
  let size = 0

  function remove(hookId: string, many: number): Sendable[] {
    const queue = queues.get(hookId) ?? []
    const removed = queue.splice(0, many)
    size -= removed.length
    queues.delete(hookId)
    // Set anew, at the end.
    if (queue.length > 0) queues.set(hookId, queue)
    return removed.map(({ delivery }) => delivery)
  }

  return {
    count: hookId => queues.get(hookId)?.length ?? 0,
    hookIds: () => [...queues.keys()],
    add: delivery => {
      const queue = queues.get(delivery.hookId)
      const held = { delivery, sinceMs: nowMs() }
      if (queue === undefined) queues.set(delivery.hookId, [held])
      else queue.push(held)
      size++
    },
    takeWhile: (mayBegin, begin) => {
      // A hook of which one was taken out comes again, after all others.
      for (const hookId of queues.keys())
        if (mayBegin(hookId)) for (const delivery of remove(hookId, 1)) begin(delivery)
    },
    drop: hookId =>
      (hookId === undefined ? [...queues.keys()] : [hookId]).flatMap(each => remove(each, Number.POSITIVE_INFINITY)),
    dropStale: afterMs => {
      const before = nowMs() - afterMs
      const stale = [...queues].filter(([, [first]]) => first !== undefined && first.sinceMs < before)
      return stale.flatMap(([hookId]) => remove(hookId, Number.POSITIVE_INFINITY))
    },
    get size() {
      return size
    },
  }
}
