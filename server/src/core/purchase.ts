import { type Rejection, reject } from './rejection.ts'
import type { Location } from './subscription.ts'

export const PURCHASE_KINDS = ['SUBSCRIBE', 'REPLACE', 'RESTORE'] as const
export const PURCHASE_STATUSES = ['OPEN', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const
type PurchaseKind = (typeof PURCHASE_KINDS)[number]
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number]

/** Decisions 9: "EXPIRED after 30 min". Real time. */
export const PURCHASE_OPEN_MS = 30 * 60_000

/**
 * A declined payment can be repeated on the screen for this long after the purchase was opened. Real time. Limited,
 * because many people use a terminal.
 */
const PURCHASE_PAYABLE_MS = 60 * 60_000

/** The screen shows the result for this long. Real time. */
const SCREEN_KEPT_MS = 60 * 60_000

/**
 * Open purchases of one app at one business: more than its terminals show at once, and a limit to an app that asks
 * again and again.
 */
export const MAX_OPEN_PURCHASES = 20

/** How long a purchase that was not completed is kept. */
export const PURCHASE_KEPT_DAYS = 7

/** A purchase that a merchant is asked to confirm on a screen. Decisions 3 and 9. */
export interface Purchase extends Location {
  readonly purchaseId: string
  readonly appId: string
  readonly businessId: string
  /** The user who asked at the terminal. */
  readonly businessUserId?: string
  /** The user's session at the terminal. Only while it lasts can the purchase be completed. */
  readonly terminalSessionId?: string
  readonly kind: PurchaseKind
  /** The new plan, or for RESTORE the plan of the subscription. */
  readonly planId: string
  /** Set by REPLACE and RESTORE, and by SUBSCRIBE once COMPLETED. */
  readonly subscriptionId?: string
  /** The invoice of the completed purchase. Absent where nothing was due. */
  readonly invoiceId?: string
  readonly status: PurchaseStatus
  readonly openedBy: 'TERMINAL' | 'APP'
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt?: Date
}

/** The purchase at an instant: an overdue OPEN purchase counts as EXPIRED before the job writes it. */
export function purchaseAt<P extends Pick<Purchase, 'status' | 'expiresAt'>>(purchase: P, now: Date): P {
  return purchase.status === 'OPEN' && purchase.expiresAt <= now ? { ...purchase, status: 'EXPIRED' } : purchase
}

export function isPayable({ createdAt }: Pick<Purchase, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < PURCHASE_PAYABLE_MS
}

/** Whether the screen's URL has expired after the end of the purchase. */
export function isScreenGone(purchase: Pick<Purchase, 'status' | 'expiresAt' | 'endedAt'>, now: Date): boolean {
  const { endedAt = purchase.expiresAt } = purchase
  return now.getTime() - endedAt.getTime() >= SCREEN_KEPT_MS
}

/** A closed purchase is neither completed nor cancelled. */
export function purchaseClosed({ status }: Pick<Purchase, 'status'>): Rejection {
  return reject('PURCHASE_CLOSED', `The purchase is ${status}. Open a new one.`)
}

export function purchaseNotFound(): Rejection {
  return reject('PURCHASE_NOT_FOUND', 'There is no purchase with this id.')
}
