import type { Lane } from './lane.ts'

/** How fast what is sent again may go, while others are sent for the first time. */
export interface Pace {
  /** A first attempt has begun. */
  firstBegan(nowMs: number): void
  /** How many of a lane the next claim may take, at most. */
  limitOf(lane: Lane, nowMs: number): number
  /** A claim took so many that are sent again. */
  took(sentAgain: number, nowMs: number): void
  /** How long nothing is taken that is sent again. */
  restMs(nowMs: number): number
}

/** After the last first attempt: what comes once a second, or more often, is waited for. */
const ABOUT_FOR_MS = 1_000
/** Taken at once: a first attempt waits behind few of them for the processor. */
const AT_ONCE = 50
/** Above the 2,000 a second that a backlog is to be drained at, and well below what a process can do alone. */
const PER_SECOND = 2_500
/** A claim that comes so late does not lower the rate. */
const LATE_MS = 20

/**
 * Retries and replays give way: while first attempts are about, a process takes up few of them at a time and so many a second. Lanes
 * have places of their own, but all share processors and database: at full speed a backlog took ten times as long from the first ones.
 */
export function createPace(): Pace {
  let firstAtMs = Number.NEGATIVE_INFINITY
  let nextAtMs = Number.NEGATIVE_INFINITY
  const givesWay = (nowMs: number) => nowMs - firstAtMs < ABOUT_FOR_MS
  const restMs = (nowMs: number) => (givesWay(nowMs) ? Math.max(0, nextAtMs - nowMs) : 0)
  return {
    firstBegan: nowMs => {
      firstAtMs = nowMs
    },
    limitOf: (lane, nowMs) => {
      if (lane === 'FIRST' || !givesWay(nowMs)) return Number.POSITIVE_INFINITY
      return restMs(nowMs) > 0 ? 0 : AT_ONCE
    },
    took: (sentAgain, nowMs) => {
      const beganAtMs = nowMs - nextAtMs <= LATE_MS ? nextAtMs : nowMs
      if (sentAgain > 0) nextAtMs = beganAtMs + (sentAgain * 1_000) / PER_SECOND
    },
    restMs,
  }
}
