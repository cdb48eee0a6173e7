import type { MerchantType } from './business.ts'
import type { CreditMovement } from './credit.ts'
import type { BillingEvent } from './event.ts'
import type { IssuedInvoice, OpenInvoice } from './invoice.ts'
import type { Plan } from './plan.ts'
import type { TaxTerms } from './tax.ts'

export const PHASES = ['TRIAL', 'FULL'] as const
export const SUBSCRIPTION_STATUSES = ['PENDING', 'ACTIVE', 'ENDED'] as const
export const PAYMENT_STATUSES = ['CURRENT', 'PAST_DUE'] as const
export const END_REASONS = ['CANCELLED', 'DISPUTED', 'NON_PAYMENT', 'NOT_STARTED', 'OPERATOR'] as const

export type Phase = (typeof PHASES)[number]
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
export type EndReason = (typeof END_REASONS)[number]

export const CANCELLATION_REASONS = [
  'TOO_EXPENSIVE',
  'NOT_USED',
  'MISSING_FEATURE',
  'TECHNICAL_PROBLEMS',
  'OTHER',
] as const

/** Why a merchant cancelled. `comment` may be empty. */
export interface CancellationReason {
  readonly reason: (typeof CANCELLATION_REASONS)[number]
  readonly comment: string
}

/** A merchant's subscription to a plan. With the plan and the open invoices, the record determines every decision. */
export interface Subscription {
  readonly subscriptionId: string
  readonly appId: string
  readonly organizationId: string
  readonly businessId: string
  readonly planId: string
  /** The purchase behind the subscription (decisions 5). */
  readonly bundleId: string
  readonly storeId?: string
  readonly deviceId?: string
  /** Set where a test clock replaces real time. */
  readonly testClockId?: string
  readonly merchantType: MerchantType
  /** Fixed at subscribing (decisions 4), like the currency and the amount. */
  readonly country: string
  readonly currency: string
  /** The price of one period, in minor units. */
  readonly amount: number
  /** The plan that takes over at the end of the current period, and its price. Both or neither. */
  readonly pendingPlanId?: string
  readonly pendingAmount?: number
  readonly phase: Phase
  /** PENDING: the first payment is not settled, so the subscription has not started. */
  readonly status: SubscriptionStatus
  readonly paymentStatus: PaymentStatus
  /** Midnight UTC of the day of the start (decisions 5). */
  readonly startAt: Date
  /** The exact instant of the start. */
  readonly startedAt: Date
  readonly trialEndAt?: Date
  /** When TRIAL_ENDING is emitted. Absent after the event, and for trials that are too short. */
  readonly trialEndingAt?: Date
  /** The beginning of the paid phase. Periods are counted from the anchor, never from the last boundary. */
  readonly anchorAt?: Date
  /** Grows with each new anchor. */
  readonly term: number
  /** The index of the current period within its term. Absent in the trial. */
  readonly periodIndex?: number
  readonly currentPeriodStart: Date
  readonly currentPeriodEnd: Date
  readonly cancelAt?: Date
  readonly endedAt?: Date
  readonly endReason?: EndReason
  readonly firstDeclinedAt?: Date
  readonly graceEndAt?: Date
  readonly nextRetryAt?: Date
  /** The open charge. No other charge starts before its outcome. */
  readonly awaitedChargeId?: string
  /** Computed by `nextActionAt`: when time alone changes the subscription. */
  readonly nextActionAt?: Date
  /** The time of the last decision. Never goes back. */
  readonly lastTriggerAt: Date
  /** The number of events so far. */
  readonly resourceSeq: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The fields of a plan that decisions read. */
export type PlanTerms = Pick<
  Plan,
  'planId' | 'name' | 'interval' | 'intervalCount' | 'gracePeriodDays' | 'cancelPolicy' | 'scope' | 'status' | 'amounts'
>

/** The facts of a decision. */
export interface SubscriptionState {
  readonly subscription: Subscription
  readonly plan: PlanTerms
  /** The plan of `pendingPlanId`. */
  readonly pendingPlan?: PlanTerms
  /** OPEN invoices, oldest first. */
  readonly openInvoices: readonly OpenInvoice[]
  /**
   * The credit of the business with the organization, in the currency of the subscription; minor units. Required to
   * issue an invoice. Absent in other decisions, which need not lock the balance.
   */
  readonly credit?: number
  /** Absent: the seller has no tax settings. */
  readonly tax?: TaxTerms
}

/** The result of a decision: the new state and all effects. Written in one transaction or not at all. */
export interface Change extends SubscriptionState {
  readonly issued: readonly IssuedInvoice[]
  readonly closed: readonly { readonly invoiceId: string; readonly status: 'PAID' | 'VOID' | 'UNCOLLECTIBLE' }[]
  readonly charges: readonly { readonly chargeId: string; readonly invoiceId: string; readonly amount: number }[]
  /** Refunds of payments after the end (decisions 6). */
  readonly refunds: readonly { readonly refundId: string; readonly invoiceId: string; readonly amount: number }[]
  readonly credits: readonly CreditMovement[]
  readonly events: readonly BillingEvent[]
}

/** Ids for the effects of one decision. Generated before, so that the decision stays pure. */
export interface FreshIds {
  readonly invoiceId: string
  readonly chargeId: string
  readonly refundId: string
}

/** Triggers of time. */
export type DueTrigger =
  | { readonly kind: 'notStarted' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'graceEnd' }
  | { readonly kind: 'cancelAt' }
  | { readonly kind: 'trialEnding' }
  | { readonly kind: 'pendingPlan' }
  | { readonly kind: 'trialEnd' }
  | { readonly kind: 'periodEnd' }

/** Triggers of the gateway. `amount` was charged. */
type ChargeTrigger =
  | {
      readonly kind: 'chargeSucceeded'
      readonly chargeId: string
      readonly invoiceId: string
      readonly amount: number
      /** How long the charge was pending or waited for the payer. */
      readonly waitedMs?: number
    }
  | {
      readonly kind: 'chargeDeclined'
      readonly chargeId: string
      readonly invoiceId: string
      readonly severity: 'soft' | 'hard'
      /** No invoice of this subscription was ever paid. */
      readonly hasNeverPaid?: boolean
      /** The payment method changed while the charge waited for the payer. */
      readonly isAbandoned?: boolean
      /** Like the field of a success. */
      readonly waitedMs?: number
    }
  | { readonly kind: 'refundSucceeded'; readonly invoiceId: string }
  | { readonly kind: 'disputeOpened'; readonly invoiceId: string }
  | {
      readonly kind: 'disputeClosed'
      readonly invoiceId: string
      /** The dispute is lost, and the installation ends such subscriptions. */
      readonly ends: boolean
    }

/** Decisions 5, Change plan. */
export const CHANGE_TIMES = ['NOW', 'PERIOD_END'] as const
export type ChangeTime = (typeof CHANGE_TIMES)[number]

/** A plan change, with the facts that its decision needs. */
export interface PlanChanged {
  readonly kind: 'planChanged'
  readonly plan: PlanTerms
  readonly when: ChangeTime
  /** The value of the current invoice that was not returned. Absent where the period has no invoice. */
  readonly current?: { readonly invoiceId: string; readonly value: number }
  readonly hasPaymentMethod: boolean
}

/** The location of a subscription of scope STORE or DEVICE. */
export interface Location {
  readonly storeId?: string
  readonly deviceId?: string
}

/** Triggers of people. */
export type ActTrigger =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'restored' }
  | { readonly kind: 'paymentMethodChanged' }
  | { readonly kind: 'operatorEnded' }
  | PlanChanged
  | { readonly kind: 'transferred'; readonly to: Location }

export type Trigger = DueTrigger | ChargeTrigger | ActTrigger
