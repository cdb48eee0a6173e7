import { BODY_EVENT_TYPES, type BodyEventType, OPT_IN_EVENT_TYPES } from '../../core/event.ts'
import { EVENT_MEANINGS } from '../../core/event-meanings.ts'
import { sampleBody } from '../../core/sample-event.ts'
import type { Operation } from './openapi.ts'

/** How a listener verifies a delivery. */
export const SIGNATURES = `Each delivery carries these headers:

- \`Service-Webhook-Signature\`: base64(HMAC-SHA1(body, secret)), over the raw bytes of the body.
- \`webhook-id\`: the id of the notification, the same on every attempt. Drop deliveries whose id you have processed.
- \`webhook-timestamp\`: Unix seconds of the attempt.
- \`webhook-signature\`: Standard Webhooks, v1,base64(HMAC-SHA256(id.timestamp.body, secret)). The key is the secret as UTF-8 bytes. For a secret whsec_<base64>, a second signature follows after a space, keyed by the decoded bytes: Standard Webhooks libraries verify it with the secret as registered.
- \`Service-Request-Id\`: a new id per attempt.

Compare signatures in constant time, and verify the raw body before parsing it.`

function webhookOf(type: BodyEventType): Operation {
  const isOptIn = OPT_IN_EVENT_TYPES.some(one => one === type)
  const words = type.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    operationId: `on${words[0]?.toUpperCase()}${words.slice(1)}`,
    tags: ['Webhooks'],
    summary: EVENT_MEANINGS[type].replace(/[.:].*$/, ''),
    description: `${EVENT_MEANINGS[type]}${isOptIn ? ' Sent only to hooks that name this event type.' : ''} The body has no data of the resource: read the resource by the GET link. Respond with 200 within 2 seconds. Tillhook retries after any other response, or without a response, for up to 72 hours, so expect duplicates.`,
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
const SAMPLE = {
  businessId: '019a3c7e-5c00-7000-8000-0000000000d4',
  merchantType: 'MERCHANT',
  resourceId: '019a3c7e-5c00-7000-8000-0000000000d5',
  invoiceId: '019a3c7e-5c00-7000-8000-0000000000d6',
  storeId: '019a3c7e-5c00-7000-8000-0000000000d7',
  deviceId: '019a3c7e-5c00-7000-8000-0000000000d8',
  at: new Date('2026-01-31T09:30:15.678Z'),
} as const

/** The example body of each event type, byte for byte as a delivery posts it. */
export function eventBodies(): Map<BodyEventType, string> {
  return new Map(BODY_EVENT_TYPES.map(eventType => [eventType, bodyOf(eventType)]))
}

function bodyOf(eventType: BodyEventType): string {
  return sampleBody(eventType, SAMPLE, NOTIFICATION, URLS)
}

/** Each event type as a webhook of OpenAPI 3.1. */
export const WEBHOOKS: Readonly<Record<string, { readonly post: Operation }>> = Object.fromEntries(
  BODY_EVENT_TYPES.map(type => [type, { post: webhookOf(type) }]),
)
