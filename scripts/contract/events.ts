import {
  type BillingEventType,
  BODY_EVENT_TYPES,
  type Event,
  type EventType,
  ORDER_EVENT_TYPES,
  type OrderEventType,
  TEST_EVENT_TYPE,
} from '../../server/src/core/event.ts'
import { notificationBody, testBody } from '../../server/src/core/notification.ts'

type BodyEventType = (typeof BODY_EVENT_TYPES)[number]

const NOTIFICATION = {
  notificationId: '019a3c7e-5c00-7000-8000-0000000000d1',
  hookId: '019a3c7e-5c00-7000-8000-0000000000d2',
  appId: '019a3c7e-5c00-7000-8000-0000000000d3',
}

const URLS = { baseUrl: 'https://api.example.com', billingUrl: 'https://billing.example.com' }

const HAPPENED = {
  businessId: '019a3c7e-5c00-7000-8000-0000000000d4',
  resourceId: '019a3c7e-5c00-7000-8000-0000000000d5',
  resourceSeq: 1,
  occurredAt: new Date('2026-01-31T09:30:15.678Z'),
}

const INVOICE = '019a3c7e-5c00-7000-8000-0000000000d6'

/** Interface, Delivery 3: "payment and refund events also link to the invoice". */
const WITH_INVOICE: readonly EventType[] = [
  'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL',
  'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS',
]

/** One body of each event type, as it is posted. */
export function eventBodies(): Map<BodyEventType, string> {
  return new Map(BODY_EVENT_TYPES.map(eventType => [eventType, bodyOf(eventType)]))
}

function bodyOf(eventType: BodyEventType): string {
  if (eventType !== TEST_EVENT_TYPE) return notificationBody(eventOf(eventType), NOTIFICATION, URLS)
  return testBody({ businessId: HAPPENED.businessId, at: HAPPENED.occurredAt }, NOTIFICATION, URLS)
}

function eventOf(eventType: EventType): Event {
  if (isOrder(eventType)) {
    const place = { storeId: '019a3c7e-5c00-7000-8000-0000000000d7', deviceId: '019a3c7e-5c00-7000-8000-0000000000d8' }
    return { ...HAPPENED, ...place, eventType }
  }
  const invoice = WITH_INVOICE.includes(eventType) ? { invoiceId: INVOICE } : {}
  const { appId } = NOTIFICATION
  return { ...HAPPENED, ...invoice, appId, merchantType: 'MERCHANT', eventType: eventType as BillingEventType }
}

function isOrder(eventType: EventType): eventType is OrderEventType {
  return (ORDER_EVENT_TYPES as readonly string[]).includes(eventType)
}
