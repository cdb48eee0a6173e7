import { readFileSync } from 'node:fs'
import { signHmacSha1, signStandardWebhook } from '../../server/src/core/signature.ts'

interface Vector {
  readonly secret?: string
  readonly secretHex?: string
  readonly body: string
  readonly source: string
}

const OWN: readonly Vector[] = [
  { secret: 'a secret of letters', body: '{}', source: 'the shortest JSON' },
  { secret: 'a secret of letters', body: '', source: 'no body at all' },
  { secret: 'Schlüssel 🔑 鍵', body: '{"name":"Grüße 🔑"}', source: 'letters of several bytes: both are UTF-8' },
  { secret: 'x'.repeat(255), body: '{}', source: 'the longest secret, longer than a block of the hash' },
  { secret: 'aGVsbG8=', body: '{}', source: 'a secret that looks like base64 is not decoded' },
  {
    secret: 'whsec_aGVsbG8=',
    body: '{}',
    source: 'a secret with the prefix of Standard Webhooks signs twice: as it is, and decoded',
  },
]

const ID = '019a3c7e-5c00-7000-8000-0000000000d1'
/** The instant of the attempt. */
const TIMESTAMP = 1_769_851_816

/** Both signatures of known bodies under known secrets: RFC vectors, our own, and one per event type. */
export function signatureVectors(bodies: ReadonlyMap<string, string>) {
  const ofEvents: Vector[] = (['APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS', 'ORDER_OPENED'] as const).map(eventType => ({
    secret: 'a secret of letters',
    body: bodies.get(eventType) ?? '',
    source: `events/${eventType}.json`,
  }))
  return {
    'Service-Webhook-Signature': 'base64 of the raw HMAC-SHA1 of the body, keyed by the UTF-8 bytes of the secret',
    'webhook-signature':
      'v1, and base64 of the HMAC-SHA256 of webhook-id.webhook-timestamp.body, keyed by the UTF-8 bytes of the secret; for a secret whsec_<base64> a second signature, after a space, keyed by the decoded bytes',
    vectors: [...published(), ...OWN, ...ofEvents].map(({ source, ...vector }) => {
      const secret = vector.secretHex === undefined ? (vector.secret ?? '') : Buffer.from(vector.secretHex, 'hex')
      const { body } = vector
      return {
        source,
        ...vector,
        headers: {
          'Service-Webhook-Signature': signHmacSha1(secret, body),
          'webhook-id': ID,
          'webhook-timestamp': String(TIMESTAMP),
          'webhook-signature': signStandardWebhook([secret], { id: ID, timestamp: TIMESTAMP, body }),
        },
      }
    }),
  }
}

/** Published vectors. server/src/core/signature.test.ts tests our signatures against them. */
function published(): Vector[] {
  const path = new URL('../../server/test/vectors/signatures.json', import.meta.url)
  const { vectors } = JSON.parse(readFileSync(path, 'utf8')) as { vectors: (Vector & { signature: string })[] }
  return vectors.map(({ signature: _, ...vector }) => vector)
}
