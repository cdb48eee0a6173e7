import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../db/db.ts'
import { pageServer, SHOP, samplePages } from './page.fixture.ts'
import { redirect } from './page.ts'
import { noDb } from './server.fixture.ts'

const ANN = 'tillhook=ses-of-ann'
const BOB = 'tillhook=ses-of-bob'
const FORM = 'application/x-www-form-urlencoded'

function opened(baseUrl?: string) {
  const seen: unknown[] = []
  const { app } = pageServer(samplePages(seen), baseUrl)
  const tokenAt = async (url: string, cookie: string) => {
    const { body } = await app.inject({ url, headers: { cookie } })
    return /name="csrf" value="([^"]+)"/.exec(body)?.[1] ?? assert.fail(body)
  }
  const post = async (payload: string | Buffer, headers: Record<string, string> = {}, url = `/shops/${SHOP}`) =>
    app.inject({ method: 'POST', url, headers: { cookie: ANN, 'content-type': FORM, ...headers }, payload })
  return { app, seen, tokenAt, post }
}

test('a form of our page is accepted and answered with a redirect', async () => {
  const { seen, tokenAt, post } = opened()
  const csrf = await tokenAt(`/shops/${SHOP}`, ANN)
  const { statusCode, headers } = await post(`csrf=${csrf}&name=Corner+Caf%C3%A9&days=MO&days=TU`)
  assert.equal(statusCode, 303)
  assert.equal(headers.location, `/shops/${SHOP}`)
  assert.deepEqual(seen, [{ name: 'Corner Café', days: ['MO', 'TU'] }])
})

test('a form is rejected without its token, and with the token of another session or of no session', async () => {
  const { seen, tokenAt, post } = opened()
  const own = await tokenAt(`/shops/${SHOP}`, ANN)
  const bobs = await tokenAt('/enter', BOB)
  const nobodys = await tokenAt('/enter', 'tillhook-form=abc')
  for (const token of ['', bobs, nobodys, own.slice(0, -1), `${own}A`, `${own.slice(0, -1)}~`, own.toLowerCase()]) {
    const response = await post(`csrf=${token}&name=A`)
    assert.equal(response.statusCode, 403, token)
    assert.match(response.body, /This form is out of date/)
  }
  assert.equal((await post('name=A')).statusCode, 403)
  assert.equal((await post('')).statusCode, 403)
  assert.deepEqual(seen, [])
})

test('before the sign-in, a form needs the token of its own cookie', async () => {
  const { app, post } = opened()
  const { headers, body } = await app.inject('/enter')
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const csrf = /value="([^"]+)"/.exec(body)?.[1]
  assert.equal((await post(`csrf=${csrf}`, { cookie }, '/enter')).statusCode, 303)
  assert.equal((await post(`csrf=${csrf}`, { cookie: '' }, '/enter')).statusCode, 403)
  assert.equal((await post(`csrf=${csrf}`, { cookie: `${cookie}x` }, '/enter')).statusCode, 403)
  assert.equal((await post(`csrf=${cookie.split('=')[1]}`, { cookie }, '/enter')).statusCode, 403)
  // The cookie stays the same, so a second page does not invalidate the first one's form.
  const again = await app.inject({ url: '/enter', headers: { cookie } })
  assert.equal(again.headers['set-cookie'], undefined)
  const second = /value="([^"]+)"/.exec(again.body)?.[1]
  assert.notEqual(second, csrf)
  for (const token of [csrf, second]) assert.equal((await post(`csrf=${token}`, { cookie }, '/enter')).statusCode, 303)
})

test('a form from another site is rejected, with any token', async () => {
  const { seen, tokenAt, post } = opened()
  const csrf = await tokenAt(`/shops/${SHOP}`, ANN)
  const from = (headers: Record<string, string>) => post(`csrf=${csrf}&name=A`, headers)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://localhost:80' },
    { origin: 'http://localhost:8081' },
    { origin: 'http://localhost.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
  ]) {
    assert.equal((await from(headers as Record<string, string>)).statusCode, 403, JSON.stringify(headers))
  }
  assert.deepEqual(seen, [])
  for (const headers of [
    {},
    { origin: 'http://localhost' },
    { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' },
  ]) {
    assert.equal((await from(headers as Record<string, string>)).statusCode, 303, JSON.stringify(headers))
  }
})

test('over TLS only the configured host is accepted', async () => {
  const { app } = opened('https://pay.example')
  const cookie = '__Host-tillhook=ses-of-ann'
  const { body } = await app.inject({ url: `/shops/${SHOP}`, headers: { cookie } })
  const payload = `csrf=${/value="([^"]+)"/.exec(body)?.[1]}&name=A`
  const from = (headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: `/shops/${SHOP}`,
      headers: { cookie, 'content-type': FORM, ...headers },
      payload,
    })
  assert.equal((await from({ origin: 'https://pay.example', host: '10.0.0.1' })).statusCode, 303)
  assert.equal((await from({ origin: 'https://evil.example', host: 'evil.example' })).statusCode, 403)
  assert.equal((await from({ origin: 'http://pay.example', host: 'pay.example' })).statusCode, 403)
})

test('a session needs its exact cookie, once, with the right length', async () => {
  const { app } = opened()
  const statusOf = async (cookie: string) =>
    (await app.inject({ url: `/shops/${SHOP}`, headers: { cookie } })).statusCode
  assert.equal(await statusOf(ANN), 200)
  assert.equal(await statusOf(`other=1; ${ANN};`), 200)
  for (const cookie of [
    `${ANN}; ${BOB}`,
    `${ANN}; ${ANN}`,
    `${ANN}x`,
    'Tillhook=ses-of-ann',
    'xtillhook=ses-of-ann',
    '__Host-tillhook=ses-of-ann',
    'tillhook="ses-of-ann"',
    'tillhook=',
    'tillhook',
    `tillhook=${'a'.repeat(10_000)}`,
    ';;;=;',
  ]) {
    assert.equal(await statusOf(cookie), 303, cookie.slice(0, 60))
  }
  const secure = opened('https://pay.example').app
  const plain = await secure.inject({ url: `/shops/${SHOP}`, headers: { cookie: ANN } })
  assert.equal(plain.statusCode, 303, 'over TLS a cookie that any host could have set is none')
})

test('a form that no browser sends from our pages is rejected: repeated fields, malformed, too large, another type', async () => {
  const { seen, tokenAt, post } = opened()
  const csrf = await tokenAt(`/shops/${SHOP}`, ANN)
  const form = `csrf=${csrf}&name=A`
  const status = async (payload: string | Buffer, headers?: Record<string, string>) =>
    (await post(payload, headers)).statusCode
  assert.equal(await status(`${form}&name=B`), 400, 'a field twice')
  assert.equal(await status(`${form}&csrf=${csrf}`), 400, 'its token twice')
  assert.equal(await status(`csrf=${csrf}&name=%zz`), 400, 'a % that encodes nothing')
  assert.equal(await status(`csrf=${csrf}&name=%ff`), 400, 'bytes that are no UTF-8')
  assert.equal(await status(`csrf=${csrf}&name=a%00b`), 400, 'NUL')
  assert.equal(await status(Buffer.from(`csrf=${csrf}&name=é`, 'latin1')), 400, 'a raw byte')
  assert.equal(await status(`csrf=${csrf}`), 400, 'a field too few')
  assert.equal(await status(`csrf=${csrf}&name=${'x'.repeat(21)}`), 400, 'a field too long')
  assert.equal(await status(`${form}&days=1&days=2&days=3&days=4`), 400, 'a list too long')
  assert.equal(await status(`${form}&${'a=&'.repeat(300)}`), 400, 'too many fields')
  assert.equal(await status(`${form}&pad=${'x'.repeat(65 * 1024)}`), 413)
  assert.equal(await status(form, { 'content-type': 'application/json' }), 415)
  assert.equal(await status(form, { 'content-type': 'multipart/form-data; boundary=x' }), 415)
  assert.equal(await status(form, { 'content-type': 'text/plain' }), 415)
  assert.equal(await status(form, { 'content-encoding': 'gzip' }), 415)
  assert.deepEqual(seen, [])
  assert.equal(await status(`${form}&__proto__=x&constructor=y`), 303, 'names that mean something to JavaScript')
})

test('too many posts are rejected, per address before the sign-in and per person afterwards', async () => {
  const { app } = pageServer(samplePages(), undefined, {
    clock: { now: () => new Date(0) },
    limits: { ratePerAddress: 1, burstPerAddress: 2, ratePerApp: 1, burstPerApp: 3 },
  })
  const times = async (count: number, ask: () => Promise<{ statusCode: number }>) => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await ask()).statusCode)
    return statuses
  }
  assert.deepEqual(await times(3, () => app.inject({ method: 'POST', url: '/enter' })), [415, 415, 429])
  const asAnn = () => app.inject({ url: `/shops/${SHOP}`, headers: { cookie: ANN } })
  assert.deepEqual(await times(4, asAnn), [200, 200, 200, 429])
  const slowed = await asAnn()
  assert.match(slowed.body, /Too many requests/)
  assert.equal(slowed.headers['retry-after'], '1')
})

test("a change by a page is audited as the caller's action, with the path and operation of the page", async () => {
  const acts: unknown[] = []
  const db: Db = { ...Object.create(noDb), transaction: async work => work({ ...db, afterCommit() {} }) }
  const pages = samplePages().map(one =>
    one.name === 'saveShop'
      ? { ...one, handle: async (call: { db: Db }) => call.db.transaction(async () => redirect('/done')) }
      : one,
  )
  const auditor = { attribute: async (_tx: Db, act: unknown) => void acts.push(act) }
  const { app } = pageServer(pages, undefined, { db, auditor })
  const { body } = await app.inject({ url: `/shops/${SHOP}`, headers: { cookie: ANN } })
  const response = await app.inject({
    method: 'POST',
    url: `/shops/${SHOP}`,
    headers: { cookie: ANN, 'content-type': FORM, 'service-request-id': 'mine' },
    payload: `csrf=${/value="([^"]+)"/.exec(body)?.[1]}&name=A`,
  })
  assert.equal(response.headers.location, '/done')
  const principal = { kind: 'merchant', role: 'OWNER', userId: 'ann', businessId: SHOP }
  const act = { operation: 'businesses.write', method: 'POST', path: '/shops/:shopId', requestId: 'mine' }
  assert.deepEqual(acts, [{ principal, ...act }])
})
