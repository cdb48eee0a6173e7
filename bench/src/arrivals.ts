import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from './monotonic.ts'

/** The instants at which requests are due, in milliseconds from the start: evenly spaced, and fixed beforehand. */
export function constantRate(perSecond: number, seconds: number): number[] {
  return Array.from({ length: Math.floor(perSecond * seconds) }, (_, index) => (index * 1000) / perSecond)
}

/**
 * An open loop: starts each request at its instant and never earlier, no matter how many are unanswered. The latency of a late start also counts
 * from the planned instant (no coordinated omission). Resolves when all have started.
 */
export async function keepSchedule(
  offsetsMs: readonly number[],
  start: (dueAtMs: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const from = monotonicMs()
  for (const offsetMs of offsetsMs) {
    const dueAtMs = from + offsetMs
    // A timer has whole milliseconds and may fire a little early.
    for (let leftMs = dueAtMs - monotonicMs(); leftMs > 0; leftMs = dueAtMs - monotonicMs()) {
      await wait(Math.ceil(leftMs), undefined, { signal })
    }
    signal.throwIfAborted()
    start(dueAtMs)
  }
}
