import type { MerchantType } from './business.ts'

/** Interface, Billing event types. */
export const BILLING_EVENT_TYPES = [
  'APPLICATION_SUBSCRIPTION_START',
  'APPLICATION_SUBSCRIPTION_END',
  'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL',
  'APPLICATION_SUBSCRIPTION_PHASE_CHANGE',
  'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS',
] as const

/** Decisions 7: only for hooks that name them. */
export const OPT_IN_EVENT_TYPES = [
  'APPLICATION_SUBSCRIPTION_TRIAL_ENDING',
  'APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED',
  'APPLICATION_SUBSCRIPTION_RESTORED',
  'APPLICATION_SUBSCRIPTION_PLAN_CHANGE',
  'APPLICATION_SUBSCRIPTION_TRANSFERRED',
  'APPLICATION_SUBSCRIPTION_DISPUTE_OPENED',
  'APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED',
] as const

/** Interface, Order event types. */
export const ORDER_EVENT_TYPES = ['ORDER_OPENED', 'ORDER_COMPLETED', 'ORDER_CANCELLED', 'ORDER_UPDATED'] as const

export const EVENT_TYPES = [...BILLING_EVENT_TYPES, ...OPT_IN_EVENT_TYPES, ...ORDER_EVENT_TYPES] as const

/** Decisions 7, `POST /hooks/{id}/test`: sent on request to one hook. No hook can name it. */
export const TEST_EVENT_TYPE = 'TEST'

/** All values of `eventType` in a body. */
export const BODY_EVENT_TYPES = [...EVENT_TYPES, TEST_EVENT_TYPE] as const

export type BodyEventType = (typeof BODY_EVENT_TYPES)[number]
export type BillingEventType = (typeof BILLING_EVENT_TYPES)[number] | (typeof OPT_IN_EVENT_TYPES)[number]
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number]
export type EventType = BillingEventType | OrderEventType

interface EventOfResource {
  readonly businessId: string
  readonly resourceId: string
  /** The number of the event within its resource, assigned under the resource's row lock. */
  readonly resourceSeq: number
  /** Business time: createdAt of the notification. */
  readonly occurredAt: Date
}

/** An event of a subscription. Payment and refund events carry `invoiceId` for their link (interface, Delivery 3). */
export interface BillingEvent extends EventOfResource {
  readonly eventType: BillingEventType
  readonly appId: string
  readonly merchantType: MerchantType
  readonly invoiceId?: string
}

/** An event of an order, for every app that the merchant approved. */
export interface OrderEvent extends EventOfResource {
  readonly eventType: OrderEventType
  readonly storeId: string
  readonly deviceId: string
}

export type Event = BillingEvent | OrderEvent

export function isOrderEvent(event: Event): event is OrderEvent {
  return 'deviceId' in event
}
