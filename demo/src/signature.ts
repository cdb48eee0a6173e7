import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Verifies that the sender of the body knows the hook's secret. Takes the raw body, before parsing.
 * Interface, Webhook authenticity: "base64 encoding of the raw (binary) HMAC-SHA1 of the request body".
 */
export function isSignatureValid(body: Buffer, secret: string | Buffer, signature: string | undefined): boolean {
  const given = Buffer.from(signature ?? '')
  const expected = Buffer.from(createHmac('sha1', secret).update(body).digest('base64'))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
