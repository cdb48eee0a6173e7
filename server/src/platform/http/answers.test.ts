import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { noSessions } from './ports.ts'
import { type AnyRoute, answer } from './route.ts'
import { APP_ID, routeThat, sampleRoutes, testServer } from './server.fixture.ts'

const Shape = Type.Object({
  id: Type.String(),
  at: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer()),
  choice: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer(), note: Type.Optional(Type.String()) }))),
})

const get = async (handle: AnyRoute['handle'], answers?: AnyRoute['answers'], checkAnswers = true) => {
  const { app, lines } = testServer([routeThat(handle, answers)], { checkAnswers })
  return { response: await app.inject({ url: '/it' }), lines }
}

test('a response follows its schema, and absent fields stay absent', async () => {
  for (const body of [
    { id: 'a' },
    { id: 'a', at: undefined, list: [] },
    { id: 'Grüße "🔑"\n\u2028', size: 0, choice: 'x', list: [{ n: 1 }, { n: 2, note: '' }] },
    { id: '', choice: ['x', 'y'] },
  ]) {
    const { response } = await get(async () => answer(200, body), { 200: Shape })
    assert.equal(response.statusCode, 200, response.body)
    assert.equal(response.body, JSON.stringify(body))
  }
})

test('a response without a required value is a bug in every mode', async () => {
  for (const checked of [true, false]) {
    const { response } = await get(async () => answer(200, { at: 'x' }), { 200: Shape }, checked)
    assert.equal(response.statusCode, 500)
  }
})

test('with checked responses, a value that the schema drops or changes is a bug', async () => {
  for (const body of [
    { id: 'a', forgotten: 1 },
    { id: 'a', at: null },
    { id: 'a', size: 1.5 },
    { id: 5 },
    { id: 'a', list: [{ n: 1, forgotten: 1 }] },
  ]) {
    const { response, lines } = await get(async () => answer(200, body), { 200: Shape })
    assert.equal(response.statusCode, 500, response.body)
    assert.match(JSON.stringify(lines), /drops or changes|required|convert/)
  }
  const unchecked = await get(async () => answer(200, { id: 'a', forgotten: 1 }), { 200: Shape }, false)
  assert.equal(unchecked.response.body, '{"id":"a"}')
})

test('with checked responses, an undeclared rejection is a bug', async () => {
  const undeclared = async () => reject('PLAN_RETIRED', 'Not said before.')
  const { response, lines } = await get(undeclared)
  assert.equal(response.statusCode, 500)
  assert.match(JSON.stringify(lines), /GET \/it: PLAN_RETIRED is not a declared rejection/)
  assert.equal((await get(undeclared, undefined, false)).response.statusCode, 409)
})

test('text whose type differs from the declared type is a bug', async () => {
  const text = async () => ({ status: 200, text: { type: 'text/html', content: '' } })
  assert.equal((await get(text)).response.statusCode, 500)
})

test('an undeclared status, an undeclared body and a missing body are bugs', async () => {
  for (const [given, answers] of [
    [answer(201), { 200: null }],
    [answer(200, { id: 'a' }), { 200: null }],
    [answer(200), { 200: Shape }],
  ] as const) {
    assert.equal((await get(async () => given, answers)).response.statusCode, 500)
  }
})

test('a thrown error answers 500 without details and is logged under the request id', async () => {
  for (const thrown of [new Error('secret words'), 'secret words', { secret: 'words' }, null]) {
    const { response, lines } = await get(() => Promise.reject(thrown))
    const body = response.json()
    assert.equal(response.statusCode, 500)
    assert.equal(body.code, 'INTERNAL_ERROR')
    assert.doesNotMatch(response.body, /secret|words|stack/)
    assert.ok(lines.some(line => line.msg === 'request failed' && line.requestId === body.requestId))
  }
})

test('while the database is unavailable the answer is 503 with Retry-After', async () => {
  for (const code of ['ECONNREFUSED', 'CONNECT_TIMEOUT', '57P01']) {
    const { response } = await get(() => Promise.reject(Object.assign(new Error('secret words'), { code })))
    assert.equal(response.statusCode, 503)
    assert.equal(response.json().code, 'SERVICE_UNAVAILABLE')
    assert.equal(response.headers['retry-after'], '1')
    assert.doesNotMatch(response.body, /secret/)
  }
})

test('a rejection is answered with its fields and its Retry-After', async () => {
  const fields = [{ path: 'a[0]', problem: 'is odd' }]
  const { response } = await get(async () => reject('TEST_CLOCK_ADVANCING', 'Wait.', { fields, retryAfterSeconds: 3 }))
  assert.equal(response.statusCode, 409)
  assert.deepEqual(response.json(), {
    code: 'TEST_CLOCK_ADVANCING',
    httpStatus: 409,
    message: 'The test clock is still advancing.',
    developerMessage: 'Wait.',
    requestId: 'made-1',
    fields,
  })
  assert.equal(response.headers['retry-after'], '3')
})

test('each request has one log line, without query, token and body, and one call of the hook', async () => {
  const done: unknown[][] = []
  const { app, lines } = testServer(sampleRoutes(), { onRequestDone: (...call) => done.push(call) })
  const headers = { authorization: `Bearer app-of-${APP_ID}`, 'service-request-id': 'mine' }
  await app.inject({ url: `/apps/urn:aid:${APP_ID}/plans?secret=1`, headers })
  await app.inject({ method: 'POST', url: '/token?secret=1', payload: 'secret=1' })
  await app.inject({ url: '/secret?secret=1' })
  assert.deepEqual(
    done.map(call => call.slice(0, 3)),
    [
      ['/apps/:appId/plans', 'GET', 200],
      ['/token', 'POST', 415],
      ['unmatched', 'GET', 404],
    ],
  )
  assert.ok(done.every(([, , , seconds]) => typeof seconds === 'number' && seconds >= 0))
  assert.equal(lines.length, 3)
  const { time: _time, pid: _pid, hostname: _hostname, ms: _ms, ...first } = lines[0] ?? { msg: '' }
  assert.deepEqual(first, {
    level: 30,
    msg: 'request',
    method: 'GET',
    route: '/apps/:appId/plans',
    status: 200,
    requestId: 'mine',
    principal: `app:${APP_ID}:`,
  })
  assert.doesNotMatch(JSON.stringify(lines), /secret|Bearer/)
})

test('every rejection of a form route has an error code of RFC 6749 beside its code', async () => {
  const asked: AnyRoute = {
    ...routeThat(async ({ body }) => {
      const { why } = body as { why: string }
      if (why === 'bug') throw new Error('bug')
      return why === 'away' ? reject('SERVICE_UNAVAILABLE', 'Away.') : answer(200)
    }),
    ...{ method: 'POST', accepts: 'form', idempotent: false, body: Type.Object({ why: Type.String() }) },
  }
  const { app } = testServer([asked], {
    ...{ limits: { ratePerAddress: 1, burstPerAddress: 6 }, clock: { now: () => new Date(0) } },
  })
  const form = 'application/x-www-form-urlencoded'
  const post = async (payload: string, type = form) => {
    const answered = await app.inject({ method: 'POST', url: '/it', headers: { 'content-type': type }, payload })
    const { error, error_description: description, developerMessage } = answered.json()
    assert.equal(description, developerMessage)
    return [answered.statusCode, error]
  }
  const responses = [
    ...[await post(''), await post('{}', 'application/json'), await post(`why=${'a'.repeat(2 ** 20)}`)],
    ...[await post('why=bug'), await post('why=away'), await post('why=a&why=b'), await post('')],
  ]
  assert.deepEqual(responses, [
    ...[
      [400, 'invalid_request'],
      [415, 'invalid_request'],
      [413, 'invalid_request'],
    ],
    ...[
      [500, 'server_error'],
      [503, 'temporarily_unavailable'],
      [400, 'invalid_request'],
    ],
    [429, 'temporarily_unavailable'],
  ])
})

test('a JSON route has no OAuth error codes', async () => {
  const { app } = testServer(sampleRoutes())
  const { statusCode, body } = await app.inject({ url: `/apps/urn:aid:${APP_ID}/plans` })
  assert.deepEqual([statusCode, 'error' in JSON.parse(body)], [401, false])
})

test('responses forbid content sniffing, and over https require https', async () => {
  const served = { baseUrl: 'https://api.tillhook.test', billingUrl: 'https://api.tillhook.test' }
  const web = { pages: [], sessions: noSessions, masterKey: Buffer.alloc(0), served }
  const csv = async () => ({ status: 200, text: { type: 'text/csv', content: 'a,b' } })
  const routes = [{ ...routeThat(csv), contentType: 'text/csv' }]
  for (const url of ['/it', '/nothing']) {
    const [plain, secure] = [testServer(routes).app, testServer(routes, { web }).app]
    const { headers } = await plain.inject({ url })
    assert.deepEqual([headers['x-content-type-options'], headers['strict-transport-security']], ['nosniff', undefined])
    const kept = (await secure.inject({ url })).headers
    assert.deepEqual(
      [kept['x-content-type-options'], kept['strict-transport-security']],
      ['nosniff', 'max-age=31536000'],
    )
  }
})

test('a malformed Content-Type of a DELETE is ignored like its body', async () => {
  const route = { ...routeThat(async () => answer(204), { 204: null }), method: 'DELETE' } as AnyRoute
  const { app } = testServer([route])
  for (const type of ['nonsense', ';', 'text/', 'text/plain']) {
    const asked = { method: 'DELETE', url: '/it', headers: { 'content-type': type }, payload: '9007' } as const
    assert.equal((await app.inject(asked)).statusCode, 204, type)
  }
})
