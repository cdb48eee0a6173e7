import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { createTillhook } from '../src/client.ts'
import { TillhookConnectionError, TillhookError } from '../src/errors.ts'

/* A server that answers by script, for what a healthy service does not do. test/package.test.ts runs against the service. */

const APP = 'urn:aid:019a3c7e-5c00-7000-8000-000000000002'
const TOKENS = { refreshToken: 'r', expiresIn: 86_400, scope: 'ALL', tokenType: 'BEARER' }
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Ends the connection without a response. */
  readonly hangUp?: true
}

async function open(t: TestContext, reply: (seen: Seen, n: number) => Reply) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seen.push(one)
    const { status = 200, headers = {}, body: answer = {}, hangUp } = reply(one, seen.length)
    if (hangUp) response.destroy()
    else response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}

const problem = (httpStatus: number, code: string) => ({
  status: httpStatus,
  body: { code, httpStatus, message: 'm', developerMessage: 'what to do', requestId: 'req-1' },
})

test('a token that is revoked in the middle of a page walk is renewed once, and the walk goes on', async t => {
  let issued = 0
  const { seen, baseUrl } = await open(t, ({ url, headers }) => {
    if (url === '/token') return { body: { ...TOKENS, accessToken: `t${++issued}` } }
    const start = Number(new URL(url, 'http://x').searchParams.get('start') ?? 0)
    if (start === 1 && headers.authorization === 'Bearer t1') return problem(401, 'INVALID_ACCESS_TOKEN')
    return { body: { list: [{ planId: `p${start}` }], start, total: 3, count: 1 } }
  })
  const app = createTillhook({ baseUrl, appId: APP, privateKey })
  const ids: string[] = []
  for await (const { planId } of app.each('listPlans')) ids.push(planId)
  assert.deepEqual(ids, ['p0', 'p1', 'p2'])
  assert.equal(issued, 2)
  assert.match(seen[1]?.url ?? '', new RegExp(`^/apps/${encodeURIComponent(APP)}/plans$`))
})

test('a second 401 is an error, and concurrent calls share one token request', async t => {
  let issued = 0
  const { baseUrl } = await open(t, ({ url }) =>
    url === '/token' ? { body: { ...TOKENS, accessToken: `t${++issued}` } } : problem(401, 'INVALID_ACCESS_TOKEN'),
  )
  const app = createTillhook({ baseUrl, appId: APP, privateKey })
  const isRejected = (error: unknown) => error instanceof TillhookError && error.code === 'INVALID_ACCESS_TOKEN'
  await Promise.all([1, 2, 3].map(() => assert.rejects(app.listPlans(), isRejected)))
  assert.equal(issued, 2)
})

test('a clock that is ten minutes wrong is corrected by the Date header of the rejected assertion', async t => {
  const { baseUrl } = await open(t, ({ url, body }) => {
    if (url !== '/token') return { body: { list: [], start: 0, total: 0, count: 0 } }
    const assertion = new URLSearchParams(body).get('assertion') ?? ''
    const { iat, aud } = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString())
    assert.equal(aud, 'https://api.example')
    const now = Date.now() + 600_000
    const date = new Date(now).toUTCString()
    const isOff = Math.abs(iat - now / 1000) > 60
    if (isOff) return { ...problem(401, 'INVALID_ASSERTION'), headers: { date } }
    return { body: { ...TOKENS, accessToken: 'a' } }
  })
  const app = createTillhook({ baseUrl, audience: 'https://api.example', appId: APP, privateKey })
  assert.deepEqual((await app.listPlans()).list, [])
})

test('429 waits for Retry-After, and a broken connection repeats a POST with the same idempotency key', async t => {
  const { seen, baseUrl } = await open(t, (_, n) => {
    if (n === 1) return { ...problem(429, 'TOO_MANY_REQUESTS'), headers: { 'retry-after': '1' } }
    return n === 2 ? { hangUp: true } : { status: 201, body: { businessId: 'b' } }
  })
  const client = createTillhook({ baseUrl, token: 'k' })
  const from = performance.now()
  const body = { legalName: 'A', emailAddress: 'a@b.example', country: 'US', type: 'MERCHANT' as const }
  assert.equal((await client.createBusiness({ body })).businessId, 'b')
  assert.ok(performance.now() - from > 990)
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
  assert.ok(seen[0]?.headers['idempotency-key'])
})

test('a PATCH takes no key, so a broken connection is an error and the PATCH is not repeated', async t => {
  const { seen, baseUrl } = await open(t, () => ({ hangUp: true }))
  const client = createTillhook({ baseUrl, token: 'k', appId: APP })
  await assert.rejects(client.updateApp({ body: { name: 'B' } }), TillhookConnectionError)
  assert.equal(seen.length, 1)
})

test('an answer of a proxy that is not JSON is a typed error with the status', async t => {
  const { baseUrl } = await open(t, (_, n) => (n === 1 ? { status: 403, body: '<html>' } : { body: '<html>' }))
  const client = createTillhook({ baseUrl, token: 'k', appId: APP })
  for (const status of [403, 200]) {
    await assert.rejects(client.getApp(), { name: 'TillhookError', status, code: 'UNREADABLE_RESPONSE' })
  }
})

test('an aborted call ends at once with the reason, also between two attempts', async t => {
  const { baseUrl } = await open(t, () => ({
    ...problem(503, 'SERVICE_UNAVAILABLE'),
    headers: { 'retry-after': '50' },
  }))
  const client = createTillhook({ baseUrl, token: 'k', appId: APP })
  const signal = AbortSignal.timeout(200)
  await assert.rejects(client.getApp({}, { signal }), { name: 'TimeoutError' })
})

test('bad arguments are named: a missing id, a key that is not PKCS#8', async t => {
  const { baseUrl } = await open(t, () => ({}))
  await assert.rejects(createTillhook({ baseUrl, token: 'k' }).listPlans(), /listPlans: appId is missing/)
  const app = createTillhook({ baseUrl, appId: APP, privateKey: '-----BEGIN RSA PRIVATE KEY-----\n-----END' })
  await assert.rejects(app.listPlans(), /PKCS#8 PEM/)
})
