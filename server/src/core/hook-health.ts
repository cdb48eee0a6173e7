/** The health of a hook that is failing or slow. A healthy hook has none. */
export interface HookHealth {
  /** Failures in a row. 0: the hook acknowledges, but slowly. */
  readonly failures: number
  /** The first failure since the last acknowledgement or long silence. */
  readonly failingSince?: Date
  /** The first 410, if every response since then was 410. Attempts without a response do not count. */
  readonly goneSince?: Date
  /** An HTTP status, or a reason of egress. */
  readonly lastFailure?: string
  /** Absent if the failure was the last attempt of a delivery: a later silence then does not reset `failingSince`. */
  readonly lastFailedAt?: Date
  /** How often in a row the breaker has opened. */
  readonly opened: number
  /** The breaker is open: nothing is sent before this instant, and then one attempt. */
  readonly openUntil?: Date
}

/** The effect of one attempt on the health of its hook. */
export interface HealthSign {
  readonly at: Date
  /** The single attempt that an open breaker allows. */
  readonly isProbe: boolean
  readonly acknowledged: boolean
  readonly durationMs: number
  /** The last attempt of a delivery that is given up. */
  readonly gaveUp?: boolean
  /** An HTTP status, or a reason of egress. */
  readonly word: string
}

export const DISABLED_REASONS = ['gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const HEALTH_STATES = ['HEALTHY', 'SLOW', 'FAILING', 'OPEN', 'HALF_OPEN'] as const
export type HealthState = (typeof HEALTH_STATES)[number]

/** With fewer failures, one bad deployment of an endpoint would open the breaker. */
const OPENS_AFTER = 5
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** Equal to the first retry delay, so that the breaker does not delay an endpoint that restarts. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
/** Far below the later retry delays, so that the breaker hardly delays a hook's recovery. */
const LONGEST_PAUSE_MS = 15 * 60 * SECOND_MS
/** Three quarters of the response limit. A slower hook is SLOW and gets fewer concurrent attempts. */
export const SLOW_MS = 1_500

const GONE = '410'
/** Decisions 7: "410 for 24 h, or every attempt failed for 3 days, disables the hook". */
const GONE_FOR_MS = 24 * HOUR_MS
const FAILING_FOR_MS = 72 * HOUR_MS
/**
 * After a longer time without an attempt the count of failing days restarts, because the endpoint's state is unknown. The count continues if the previous
 * delivery used its whole schedule of about 70 h, so that a dead endpoint with one event a week is disabled, too. The limit exceeds twice
 * the longest retry step (48 h with Retry-After) plus a breaker's pause, so a delivery under retry never looks silent.
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

/** The reason to disable a hook with this health, or null. Only 410 responses make a hook gone. Source: decisions 7, Retries. */
export function reasonToDisable(health: HookHealth, now: Date): DisabledReason | null {
  const { goneSince, failingSince, lastFailure } = health
  if (lastFailure === GONE && goneSince !== undefined && now.getTime() - goneSince.getTime() >= GONE_FOR_MS) {
    return 'gone'
  }
  if (failingSince !== undefined && now.getTime() - failingSince.getTime() >= FAILING_FOR_MS) return 'failing'
  return null
}

/** The state of the health, for pages and gauges. */
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

/** Whether the word is an HTTP status. Other words are reasons for a missing response. */
function isAnswer(word: string): boolean {
  return /^\d/.test(word)
}

function pauseMs(openedBefore: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** openedBefore, LONGEST_PAUSE_MS)
}
