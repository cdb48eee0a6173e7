import { monotonicMs } from './monotonic.ts'

export interface Load {
  /** Requests under way at one time. */
  readonly callers: number
  readonly seconds: number
  readonly signal: AbortSignal
}

/**
 * A closed loop: each caller sends its next request when the one before was answered. It finds the most that the service
 * does; its latencies are those of a service kept that busy. Ends when the time is over or `next` has no more to give.
 * Returns the seconds that it took.
 */
export async function closedLoop(load: Load, next: (sentAtMs: number) => Promise<void> | null): Promise<number> {
  const from = monotonicMs()
  const until = from + load.seconds * 1000
  const call = async () => {
    for (let at = from; at < until; at = monotonicMs()) {
      load.signal.throwIfAborted()
      const sent = next(at)
      if (sent === null) return
      await sent
    }
  }
  await Promise.all(Array.from({ length: load.callers }, call))
  return (monotonicMs() - from) / 1000
}
