import type { MerchantType } from './business.ts'
import type { CreditMovement } from './credit.ts'
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
  /** The plan that takes over at the end of the current period, and its price. Both or neither. */
  readonly pendingPlanId?: string
  readonly pendingAmount?: number
  readonly phase: Phase
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  /** Midnight UTC of the day of the start (decisions 5). */
  readonly startAt: Date
  /** The exact instant of the start. */
  readonly startedAt: Date
  readonly trialEndAt?: Date
  /** When to tell that the trial is about to end; absent once told, and where it is too short to be told of. */
  readonly trialEndingAt?: Date
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
  readonly firstDeclinedAt?: Date
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

/** What decisions read of a plan. */
export type PlanTerms = Pick<
  Plan,
  'planId' | 'name' | 'interval' | 'gracePeriodDays' | 'cancelPolicy' | 'scope' | 'status' | 'amounts'
>

/** What a decision reads. */
export interface SubscriptionState {
  readonly subscription: Subscription
  readonly plan: PlanTerms
  /** The one of `pendingPlanId`. */
  readonly pendingPlan?: PlanTerms
  /** OPEN ones, oldest first. */
  readonly openInvoices: readonly OpenInvoice[]
  /**
   * The credit of the business with the organization, in the currency of the subscription; minor units. Whoever issues an
   * invoice must know it; absent where nothing can be issued, so that such decisions need not lock it.
   */
  readonly credit?: number
}

/** What a decision makes: the state that it leads to, and all that happens on the way. Written in one transaction, or not at all. */
export interface Change extends SubscriptionState {
  readonly issued: readonly IssuedInvoice[]
  readonly closed: readonly { readonly invoiceId: string; readonly status: 'PAID' | 'VOID' | 'UNCOLLECTIBLE' }[]
  readonly charges: readonly { readonly chargeId: string; readonly invoiceId: string; readonly amount: number }[]
  /** Money to give back by itself: it came after the end (decisions 6). */
  readonly refunds: readonly { readonly refundId: string; readonly invoiceId: string; readonly amount: number }[]
  readonly credits: readonly CreditMovement[]
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
  | { readonly kind: 'trialEnding' }
  | { readonly kind: 'pendingPlan' }
  | { readonly kind: 'trialEnd' }
  | { readonly kind: 'periodEnd' }

/** What the gateway brings. `amount` is what was charged. */
type ChargeTrigger =
  | {
      readonly kind: 'chargeSucceeded'
      readonly chargeId: string
      readonly invoiceId: string
      readonly amount: number
      /** For so long it was pending, or the payer was waited for. */
      readonly waitedMs?: number
    }
  | {
      readonly kind: 'chargeDeclined'
      readonly chargeId: string
      readonly invoiceId: string
      readonly severity: 'soft' | 'hard'
      /** No other try was ever made of this subscription. */
      readonly isVeryFirst?: boolean
      /** Nobody refused it: it waited for the payer, who chose another payment method. */
      readonly isAbandoned?: boolean
      /** As of one that succeeded. */
      readonly waitedMs?: number
    }
  | { readonly kind: 'chargePending' }
  | { readonly kind: 'actionRequired' }
  | { readonly kind: 'refundSucceeded'; readonly invoiceId: string }
  | { readonly kind: 'refundFailed' }

/** Decisions 5, Change plan. */
export const CHANGE_TIMES = ['NOW', 'PERIOD_END'] as const
export type ChangeTime = (typeof CHANGE_TIMES)[number]

/** Another plan, at once or from the end of the current period, and what a decision about it must know. */
export interface PlanChanged {
  readonly kind: 'planChanged'
  readonly plan: PlanTerms
  readonly when: ChangeTime
  /** What the current period was paid with and is not yet given back; absent where it has no invoice. */
  readonly current?: { readonly invoiceId: string; readonly value: number }
  readonly hasPaymentMethod: boolean
}

/** Where a subscription of scope STORE or DEVICE is used. */
export interface Place {
  readonly storeId?: string
  readonly deviceId?: string
}

/** What people do. */
export type ActTrigger =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'restored' }
  | { readonly kind: 'paymentMethodChanged' }
  | { readonly kind: 'operatorEnded' }
  | PlanChanged
  | { readonly kind: 'transferred'; readonly to: Place }

export type Trigger = DueTrigger | ChargeTrigger | ActTrigger
