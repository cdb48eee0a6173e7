import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'
import { reject } from '../../core/rejection.ts'
import { html } from '../web/html.ts'
import { OTHER_SHOP, pageServer, pageThat, SHOP, samplePages } from './page.fixture.ts'
import { answer, route } from './route.ts'

const EMPTY = html``
const ANN = 'tillhook=ses-of-ann'
const POLICY = [
  ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self' data:", "font-src 'self'"],
  ...["connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
].join('; ')

function assertPage(response: LightMyRequestResponse, status: number, words: RegExp): void {
  assert.equal(response.statusCode, status, response.body)
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(response.body, words)
  assert.ok(response.body.includes(String(response.headers['service-request-id'])), 'it names the request id')
}

const asAnn = (url: string, more: InjectOptions = {}): InjectOptions => ({
  url,
  ...more,
  headers: { cookie: ANN, ...more.headers },
})

test('every page forbids inline scripts and styles, foreign resources and frames, and is not cached', async () => {
  const { app } = pageServer(samplePages())
  const { statusCode, headers } = await app.inject(asAnn(`/shops/${SHOP}`))
  assert.equal(statusCode, 200)
  assert.equal(headers['content-security-policy'], POLICY)
  assert.equal(headers['x-frame-options'], 'DENY')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
})

test('a page lists the origins of its forms and resources, and a name cannot add an origin', async () => {
  const formAction = ['https://app.example:8443/cb?x=1', 'shop.app://done', 'https://a;script-src.example/']
  const sources = { 'script-src': ['https://js.stripe.com'], 'frame-src': ['https://js.stripe.com'] }
  const { app } = pageServer([pageThat(async () => ({ status: 200, html: () => EMPTY, formAction, sources }))])
  const policy = String((await app.inject('/it')).headers['content-security-policy'])
  const directives = policy.split('; ')
  assert.ok(directives.includes("form-action 'self' https://app.example:8443 shop.app:"))
  assert.ok(directives.includes("script-src 'self' https://js.stripe.com"))
  assert.ok(directives.includes('frame-src https://js.stripe.com'))
})

test('HEAD has the response of GET without the body', async () => {
  const { app } = pageServer(samplePages())
  const { statusCode, headers, body } = await app.inject(asAnn(`/shops/${SHOP}/`, { method: 'HEAD' }))
  assert.equal(statusCode, 200)
  assert.equal(headers['content-security-policy'], POLICY)
  assert.equal(body, '')
})

test('an unauthenticated caller is sent to the sign-in and then back to the requested page', async () => {
  const { app } = pageServer(samplePages())
  const path = `/shops/${SHOP}?tab=a&x=%2F`
  const { statusCode, headers } = await app.inject(path)
  assert.equal(statusCode, 303)
  assert.equal(headers.location, `/sign-in?next=${encodeURIComponent(path)}`)
  // A form leads back to its own page if that page is ours.
  for (const [referer, next] of [
    [`http://localhost:8080/shops/${SHOP}?tab=a`, `/shops/${SHOP}?tab=a`],
    ['http://evil.example/shops/1', '/'],
    ['http://localhost:8080//evil.example', '/'],
    ['nonsense', '/'],
    [undefined, '/'],
  ] as const) {
    const posted = await app.inject({
      method: 'POST',
      url: `/shops/${SHOP}`,
      headers: { host: 'localhost:8080', ...(referer && { referer }) },
    })
    assert.equal(posted.headers.location, `/sign-in?next=${encodeURIComponent(next)}`, referer)
  }
})

test("another tenant's page is rejected with an HTML page under the caller's own name", async () => {
  const { app } = pageServer(samplePages())
  const response = await app.inject(asAnn(`/shops/${OTHER_SHOP}`))
  assertPage(response, 403, /You do not have access/)
  assert.match(response.body, /Ann&#39;s Shop/)
  const seen: unknown[] = []
  const posting = pageServer(samplePages(seen)).app
  const csrf = tokenIn((await posting.inject(asAnn(`/shops/${SHOP}`))).body)
  const payload = `csrf=${csrf}&name=Mine`
  const headers = { cookie: ANN, 'content-type': 'application/x-www-form-urlencoded' }
  assertPage(
    await posting.inject({ method: 'POST', url: `/shops/${OTHER_SHOP}`, headers, payload }),
    403,
    /do not have access/,
  )
  assert.deepEqual(seen, [])
})

test('a rejection is a page with the message for people and without the developer message', async () => {
  const { app } = pageServer([
    pageThat(async () => reject('SUBSCRIPTION_NOT_FOUND', 'secret words', { retryAfterSeconds: 7 })),
  ])
  const response = await app.inject('/it')
  assertPage(response, 404, /There is no such subscription\./)
  assert.doesNotMatch(response.body, /secret words|SUBSCRIPTION_NOT_FOUND/)
  assert.equal(response.headers['retry-after'], '7')
  assert.equal(response.headers['content-security-policy'], POLICY)
})

test('an error is a page with the request id of the log entry', async () => {
  const { app, lines } = pageServer([pageThat(() => Promise.reject(new Error('the words of a bug')))])
  const response = await app.inject({ url: '/it', headers: { 'service-request-id': '<b>"mine' } })
  assert.equal(response.statusCode, 500)
  assert.doesNotMatch(response.body, /words of a bug|<b>/)
  assert.match(response.body, /&lt;b&gt;&quot;mine/)
  const logged = lines.find(line => line.msg === 'request failed')
  assert.equal(logged?.requestId, '<b>"mine')
})

test('if sessions cannot be looked up, the response is an error page', async () => {
  const broken = { find: () => Promise.reject(new Error('away')) }
  const served = { baseUrl: 'http://localhost', billingUrl: 'http://localhost' }
  const { app } = pageServer([], undefined, {
    web: { pages: samplePages(), sessions: broken, masterKey: Buffer.alloc(32, 7), served },
  })
  assertPage(await app.inject(asAnn('/enter')), 500, /Something went wrong/)
})

test('a schema error is a page, and an unknown address has the error body of the API', async () => {
  const { app } = pageServer(samplePages())
  assertPage(await app.inject(asAnn(`/shops/${SHOP}?tab=toolong`)), 400, /The request failed/)
  assertPage(await app.inject(asAnn('/only-posted')), 405, /This page cannot be opened directly/)
  const deleted = await app.inject({ method: 'DELETE', url: '/enter' })
  assert.equal(deleted.json().code, 'METHOD_NOT_ALLOWED')
  assert.equal(deleted.headers.allow, 'GET, HEAD, POST')
  const unknown = await app.inject({ url: '/nowhere', headers: { accept: 'text/html' } })
  assert.equal(unknown.statusCode, 404)
  assert.equal(unknown.json().code, 'RESOURCE_NOT_FOUND')
})

test('a cookie does not authenticate API routes, and a token does not authenticate pages', async () => {
  const whoAmI = route({
    method: 'GET',
    path: '/me',
    name: 'getMe',
    operation: 'plans.read',
    summary: '',
    answers: { 200: Type.Object({}) },
    handle: async () => answer(200, {}),
  })
  const { app } = pageServer(samplePages(), undefined, { routes: [whoAmI] })
  const asked = await app.inject(asAnn('/me'))
  assert.equal(asked.statusCode, 401)
  assert.equal(asked.json().code, 'INVALID_ACCESS_TOKEN')
  const shown = await app.inject({ url: `/shops/${SHOP}`, headers: { authorization: 'Bearer operator' } })
  assert.equal(shown.statusCode, 303)
})

test('a page sets cookies for this host only, hidden from scripts, and marked Secure over TLS', async () => {
  const enter = async (baseUrl: string) => {
    const { app } = pageServer(samplePages(), baseUrl)
    const got = await app.inject('/enter')
    const cookie = String(got.headers['set-cookie']).split(';')[0] ?? ''
    const payload = `csrf=${tokenIn(got.body)}`
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
    const { statusCode, headers: answered } = await app.inject({ method: 'POST', url: '/enter', headers, payload })
    assert.equal(statusCode, 303)
    return [String(got.headers['set-cookie']), String(answered['set-cookie'])]
  }
  const [form, session] = await enter('https://pay.example')
  assert.match(form ?? '', /^__Host-tillhook-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  assert.equal(session, '__Host-tillhook=ses-of-ann; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60')
  const [plainForm, plainSession] = await enter('http://localhost:80')
  assert.match(plainForm ?? '', /^tillhook-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.equal(plainSession, 'tillhook=ses-of-ann; Path=/; HttpOnly; SameSite=Lax; Max-Age=60')
})

test('a file is downloaded under its own name, with any characters', async () => {
  const { app } = pageServer(samplePages())
  const { headers, body } = await app.inject('/report')
  assert.equal(headers['content-type'], 'application/pdf')
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="Rechnung ___.pdf"; filename*=UTF-8''Rechnung%20%22%C3%BC%22.pdf`,
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(body, '%PDF')
})

function tokenIn(body: string): string {
  return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? assert.fail(`no token in ${body}`)
}
