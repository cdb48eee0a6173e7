import type { MerchantType } from './business.ts'
import type { BillingEvent } from './event.ts'
import type { IssuedInvoice, OpenInvoice } from './invoice.ts'
import type { Plan } from './plan.ts'

export const PHASES = ['TRIAL', 'FULL'] as const
export const SUBSCRIPTION_STATUSES = ['ACTIVE', 'ENDED'] as const
export const PAYMENT_STATUSES = ['CURRENT', 'PAST_DUE'] as const
export const END_REASONS = ['CANCELLED', 'NON_PAYMENT', 'OPERATOR'] as const

export type Phase = (typeof PHASES)[number]
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export type EndReason = (typeof END_REASONS)[number]

/** A merchant's subscription to a plan: all that its next decision depends on, beside the plan and the open invoices. */
export interface Subscription {
  readonly subscriptionId: string
  readonly appId: string
  readonly organizationId: string
  readonly businessId: string
  readonly planId: string
  /** The purchase it came from (decisions 5). */
  readonly bundleId: string
  readonly storeId?: string
  readonly deviceId?: string
  /** Driven by this test clock instead of real time. */
  readonly testClockId?: string
  readonly merchantType: MerchantType
  /** Fixed at subscribing (decisions 4), as are currency and amount. */
  readonly country: string
  readonly currency: string
  /** The price of one period, in minor units. */
  readonly amount: number
  readonly phase: Phase
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  /** Midnight UTC of the day of the start (decisions 5). */
  readonly startAt: Date
  /** The exact instant of the start. */
  readonly startedAt: Date
  readonly trialEndAt?: Date
  /** The instant the paid phase began. Periods are counted from it, never from the last boundary. */
  readonly anchorAt?: Date
  /** Grows with each new anchor. */
  readonly term: number
  /** Of the current period within its term; absent in the trial. */
  readonly periodIndex?: number
  readonly currentPeriodStart: Date
  readonly currentPeriodEnd: Date
  readonly cancelAt?: Date
  readonly endedAt?: Date
  readonly endReason?: EndReason
  readonly firstRefusedAt?: Date
  readonly graceEndAt?: Date
  readonly nextRetryAt?: Date
  /** The charge whose outcome is awaited: nothing is charged beside it. */
  readonly awaitedChargeId?: string
  /** Computed by `nextActionAt`: when time alone will next change it. */
  readonly nextActionAt?: Date
  /** The last instant at which anything was decided. It never goes back. */
  readonly lastTriggerAt: Date
  /** How many events it has had. */
  readonly resourceSeq: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What a decision reads. */
export interface SubscriptionState {
  readonly subscription: Subscription
  readonly plan: Pick<Plan, 'name' | 'interval' | 'gracePeriodDays' | 'cancelPolicy'>
  /** OPEN ones, oldest first. */
  readonly openInvoices: readonly OpenInvoice[]
}

/** What a decision makes. It is written in one transaction, or not at all. */
export interface Change {
  readonly subscription: Subscription
  readonly openInvoices: readonly OpenInvoice[]
  readonly issued: readonly IssuedInvoice[]
  readonly closed: readonly { readonly invoiceId: string; readonly status: 'PAID' | 'VOID' | 'UNCOLLECTIBLE' }[]
  readonly charges: readonly { readonly chargeId: string; readonly invoiceId: string; readonly amount: number }[]
  /** Money to give back by itself: it came after the end (decisions 6). */
  readonly refunds: readonly { readonly refundId: string; readonly invoiceId: string; readonly amount: number }[]
  readonly events: readonly BillingEvent[]
}

/** Ids for whatever one decision makes. Made before it, so that the decision stays pure. */
export interface FreshIds {
  readonly invoiceId: string
  readonly chargeId: string
  readonly refundId: string
}

/** What time brings. */
export type DueTrigger =
  | { readonly kind: 'retry' }
  | { readonly kind: 'graceEnd' }
  | { readonly kind: 'cancelAt' }
  | { readonly kind: 'trialEnd' }
  | { readonly kind: 'periodEnd' }

/** What the gateway brings. `amount` is what was charged. */
export type ChargeTrigger =
  | { readonly kind: 'chargeSucceeded'; readonly chargeId: string; readonly invoiceId: string; readonly amount: number }
  | {
      readonly kind: 'chargeRefused'
      readonly chargeId: string
      readonly invoiceId: string
      readonly severity: 'soft' | 'hard'
    }
  | { readonly kind: 'chargePending' }
  | { readonly kind: 'actionRequired' }
  | { readonly kind: 'refundSucceeded'; readonly invoiceId: string }
  | { readonly kind: 'refundFailed' }

/** What people do. */
export type ActTrigger =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'restored' }
  | { readonly kind: 'paymentMethodChanged' }
  | { readonly kind: 'operatorEnded' }

export type Trigger = DueTrigger | ChargeTrigger | ActTrigger
