import type { MerchantType } from './business.ts'
import {
  type BillingEventType,
  type BodyEventType,
  ORDER_EVENT_TYPES,
  type OrderEventType,
  TEST_EVENT_TYPE,
} from './event.ts'
import { type NotificationIds, type NotificationUrls, notificationBody, testBody } from './notification.ts'

/** The resources that a sample names. */
export interface SampleOf {
  readonly businessId: string
  readonly merchantType: MerchantType
  /** The id of the subscription or the order. */
  readonly resourceId: string
  readonly invoiceId: string
  readonly storeId: string
  readonly deviceId: string
  readonly at: Date
}

/** A body of an event type, byte for byte as a delivery of such an event has it. */
export function sampleBody(
  eventType: BodyEventType,
  { businessId, merchantType, resourceId, invoiceId, storeId, deviceId, at }: SampleOf,
  ids: NotificationIds,
  urls: NotificationUrls,
): string {
  if (eventType === TEST_EVENT_TYPE) return testBody({ businessId, at }, ids, urls)
  const happened = { businessId, resourceId, resourceSeq: 1, occurredAt: at }
  if (isOrderType(eventType)) return notificationBody({ ...happened, storeId, deviceId, eventType }, ids, urls)
  // Interface, Delivery 3: "payment and refund events also link to the invoice".
  const invoice = /_(PAYMENT|REFUND|DISPUTE)_/.test(eventType) ? { invoiceId } : {}
  const billing = { appId: ids.appId, merchantType, eventType: eventType as BillingEventType }
  return notificationBody({ ...happened, ...invoice, ...billing }, ids, urls)
}

function isOrderType(type: BodyEventType): type is OrderEventType {
  return (ORDER_EVENT_TYPES as readonly string[]).includes(type)
}
