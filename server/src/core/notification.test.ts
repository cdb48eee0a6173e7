import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BILLING_EVENT_TYPES,
  type BillingEvent,
  type Event,
  OPT_IN_EVENT_TYPES,
  ORDER_EVENT_TYPES,
  type OrderEvent,
} from './event.ts'
import { notificationBody } from './notification.ts'

const ids = {
  notificationId: '01900000-0000-7000-8000-000000000001',
  hookId: '01900000-0000-7000-8000-000000000002',
  appId: '01900000-0000-7000-8000-000000000003',
}
const urls = { baseUrl: 'https://api.example.com', billingUrl: 'https://billing.example.com' }
const of = {
  businessId: '01900000-0000-7000-8000-000000000004',
  resourceId: '01900000-0000-7000-8000-000000000005',
  resourceSeq: 3,
  occurredAt: new Date('2026-01-31T23:59:59.999Z'),
}
const billing: Omit<BillingEvent, 'eventType'> = { ...of, appId: ids.appId, merchantType: 'TEST_MERCHANT' }
const order: Omit<OrderEvent, 'eventType'> = {
  ...of,
  storeId: '01900000-0000-7000-8000-000000000006',
  deviceId: '01900000-0000-7000-8000-000000000007',
}
const invoiceId = '01900000-0000-7000-8000-000000000008'

const SUBSCRIPTION_LINK =
  '{"href":"https://billing.example.com/apps/urn:aid:01900000-0000-7000-8000-000000000003/subscriptions/01900000-0000-7000-8000-000000000005","rel":"resource","method":"GET"}'
const INVOICE_LINK =
  '{"href":"https://billing.example.com/businesses/01900000-0000-7000-8000-000000000004/invoices/01900000-0000-7000-8000-000000000008","rel":"resource","method":"GET"}'

function billingBytes(eventType: string, links: string): string {
  return `{"createdAt":"2026-01-31T23:59:59Z","updatedAt":"2026-01-31T23:59:59Z","links":[${links}],"id":"01900000-0000-7000-8000-000000000001","hookId":"01900000-0000-7000-8000-000000000002","applicationId":"urn:aid:01900000-0000-7000-8000-000000000003","resource":"/apps/subscriptions","resourceId":"01900000-0000-7000-8000-000000000005","eventType":"${eventType}","merchantType":"TEST_MERCHANT","businessId":"01900000-0000-7000-8000-000000000004"}`
}

for (const eventType of [...BILLING_EVENT_TYPES, ...OPT_IN_EVENT_TYPES]) {
  test(`${eventType} has exactly these bytes`, () => {
    const event: Event = { ...billing, eventType }
    assert.equal(notificationBody(event, ids, urls), billingBytes(eventType, SUBSCRIPTION_LINK))
  })
}

for (const eventType of [
  'APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS',
  'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS',
] as const) {
  test(`${eventType} has a link to its invoice after the link to its subscription`, () => {
    const body = notificationBody({ ...billing, eventType, invoiceId }, ids, urls)
    assert.equal(body, billingBytes(eventType, `${SUBSCRIPTION_LINK},${INVOICE_LINK}`))
  })
}

for (const eventType of ORDER_EVENT_TYPES) {
  test(`${eventType} has exactly these bytes`, () => {
    assert.equal(
      notificationBody({ ...order, eventType }, ids, urls),
      `{"createdAt":"2026-01-31T23:59:59Z","updatedAt":"2026-01-31T23:59:59Z","links":[{"href":"https://api.example.com/businesses/01900000-0000-7000-8000-000000000004/orders/01900000-0000-7000-8000-000000000005","rel":"resource","method":"GET"}],"id":"01900000-0000-7000-8000-000000000001","deviceId":"urn:tid:01900000-0000-7000-8000-000000000007","hookId":"01900000-0000-7000-8000-000000000002","applicationId":"urn:aid:01900000-0000-7000-8000-000000000003","resource":"/orders","resourceId":"01900000-0000-7000-8000-000000000005","eventType":"${eventType}","businessId":"01900000-0000-7000-8000-000000000004","storeId":"01900000-0000-7000-8000-000000000006"}`,
    )
  })
}
