/** How fast what is sent again may go, while others are sent for the first time. */
export interface Pace {
  /** A first attempt has begun. */
  firstBegan(nowMs: number): void
  /** Whether one that is sent again may begin now. */
  mayBegin(nowMs: number): boolean
  /** One has begun. */
  againBegan(nowMs: number): void
  /** How long until some more may begin. */
  restMs(nowMs: number): number
}

/** After the last first attempt: what comes once a second, or more often, is waited for. */
const ABOUT_FOR_MS = 1_000
/** Little above the 2,000 a second that a backlog is to be drained at: what goes beyond takes processor time from first attempts. */
const PER_SECOND = 2_150
/** What a claim or another stall held up for so long is made up for, so that the rate is kept. */
const LATE_MS = 50
/** Some begin together: a timer for each would cost more than it gives. */
const TOGETHER_MS = 5

/**
 * Retries and replays give way: while first attempts are about, a process begins so many of them a second, a few at a time. Lanes
 * have places of their own, but all share processors and database: at full speed a backlog took ten times as long from the first ones.
 */
export function createPace(): Pace {
  let firstAtMs = Number.NEGATIVE_INFINITY
  let nextAtMs = Number.NEGATIVE_INFINITY
  const givesWay = (nowMs: number) => nowMs - firstAtMs < ABOUT_FOR_MS
  return {
    firstBegan: nowMs => {
      firstAtMs = nowMs
    },
    mayBegin: nowMs => !givesWay(nowMs) || nextAtMs <= nowMs,
    againBegan: nowMs => {
      nextAtMs = Math.max(nextAtMs, nowMs - LATE_MS) + 1_000 / PER_SECOND
    },
    restMs: nowMs => (givesWay(nowMs) ? Math.max(TOGETHER_MS, nextAtMs - nowMs) : 0),
  }
}
