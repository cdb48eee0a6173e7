import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { createLocalJWKSet, importSPKI, jwtVerify } from 'jose'
import { v7 } from 'uuid'
import { OPERATOR_KEY, postForm, serveTokens } from './server.fixture.ts'
import { BASE_URL, makeApp, makeAssertion, openWorld, startProcess, type TestApp } from './world.fixture.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const world = await openWorld()
const server = serveTokens(startProcess(world))

const post = (form: Record<string, string> | string) => postForm(server, '/token', form)

async function tokensFor(app: TestApp) {
  const answer = await post({ grantType: JWT_BEARER, assertion: await makeAssertion(app) })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<{ accessToken: string; refreshToken: string }>()
}

function assertRejected(answer: LightMyRequestResponse, status: number, code: string, error: string, field?: string) {
  assert.equal(answer.statusCode, status, answer.body)
  const body = answer.json()
  assert.equal(body.code, code)
  assert.equal(body.error, error)
  assert.equal(body.error_description, body.developerMessage)
  if (field) assert.equal(body.fields[0].path, field)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

test('the assertion grant answers 200 with the token response of the interface, and forbids caching', async () => {
  const app = await makeApp(world)
  const answer = await post({ grantType: JWT_BEARER, assertion: await makeAssertion(app) })
  assert.equal(answer.statusCode, 200)
  const { accessToken, refreshToken, ...rest } = answer.json()
  assert.deepEqual(rest, { expiresIn: 86_400, scope: 'ALL', tokenType: 'BEARER' })
  assert.equal(typeof accessToken, 'string')
  assert.equal(typeof refreshToken, 'string')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.pragma, 'no-cache')
  assert.equal(answer.headers['service-request-id'], 'same')
})

test('the refresh grant returns the same refresh token, also with a repeated request id', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const seen = new Set([accessToken])
  for (const grantType of ['REFRESH_TOKEN', 'refresh_token', 'REFRESH_TOKEN']) {
    const answer = await post({ grantType, refreshToken })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().refreshToken, refreshToken)
    assert.equal(answer.json().expiresIn, 86_400)
    seen.add(answer.json().accessToken)
  }
  assert.equal(seen.size, 4)
})

test('the field names of RFC 6749 are accepted, also both names with one value', async () => {
  const app = await makeApp(world)
  const answer = await post({ grant_type: JWT_BEARER, assertion: await makeAssertion(app), scope: 'x', client_id: 'y' })
  assert.equal(answer.statusCode, 200)
  const refresh_token = answer.json().refreshToken
  assert.equal((await post({ grant_type: 'refresh_token', refresh_token })).statusCode, 200)
  const both = { grant_type: 'REFRESH_TOKEN', grantType: 'REFRESH_TOKEN', refresh_token }
  assert.equal((await post(both)).statusCode, 200)
})

test('the operator rotates the signing key, and a repeat returns the current rotation', async () => {
  const ask = (bearer: string) =>
    server.inject({ method: 'POST', url: '/signing-keys/rotate', headers: { authorization: `Bearer ${bearer}` } })
  const { accessToken } = await tokensFor(await makeApp(world))
  assert.equal((await ask(accessToken)).statusCode, 403)
  const [first, second] = [await ask(OPERATOR_KEY), await ask(OPERATOR_KEY)]
  assert.deepEqual([first.statusCode, second.statusCode], [201, 201])
  const { kid } = first.json<{ kid: string }>()
  assert.equal(second.json().kid, kid)
  const [row] = await world.sql<{ principal: string; text: string }[]>`
    select principal, audit_entries::text as text from audit_entries where resource_id = ${kid}`
  assert.equal(row?.principal, 'operator:operator')
  assert.ok(!row.text.includes('private_jwk'))
})

const malformed: [string, Record<string, string> | string, string, string, string?][] = [
  ['no field', {}, 'MISSING_PARAMETER', 'invalid_request', 'grantType'],
  ['an empty grantType', { grantType: '' }, 'MISSING_PARAMETER', 'invalid_request', 'grantType'],
  ['no assertion', { grantType: JWT_BEARER }, 'MISSING_PARAMETER', 'invalid_request', 'assertion'],
  ['no refresh token', { grant_type: 'refresh_token' }, 'MISSING_PARAMETER', 'invalid_request', 'refreshToken'],
  [
    'a password grant',
    { grantType: 'password', username: 'x' },
    'INVALID_PARAMETER',
    'unsupported_grant_type',
    'grantType',
  ],
  ['a password', { grant_type: 'password', username: 'x' }, 'INVALID_PARAMETER', 'unsupported_grant_type', 'grantType'],
  [
    'two grants',
    { grantType: JWT_BEARER, grant_type: 'refresh_token' },
    'INVALID_PARAMETER',
    'invalid_request',
    'grantType',
  ],
  ['a field twice', 'grantType=a&grantType=b', 'INVALID_REQUEST', 'invalid_request'],
]

for (const [title, form, code, error, field] of malformed) {
  test(`a form with ${title} is answered 400 ${code}`, async () => {
    assertRejected(await post(form), 400, code, error, field)
  })
}

test('a JSON body is answered 415', async () => {
  const answer = await server.inject({ method: 'POST', url: '/token', payload: { grantType: JWT_BEARER } })
  assert.equal(answer.statusCode, 415)
})

test('a wrong assertion is answered 401, naming the claim', async () => {
  const app = await makeApp(world)
  const assertion = await makeAssertion(app, { claims: { aud: 'https://elsewhere.test' } })
  const answer = await post({ grantType: JWT_BEARER, assertion })
  assertRejected(answer, 401, 'INVALID_ASSERTION', 'invalid_grant')
  assert.match(answer.json().developerMessage, /\baud\b/)
})

test('an unknown refresh token is answered 401', async () => {
  assertRejected(
    await post({ grantType: 'REFRESH_TOKEN', refreshToken: 'unknown' }),
    401,
    'INVALID_REFRESH_TOKEN',
    'invalid_grant',
  )
})

test('revoking always answers 200 and ends the token', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  for (const token of [refreshToken, refreshToken, accessToken, 'unknown', 'a.b.c', '\u0000']) {
    const answer = await postForm(server, '/token/revoke', { token, token_type_hint: 'refresh_token' })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.body, '')
  }
  assert.equal((await post({ grantType: 'REFRESH_TOKEN', refreshToken })).statusCode, 401)
  assertRejected(await postForm(server, '/token/revoke', {}), 400, 'MISSING_PARAMETER', 'invalid_request', 'token')
})

test('the operator revokes a key of an app, once', async () => {
  const app = await makeApp(world)
  const { refreshToken } = await tokensFor(app)
  const revoke = (url: string, authorization = `Bearer ${OPERATOR_KEY}`) =>
    server.inject({ method: 'DELETE', url, headers: { authorization, 'content-type': 'application/json' } })
  const url = `/apps/urn:aid:${app.appId}/keys/${app.kid}`
  assert.equal((await revoke(url, 'Bearer nobody')).statusCode, 401)
  assert.equal((await revoke(url.replace(app.appId, v7()))).json().code, 'KEY_NOT_FOUND')
  assert.equal((await revoke(`/apps/${app.appId}/keys/${app.kid}`)).json().code, 'INVALID_PARAMETER')
  assert.equal((await revoke(`${url}%00`)).statusCode, 400)
  assert.equal((await revoke(url)).statusCode, 204)
  assert.equal((await revoke(url)).json().code, 'KEY_NOT_FOUND')
  assert.equal((await post({ grantType: 'REFRESH_TOKEN', refreshToken })).statusCode, 401)
})

test('an app cannot revoke a key', async () => {
  const app = await makeApp(world)
  const { accessToken } = await tokensFor(app)
  const headers = { authorization: `BEARER ${accessToken}` }
  const answer = await server.inject({ method: 'DELETE', url: `/apps/urn:aid:${app.appId}/keys/first`, headers })
  assert.equal(answer.statusCode, 403)
})

test('any client verifies an access token with the key set or the PEM', async () => {
  const { accessToken } = await tokensFor(await makeApp(world))
  const keySet = await server.inject('/.well-known/jwks.json')
  assert.equal(keySet.statusCode, 200)
  assert.equal(keySet.headers['cache-control'], 'public, max-age=300')
  const options = { issuer: BASE_URL, algorithms: ['RS256'] }
  await jwtVerify(accessToken, createLocalJWKSet(keySet.json()), options)
  const pem = await server.inject('/.well-known/public-key.pem')
  assert.equal(pem.headers['content-type'], 'application/x-pem-file')
  await jwtVerify(accessToken, await importSPKI(pem.body, 'RS256'), options)
})
