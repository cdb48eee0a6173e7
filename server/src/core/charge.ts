import type { Trigger } from './subscription.ts'

export const CHARGE_STATUSES = [
  'IN_FLIGHT',
  'PENDING',
  'ACTION_REQUIRED',
  'UNKNOWN',
  'SUCCEEDED',
  'DECLINED_SOFT',
  'DECLINED_HARD',
  'WITHDRAWN',
] as const
export type ChargeStatus = (typeof CHARGE_STATUSES)[number]

/** One try to take the money of an invoice. */
export interface Charge {
  readonly chargeId: string
  readonly invoiceId: string
  readonly subscriptionId: string
  readonly businessId: string
  readonly testClockId?: string
  /** Absent: the business had none. That counts as a soft refusal (decisions 5). */
  readonly paymentMethodId?: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: ChargeStatus
  /** Of a success: why it counted as refused before. */
  readonly reason?: string
  /** Of one that is ACTION_REQUIRED: where the payer goes. */
  readonly actionUrl?: string
  /** In the business's time. */
  readonly startedAt: Date
  readonly settledAt?: Date
  /** Until when a pending or action-required outcome is waited for, in the business's time. */
  readonly waitsUntil?: Date
  /** How often it was taken up, by any process. 0: the gateway has surely not seen it. */
  readonly pollCount: number
}

/** The fields of a charge that a poll writes. */
export interface PolledCharge
  extends Pick<Charge, 'chargeId' | 'status' | 'reason' | 'actionUrl' | 'settledAt' | 'waitsUntil'> {
  /** Real time. Absent: the charge is not polled again. */
  readonly nextPollAt?: Date
}

/** How a charge ended, or that it has not. */
export type ChargeResult =
  | { readonly status: 'SUCCEEDED' }
  | { readonly status: 'DECLINED_SOFT' | 'DECLINED_HARD'; readonly reason: string }
  | { readonly status: 'PENDING' | 'ACTION_REQUIRED'; readonly actionUrl?: string }
  | { readonly status: 'UNKNOWN'; readonly reason: string }
  | { readonly status: 'WITHDRAWN' }

const SETTLED = new Set<ChargeStatus>(['SUCCEEDED', 'DECLINED_SOFT', 'DECLINED_HARD', 'WITHDRAWN'])

export function isSettled(status: ChargeStatus): boolean {
  return SETTLED.has(status)
}

/** What the result of a charge means to its subscription; null where it means nothing yet, or nothing any more. */
export function triggerOf(
  { chargeId, invoiceId, amount }: Pick<Charge, 'chargeId' | 'invoiceId' | 'amount'>,
  result: ChargeResult,
  { waitedMs, isVeryFirst }: { readonly waitedMs: number; readonly isVeryFirst: boolean },
): Trigger | null {
  const of = { chargeId, invoiceId, waitedMs }
  switch (result.status) {
    case 'SUCCEEDED':
      return { kind: 'chargeSucceeded', ...of, amount }
    case 'DECLINED_SOFT':
      return { kind: 'chargeDeclined', ...of, severity: 'soft', isVeryFirst, isAbandoned: result.reason === ABANDONED }
    case 'DECLINED_HARD':
      return { kind: 'chargeDeclined', ...of, severity: 'hard', isVeryFirst }
    case 'PENDING':
      return { kind: 'chargePending' }
    case 'ACTION_REQUIRED':
      return { kind: 'actionRequired' }
    case 'UNKNOWN':
    case 'WITHDRAWN':
      return null
  }
}

/** Real time. A claimed refund or gateway event belongs to its process for this long. */
export const POLL_LEASE_MS = 60_000
/** Real time. A claimed charge belongs to its process for this long after the last renewal, so a crash delays it by at most 15 s. */
export const CHARGE_LEASE_MS = 15_000
export const RENEW_CHARGE_LEASES_MS = 5_000
const ASK_MS = 50_000

/** The deadline of all gateway calls that follow a claim. A missing answer is UNKNOWN, and the next poll looks it up. */
export function askUntil(claimedAt: Date): Date {
  return new Date(claimedAt.getTime() + ASK_MS)
}

const FIRST_POLL_MS = 2_000
const SLOWEST_POLL_MS = 10 * 60_000

/** Why a charge counts as refused that the gateway still works on. Decisions 6: "up to 3 days, then count as refused". */
export const GIVEN_UP = 'not_completed_in_time'
/** Why one counts as refused that waits for the payer: another payment method was chosen meanwhile. Decisions 6: "at once". */
export const ABANDONED = 'payment_method_changed'
/** Of both, the money may come after all. */
export const MAY_COME_LATE: readonly string[] = [GIVEN_UP, ABANDONED]

/** Real time. A charge that was given up is looked at four times a day, for a month: its money may come after all. */
const AFTERWARDS_MS = 6 * 3_600_000
export const LATE_PAYMENT_WINDOW_MS = 30 * 86_400_000
/** On a test clock time says nothing of how long it was looked at: a clock stands still, or runs through years at once. */
const MAX_POLLS_ON_CLOCK = 600

/** When to look again at a charge that was given up; null when it has been looked at long enough. `now` is real time. */
export function nextLatePollAt(
  { testClockId, pollCount, settledAt }: Pick<Charge, 'testClockId' | 'pollCount' | 'settledAt'>,
  now: Date,
): Date | null {
  const isEnough =
    testClockId === undefined
      ? settledAt !== undefined && now.getTime() >= settledAt.getTime() + LATE_PAYMENT_WINDOW_MS
      : pollCount >= MAX_POLLS_ON_CLOCK
  return isEnough ? null : new Date(now.getTime() + AFTERWARDS_MS)
}

/** Whether a minute has passed since the first of so many looks: 4 s, 8 s, 16 s and 32 s lie between five. */
export function isPolledForAMinute(pollCount: number): boolean {
  return pollCount >= 5
}

/** When to look again at something unknown or pending, in real time: doubling from 2 s to 10 minutes. */
export function pollAfter(pollCount: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(SLOWEST_POLL_MS, FIRST_POLL_MS * 2 ** Math.min(pollCount, 20)))
}
