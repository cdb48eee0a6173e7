import { signHmacSha1, signStandardWebhook } from '../../core/signature.ts'
import type { PostRequest } from '../../platform/egress/post.ts'

export interface RequestParts {
  readonly notificationId: string
  readonly hookId: string
  readonly deliveryUrl: string
  readonly body: string
  readonly secret: string
  /** New for each attempt. */
  readonly requestId: string
  /** When this attempt is made, in real time. */
  readonly now: Date
  /** Of this service. */
  readonly version: string
}

/** The POST of one attempt. Interface, Delivery 1 and Webhook authenticity; decisions 7, "Headers beside the signature". */
export function deliveryRequest(parts: RequestParts): PostRequest {
  const { notificationId: id, hookId, deliveryUrl, body, secret, requestId, now, version } = parts
  const timestamp = Math.floor(now.getTime() / 1_000)
  return {
    url: deliveryUrl,
    sharer: hookId,
    body,
    headers: {
      'Content-Type': 'application/json',
      'Service-Webhook-Signature': signHmacSha1(secret, body),
      'Service-Request-Id': requestId,
      'User-Agent': `Tillhook/${version}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhook(secret, { id, timestamp, body }),
    },
  }
}
