import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

/** Verifies a webhook. `body` is the raw request body, before JSON parsing. Throws if the webhook is not genuine. */
export function verify(body, headers, secret) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_SECONDS)) throw new Error('the webhook is too old, or this clock is wrong')

  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest()
  const isGenuine = headers['webhook-signature'].split(' ').some(signature => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isGenuine) throw new Error('the signature does not match: check the secret, and verify the raw body')
  return JSON.parse(body)
}
