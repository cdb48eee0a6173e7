import assert from 'node:assert/strict'
import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertAway, isBack } from './away.ts'
import { assertBooksAgree } from './books.ts'
import type { Json, SendOptions } from './client.ts'
import { makeMerchant, makePlatform, makeTill, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'
import { openWire, type Wire } from './wire.ts'

const PAST_LEASES_MS = 120_000

let wire: Wire
let stand: Stand
let platform: Platform
let openOrder: () => Promise<string>
let aheadMs = 0

before(async () => {
  wire = await openWire()
  stand = await openStand(wire.through)
  await stand.startMain()
  platform = await makePlatform(stand.client, stand.inbox)
  openOrder = await makeTill(stand.client, platform)
})
after(async () => {
  await stand?.close()
  await wire?.close()
})

for (const how of ['refused', 'reset'] as const) {
  test(`without its database (${how}) every request answers 503, and afterwards works as before`, async () => {
    const { client } = stand
    const businessId = await makeMerchant(client)
    const { subscriptionId } = await subscribe(client, platform, businessId)
    await stand.settle()
    const app = await makeAppWithToken()
    const assertion = assertionOf(app)
    const key = { 'idempotency-key': randomUUID() }
    const merchant = { legalName: 'Late', emailAddress: 'late@example.com', country: 'US', type: 'MERCHANT' }
    const subscriptions = `/apps/${platform.appId}/subscriptions`
    const requests: readonly [method: string, path: string, options: SendOptions, afterwards: number][] = [
      ['GET', `/apps/${platform.appId}/plans`, {}, 200],
      ['GET', `${subscriptions}/${subscriptionId}`, {}, 200],
      ['GET', subscriptions, {}, 200],
      ['GET', `/apps/${app.appId}/subscriptions`, { headers: { authorization: `Bearer ${app.token}` } }, 200],
      ['GET', `/businesses/${businessId}/invoices`, {}, 200],
      ['GET', `/businesses/${businessId}/deliveries`, {}, 200],
      ['POST', '/businesses', { body: merchant, headers: key }, 201],
      ['POST', '/businesses', { body: merchant }, 201],
      ['POST', '/token', { body: tokenForm(assertion), headers: FORM }, 200],
      ['DELETE', `${subscriptions}/${subscriptionId}`, {}, 200],
    ]
    await wire.cut(how)
    const away = await Promise.all(requests.map(([method, path, options]) => client.send(method, path, options)))
    for (const [i, received] of away.entries()) assertAway(received, String(requests[i]?.slice(0, 2)))
    const health = await client.send('GET', '/healthz')
    assert.deepEqual([health.status, health.body.status, health.body.database], [200, 'degraded', 'down'])
    const ready = await client.send('GET', '/readyz')
    assert.deepEqual([ready.status, ready.headers.get('retry-after') !== null], [503, true])

    await wire.restore()
    await isBack(stand)
    for (const [method, path, options, status] of requests) {
      const received = await client.send(method, path, options)
      assert.equal(received.status, status, `${method} ${path}: ${JSON.stringify(received.body)}`)
    }
    const again = await client.send('POST', '/businesses', { body: merchant, headers: key })
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await client.get('/healthz')).status, 'ok')
  })
}

for (const how of ['refused', 'reset'] as const) {
  test(`after an outage of the database (${how}) the jobs continue, and an earlier order is delivered`, async () => {
    await restartWithClock()
    const { client, inbox } = stand
    const sent = Promise.withResolvers<void>()
    const returned = Promise.withResolvers<void>()
    inbox.answerWith(response => {
      sent.resolve()
      returned.promise.then(() => response.writeHead(200).end())
    })
    const orderId = await openOrder()
    await sent.promise
    await wire.cut(how)
    returned.resolve()
    // Longer than the idle interval of the jobs: each meets the outage.
    await wait(1_200)
    await wire.restore()
    await isBack(stand)
    const orders = [orderId, await openOrder()]
    await subscribe(client, platform, await makeMerchant(client))
    await passLeases()
    await stand.settle()
    const notified = new Set([...inbox.received.values()].map(([body]) => (JSON.parse(body ?? '') as Json).resourceId))
    for (const id of orders) assert.ok(notified.has(id))
  })
}

test('outages of the database at random times cause no 500, no double charge and no loss', async () => {
  await restartWithClock()
  const made: Promise<unknown>[] = []
  for (const [round, how] of (['refused', 'reset', 'refused', 'reset', 'refused', 'reset'] as const).entries()) {
    for (let n = 0; n < 4; n++) {
      made.push(
        makeMerchant(stand.client).then(businessId => subscribe(stand.client, platform, businessId)),
        openOrder(),
      )
    }
    for (const work of made) work.catch(() => {})
    await wait(20 + 40 * round)
    await wire.cut(how)
    await wait(150)
    await wire.restore()
    await isBack(stand)
  }
  await Promise.all(made)
  await passLeases()
  await stand.settle()
  const bugs = [...stand.client.statuses].filter(status => status >= 400 && status !== 503 && status !== 409)
  assert.deepEqual(bugs, [], stand.program().stderr())
  assert.equal(stand.program().child.exitCode ?? stand.program().child.signalCode, null)
})

test('after all outages the books match', () => assertBooksAgree(stand))

/** The same service with a clock set ahead. */
async function restartWithClock(): Promise<void> {
  await stand.program().kill()
  await stand.startAhead(aheadMs)
}

/** Work claimed before the outage is claimed again after its lease. */
async function passLeases(): Promise<void> {
  aheadMs += PAST_LEASES_MS
  await stand.send({ aheadMs })
}

interface AppWithToken {
  readonly appId: string
  readonly privateKey: string
  readonly token: string
}

async function makeAppWithToken(): Promise<AppWithToken> {
  const { organizationId } = await stand.client.post('/organizations', { name: 'Away', email: 'away@example.com' })
  const packageName = `com.example.a${randomUUID().replaceAll('-', '')}`
  const { appId, privateKey } = await stand.client.post('/apps', { organizationId, name: 'Away', packageName })
  const { status, body } = await stand.client.send('POST', '/token', {
    body: tokenForm(assertionOf({ appId, privateKey })),
    headers: FORM,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return { appId, privateKey, token: body.accessToken ?? body.access_token }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

function tokenForm(assertion: string): string {
  return `grant_type=${encodeURIComponent('urn:ietf:params:oauth:grant-type:jwt-bearer')}&assertion=${assertion}`
}

function assertionOf({ appId, privateKey }: Pick<AppWithToken, 'appId' | 'privateKey'>): string {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const claims = { sub: appId, iss: appId, aud: 'http://tillhook.test', iat: nowSeconds, exp: nowSeconds + 500 }
  const parts = [
    { alg: 'RS256', typ: 'JWT' },
    { ...claims, jti: randomUUID() },
  ]
  const signed = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), createPrivateKey(privateKey)).toString('base64url')}`
}
