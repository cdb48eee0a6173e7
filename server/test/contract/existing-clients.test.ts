import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { assertionOf, tokenOf } from '../support/tokens.ts'
import { createWorld, type Json, type World } from '../support/world.ts'

/* What clients that are out there were seen to do (decisions 1, 2 and 7, "existing clients"). None of it may break. */

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

let world: World
let token: string
let port: number
before(async () => {
  world = await createWorld()
  token = await tokenOf(world, world.credentials)
  await world.app.http.listen({ host: '127.0.0.1', port: 0 })
  port = (world.app.http.server.address() as AddressInfo).port
})
after(() => world?.close())

let hooks = 0
/** The body of a new hook. */
const newHook = () => ({
  applicationId: world.appId,
  businessId: world.organizationId,
  deliveryUrl: `http://127.0.0.1:9/${++hooks}`,
  secret: 'secret',
  eventTypes: ['APPLICATION_SUBSCRIPTION_START'],
})

test('the token form accepts camelCase, snake_case and a mix', async () => {
  const { credentials } = world
  const tokens = await postForm({ grantType: JWT_BEARER, assertion: await assertionOf(world, credentials) })
  assert.equal(tokens.status, 200)
  const { refreshToken } = tokens.body
  for (const form of [
    { grant_type: JWT_BEARER, assertion: await assertionOf(world, credentials) },
    { grantType: 'REFRESH_TOKEN', refreshToken },
    { grant_type: 'refresh_token', refresh_token: refreshToken },
    { grantType: 'refresh_token', refresh_token: refreshToken },
    { grant_type: 'REFRESH_TOKEN', refreshToken, refresh_token: refreshToken },
  ]) {
    const { status, body } = await postForm(form)
    assert.deepEqual([status, body.tokenType, body.scope, body.expiresIn], [200, 'BEARER', 'ALL', 86_400])
  }
})

test('the Authorization scheme is case-insensitive', async () => {
  for (const scheme of ['BEARER', 'Bearer', 'bearer', 'bEARER']) {
    const { status } = await ask('GET', `/apps/${world.appId}/plans`, { authorization: `${scheme} ${token}` })
    assert.equal(status, 200, scheme)
  }
})

test('POST /hooks/ registers a hook, as POST /hooks does', async () => {
  const { status, body } = await postJson('/hooks/', newHook())
  assert.equal(status, 201)
  assert.match(body.secret, /^\*+$/)
})

test('every api-version is served as 1.2', async () => {
  for (const version of ['1.2', '1.0', '2', 'v1.2', 'latest', '1.2, 1.2', '']) {
    for (const path of [`/apps/${world.appId}/plans`, '/nowhere', '/hooks?active=maybe']) {
      const answer = await ask('GET', path, { authorization: `Bearer ${token}`, 'api-version': version })
      assert.ok([200, 400, 404].includes(answer.status))
      assert.equal(answer.headers['api-version'], '1.2')
    }
  }
})

test('eventTypes: [[]] is 400 and names the entry; so is [["A"]], which is no ["A"]', async () => {
  for (const eventTypes of [[[]], [['APPLICATION_SUBSCRIPTION_START']], [null], [{}]]) {
    const { status, body } = await postJson('/hooks', { ...newHook(), eventTypes })
    assert.deepEqual([status, body.fields?.[0]?.path], [400, 'eventTypes[0]'])
  }
})

test('a DELETE may carry a content type and a content length of 0', async () => {
  const types = ['application/json', 'application/json; charset=utf-8', 'application/x-www-form-urlencoded']
  for (const type of types) {
    for (const length of ['Content-Length: 0\r\n', '']) {
      const { body } = await postJson('/hooks', newHook())
      const head = `DELETE /hooks/${body.id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n`
      const answer = await raw(`${head}Content-Type: ${type}\r\n${length}Connection: close\r\n\r\n`)
      assert.match(answer, /^HTTP\/1\.1 204 /, `${type} ${length}`)
    }
  }
})

test('request ids may repeat on /token and /hooks', async () => {
  const headers = { 'service-request-id': 'the-same-each-time' }
  const ids = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const { status, body } = await postJson('/hooks', newHook(), headers)
    assert.equal(status, 201)
    ids.add(body.id)
    const assertion = await assertionOf(world, world.credentials)
    const tokens = await postForm({ grantType: JWT_BEARER, assertion }, headers)
    assert.equal(tokens.status, 200)
    assert.equal(tokens.headers['service-request-id'], 'the-same-each-time')
    ids.add(tokens.body.accessToken)
  }
  assert.equal(ids.size, 6)
})

test('header names are case-insensitive', async () => {
  for (const spelled of [(name: string) => name.toUpperCase(), (name: string) => name.toLowerCase(), alternate]) {
    const lines = [
      `${spelled('Host')}: a`,
      `${spelled('Authorization')}: BEARER ${token}`,
      `${spelled('Service-Request-Id')}: mine`,
      `${spelled('Api-Version')}: 1.2`,
      `${spelled('Cache-Control')}: no-cache`,
      `${spelled('Connection')}: close`,
    ]
    const answer = await raw(`GET /apps/${world.appId}/plans HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, /^service-request-id: mine\r$/im)
  }
})

test('JSON bodies may name any charset or none, in any case', async () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON; Charset=UTF-8',
    'application/json;',
  ]) {
    const { status, text } = await postJson('/hooks', newHook(), { 'content-type': type })
    assert.equal(status, 201, `${type}: ${text}`)
  }
})

test('bodies may contain white space', async () => {
  for (const text of [
    JSON.stringify(newHook(), null, 2),
    JSON.stringify(newHook(), null, '\t').replaceAll('\n', '\r\n'),
    `\r\n  ${JSON.stringify(newHook())}  \n\n`,
    JSON.stringify(newHook()).replaceAll(':"', ' : "').replaceAll('","', '" , "'),
  ]) {
    const { status } = await askText('/hooks', text)
    assert.equal(status, 201, text)
  }
})

test('a refresh token is reusable, also concurrently', async () => {
  const assertion = await assertionOf(world, world.credentials)
  const { refreshToken } = (await postForm({ grantType: JWT_BEARER, assertion })).body
  const refresh = () => postForm({ grantType: 'REFRESH_TOKEN', refreshToken })
  const answers = [...(await Promise.all(Array.from({ length: 5 }, refresh))), await refresh(), await refresh()]
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.refreshToken], [200, refreshToken])
    const plans = await ask('GET', `/apps/${world.appId}/plans`, { authorization: `BEARER ${body.accessToken}` })
    assert.equal(plans.status, 200)
  }
  assert.equal(new Set(answers.map(answer => answer.body.accessToken)).size, answers.length)
})

test('an expired token is 401, and the request succeeds with a refreshed token', async t => {
  const assertion = await assertionOf(world, world.credentials)
  const first = (await postForm({ grantType: JWT_BEARER, assertion })).body
  const plansWith = (accessToken: string) =>
    ask('GET', `/apps/${world.appId}/plans`, { authorization: `BEARER ${accessToken}` })
  assert.equal((await plansWith(first.accessToken)).status, 200)
  const now = world.clock.now()
  t.after(() => world.clock.set(now))
  world.clock.set(new Date(now.getTime() + 86_401_000))
  const expired = await plansWith(first.accessToken)
  assert.deepEqual([expired.status, expired.body.code], [401, 'INVALID_ACCESS_TOKEN'])
  assert.equal(expired.headers['www-authenticate'], 'Bearer')
  const second = (await postForm({ grantType: 'REFRESH_TOKEN', refreshToken: first.refreshToken })).body
  assert.equal((await plansWith(second.accessToken)).status, 200)
  assert.equal(second.refreshToken, first.refreshToken)
})

type Headers = Readonly<Record<string, string>>

function ask(method: 'GET' | 'POST', path: string, headers: Headers, body?: string) {
  return world.ask(null, method, path, { headers, ...(body === undefined ? {} : { body }) })
}

function askText(path: string, text: string, headers: Headers = {}) {
  const usual = { authorization: `BEARER ${token}`, 'content-type': 'application/json; charset=utf-8' }
  return ask('POST', path, { ...usual, 'api-version': '1.2', ...headers }, text)
}

function postJson(path: string, body: Json, headers: Headers = {}) {
  return askText(path, JSON.stringify(body), headers)
}

function postForm(form: Headers, headers: Headers = {}) {
  const usual = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8', 'api-version': '1.2' }
  return ask('POST', '/token', { ...usual, ...headers }, new URLSearchParams(form).toString())
}

/** Sends raw bytes and returns the raw response. */
async function raw(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.write(request)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

function alternate(name: string): string {
  return [...name].map((letter, i) => (i % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join('')
}
