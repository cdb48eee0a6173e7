import { setTimeout as wait } from 'node:timers/promises'
import type { Step } from '../../platform/loop.ts'

/**
 * Lets work that can wait step back while requests come in: after a piece of it there is a rest that is longer than the piece was.
 * Without requests nothing rests. Several kinds of work share one pace, so that they do not rest in turn and fill each other's gaps.
 */
export interface WorkRate {
  /** A request was answered. */
  answered(): void
  /** Does one piece, once the rest after the ones before is over. It may be a large one for as long as nobody asks for anything. */
  step(work: (step: Step) => Promise<number>): Promise<number>
}

/** Fewer requests a second than this are answered beside all that billing does. */
const BUSY_PER_SECOND = 100
const LOOK_EVERY_MS = 250
/**
 * While a piece is worked at, requests get a fifth of their rate or so, as most of the work is PostgreSQL's; with rests of twice
 * its time they get more than the three fifths that they are promised (docs/decisions/0013).
 */
const REST_PER_WORK = 2
/** So that one renewal that waits for nobody stays within its second, whatever the pieces before it took. */
const REST_AT_MOST_MS = 500
/** Well within the second of a renewal that waits for nobody; a look for more takes a few milliseconds. */
const MOMENT_MS = 100

interface WorkRateOptions {
  /** Monotonic. */
  readonly nowMs?: () => number
  readonly rest?: (ms: number) => Promise<void>
}

export function openWorkRate({ nowMs = () => performance.now(), rest = wait }: WorkRateOptions = {}): WorkRate {
  let answered = 0
  let countedFrom = nowMs()
  let busy = false
  let restUntil = 0

  function isBusy(): boolean {
    const elapsedMs = nowMs() - countedFrom
    if (elapsedMs >= LOOK_EVERY_MS) {
      busy = (answered / elapsedMs) * 1_000 >= BUSY_PER_SECOND
      answered = 0
      countedFrom += elapsedMs
    }
    return busy
  }

  return {
    answered: () => {
      answered++
    },
    step: async work => {
      while (isBusy() && nowMs() < restUntil) await rest(restUntil - nowMs())
      const beganAt = nowMs()
      try {
        return await work({ mayContinue: () => !isBusy(), pause: () => rest(MOMENT_MS) })
      } finally {
        const endedAt = nowMs()
        const restMs = Math.min(REST_PER_WORK * (endedAt - beganAt), REST_AT_MOST_MS)
        restUntil = Math.min(Math.max(restUntil, endedAt) + restMs, endedAt + REST_AT_MOST_MS)
      }
    },
  }
}
