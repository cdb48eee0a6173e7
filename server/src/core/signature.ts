import { createHmac } from 'node:crypto'
import { assert } from './assert.ts'

export interface StandardWebhook {
  /** The notification's id, the same on every attempt. */
  readonly id: string
  /** Seconds since 1970 of this attempt. */
  readonly timestamp: number
  /** The exact bytes on the wire. */
  readonly body: string | Buffer
}

/**
 * The value of `Service-Webhook-Signature`: base64 of the raw HMAC-SHA1 of the body, keyed by the UTF-8 bytes of the
 * hook's secret. Source: interface, Webhook authenticity.
 */
export function signHmacSha1(secret: string | Buffer, body: string | Buffer): string {
  return createHmac('sha1', secret).update(body).digest('base64')
}

/**
 * The value of `webhook-signature`: `v1,<base64>` of the HMAC-SHA256 over `id.timestamp.body`, keyed by the UTF-8 bytes
 * of the secret. A library of Standard Webhooks, which reads secrets as base64, is given those bytes in base64.
 * Source: decisions 7; Standard Webhooks, "Signature scheme".
 */
export function signStandardWebhook(secret: string | Buffer, { id, timestamp, body }: StandardWebhook): string {
  assert(!id.includes('.'), 'signStandardWebhook: a dot in the id makes the signed text ambiguous')
  assert(Number.isSafeInteger(timestamp), `signStandardWebhook: ${timestamp} is not in whole seconds`)
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}
