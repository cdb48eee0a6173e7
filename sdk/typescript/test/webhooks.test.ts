import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { test } from 'node:test'
import Fastify from 'fastify'
import { fastifyWebhooks, nodeWebhookHandler, signWebhook, verifyWebhook, webhookHandler } from '../src/webhooks.ts'

const SECRET = 'whsec_dGlsbGhvb2stc2RrLXRlc3Qtc2VjcmV0'
const CONTRACT = new URL('../../../contract/', import.meta.url)
const BODY = readFileSync(new URL('events/APPLICATION_SUBSCRIPTION_START.json', CONTRACT), 'utf8')
const ID = JSON.parse(BODY).id as string

function signed(body: string, key: string | Buffer = SECRET, atSeconds = Math.floor(Date.now() / 1000)) {
  const signature = createHmac('sha256', key).update(`${ID}.${atSeconds}.${body}`).digest('base64')
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': `v1a,x v1,!! v1,${signature}`,
  }
}

test('both keys of a whsec_ secret verify, and the old secret verifies during a rotation', async () => {
  const decoded = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  for (const key of [SECRET, decoded]) {
    assert.equal((await verifyWebhook(BODY, signed(BODY, key), { secret: SECRET })).id, ID)
  }
  const event = await verifyWebhook(Buffer.from(BODY), new Headers(signed(BODY, 'old')), { secret: ['new', 'old'] })
  assert.equal(event.eventType, 'APPLICATION_SUBSCRIPTION_START')
})

test('the original scheme verifies every signature vector of the contract with a text secret', async () => {
  const { vectors } = JSON.parse(readFileSync(new URL('signatures.json', CONTRACT), 'utf8'))
  let verified = 0
  for (const { secret, body, headers } of vectors) {
    if (typeof secret !== 'string' || secret === '' || typeof body !== 'string') continue
    const result = verifyWebhook(body, headers, { secret, scheme: 'original' })
    if (body.startsWith('{')) await result
    else await assert.rejects(result, { code: 'BAD_BODY' })
    await assert.rejects(verifyWebhook(`${body} `, headers, { secret, scheme: 'original' }), { code: 'BAD_SIGNATURE' })
    verified++
  }
  assert.ok(verified >= 3)
})

test('signWebhook makes headers that both schemes accept', async () => {
  for (const secret of [SECRET, 'plain secret ü']) {
    const headers = await signWebhook(BODY, { secret })
    assert.equal((await verifyWebhook(BODY, headers, { secret })).id, ID)
    assert.equal((await verifyWebhook(BODY, headers, { secret, scheme: 'original' })).id, ID)
    await assert.rejects(verifyWebhook(BODY, headers, { secret: 'another' }), { code: 'BAD_SIGNATURE' })
  }
})

test('what is not genuine is rejected by a code that says why', async () => {
  const now = Math.floor(Date.now() / 1000)
  const options = { secret: SECRET }
  const rejects = (body: unknown, headers: Record<string, string>, code: string, message: RegExp) =>
    assert.rejects(verifyWebhook(body as string, headers, options), (error: Error & { code?: string }) => {
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  const good = signed(BODY)
  await rejects(JSON.parse(BODY), good, 'BODY_PARSED', /express\.raw/)
  const spaced = JSON.stringify(JSON.parse(BODY), null, 1)
  await rejects(spaced, good, 'BAD_SIGNATURE', /serialised again/)
  await rejects(BODY, signed(BODY, 'another'), 'BAD_SIGNATURE', /Check the secret/)
  await rejects(BODY, { ...good, 'webhook-id': 'other' }, 'BAD_SIGNATURE', /secret/)
  await rejects(BODY, signed(BODY, SECRET, now - 600), 'TOO_OLD', /60\d seconds before this clock/)
  await rejects(BODY, signed(BODY, SECRET, now + 600), 'TOO_OLD', /clock/)
  await rejects(BODY, { ...good, 'webhook-timestamp': 'soon' }, 'TOO_OLD', /clock/)
  await rejects(BODY, { 'webhook-id': ID, 'webhook-timestamp': String(now) }, 'HEADER_MISSING', /webhook-signature/)
  // Stripping the standard headers must not fall back to the scheme without a timestamp.
  const sha1 = createHmac('sha1', SECRET).update(BODY).digest('base64')
  await rejects(BODY, { 'Service-Webhook-Signature': sha1 }, 'HEADER_MISSING', /webhook-id/)
  await assert.rejects(verifyWebhook(BODY, good, { secret: '' }), /the secret is empty/)
})

test('the handlers for fetch, node:http with Express, and Fastify accept, reject, and report a failed listener', async t => {
  let isDown = false
  const ids: string[] = []
  const onEvent = ({ id }: { id: string }) => {
    if (isDown) throw new Error('down')
    ids.push(id)
  }
  const node = createServer(
    (request, response) => void nodeWebhookHandler({ secret: SECRET, onEvent })(request, response),
  )
  node.listen(0, '127.0.0.1')
  await once(node, 'listening')
  t.after(() => node.close())
  const fastify = Fastify()
  await fastify.register(fastifyWebhooks, { path: '/webhooks', secret: SECRET, onEvent })
  fastify.post('/other', async request => request.body)
  const fastifyUrl = await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => fastify.close())
  const handle = webhookHandler({ secret: SECRET, onEvent })
  const receivers = [
    (init: RequestInit) => handle(new Request('http://x/webhooks', init)),
    (init: RequestInit) => fetch(`http://127.0.0.1:${(node.address() as { port: number }).port}`, init),
    (init: RequestInit) => fetch(`${fastifyUrl}/webhooks`, init),
  ]
  for (const receive of receivers) {
    const init = { method: 'POST', body: BODY, headers: { ...signed(BODY), 'content-type': 'application/json' } }
    assert.equal((await receive(init)).status, 200)
    const forged = await receive({ ...init, body: `${BODY} ` })
    assert.equal(forged.status, 400)
    assert.match(await forged.text(), /signature does not match/)
    isDown = true
    assert.equal((await receive(init)).status, 500)
    isDown = false
  }
  assert.deepEqual(ids, [ID, ID, ID])

  const other = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } }
  assert.deepEqual(await (await fetch(`${fastifyUrl}/other`, other)).json(), { a: 1 })
})

test('a body that express.json() has parsed answers 500 with the remedy', async () => {
  let text: string | undefined
  const response = { statusCode: 0, end: (message?: string) => (text = message) }
  const request = { headers: signed(BODY), body: JSON.parse(BODY), async *[Symbol.asyncIterator]() {} }
  await nodeWebhookHandler({ secret: SECRET, onEvent: () => assert.fail() })(request, response)
  assert.equal(response.statusCode, 500)
  assert.match(text ?? '', /express\.raw/)
})
