import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import {
  fastifyWebhooks,
  type HandlerOptions,
  nodeWebhookHandler,
  signWebhook,
  verifyWebhook,
  webhookHandler,
} from '../src/webhooks.ts'

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

test('a forged webhook is rejected with a code for the reason', async () => {
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

const post = (body: string, key?: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { ...signed(BODY, key), 'content-type': 'application/json' },
})

/** Other routes keep the JSON parsers of Express and Fastify. */
async function openFrameworks(t: TestContext, onEvent: HandlerOptions['onEvent']): Promise<Record<string, string>> {
  const options = { secret: SECRET, onEvent }
  const handle = nodeWebhookHandler(options)
  const node = createServer((request, response) => void handle(request, response))

  const inExpress = express()
  inExpress.post('/webhooks', nodeWebhookHandler(options))
  inExpress.post('/raw', express.raw({ type: 'application/json' }), nodeWebhookHandler(options))
  inExpress.use(express.json())
  inExpress.post('/parsed', nodeWebhookHandler(options))
  inExpress.post('/other', (request, response) => void response.json(request.body))

  const inHono = new Hono()
  inHono.post('/webhooks', c => webhookHandler(options)(c.req.raw))
  const hono = createAdaptorServer({ fetch: inHono.fetch })

  const fastify = Fastify()
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
    done(null, JSON.parse(`${body}`)),
  )
  fastify.register(fastifyWebhooks, { path: '/webhooks', ...options })
  fastify.post('/other', async request => request.body)
  const fastifyUrl = await fastify.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => fastify.close())

  const urlOf = async (server: Pick<Server, 'listen' | 'address' | 'close'> & NodeJS.EventEmitter) => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    'node:http': await urlOf(node),
    Express: await urlOf(createServer(inExpress)),
    Hono: await urlOf(hono as Server),
    Fastify: fastifyUrl,
  }
}

test('the handlers in node:http, Express, Hono, Fastify and Next.js accept, reject, and report a failed listener', async t => {
  let isDown = false
  const ids: string[] = []
  const onEvent = ({ id }: { id: string }) => {
    if (isDown) throw new Error('no database')
    ids.push(id)
  }
  const logged = t.mock.method(console, 'error', () => {})
  const urls = await openFrameworks(t, onEvent)
  // A route handler of Next.js is a function from Request to Response.
  const POST = webhookHandler({ secret: SECRET, onEvent })
  const receivers = [
    (init: RequestInit) => POST(new Request('http://x/webhooks', init)),
    ...Object.values(urls).map(url => (init: RequestInit) => fetch(`${url}/webhooks`, init)),
    (init: RequestInit) => fetch(`${urls.Express}/raw`, init),
  ]
  for (const receive of receivers) {
    assert.equal((await receive(post(BODY))).status, 200)
    const forged = await receive(post(`${BODY} `))
    assert.equal(forged.status, 400)
    assert.match(await forged.text(), /signature does not match/)
    isDown = true
    assert.equal((await receive(post(BODY))).status, 500)
    isDown = false
  }
  assert.deepEqual(ids, Array(receivers.length).fill(ID))
  assert.equal(logged.mock.callCount(), receivers.length)
  assert.match(String(logged.mock.calls[0]?.arguments), /webhook listener failed.*no database/)

  for (const url of [urls.Express, urls.Fastify]) {
    const other = await fetch(`${url}/other`, { ...post('{"a":1}') })
    assert.deepEqual(await other.json(), { a: 1 })
  }
  const parsed = await fetch(`${urls.Express}/parsed`, post(BODY))
  assert.equal(parsed.status, 500)
  assert.match(await parsed.text(), /express\.raw/)
})
