import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { v7 } from 'uuid'
import { assertionOf } from '../../../test/support/tokens.ts'
import { type Answer, type Credentials, createWorld, type World } from '../../../test/support/world.ts'
import { isRejection, type Rejection } from '../../core/rejection.ts'
import {
  approveAuthorization,
  continueAuthorization,
  declineAuthorization,
} from '../../merchants/authorizations/approve.ts'
import { type AuthorizationRequest, startAuthorization } from '../../merchants/authorizations/start.ts'

const BACK = 'https://app.example/back?from=tillhook'
const OTHER = 'https://app.example/other'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world.close())

function done<T>(result: T | Rejection): T {
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result
}

const codeOf = (result: unknown) => (isRejection(result) ? result.rejected : 'done')

async function newApp(callbackUrls = [BACK, OTHER]): Promise<Credentials> {
  const app = await world.developer(`Codes${v7()}`)
  await world.call('PATCH', `/apps/${app.appId}`, { callbackUrls })
  return app
}

const start = (app: Credentials, query: object = { redirectUri: BACK }) =>
  startAuthorization(world.app.ports, { clientId: app.appId, ...query })

async function consent(app: Credentials, query?: object, businessId?: string) {
  const request: AuthorizationRequest = done(await start(app, query))
  const id = businessId ?? (await world.merchant({ card: 'none' })).businessId
  const url = new URL(done(await approveAuthorization(world.app.ports, { request, businessId: id })))
  return { request, businessId: id, url, code: url.searchParams.get('code') ?? '' }
}

async function exchange(app: Credentials, form: Record<string, string>, bearer?: string | null): Promise<Answer> {
  const assertion = bearer === undefined ? await assertionOf(world, app) : bearer
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: app.appId, ...form }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return world.ask(assertion, 'POST', '/token', { headers, body })
}

const read = async (token: string, businessId: string, app = world.app) =>
  (await world.ask(token, 'GET', `/businesses/${businessId}`, { app })).status

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
/** RFC 7636, appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('a code with a PKCE challenge needs the verifier', async () => {
  const app = await newApp()
  const challenged = { redirectUri: BACK, codeChallenge: CHALLENGE, codeChallengeMethod: 'S256' }
  const { code } = await consent(app, challenged)
  const wrong = [undefined, 'x'.repeat(43), CHALLENGE, `${VERIFIER} `, VERIFIER.slice(1), 'y'.repeat(200)]
  for (const verifier of wrong) {
    const form = { code, redirect_uri: BACK, ...(verifier === undefined ? {} : { code_verifier: verifier }) }
    const { status, body } = await exchange(app, form)
    assert.deepEqual([status, body.code, body.error], [400, 'INVALID_AUTHORIZATION_CODE', 'invalid_grant'])
  }
  const good = await exchange(app, { code, redirect_uri: BACK, code_verifier: VERIFIER })
  assert.equal(good.status, 200, good.text)
})

test('a verifier for a code without a challenge is rejected, because somebody removed the challenge', async () => {
  const app = await newApp()
  const { code } = await consent(app)
  assert.equal((await exchange(app, { code, redirect_uri: BACK, codeVerifier: VERIFIER })).status, 400)
})

test('a weak challenge is rejected before the merchant is asked', async () => {
  const app = await newApp()
  const wrong = [
    { codeChallenge: CHALLENGE },
    { codeChallenge: CHALLENGE, codeChallengeMethod: 'plain' },
    { codeChallengeMethod: 'S256' },
    { codeChallenge: 'short', codeChallengeMethod: 'S256' },
  ]
  for (const query of wrong) {
    const rejection = await start(app, { redirectUri: BACK, ...query })
    assert.ok(isRejection(rejection), JSON.stringify(query))
  }
})

test('a merchant’s consent becomes a token within that merchant, and a refresh keeps the merchant', async () => {
  const app = await newApp()
  const { url, code, businessId } = await consent(app, {
    redirectUri: BACK,
    context: 'a&b=c',
    rights: 'READ,SUBSCRIBE',
  })
  assert.equal(`${url.origin}${url.pathname}`, 'https://app.example/back')
  const { code: _, ...parameters } = Object.fromEntries(url.searchParams)
  assert.deepEqual(parameters, { from: 'tillhook', status: 'success', businessId, context: 'a&b=c' })
  const { status, body } = await exchange(app, { code, redirect_uri: BACK })
  assert.equal(status, 200, JSON.stringify(body))
  const claims = decodeJwt(body.accessToken)
  assert.deepEqual([claims.sub, claims['service.biz']], [app.appId, businessId])
  assert.equal(await read(body.accessToken, businessId), 200)
  assert.equal(await read(body.accessToken, (await world.merchant({ card: 'none' })).businessId), 403)
  const refreshed = await exchange(app, { grant_type: 'refresh_token', refresh_token: body.refreshToken }, null)
  assert.equal(decodeJwt(refreshed.body.accessToken)['service.biz'], businessId)
  const approvals = await world.call('GET', `/businesses/${businessId}/approvals`)
  assert.deepEqual(approvals.list[0].rights, ['READ', 'SUBSCRIBE'])
})

test('a code used twice is rejected, and its tokens end in every process', async () => {
  const [app, other] = [await newApp(), await world.openAnother()]
  const { code, businessId } = await consent(app)
  const { body } = await exchange(app, { code, redirect_uri: BACK })
  assert.deepEqual(
    [await read(body.accessToken, businessId), await read(body.accessToken, businessId, other)],
    [200, 200],
  )
  const again = await exchange(app, { code, redirect_uri: BACK })
  assert.deepEqual(
    [again.status, again.body.code, again.body.error],
    [400, 'INVALID_AUTHORIZATION_CODE', 'invalid_grant'],
  )
  await other.jobs.revocations.runOnce()
  assert.deepEqual(
    [await read(body.accessToken, businessId), await read(body.accessToken, businessId, other)],
    [401, 401],
  )
})

test('many concurrent exchanges of a code yield at most one token', async () => {
  const app = await newApp()
  const { code } = await consent(app)
  const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(app, { code, redirect_uri: BACK })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
})

test('a code is valid for one app and one address for 15 minutes, and a failed exchange does not use it', async () => {
  const [app, other] = [await newApp(), await newApp()]
  const { code } = await consent(app)
  const wrong: [string, Answer][] = [
    ['another address', await exchange(app, { code, redirect_uri: OTHER })],
    ['no address', await exchange(app, { code })],
    ['another app', await exchange(other, { code, redirect_uri: BACK })],
    ['another app’s id', await exchange(app, { code, redirect_uri: BACK, client_id: other.appId })],
    ['no such code', await exchange(app, { code: `${code}x`, redirect_uri: BACK })],
  ]
  for (const [name, { status, body }] of wrong) {
    assert.deepEqual([status, body.code], [400, 'INVALID_AUTHORIZATION_CODE'], name)
    assert.ok(!JSON.stringify(body).includes(code))
  }
  const stranger = await exchange(
    app,
    { code, redirect_uri: BACK },
    await assertionOf(world, { ...app, privateKey: other.privateKey }),
  )
  assert.equal(stranger.body.code, 'INVALID_ASSERTION')
  for (const bearer of [null, 'x', 'a.b.c']) {
    assert.equal((await exchange(app, { code, redirect_uri: BACK }, bearer)).body.code, 'INVALID_ASSERTION')
  }
  assert.equal((await exchange(app, { redirect_uri: BACK })).body.code, 'MISSING_PARAMETER')
  const now = new Date()
  world.clock.set(new Date(now.getTime() + 15 * 60_000 + 1_000))
  assert.equal((await exchange(app, { code, redirect_uri: BACK })).status, 400)
  world.clock.set(now)
  assert.equal((await exchange(app, { code, redirect_uri: BACK })).status, 200)
})

test('an assertion yields one token, for any kind of grant', async () => {
  const app = await newApp()
  const [one, two] = [await consent(app), await consent(app)]
  const assertion = await assertionOf(world, app)
  assert.equal((await exchange(app, { code: one.code, redirect_uri: BACK }, assertion)).status, 200)
  const again = await exchange(app, { code: two.code, redirect_uri: BACK }, assertion)
  assert.match(again.body.developerMessage, /jti was used before/)
  assert.equal((await exchange(app, { code: two.code, redirect_uri: BACK })).status, 200)
})

test('revoking the approval ends the token and an unused code', async () => {
  const app = await newApp()
  const [one, two] = [await consent(app), await consent(app)]
  const { accessToken, refreshToken } = (await exchange(app, { code: one.code, redirect_uri: BACK })).body
  for (const { businessId } of [one, two]) {
    await world.call('DELETE', `/businesses/${businessId}/approvals/${app.appId}`, undefined, 204)
  }
  await world.app.jobs.revocations.runOnce()
  assert.equal(await read(accessToken, one.businessId), 401)
  const refreshed = await exchange(app, { grant_type: 'refresh_token', refresh_token: refreshToken }, null)
  assert.equal(refreshed.body.code, 'INVALID_REFRESH_TOKEN')
  assert.equal((await exchange(app, { code: two.code, redirect_uri: BACK })).body.code, 'INVALID_AUTHORIZATION_CODE')
})

test('a merchant is redirected only to an address that the app registered', async () => {
  const [app, single, none] = [await newApp(), await newApp([BACK]), await newApp([])]
  const evil = ['https://evil.example/', `${BACK}/`, `${BACK}&x=1`, 'javascript:alert(1)', '', `${BACK}\u0000`]
  for (const redirectUri of evil) assert.equal(codeOf(await start(app, { redirectUri })), 'INVALID_PARAMETER')
  assert.equal(codeOf(await start(app, {})), 'INVALID_PARAMETER')
  assert.equal(codeOf(await start(none, {})), 'INVALID_PARAMETER')
  const { code, url } = await consent(single, {})
  assert.equal(url.origin, 'https://app.example')
  assert.equal((await exchange(single, { code })).status, 200)
  for (const clientId of [undefined, 'nope', `urn:tid:${v7()}`]) {
    assert.equal(
      codeOf(await startAuthorization(world.app.ports, clientId === undefined ? {} : { clientId })),
      'INVALID_PARAMETER',
    )
  }
  assert.equal(
    codeOf(await startAuthorization(world.app.ports, { clientId: `urn:aid:${v7()}` })),
    'APPLICATION_NOT_FOUND',
  )
  for (const query of [
    { rights: 'OWN' },
    { rights: '' },
    { context: 'x'.repeat(4_097) },
    { context: '"'.repeat(2_334) },
  ]) {
    assert.equal(codeOf(await start(app, { redirectUri: BACK, ...query })), 'INVALID_PARAMETER')
  }
})

test('a merchant with the same or further approved rights is redirected at once, and rights only grow', async () => {
  const app = await newApp()
  const { businessId } = await consent(app, { redirectUri: BACK, rights: 'READ,SUBSCRIBE' })
  const again = async (rights: string, id = businessId) => {
    const request = done(await start(app, { redirectUri: BACK, rights }))
    return continueAuthorization(world.app.ports, { request, businessId: id })
  }
  const url = await again('READ')
  assert.ok(url !== null)
  assert.equal(
    (await exchange(app, { code: new URL(url).searchParams.get('code') ?? '', redirect_uri: BACK })).status,
    200,
  )
  assert.ok((await again('SUBSCRIBE')) !== null)
  const fresh = await consent(app)
  assert.equal(await again('READ,SUBSCRIBE', fresh.businessId), null)
  await consent(app, { redirectUri: BACK, rights: 'READ' }, businessId)
  const { list } = await world.call('GET', `/businesses/${businessId}/approvals`)
  assert.deepEqual(list[0].rights, ['READ', 'SUBSCRIBE'])
})

test('a merchant who declines is redirected without any data', async () => {
  const request = done(await start(await newApp(), { redirectUri: BACK, context: 'mine' }))
  assert.equal(declineAuthorization(request), `${BACK}&status=fail&context=mine`)
})

test('a disabled app cannot be approved, even if it is disabled while the merchant reads', async () => {
  const app = await newApp()
  const request = done(await start(app))
  await world.call('PATCH', `/apps/${app.appId}`, { status: 'DISABLED' })
  assert.equal(codeOf(await start(app)), 'APPLICATION_DISABLED')
  const { businessId } = await world.merchant({ card: 'none' })
  assert.equal(codeOf(await approveAuthorization(world.app.ports, { request, businessId })), 'APPLICATION_DISABLED')
})

test('old codes are deleted', async () => {
  const app = await newApp()
  await consent(app)
  assert.equal(await world.app.jobs.authorizationCodes.runOnce(), 0)
  const now = new Date()
  world.clock.set(new Date(now.getTime() + 26 * 3_600_000))
  assert.ok((await world.app.jobs.authorizationCodes.runOnce()) > 0)
  world.clock.set(now)
})
