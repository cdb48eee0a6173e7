import { toTimestamp } from './calendar.ts'
import { type BillingEvent, type Event, isOrderEvent, type OrderEvent, TEST_EVENT_TYPE } from './event.ts'

/** Ids of one event's notification for one hook. */
export interface NotificationIds {
  readonly notificationId: string
  readonly hookId: string
  readonly appId: string
}

export interface NotificationUrls {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Without a trailing slash. */
  readonly billingUrl: string
}

/**
 * The body of a notification: the exact bytes of every attempt. Compact JSON, its keys in this order, absent ones left
 * out. `createdAt` and `updatedAt` are the instant of the event, in the business's time.
 * Source: interface, Event notification; decisions 7, Wire bytes.
 */
export function notificationBody(event: Event, ids: NotificationIds, urls: NotificationUrls): string {
  const at = toTimestamp(event.occurredAt)
  const order = isOrderEvent(event) ? event : undefined
  const billing = isOrderEvent(event) ? undefined : event
  // JSON.stringify keeps the order of the keys and leaves undefined ones out.
  return JSON.stringify({
    createdAt: at,
    updatedAt: at,
    links: order ? orderLinks(order, urls) : billing && billingLinks(billing, urls),
    id: ids.notificationId,
    deviceId: order && `urn:tid:${order.deviceId}`,
    hookId: ids.hookId,
    applicationId: `urn:aid:${ids.appId}`,
    resource: order ? '/orders' : '/apps/subscriptions',
    resourceId: event.resourceId,
    eventType: event.eventType,
    merchantType: billing?.merchantType,
    businessId: event.businessId,
    storeId: order?.storeId,
  })
}

/** The body of a test notification, about its hook. For an app-wide hook, `businessId` is the app's organization. */
export function testBody(
  of: { readonly businessId: string; readonly at: Date },
  { notificationId, hookId, appId }: NotificationIds,
  { baseUrl }: NotificationUrls,
): string {
  const at = toTimestamp(of.at)
  return JSON.stringify({
    createdAt: at,
    updatedAt: at,
    links: [link(`${baseUrl}/hooks/${hookId}`)],
    id: notificationId,
    hookId,
    applicationId: `urn:aid:${appId}`,
    resource: '/hooks',
    resourceId: hookId,
    eventType: TEST_EVENT_TYPE,
    businessId: of.businessId,
  })
}

/** Interface, Delivery 3: the subscription; "payment and refund events also link to the invoice". */
function billingLinks({ appId, businessId, resourceId, invoiceId }: BillingEvent, { billingUrl }: NotificationUrls) {
  const subscription = link(`${billingUrl}/apps/urn:aid:${appId}/subscriptions/${resourceId}`)
  if (invoiceId === undefined) return [subscription]
  return [subscription, link(`${billingUrl}/businesses/${businessId}/invoices/${invoiceId}`)]
}

function orderLinks({ businessId, resourceId }: OrderEvent, { baseUrl }: NotificationUrls) {
  return [link(`${baseUrl}/businesses/${businessId}/orders/${resourceId}`)]
}

function link(href: string) {
  return { href, rel: 'resource', method: 'GET' }
}
