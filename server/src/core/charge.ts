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

/** One attempt to collect an invoice. */
export interface Charge {
  readonly chargeId: string
  readonly invoiceId: string
  readonly subscriptionId: string
  readonly businessId: string
  readonly testClockId?: string
  /** Absent: the business had no payment method, which counts as a soft decline (decisions 5). */
  readonly paymentMethodId?: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly status: ChargeStatus
  /** On a success: the reason of an earlier decline. */
  readonly reason?: string
  /** The URL at which the payer confirms an ACTION_REQUIRED charge. */
  readonly actionUrl?: string
  /** Business time. */
  readonly startedAt: Date
  readonly settledAt?: Date
  /** Business time: a pending or action-required charge is given up then. */
  readonly waitsUntil?: Date
  /** The number of claims by any process. 0: the gateway has certainly not seen the charge. */
  readonly pollCount: number
}

/** The fields of a charge that a poll writes. */
export interface PolledCharge
  extends Pick<Charge, 'chargeId' | 'status' | 'reason' | 'actionUrl' | 'settledAt' | 'waitsUntil'> {
  /** Real time. Absent: the charge is not polled again. */
  readonly nextPollAt?: Date
}

/** The result of an attempt, open or final. */
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

/** Translates a result into a trigger of the subscription, or null if the result changes nothing there. */
export function triggerOf(
  { chargeId, invoiceId, amount }: Pick<Charge, 'chargeId' | 'invoiceId' | 'amount'>,
  result: ChargeResult,
  { waitedMs, hasNeverPaid }: { readonly waitedMs: number; readonly hasNeverPaid: boolean },
): Trigger | null {
  const of = { chargeId, invoiceId, waitedMs }
  switch (result.status) {
    case 'SUCCEEDED':
      return { kind: 'chargeSucceeded', ...of, amount }
    case 'DECLINED_SOFT':
      return { kind: 'chargeDeclined', ...of, severity: 'soft', hasNeverPaid, isAbandoned: result.reason === ABANDONED }
    case 'DECLINED_HARD':
      return { kind: 'chargeDeclined', ...of, severity: 'hard', hasNeverPaid }
    case 'PENDING':
    case 'ACTION_REQUIRED':
    case 'UNKNOWN':
    case 'WITHDRAWN':
      return null
  }
}

/** Real time. A claimed refund or gateway event belongs to its process for this long. */
export const POLL_LEASE_MS = 60_000
/**
 * Real time. A claimed charge belongs to its process for this long after the last renewal, so a crash delays it by at
 * most 15 s.
 */
export const CHARGE_LEASE_MS = 15_000
export const RENEW_CHARGE_LEASES_MS = 5_000
const ASK_MS = 50_000

/**
 * The deadline of all gateway calls that follow a claim. A missing answer is UNKNOWN, and the next poll looks it up.
 */
export function askUntil(claimedAt: Date): Date {
  return new Date(claimedAt.getTime() + ASK_MS)
}

const FIRST_POLL_MS = 2_000
const SLOWEST_POLL_MS = 10 * 60_000

/**
 * The reason of a charge that counts as declined while the gateway still works on it. Decisions 6: "up to 3 days,
 * then count as refused".
 */
export const GIVEN_UP = 'not_completed_in_time'
/** The reason of a charge that waited for the payer when the payment method changed. */
export const ABANDONED = 'payment_method_changed'
/** Charges with these reasons may still be paid. */
export const MAY_COME_LATE: readonly string[] = [GIVEN_UP, ABANDONED]

/**
 * Real time. A charge that was given up is polled four times a day for a month, because the payment may still arrive.
 */
const AFTERWARDS_MS = 6 * 3_600_000
export const LATE_PAYMENT_WINDOW_MS = 30 * 86_400_000
/** On a test clock, which may wait or pass years in a second, polls are counted instead. */
const MAX_POLLS_ON_CLOCK = 600

/** The next poll of a charge that was given up, or null after the last one. `now` is real time. */
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

/** Whether a minute has passed since the first poll: the first five polls are 4, 8, 16 and 32 s apart. */
export function isPolledForAMinute(pollCount: number): boolean {
  return pollCount >= 5
}

/** The next poll of an open charge, in real time: doubling from 2 s to 10 minutes. */
export function pollAfter(pollCount: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(SLOWEST_POLL_MS, FIRST_POLL_MS * 2 ** Math.min(pollCount, 20)))
}
