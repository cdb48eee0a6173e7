import { setTimeout as wait } from 'node:timers/promises'
import type { Step } from '../../platform/loop.ts'

/**
 * Lets background work yield to requests: under load, a pause follows each step and lasts longer than the step. Several kinds of work share
 * one rate, or each would fill the pauses of the others.
 */
export interface WorkRate {
  /** A request was answered. */
  answered(): void
  /** Runs one step after the pause of the previous steps. Without requests the step may be large. */
  step(work: (step: Step) => Promise<number>): Promise<number>
}

/** Below this rate, requests and billing do not disturb each other. */
const BUSY_PER_SECOND = 100
const LOOK_EVERY_MS = 250
/** During a step, requests get about a fifth of their rate. With pauses of twice the step they get more than three fifths (docs/decisions/0013). */
const REST_PER_WORK = 2
/** Keeps a single renewal within its second, however long the previous steps took. */
const REST_AT_MOST_MS = 500
/** The interval of checks during an idle service, far below the target of one second for a renewal. */
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
