import { setTimeout as wait } from 'node:timers/promises'
import { monotonicMs } from './monotonic.ts'

/** A notification and its arrival. The resource id contains the instant from which its latency counts. */
export type Timed = readonly [notificationId: string, resourceId: string, receivedAtMs: number]

/** Notifications measured together. Arrivals after closing are ignored. */
export interface Stream extends Disposable {
  /** Returns a new resource id. It contains the instant from which the latency of its notifications counts. */
  newId(fromMs: number): string
  /** The latency of each notification's first arrival. */
  readonly latenciesMs: readonly number[]
  readonly lastAtMs: number
  /** The number of notifications that arrived more than once. */
  readonly repeated: number
  /** Waits until `many` have arrived, or none has arrived for `quietMs`. */
  arrived(many: number, options: { quietMs: number; signal: AbortSignal }): Promise<void>
}

export interface Streams {
  open(): Stream
  take(arrivals: readonly Timed[]): void
}

const POLL_MS = 20

export function createStreams(): Streams {
  const takers = new Map<number, (arrival: Timed) => void>()
  let opened = 0
  return {
    open: () => {
      const number = ++opened
      const stream = openStream(number, () => takers.delete(number))
      takers.set(number, stream.take)
      return stream
    },
    take: arrivals => {
      for (const arrival of arrivals) takers.get(readId(arrival[1]).stream)?.(arrival)
    },
  }
}

function openStream(number: number, close: () => void): Stream & { take(arrival: Timed): void } {
  const seen = new Set<string>()
  const latenciesMs: number[] = []
  let [turn, repeated, lastAtMs] = [0, 0, 0]
  return {
    newId: fromMs => writeId({ stream: number, turn: turn++, fromMs }),
    take: ([notificationId, resourceId, receivedAtMs]) => {
      if (seen.has(notificationId)) {
        repeated++
        return
      }
      seen.add(notificationId)
      latenciesMs.push(receivedAtMs - readId(resourceId).fromMs)
      lastAtMs = Math.max(lastAtMs, receivedAtMs)
    },
    latenciesMs,
    get lastAtMs() {
      return lastAtMs
    },
    get repeated() {
      return repeated
    },
    arrived: async (many, { quietMs, signal }) => {
      let [count, changedAtMs] = [-1, monotonicMs()]
      while (latenciesMs.length < many && monotonicMs() - changedAtMs < quietMs) {
        if (count !== latenciesMs.length) [count, changedAtMs] = [latenciesMs.length, monotonicMs()]
        await wait(POLL_MS, undefined, { signal })
      }
    },
    [Symbol.dispose]: close,
  }
}

interface TimedId {
  readonly stream: number
  readonly turn: number
  readonly fromMs: number
}

/** Has the form of a UUID: 32 bits each for stream and turn, so that ids rise as those of the service do, then the microsecond. */
export function writeId({ stream, turn, fromMs }: TimedId): string {
  const hex = (value: number, digits: number) => Math.round(value).toString(16).padStart(digits, '0')
  const digits = `${hex(stream, 8)}${hex(turn, 8)}${hex(fromMs * 1_000, 16)}`
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  )
}

export function readId(id: string): TimedId {
  const digits = id.replaceAll('-', '')
  const number = (from: number, to: number) => Number.parseInt(digits.slice(from, to), 16)
  return { stream: number(0, 8), turn: number(8, 16), fromMs: number(16, 32) / 1_000 }
}
