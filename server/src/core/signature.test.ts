import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signHmacSha1, signStandardWebhook } from './signature.ts'

const {
  vectors,
}: { vectors: { secret?: string; secretHex?: string; body: string; signature: string; source: string }[] } = JSON.parse(
  readFileSync(new URL('../../test/vectors/signatures.json', import.meta.url), 'utf8'),
)

for (const { secret, secretHex, body, signature, source } of vectors) {
  test(`HMAC-SHA1 gives the signature of ${source}`, () => {
    assert.equal(signHmacSha1(secret ?? Buffer.from(secretHex ?? '', 'hex'), body), signature)
  })
}

/** The other cases of RFC 2202, section 3, whose keys and texts are not printable. */
const rfc2202 = [
  { key: Buffer.alloc(20, 0xaa), text: Buffer.alloc(50, 0xdd), hex: '125d7342b9ac11cd91a39af48aa17b4f63f175d3' },
  {
    key: Buffer.from(Array.from({ length: 25 }, (_, i) => i + 1)),
    text: Buffer.alloc(50, 0xcd),
    hex: '4c9007f4026250c6bc8414f9bf50c86c2d7235da',
  },
  {
    key: Buffer.alloc(20, 0x0c),
    text: Buffer.from('Test With Truncation'),
    hex: '4c1a03424b55e07fe7f27be1d58bb9324a9a5a04',
  },
  {
    key: Buffer.alloc(80, 0xaa),
    text: Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    hex: 'aa4ae5e15272d00e95705637ce8a3b55ed402112',
  },
  {
    key: Buffer.alloc(80, 0xaa),
    text: Buffer.from('Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data'),
    hex: 'e8e99d0f45237d786d6bbaa7965c7808bbff1a91',
  },
]

for (const [index, { key, text, hex }] of rfc2202.entries()) {
  test(`HMAC-SHA1 gives the signature of RFC 2202 case ${index + 3}`, () => {
    assert.equal(signHmacSha1(key, text), Buffer.from(hex, 'hex').toString('base64'))
  })
}

for (const secret of ['s', 'a secret, not base64!', 'whsec_literal', 'Grüße, 秘密', 'x'.repeat(255)]) {
  test(`a receiver's Standard Webhooks library accepts our signature (secret ${secret.slice(0, 20)})`, () => {
    const id = '019c3d6e-0000-7000-8000-000000000001'
    // The library rejects timestamps older than five minutes by its own clock.
    const timestamp = Math.floor(Date.now() / 1_000)
    const body = Buffer.from('{"eventType":"TEST","name":"Käse"}')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandardWebhook([secret], { id, timestamp, body }),
    }
    const receiver = new Webhook(Buffer.from(secret).toString('base64'))
    assert.deepEqual(receiver.verify(body, headers), { eventType: 'TEST', name: 'Käse' })
    assert.throws(() => receiver.verify(Buffer.from('{"eventType":"TEST","name":"Kase"}'), headers))
    assert.throws(() => receiver.verify(body, { ...headers, 'webhook-timestamp': String(timestamp + 1) }))
  })
}

const ROTATED = ['whsec_dGlsbGhvb2stcXVpY2tzdGFydC1zZWNyZXQ=', 'whsec_c2VjcmV0LW9mLXllc3RlcmRheQ==']

for (const registered of ROTATED) {
  test(`a receiver's Standard Webhooks library accepts the secret as registered (${registered.slice(0, 12)})`, () => {
    const message = { id: '019c3d6e', timestamp: Math.floor(Date.now() / 1_000), body: '{"eventType":"TEST"}' }
    const signature = signStandardWebhook(ROTATED, message)
    const headers = { 'webhook-id': message.id, 'webhook-timestamp': String(message.timestamp) }
    const verify = (secret: string) =>
      new Webhook(secret).verify(message.body, { ...headers, 'webhook-signature': signature })
    assert.deepEqual(verify(registered), { eventType: 'TEST' })
    assert.throws(() => verify('whsec_b3RoZXI='))
    assert.equal(signature.split(' ').length, 4)
  })
}

test('text and its UTF-8 bytes have the same signature', () => {
  const body = '{"name":"Käse"}'
  assert.equal(signHmacSha1('s', body), signHmacSha1(Buffer.from('s'), Buffer.from(body)))
  const message = { id: 'a', timestamp: 1, body }
  assert.equal(signStandardWebhook(['s'], message), signStandardWebhook(['s'], { ...message, body: Buffer.from(body) }))
})

test('an ambiguous id or a fraction of a second is a bug', () => {
  assert.throws(() => signStandardWebhook(['s'], { id: 'a.1', timestamp: 1, body: '' }), /dot/)
  assert.throws(() => signStandardWebhook(['s'], { id: 'a', timestamp: 1.5, body: '' }), /whole seconds/)
})
