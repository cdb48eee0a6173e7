/** How fast what gives way may go, while others are sent for the first time. */
export interface Pace {
  /** A first attempt has begun that waited for nothing. */
  firstBegan(nowMs: number): void
  /** Such ones are about. */
  givesWay(nowMs: number): boolean
  /** Whether one that gives way may begin now. */
  mayBegin(nowMs: number): boolean
  /** One has begun. */
  began(nowMs: number): void
  /** How long until some more may begin. */
  restMs(nowMs: number): number
}

export interface Speed {
  readonly perSecond: number
  /** Added in each second in which there is something to begin. */
  readonly moreEachSecond: number
}

/** Little above the 2,000 a second that a backlog of retries is to be drained at: what goes beyond takes processor time from first attempts. */
export const OF_RETRIES: Speed = { perSecond: 2_150, moreEachSecond: 0 }
/**
 * The queue of a hook that catches up, as after a breaker that closed: little beside what a process sends, and more and more of it, as new
 * ones come meanwhile and it must end.
 */
export const OF_LATE: Speed = { perSecond: 500, moreEachSecond: 250 }

/** After the last first attempt: what comes once a second, or more often, is waited for. */
const ABOUT_FOR_MS = 1_000
/** What a claim or another stall held up for so long is made up for, so that the rate is kept. */
const STALLED_MS = 50
/** Some begin together: a timer for each would cost more than it gives. */
const TOGETHER_MS = 5

/**
 * Retries, replays, and what hooks catch up with give way: while first attempts are about, a process begins so many of them a second,
 * a few at a time. They have places of their own, but all share processors and database: at full speed a backlog took ten times as
 * long from the first ones.
 */
export function createPace({ perSecond, moreEachSecond }: Speed): Pace {
  let firstAtMs = Number.NEGATIVE_INFINITY
  let nextAtMs = Number.NEGATIVE_INFINITY
  let sinceMs = Number.NEGATIVE_INFINITY
  let lastAtMs = Number.NEGATIVE_INFINITY
  const givesWay = (nowMs: number) => nowMs - firstAtMs < ABOUT_FOR_MS
  return {
    firstBegan: nowMs => {
      firstAtMs = nowMs
    },
    givesWay,
    mayBegin: nowMs => !givesWay(nowMs) || nextAtMs <= nowMs,
    began: nowMs => {
      if (nowMs - lastAtMs > ABOUT_FOR_MS) sinceMs = nowMs
      lastAtMs = nowMs
      const speed = perSecond + (moreEachSecond * (nowMs - sinceMs)) / 1_000
      nextAtMs = Math.max(nextAtMs, nowMs - STALLED_MS) + 1_000 / speed
    },
    restMs: nowMs => (givesWay(nowMs) ? Math.max(TOGETHER_MS, nextAtMs - nowMs) : TOGETHER_MS),
  }
}
