/** How a hook fares, while it is not well. Kept for as long as that lasts. */
export interface HookHealth {
  /** In a row. 0: what it answers is good, but slow. */
  readonly failures: number
  /** Without an acknowledgement, or a long silence, since. */
  readonly failingSince?: Date
  /** Since when every answer has been 410; what brought no answer is none. */
  readonly goneSince?: Date
  /** A status, or a word of egress. */
  readonly lastFailure?: string
  /** Absent where that failure ended a delivery after all its attempts: no silence makes that undone. */
  readonly lastFailedAt?: Date
  /** How often in a row the breaker has opened. */
  readonly opened: number
  /** The breaker is open: nothing is sent before this instant, and then one attempt. */
  readonly openUntil?: Date
}

/** The effect of one attempt on the health of its hook. */
export interface HealthSign {
  readonly at: Date
  /** The one attempt that an open breaker lets through. */
  readonly isProbe: boolean
  readonly acknowledged: boolean
  readonly durationMs: number
  /** The last attempt of a delivery that is given up. */
  readonly gaveUp?: boolean
  /** A status, or a word of egress. */
  readonly word: string
}

export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const HEALTH_STATES = ['HEALTHY', 'SLOW', 'FAILING', 'OPEN', 'HALF_OPEN'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** "Within a few failures" (design, Fairness): fewer, and one bad deployment of a listener would do. */
const OPENS_AFTER = 5
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** The first step of the retries: a listener that is being restarted is not kept waiting for longer than without. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
/** Well below the long steps of the retries: the breaker hardly delays a hook's recovery. */
const LONGEST_PAUSE_MS = 15 * 60 * SECOND_MS
/** Three quarters of what an answer may take. Such a hook is shown as SLOW, and is sent fewer at once. */
export const SLOW_MS = 1_500

const GONE = '410'
/** Decisions 7: "410 for 24 h, or every attempt failed for 3 days, disables the hook". */
const GONE_FOR_MS = 24 * HOUR_MS
const FAILING_FOR_MS = 72 * HOUR_MS
/**
 * Days without an attempt do not count as failing days, because the endpoint's state is unknown, unless the previous delivery used its
 * whole schedule of about 70 h. Otherwise a dead endpoint with one event a week would never be disabled. The limit exceeds twice the
 * longest retry step (48 h with Retry-After) plus a breaker's pause, so a delivery under retry never looks silent.
 */
const SILENT_AFTER_MS = 49 * HOUR_MS

/**
 * The health of a hook after one more attempt; undefined when healthy. The fifth failure in a row opens the breaker, and each failed probe
 * doubles the pause. Attempts that were under way when the breaker opened change the count only. Any acknowledgement closes the breaker.
 */
export function afterSign(before: HookHealth | undefined, sign: HealthSign): HookHealth | undefined {
  if (sign.acknowledged) return sign.durationMs < SLOW_MS ? undefined : { failures: 0, opened: 0 }
  const failures = (before?.failures ?? 0) + 1
  const known = before !== undefined && wasSilent(before, sign.at) ? undefined : before
  const failing = {
    failures,
    failingSince: known?.failingSince ?? sign.at,
    lastFailure: sign.word,
    ...(sign.gaveUp ? {} : { lastFailedAt: sign.at }),
    ...goneAfter(known, sign),
  }
  const { opened = 0, openUntil } = before ?? {}
  if (openUntil === undefined ? failures >= OPENS_AFTER : sign.isProbe) {
    return { ...failing, opened: opened + 1, openUntil: new Date(sign.at.getTime() + pauseMs(opened)) }
  }
  return {
    ...failing,
    opened,
    ...(openUntil === undefined ? {} : { openUntil }),
  }
}

/** Why a hook that fares like this listens no longer; null while it may. Only a 410 makes it gone. Source: decisions 7, Retries. */
export function reasonToDisable(health: HookHealth, now: Date): DisabledReason | null {
  const { goneSince, failingSince, lastFailure } = health
  if (lastFailure === GONE && goneSince !== undefined && now.getTime() - goneSince.getTime() >= GONE_FOR_MS) {
    return 'gone'
  }
  if (failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_FOR_MS) return 'failing'
  return null
}

/** In one word, for people and gauges. */
export function stateOf(health: HookHealth | undefined, now: Date): HealthState {
  if (health === undefined) return 'HEALTHY'
  if (health.openUntil === undefined) return health.failures === 0 ? 'SLOW' : 'FAILING'
  return health.openUntil <= now ? 'HALF_OPEN' : 'OPEN'
}

function wasSilent({ lastFailedAt }: HookHealth, until: Date): boolean {
  return lastFailedAt !== undefined && until.getTime() - lastFailedAt.getTime() > SILENT_AFTER_MS
}

function goneAfter(before: HookHealth | undefined, { word, at }: HealthSign): { goneSince?: Date } {
  const goneSince = word === GONE ? (before?.goneSince ?? at) : isAnswer(word) ? undefined : before?.goneSince
  return goneSince === undefined ? {} : { goneSince }
}

/** A status; other words say why there is none. */
function isAnswer(word: string): boolean {
  return /^\d/.test(word)
}

function pauseMs(openedBefore: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** openedBefore, LONGEST_PAUSE_MS)
}
