/** The health of an unhealthy hook. Absent for a healthy hook. */
export interface HookHealth {
  /** Consecutive failures. 0: acknowledged, but slowly. */
  readonly failures: number
  /** Without an acknowledgement, or a long silence, since. */
  readonly failingSince?: Date
  /** Every answer since then was 410; an attempt without an answer does not count. */
  readonly goneSince?: Date
  /** A status, or a word of egress. */
  readonly lastFailure?: string
  /** Absent if that failure exhausted a delivery: a silence does not undo it. */
  readonly lastFailedAt?: Date
  /** How often in a row the breaker has opened. */
  readonly opened: number
  /** The breaker is open: no attempt before this instant, then one probe. */
  readonly openUntil?: Date
  /** Lease of the probe in flight. */
  readonly probeLease?: string
}

/** What one attempt says about its hook. */
export interface HealthSign {
  readonly at: Date
  readonly leaseId: string
  readonly acknowledged: boolean
  readonly durationMs: number
  /** The attempt exhausted its delivery. */
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
 * Days without an attempt do not count as failing, unless a delivery was exhausted before (about 70 h): a dead endpoint with one event a
 * week must be disabled too. The limit exceeds the longest retry step, doubled by a Retry-After (48 h), plus the breaker's pause.
 */
const SILENT_AFTER_MS = 49 * HOUR_MS

/**
 * The health after one more attempt; undefined if healthy. The breaker opens at the fifth consecutive failure; each failed probe doubles
 * the pause. Attempts in flight at the opening only count. An acknowledgement closes the breaker.
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
  const { opened = 0, openUntil, probeLease } = before ?? {}
  if (openUntil === undefined ? failures >= OPENS_AFTER : sign.leaseId === probeLease) {
    return { ...failing, opened: opened + 1, openUntil: new Date(sign.at.getTime() + pauseMs(opened)) }
  }
  return {
    ...failing,
    opened,
    ...(openUntil === undefined ? {} : { openUntil }),
    ...(probeLease === undefined ? {} : { probeLease }),
  }
}

/** The reason to disable a hook in this state, or null. Only a 410 leads to `gone`. Source: decisions 7, Retries. */
export function reasonToDisable(health: HookHealth, now: Date): DisabledReason | null {
  const { goneSince, failingSince, lastFailure } = health
  if (lastFailure === GONE && goneSince !== undefined && now.getTime() - goneSince.getTime() >= GONE_FOR_MS) {
    return 'gone'
  }
  if (failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_FOR_MS) return 'failing'
  return null
}

/** The state as one word, for pages and gauges. */
export function stateOf(health: HookHealth | undefined, now: Date): HealthState {
  if (health === undefined) return 'HEALTHY'
  if (health.openUntil === undefined) return health.failures === 0 ? 'SLOW' : 'FAILING'
  return health.probeLease !== undefined || health.openUntil <= now ? 'HALF_OPEN' : 'OPEN'
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
