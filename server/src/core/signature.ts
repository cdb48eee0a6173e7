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
 * The value of `webhook-signature`: `v1,<base64>` of the HMAC-SHA256 over `id.timestamp.body`, once for each key, separated by spaces. The
 * keys are the UTF-8 bytes of each secret and, for a secret `whsec_<base64>`, also the decoded bytes, so that Standard Webhooks libraries
 * accept the secret as registered. The secret before a rotation follows the current one. Source: decisions 7; Standard Webhooks, "Signature
 * scheme".
 */
export function signStandardWebhook(
  secrets: readonly (string | Buffer)[],
  { id, timestamp, body }: StandardWebhook,
): string {
  assert(!id.includes('.'), 'signStandardWebhook: a dot in the id makes the signed text ambiguous')
  assert(Number.isSafeInteger(timestamp), `signStandardWebhook: ${timestamp} is not in whole seconds`)
  const sign = (key: string | Buffer) =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  return secrets.flatMap(keysOf).map(sign).join(' ')
}

function keysOf(secret: string | Buffer): (string | Buffer)[] {
  if (typeof secret !== 'string') return [secret]
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  return base64 === undefined ? [secret] : [secret, Buffer.from(base64, 'base64')]
}
