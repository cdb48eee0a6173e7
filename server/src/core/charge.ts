import type { Trigger } from './subscription.ts'

export const CHARGE_STATUSES = [
  'IN_FLIGHT',
  'PENDING',
  'ACTION_REQUIRED',
  'UNKNOWN',
  'SUCCEEDED',
  'REFUSED_SOFT',
  'REFUSED_HARD',
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
  readonly reason?: string
  /** Of one that is ACTION_REQUIRED: where the payer goes. */
  readonly actionUrl?: string
  /** In the business's time. */
  readonly startedAt: Date
  readonly settledAt?: Date
  /** Until when a pending or action-required outcome is waited for, in the business's time. */
  readonly waitsUntil?: Date
  /** How often it was taken up, by any process. 0: the gateway has surely not seen it. */
  readonly looks: number
}

/** How a charge ended, or that it has not. */
export type ChargeResult =
  | { readonly status: 'SUCCEEDED' }
  | { readonly status: 'REFUSED_SOFT' | 'REFUSED_HARD'; readonly reason: string }
  | { readonly status: 'PENDING' | 'ACTION_REQUIRED'; readonly actionUrl?: string }
  | { readonly status: 'UNKNOWN'; readonly reason: string }
  | { readonly status: 'WITHDRAWN' }

const SETTLED = new Set<ChargeStatus>(['SUCCEEDED', 'REFUSED_SOFT', 'REFUSED_HARD', 'WITHDRAWN'])

export function isSettled(status: ChargeStatus): boolean {
  return SETTLED.has(status)
}

/** What the result of a charge means to its subscription; null where it means nothing yet, or nothing any more. */
export function triggerOf(
  { chargeId, invoiceId, amount }: Pick<Charge, 'chargeId' | 'invoiceId' | 'amount'>,
  result: ChargeResult,
): Trigger | null {
  switch (result.status) {
    case 'SUCCEEDED':
      return { kind: 'chargeSucceeded', chargeId, invoiceId, amount }
    case 'REFUSED_SOFT':
      return { kind: 'chargeRefused', chargeId, invoiceId, severity: 'soft' }
    case 'REFUSED_HARD':
      return { kind: 'chargeRefused', chargeId, invoiceId, severity: 'hard' }
    case 'PENDING':
      return { kind: 'chargePending' }
    case 'ACTION_REQUIRED':
      return { kind: 'actionRequired' }
    case 'UNKNOWN':
    case 'WITHDRAWN':
      return null
  }
}

/** Real time. Longer than any call to a gateway may take, so that a lease runs out only when its process is gone. */
export const LOOK_LEASE_MS = 60_000

const FIRST_LOOK_MS = 2_000
const SLOWEST_LOOK_MS = 10 * 60_000

/** Real time. A charge that was given up is looked at four times a day, for about a month: its money may come after all. */
const AFTERWARDS_MS = 6 * 3_600_000
/** Three days of waiting take some 440 looks; the rest are for about a month after. */
const MOST_LOOKS = 600

/** When to look again at a charge that was given up; null when it has been looked at long enough. */
export function lookAfterwardsAt(looks: number, now: Date): Date | null {
  return looks < MOST_LOOKS ? new Date(now.getTime() + AFTERWARDS_MS) : null
}

/** When to look again at something unknown or pending, in real time: doubling from 2 s to 10 minutes. */
export function nextLookAt(looks: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(SLOWEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(looks, 20)))
}
