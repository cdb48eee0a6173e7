import {
  type BillingEventType,
  BODY_EVENT_TYPES,
  OPT_IN_EVENT_TYPES,
  ORDER_EVENT_TYPES,
  type OrderEventType,
  TEST_EVENT_TYPE,
} from '../../core/event.ts'
import { notificationBody, testBody } from '../../core/notification.ts'
import type { Operation } from './openapi.ts'

type BodyEventType = (typeof BODY_EVENT_TYPES)[number]

const MEANINGS: Readonly<Record<BodyEventType, string>> = {
  APPLICATION_SUBSCRIPTION_START: 'A merchant subscribed, with or without a trial.',
  APPLICATION_SUBSCRIPTION_END: 'A subscription ended: cancelled, unpaid, disputed, or ended by the operator.',
  APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS: 'A charge succeeded. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_PAYMENT_FAIL: 'A charge was declined. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_PHASE_CHANGE: 'A trial ended and the paid phase began.',
  APPLICATION_SUBSCRIPTION_REFUND_SUCCESS: 'The gateway confirmed a refund. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_TRIAL_ENDING: 'A trial ends in 3 days.',
  APPLICATION_SUBSCRIPTION_CANCEL_SCHEDULED: 'A subscription will end when its paid period is over.',
  APPLICATION_SUBSCRIPTION_RESTORED: 'A scheduled cancellation was taken back.',
  APPLICATION_SUBSCRIPTION_PLAN_CHANGE: 'A subscription moved to another plan.',
  APPLICATION_SUBSCRIPTION_TRANSFERRED: 'A subscription moved to another store or terminal.',
  APPLICATION_SUBSCRIPTION_DISPUTE_OPENED:
    'The bank of a payer reclaims a charge. The second link leads to the invoice.',
  APPLICATION_SUBSCRIPTION_DISPUTE_CLOSED: 'The bank decided a dispute. The second link leads to the invoice.',
  ORDER_OPENED: 'An order was opened.',
  ORDER_COMPLETED: 'An order was completed.',
  ORDER_CANCELLED: 'An order was cancelled.',
  ORDER_UPDATED: 'An open order was edited.',
  TEST: 'Sent by POST /hooks/{hookId}/test, only to that hook.',
}

/** How a listener verifies a delivery. */
export const SIGNATURES = `Each delivery carries these headers:

- \`Service-Webhook-Signature\`: base64(HMAC-SHA1(body, secret)), over the raw bytes of the body.
- \`webhook-id\`: the id of the notification, the same on every attempt. Drop duplicates by it.
- \`webhook-timestamp\`: Unix seconds of the attempt.
- \`webhook-signature\`: Standard Webhooks, v1,base64(HMAC-SHA256(id.timestamp.body, secret)). The key is the secret as UTF-8 bytes. For a secret whsec_<base64>, a second signature follows after a space, keyed by the decoded bytes: Standard Webhooks libraries verify it with the secret as registered.
- \`Service-Request-Id\`: a new id per attempt.

Compare signatures in constant time, and verify the raw body before parsing it.`

function webhookOf(type: BodyEventType): Operation {
  const isOptIn = isOneOf(OPT_IN_EVENT_TYPES, type)
  const words = type.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    operationId: `on${words[0]?.toUpperCase()}${words.slice(1)}`,
    tags: ['Webhooks'],
    summary: MEANINGS[type].replace(/[.:].*$/, ''),
    description: `${MEANINGS[type]}${isOptIn ? ' Sent only to hooks that name this event type.' : ''} The body carries no resource data: fetch the resource by the GET link. Answer 200 within 2 seconds; any other response or none is retried for up to 72 hours, so expect duplicates.`,
    security: [],
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Notification' },
          example: JSON.parse(bodyOf(type)),
        },
      },
    },
    responses: {
      200: { description: 'Acknowledged' },
      '4XX': { description: 'Retried. 410 for 24 hours disables the hook.' },
    },
  }
}

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
const LOCATION = {
  storeId: '019a3c7e-5c00-7000-8000-0000000000d7',
  deviceId: '019a3c7e-5c00-7000-8000-0000000000d8',
}

/** The example body of each event type, byte for byte as a delivery posts it. */
export function eventBodies(): Map<BodyEventType, string> {
  return new Map(BODY_EVENT_TYPES.map(eventType => [eventType, bodyOf(eventType)]))
}

function bodyOf(eventType: BodyEventType): string {
  if (eventType === TEST_EVENT_TYPE) {
    return testBody({ businessId: HAPPENED.businessId, at: HAPPENED.occurredAt }, NOTIFICATION, URLS)
  }
  if (isOneOf<OrderEventType>(ORDER_EVENT_TYPES, eventType)) {
    return notificationBody({ ...HAPPENED, ...LOCATION, eventType }, NOTIFICATION, URLS)
  }
  // Interface, Delivery 3: "payment and refund events also link to the invoice".
  const isAboutMoney = /_(PAYMENT|REFUND)_/.test(eventType)
  const invoice = isAboutMoney ? { invoiceId: '019a3c7e-5c00-7000-8000-0000000000d6' } : {}
  const billing = {
    appId: NOTIFICATION.appId,
    merchantType: 'MERCHANT',
    eventType: eventType as BillingEventType,
  } as const
  return notificationBody({ ...HAPPENED, ...invoice, ...billing }, NOTIFICATION, URLS)
}

function isOneOf<T extends string>(types: readonly T[], type: string): type is T {
  return (types as readonly string[]).includes(type)
}

/** Each event type as a webhook of OpenAPI 3.1. */
export const WEBHOOKS: Readonly<Record<string, { readonly post: Operation }>> = Object.fromEntries(
  BODY_EVENT_TYPES.map(type => [type, { post: webhookOf(type) }]),
)
