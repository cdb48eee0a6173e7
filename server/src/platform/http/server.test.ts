import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'
import { AssertionFailure } from '../../core/assert.ts'
import { route } from './route.ts'
import { APP_ID, OTHER_APP_ID, sampleRoutes, testServer } from './server.fixture.ts'
import { Email, Line, Text } from './wire.ts'

const PLANS = `/apps/urn:aid:${APP_ID}/plans`
const authorization = `Bearer app-of-${APP_ID}`
const HOOK = '/hooks/018f0000-0000-7000-8000-000000000001'

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url,
  headers: { authorization, 'content-type': 'application/json', ...headers },
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
})

function assertRejected(response: LightMyRequestResponse, status: number, code: string, field?: string) {
  const body = response.json()
  assert.equal(response.statusCode, status, response.body)
  assert.equal(body.code, code)
  assert.equal(body.httpStatus, status)
  assert.ok(body.message.length > 0 && body.developerMessage.length > 0)
  assert.equal(body.requestId, response.headers['service-request-id'])
  assert.equal(response.headers['api-version'], '1.2')
  assert.match(String(response.headers['content-type']), /^application\/json/)
  assert.equal(body.fields?.[0].path, field)
  return body
}

test('every response has the api version and the request id of the caller, or a new one', async () => {
  const { app } = testServer(sampleRoutes())
  const send = async (id?: string) =>
    (await app.inject({ url: '/metrics', ...(id && { headers: { 'service-request-id': id } }) })).headers
  assert.equal((await send('mine-1'))['service-request-id'], 'mine-1')
  assert.equal((await send('mine-1'))['api-version'], '1.2')
  for (const odd of [undefined, 'x'.repeat(129), 'two words']) {
    assert.match(String((await send(odd))['service-request-id']), /^made-\d+$/)
  }
})

test('a valid request reaches its handler, with and without a trailing slash, in any charset', async () => {
  const seen: unknown[] = []
  const { app } = testServer(sampleRoutes(seen))
  for (const [url, type] of [
    [PLANS, 'application/json'],
    [`${PLANS}/`, 'application/json; charset=utf-8'],
    [PLANS, 'Application/JSON;charset="ISO-8859-1"'],
    [PLANS, 'application/json;'],
    [PLANS, 'application/merge-patch+json'],
    [PLANS.replaceAll(':', '%3A'), 'application/json'],
  ] as const) {
    const response = await app.inject(post(url, { plans: [{ name: 'Basic' }] }, { 'content-type': type }))
    assert.equal(response.statusCode, 201, response.body)
    assert.deepEqual(response.json(), { plans: [{ name: 'Basic' }] })
    assert.equal(response.headers.location, '/made')
  }
  assert.equal(seen.length, 6)
})

test('known fields are neither coerced nor defaulted, and unknown fields are removed', async () => {
  const seen: unknown[] = []
  const { app } = testServer(sampleRoutes(seen))
  const body = { plans: [{ name: 'A', surplus: 1 }], more: null }
  assert.equal((await app.inject(post(PLANS, body))).statusCode, 201)
  assert.deepEqual(seen, [{ plans: [{ name: 'A' }] }])
  const listed = await app.inject({ url: `${PLANS}?count=5&surplus=1&surplus=2`, headers: { authorization } })
  assert.deepEqual(listed.json(), { count: '5' })
})

test('a missing or wrong field is named by its path', async () => {
  const { app } = testServer(sampleRoutes())
  const plan = (extra: object) => ({ plans: [{ name: 'A', ...extra }] })
  for (const [body, code, field] of [
    ['{}', 'MISSING_PARAMETER', 'plans'],
    ['', 'MISSING_PARAMETER', 'plans'],
    [{ plans: [{}] }, 'MISSING_PARAMETER', 'plans[0].name'],
    [{ plans: null }, 'INVALID_PARAMETER', 'plans'],
    [{ plans: { name: 'A' } }, 'INVALID_PARAMETER', 'plans'],
    [{ plans: ['A'] }, 'INVALID_PARAMETER', 'plans[0]'],
    [{ plans: [{ name: 5 }] }, 'INVALID_PARAMETER', 'plans[0].name'],
    [{ plans: [{ name: ['A'] }] }, 'INVALID_PARAMETER', 'plans[0].name'],
    [{ plans: [{ name: '' }] }, 'INVALID_PARAMETER', 'plans[0].name'],
    [{ plans: [{ name: 'a\u0000b' }] }, 'INVALID_PARAMETER', 'plans[0].name'],
    ['{"plans":[{"name":"\\ud800"}]}', 'INVALID_PARAMETER', 'plans[0].name'],
    [plan({ interval: 'month' }), 'INVALID_PARAMETER', 'plans[0].interval'],
    [plan({ interval: null }), 'INVALID_PARAMETER', 'plans[0].interval'],
    [
      plan({
        amounts: [
          { country: 'US', value: 1 },
          { country: 'DE', value: null },
        ],
      }),
      'INVALID_PARAMETER',
      'plans[0].amounts[1].value',
    ],
    [plan({ amounts: [{ country: 'US', value: '1' }] }), 'INVALID_PARAMETER', 'plans[0].amounts[0].value'],
    [plan({ amounts: [{ country: 'US', value: -1 }] }), 'INVALID_PARAMETER', 'plans[0].amounts[0].value'],
    [plan({ amounts: [{ value: 1 }] }), 'MISSING_PARAMETER', 'plans[0].amounts[0].country'],
    ['[]', 'INVALID_REQUEST', undefined],
    ['null', 'INVALID_REQUEST', undefined],
    ['5', 'INVALID_REQUEST', undefined],
  ] as const) {
    assertRejected(await app.inject(post(PLANS, body)), 400, code, field)
  }
  const wrongWord = await app.inject(post(PLANS, plan({ interval: 'month' })))
  const problemOf = async (body: object) => (await app.inject(post(PLANS, body))).json().fields[0].problem
  assert.equal(wrongWord.json().fields[0].problem, 'must be one of DAY, MONTH')
  assert.equal(await problemOf(plan({ name: '' })), 'must not be empty')
  assert.equal(await problemOf(plan({ name: 5 })), 'must be a string')
  assert.equal(await problemOf(plan({ amounts: [{ country: 'US', value: -1 }] })), 'must be at least 0')
})

test('malformed or repeated parameters of the path and the query are named', async () => {
  const { app } = testServer(sampleRoutes())
  const get = (url: string) => app.inject({ url, headers: { authorization } })
  assertRejected(await get('/apps/1/plans'), 400, 'INVALID_PARAMETER', 'appId')
  assertRejected(await get(`${PLANS}?count=many`), 400, 'INVALID_PARAMETER', 'count')
  const twice = assertRejected(await get(`${PLANS}?count=1&count=2`), 400, 'INVALID_PARAMETER', 'count')
  assert.equal(twice.fields[0].problem, 'is given twice')
  const wrongId = assertRejected(await get(`${PLANS}?id=5`), 400, 'INVALID_PARAMETER', 'id')
  assert.equal(wrongId.fields[0].problem, 'is not in the expected form: UUID')
})

test('an unsafe or malformed JSON body is 400, another type 415, and a too long body 413', async () => {
  const { app } = testServer(sampleRoutes())
  for (const body of ['{', 'plans=1', '{"plans":[],}', '{"plans":[]} x']) {
    assertRejected(await app.inject(post(PLANS, body)), 400, 'INVALID_REQUEST')
  }
  for (const body of ['{"plans":[],"__proto__":{"a":1}}', '{"plans":[],"a":{"constructor":{"prototype":{}}}}']) {
    assert.notEqual((await app.inject(post(PLANS, body))).json().code, 'INVALID_REQUEST', 'an unknown field is ignored')
  }
  const bytes = { ...post(PLANS, ''), payload: Buffer.from([0x22, 0xff, 0x22]) }
  assertRejected(await app.inject(bytes), 400, 'INVALID_REQUEST')
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'json', 'application/jsonx', '']) {
    assertRejected(await app.inject(post(PLANS, '{}', { 'content-type': type })), 415, 'UNSUPPORTED_MEDIA_TYPE')
  }
  const packed = await app.inject(post(PLANS, '{}', { 'content-encoding': 'gzip' }))
  assertRejected(packed, 415, 'UNSUPPORTED_MEDIA_TYPE')
  const long = await app.inject(post(PLANS, { plans: [{ name: 'x'.repeat(1024 * 1024) }] }))
  assertRejected(long, 413, 'PAYLOAD_TOO_LARGE')
})

test('the last of two equal keys counts, as in JSON.parse', async () => {
  const seen: unknown[] = []
  const { app } = testServer(sampleRoutes(seen))
  await app.inject(post(PLANS, '{"plans":[],"plans":[{"name":"B"}]}'))
  assert.deepEqual(seen, [{ plans: [{ name: 'B' }] }])
})

test('a DELETE or GET with a content type and no body succeeds, and 204 has no body', async () => {
  const { app } = testServer(sampleRoutes())
  for (const type of ['application/json', 'application/json; charset=utf-8', 'nonsense']) {
    const headers = { authorization, 'content-type': type }
    const deleted = await app.inject({ method: 'DELETE', url: HOOK, headers })
    assert.equal(deleted.statusCode, 204, deleted.body)
    assert.equal(deleted.body, '')
    assert.equal(deleted.headers['content-type'], undefined)
    assert.equal((await app.inject({ method: 'GET', url: PLANS, headers })).statusCode, 200)
  }
  const withBody = { method: 'DELETE' as const, url: HOOK, headers: { authorization }, payload: 'whatever' }
  assert.equal((await app.inject(withBody)).statusCode, 204)
})

test('an unknown path is 404, and a known path with another method 405 with Allow, with any body', async () => {
  const { app } = testServer(sampleRoutes())
  for (const url of ['/', '/nothing', '/apps', `${PLANS}/1/2`, '//token', '/TOKEN']) {
    assertRejected(await app.inject({ method: 'POST', url, payload: '<xml/>' }), 404, 'RESOURCE_NOT_FOUND')
  }
  for (const [method, url, allow] of [
    ['DELETE', PLANS, 'GET, HEAD, POST'],
    ['PUT', `${PLANS}/?a=1`, 'GET, HEAD, POST'],
    ['OPTIONS', '/token', 'POST'],
    ['GET', HOOK, 'DELETE'],
    ['PROPFIND', '/token', 'POST'],
  ] as const) {
    const response = await app.inject({ method: method as 'GET', url, headers: { 'content-type': 'text/xml' } })
    assertRejected(response, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(response.headers.allow, allow)
  }
  assert.equal((await app.inject({ method: 'HEAD', url: PLANS, headers: { authorization } })).statusCode, 200)
})

test('a fixed last segment wins over a parameter', async () => {
  const open = { operation: 'public', summary: 'A sample.' } as const
  const ok = () => Promise.resolve({ status: 204 as const })
  const { app } = testServer([
    route({
      ...open,
      name: 'sendAgain',
      method: 'POST',
      path: '/apps/:appId/sent/again',
      answers: { 204: null },
      handle: ok,
    }),
    route({
      ...open,
      name: 'getSent',
      method: 'GET',
      path: '/apps/:appId/sent/:id',
      answers: { 204: null },
      handle: ok,
    }),
  ])
  for (const [method, url, status] of [
    ['GET', '/apps/1/sent/again', 405],
    ['GET', '/apps/1/sent/again?q=1', 405],
    ['HEAD', '/apps/1/sent/again', 405],
    ['POST', '/apps/1/sent/again', 204],
    ['GET', '/apps/1/sent/2', 204],
  ] as const) {
    const response = await app.inject({ method, url })
    assert.equal(response.statusCode, status, `${method} ${url}`)
    if (status === 405) assert.equal(response.headers.allow, 'POST')
  }
})

test('a malformed address is 400', async () => {
  const { app } = testServer(sampleRoutes())
  for (const url of ['/%zz', '/hooks/%E0%A4%A', '/hooks/%']) {
    assertRejected(await app.inject({ url, headers: { authorization } }), 400, 'INVALID_URL_PATTERN')
  }
  assertRejected(await app.inject({ method: 'DELETE', url: `/hooks/${'x'.repeat(600)}` }), 404, 'RESOURCE_NOT_FOUND')
})

test('a request without a token is 401 before any other check, and without the right 403', async () => {
  const seen: unknown[] = []
  const { app } = testServer(sampleRoutes(seen))
  for (const sent of [undefined, 'Bearer nobody', 'Basic YTpi']) {
    const request = { method: 'POST' as const, url: '/apps/1/plans', payload: 'x'.repeat(2_000_000) }
    const response = await app.inject({ ...request, headers: sent === undefined ? {} : { authorization: sent } })
    assertRejected(response, 401, 'INVALID_ACCESS_TOKEN')
    assert.equal(response.headers['www-authenticate'], 'Bearer')
  }
  const other = post(`/apps/urn:aid:${OTHER_APP_ID}/plans`, { plans: [] })
  assertRejected(await app.inject(other), 403, 'FORBIDDEN')
  assert.deepEqual(seen, [])
})

test('an error about a pattern uses words, not the regular expression', async () => {
  const body = Type.Object({ text: Type.Optional(Text(9)), name: Type.Optional(Line(9)), email: Type.Optional(Email) })
  const [known] = sampleRoutes()
  assert.ok(known)
  const { app } = testServer([{ ...known, path: '/words', params: Type.Object({}), body, subject: () => ({}) }])
  const problemOf = async (sent: unknown) =>
    assertRejected(await app.inject(post('/words', sent)), 400, 'INVALID_PARAMETER', Object.keys(sent as object)[0])
      .fields[0].problem
  assert.equal(await problemOf({ text: 'a\0b' }), 'must not contain NUL or half of a surrogate pair')
  for (const name of ['a\nb', 'a\u202eb']) {
    assert.equal(await problemOf({ name }), 'must not contain line breaks, control or text direction characters')
  }
  for (const email of ['nobody', 'a b@c.example', 'a\u202eb@c.example']) {
    assert.equal(await problemOf({ email }), 'is not in the expected form: e-mail address')
  }
})

test('a server with a route without a row in the table of rights does not start', () => {
  const [known] = sampleRoutes()
  assert.ok(known)
  for (const operation of ['plans.rule', '', 'constructor', undefined] as never[]) {
    assert.throws(
      () => testServer([{ ...known, operation }]),
      new AssertionFailure(`POST /apps/:appId/plans: core/rights.ts has no row for ${operation}`),
    )
  }
})

test('a public route needs and reads no token, and may respond with another content type', async () => {
  const seen: unknown[] = []
  const { app } = testServer(sampleRoutes(seen))
  const response = await app.inject({ url: '/metrics', headers: { authorization: 'Bearer nobody' } })
  assert.equal(response.headers['content-type'], 'text/plain; version=0.0.4')
  assert.equal(response.body, 'up 1\n')
  assert.deepEqual(seen, [{ kind: 'anonymous' }])
})

test('a form field may occur once, and rejections of a form use the error codes of RFC 6749', async () => {
  const { app } = testServer(sampleRoutes())
  const form = (payload: string, type = 'application/x-www-form-urlencoded; charset=UTF-8') =>
    app.inject({ method: 'POST', url: '/token', payload, headers: { 'content-type': type } })
  assert.deepEqual((await form('grantType=good&other=%20')).json(), { grantType: 'good' })
  assert.equal((await form('grantType=good')).headers['cache-control'], 'no-store')
  const used = assertRejected(await form('grantType=old'), 401, 'INVALID_ASSERTION')
  assert.deepEqual([used.error, used.error_description], ['invalid_grant', 'jti was used.'])
  for (const [payload, code, field] of [
    ['', 'MISSING_PARAMETER', 'grantType'],
    ['grant=1', 'MISSING_PARAMETER', 'grantType'],
    ['grantType=good&grantType=bad', 'INVALID_REQUEST', undefined],
  ] as const) {
    assert.equal(assertRejected(await form(payload), 400, code, field).error, 'invalid_request')
  }
  assertRejected(await form('{"grantType":"good"}', 'application/json'), 415, 'UNSUPPORTED_MEDIA_TYPE')
})

test('a proxy does not buffer an event stream', async () => {
  const type = 'text/event-stream'
  const chunks = (async function* () {
    yield 'event: one\n\n'
  })()
  const stream = route({
    ...{ method: 'GET', path: '/stream', name: 'stream', summary: 'Stream', operation: 'public', contentType: type },
    answers: { 200: Type.String() },
    rejections: [],
    handle: async () => ({ status: 200, stream: { type, chunks } }),
  })
  const { app } = testServer([...sampleRoutes(), stream])
  const response = await app.inject({ url: '/stream' })
  assert.equal(response.body, 'event: one\n\n')
  assert.equal(response.headers['x-accel-buffering'], 'no')
  assert.equal((await app.inject({ url: '/metrics' })).headers['x-accel-buffering'], undefined)
})
