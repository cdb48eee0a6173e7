import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { type AnyRoute, answer, route } from '../../platform/http/route.ts'
import { testServer } from '../../platform/http/server.fixture.ts'
import { openApiDocument } from './document.ts'
import type { OpenApi } from './openapi.ts'
import { referencePage } from './page.ts'
import { contractRoutes } from './routes.ts'
import { samplesOf } from './samples.ts'

const EVIL = `</style><script>alert("1")</script>&'`
const SERVED = { baseUrl: 'https://api.example', billingUrl: 'https://billing.example', version: '1.0.0' }

const evil = route({
  method: 'POST',
  path: '/orders/:orderId',
  name: 'changeOrder',
  operation: 'orders.write',
  summary: EVIL,
  params: Type.Object({ orderId: Type.String({ description: EVIL }) }),
  body: Type.Object({ [EVIL]: Type.String({ description: EVIL }), of: Type.Array(Type.Object({ a: Type.Integer() })) }),
  answers: { 201: Type.Object({ choice: Type.Enum([EVIL]) }) },
  handle: async () => answer(201, {}),
})

test('text of the document never becomes markup', () => {
  const page = referencePage(openApiDocument([evil], SERVED))
  assert.equal(page.match(/<script/gi)?.length, 1)
  assert.equal(page.match(/<\/style>/g)?.length, 1)
  assert.ok(page.includes('&lt;/style&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'))
  assert.ok(page.includes('of[].a'))
  assert.ok(page.includes('<span>change<wbr>Order</span>'), 'a long name breaks between its words')
})

test('the page runs its own script alone and loads nothing', async () => {
  const { app } = testServer(contractRoutes([evil], SERVED))
  const { statusCode, headers, body } = await app.inject('/docs')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  const policy = String(headers['content-security-policy'])
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; script-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self'; base-uri/,
  )
  assert.doesNotMatch(policy, /unsafe|https?:/)
  const [, script = ''] = body.match(/<script>([\s\S]*?)<\/script>/) ?? []
  assert.ok(policy.includes(createHash('sha256').update(script).digest('base64')))
  assert.doesNotMatch(
    body.replace(script, '').replace('<script></script>', ''),
    /<(script|link|img|iframe|object|embed|form|base)\b|\bstyle="|\bon[a-z]+=|@import|url\(/i,
  )
  const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
  assert.deepEqual(
    links.filter(href => !href.startsWith('#') && !['/openapi.json', '/guides', '/'].includes(href)),
    [],
  )
  const ids = new Set([...body.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id))
  assert.deepEqual(
    links.filter(href => href.startsWith('#') && !ids.has(href.slice(1))),
    [],
  )
  await app.close()
})

test('the reference of the whole contract is below 150 kB compressed and has samples in five languages', () => {
  const contract = readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8')
  const page = referencePage(JSON.parse(contract))
  const bytes = gzipSync(page, { level: 1 }).length
  assert.ok(bytes < 150_000, `${bytes} bytes`)
  const operations = page.match(/<article class="operation"/g)?.length ?? 0
  assert.ok(operations > 100)
  for (const language of ['curl', 'TypeScript', 'Python', 'Java', 'Go']) {
    assert.equal(page.split(`<summary>${language}</summary>`).length - 1, operations, language)
  }
})

test('the document lists every route, including the route of the document, and both hosts', async () => {
  const { app } = testServer(contractRoutes([evil], SERVED))
  const { statusCode, headers, body } = await app.inject('/openapi.json')
  assert.equal(statusCode, 200)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const document: OpenApi = JSON.parse(body)
  assert.deepEqual(Object.keys(document.paths), ['/orders/{orderId}', '/openapi.json', '/docs'])
  assert.deepEqual(
    document.servers.map(server => server.url),
    ['https://api.example', 'https://billing.example'],
  )
  await app.close()
})

test('an operation lists each code once, below its status', () => {
  const routes: AnyRoute[] = [{ ...evil, rejections: ['ORDER_NOT_FOUND', 'ORDER_CLOSED', 'FORBIDDEN'] }]
  const { paths } = openApiDocument(routes, SERVED)
  const byStatus = Object.entries(paths['/orders/{orderId}']?.post?.['x-codes'] ?? {})
  const codes = byStatus.flatMap(([status, ofStatus]) => ofStatus.map(code => `${status} ${code}`))
  assert.deepEqual(codes, [
    ...['400 MISSING_PARAMETER', '400 INVALID_PARAMETER', '400 INVALID_REQUEST', '401 INVALID_ACCESS_TOKEN'],
    // Terminals may change orders, so the user session can be invalid.
    '401 INVALID_USER_SESSION',
    ...['403 FORBIDDEN', '404 ORDER_NOT_FOUND', '409 REQUEST_ID_DUPLICATE', '409 REQUEST_IN_PROGRESS'],
    ...['409 ORDER_CLOSED', '413 PAYLOAD_TOO_LARGE', '415 UNSUPPORTED_MEDIA_TYPE', '429 TOO_MANY_REQUESTS'],
    ...['500 INTERNAL_ERROR', '503 SERVICE_UNAVAILABLE'],
  ])
})

test('a sample quotes the body of its request for the shell', () => {
  const operation = openApiDocument([evil], SERVED).paths['/orders/{orderId}']?.post
  assert.ok(operation)
  const content = { 'application/json': { schema: {}, example: { name: "Ann's" } } }
  const request = {
    method: 'post',
    path: '/orders/1',
    operation: { ...operation, requestBody: { required: true, content } },
  }
  const [curl] = samplesOf(request, 'https://api.example')
  assert.equal(
    curl?.code.replaceAll(' \\\n  ', ' '),
    `curl -X POST 'https://api.example/orders/1' -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"name":"Ann'\\''s"}'`,
  )
})

test('a part of a multipart form is optional if the JSON requires no field', () => {
  const upload: AnyRoute = { ...evil, body: Type.Object({}), upload: { json: 'app', file: 'icon' } }
  const operation = openApiDocument([upload], SERVED).paths['/orders/{orderId}']?.post
  assert.ok(operation?.['x-codes']?.[400]?.includes('MISSING_PARAMETER'))
})
