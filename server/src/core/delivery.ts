/**
 * The result of one POST. `reason` is a word of egress: timeout, refused, dns, tls, private_address, reset, protocol. `stalled`: this
 * process paused past the deadline or could open no connection, which says nothing about the hook.
 */
export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly retryAfter?: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly stalled?: true }

/** Progress of a notification as the history shows it. Source: decisions 7, History. */
export const DELIVERY_STATUSES = ['SCHEDULED', 'ERRORED_RETRYING', 'DELIVERED', 'ERRORED'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Progress of a delivery before the attempt that just ended. */
export interface DeliveryProgress {
  readonly attempts: number
  /** In real time. */
  readonly recordedAt: Date
}

/** Why a delivery ended without being acknowledged. */
export type GivenUpReason =
  | 'attempts_exhausted'
  | 'expired'
  | 'hook_deleted'
  | 'hook_inactive'
  | 'approval_revoked'
  | 'test_failed'
  | 'quarantined'

export type NextStep =
  | { readonly status: 'DELIVERED' }
  | { readonly status: 'ERRORED'; readonly reason: GivenUpReason }
  | { readonly dueAt: Date }

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Decisions 7: "Retries after 5 s, 30 s, 2 m, 10 m, 1 h, 3 h, 6 h, 12 h, 24 h, 24 h". */
export const RETRY_STEPS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
]

/** Decisions 7: "given up after 11 attempts or 72 h from recording, whichever first". */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS

/** The clocks of two processes, each up to 5 s off. */
export const CLOCKS_APART_MS = 10_000

/** Decisions 7: "±20 %". Spreads retries of simultaneous failures. */
const JITTER = 0.2

/** Interface, Delivery 2: only HTTP 200 acknowledges. */
export function acknowledged(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'answered' && outcome.httpStatus === 200
}

/** A reason word for an attempt without a status, or with a redirect. Decisions 7, History. */
export function reasonWord(outcome: AttemptOutcome): string | undefined {
  if (outcome.kind === 'failed') return outcome.reason
  return outcome.httpStatus >= 300 && outcome.httpStatus < 400 ? 'redirect' : undefined
}

/** No attempt starts after this instant. */
export function expiryOf({ recordedAt }: Pick<DeliveryProgress, 'recordedAt'>): Date {
  return new Date(recordedAt.getTime() + GIVE_UP_AFTER_MS)
}

/**
 * The next step after an attempt. `random` lies in [0, 1). A retry that would fall after the 72 h is sent at their end, as the last attempt. Source: decisions 7.
 */
export function afterAttempt(progress: DeliveryProgress, outcome: AttemptOutcome, now: Date, random: number): NextStep {
  if (acknowledged(outcome)) return { status: 'DELIVERED' }
  const stepMs = RETRY_STEPS_MS[progress.attempts]
  if (stepMs === undefined) return { status: 'ERRORED', reason: 'attempts_exhausted' }
  const expiry = expiryOf(progress)
  if (now >= expiry) return { status: 'ERRORED', reason: 'expired' }
  const dueMs = now.getTime() + waitMs(stepMs, outcome, now, random)
  return { dueAt: new Date(Math.min(dueMs, expiry.getTime())) }
}

/** "Retry-After honoured up to twice the step": never sooner than the schedule, which keeps 11 attempts worth having. */
function waitMs(stepMs: number, outcome: AttemptOutcome, now: Date, random: number): number {
  const scheduledMs = stepMs * (1 - JITTER + 2 * JITTER * random)
  const askedMs = outcome.kind === 'answered' ? retryAfterMs(outcome.retryAfter, now) : 0
  return Math.round(Math.max(scheduledMs, Math.min(askedMs, 2 * stepMs)))
}

/** RFC 9110, 10.2.3: seconds, or an HTTP date. Any other value is ignored. */
function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS
  // An HTTP date begins with the day's name; Date.parse alone would read "-5" or "2" as years.
  const at = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(ASCTIME.test(text) ? `${text} GMT` : text) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** The HTTP date format without a zone (RFC 9110, 5.6.7), which Date.parse reads as local time. */
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/
