import { type Rejection, reject } from './rejection.ts'
import type { Place } from './subscription.ts'

export const PURCHASE_KINDS = ['SUBSCRIBE', 'REPLACE', 'RESTORE'] as const
export const PURCHASE_STATUSES = ['OPEN', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const
type PurchaseKind = (typeof PURCHASE_KINDS)[number]
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number]

/** Decisions 9: "EXPIRED after 30 min". Real time. */
export const PURCHASE_OPEN_MS = 30 * 60_000

/**
 * How long after it was opened whoever has the address of the screen may still pay for what was refused. Real time. A while
 * longer than it is open; not for ever, since a terminal is used by many.
 */
const PURCHASE_PAYABLE_MS = 60 * 60_000

/** How long the address of a screen still tells how it ended. Real time. */
const SCREEN_KEPT_MS = 60 * 60_000

/**
 * Open ones of an app at one business: more than its tills will ever show at once, and few enough that an app which asks again
 * and again buries nobody.
 */
export const MAX_OPEN_PURCHASES = 20

/** How long one that was never completed is kept, for whoever asks what became of it. */
export const PURCHASE_KEPT_DAYS = 7

/** What a merchant is asked to confirm on a screen. Decisions 3 and 9. */
export interface Purchase extends Place {
  readonly purchaseId: string
  readonly appId: string
  readonly businessId: string
  /** Who asked for it at the terminal. */
  readonly businessUserId?: string
  /** In which they were signed in there: only while it lasts can it be completed. */
  readonly terminalSessionId?: string
  readonly kind: PurchaseKind
  /** To be taken; of RESTORE, the subscription's own. */
  readonly planId: string
  /** Of REPLACE and RESTORE from the beginning; of SUBSCRIBE once COMPLETED. */
  readonly subscriptionId?: string
  /** Issued by its completion; absent where nothing was due. */
  readonly invoiceId?: string
  readonly status: PurchaseStatus
  readonly openedBy: 'TERMINAL' | 'APP'
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt?: Date
}

/** As it is at an instant: an open one that is over counts as EXPIRED, whether or not that was written yet. */
export function purchaseAt<P extends Pick<Purchase, 'status' | 'expiresAt'>>(purchase: P, now: Date): P {
  return purchase.status === 'OPEN' && purchase.expiresAt <= now ? { ...purchase, status: 'EXPIRED' } : purchase
}

export function isPayable({ createdAt }: Pick<Purchase, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < PURCHASE_PAYABLE_MS
}

/** Whether it ended so long ago that the address of its screen, which many may have seen, leads nowhere. */
export function isScreenGone(purchase: Pick<Purchase, 'status' | 'expiresAt' | 'endedAt'>, now: Date): boolean {
  const { endedAt = purchase.expiresAt } = purchase
  return now.getTime() - endedAt.getTime() >= SCREEN_KEPT_MS
}

/** What is over is neither completed nor cancelled. */
export function purchaseClosed({ status }: Pick<Purchase, 'status'>): Rejection {
  return reject('PURCHASE_CLOSED', `The purchase is ${status}. Open a new one.`)
}

export function purchaseNotFound(): Rejection {
  return reject('PURCHASE_NOT_FOUND', 'There is no purchase with this id.')
}
