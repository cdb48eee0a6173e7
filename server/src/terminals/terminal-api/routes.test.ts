import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { pngOf } from '../../../test/support/pictures.ts'
import { activatedTerminal, installApp, signInAt, terminalToken } from '../../../test/support/terminals.ts'
import { sendIcon } from '../../../test/support/upload.ts'
import {
  type Answer,
  createWorld,
  type Json,
  type Merchant,
  type Method,
  OPERATOR_KEY,
  type World,
} from '../../../test/support/world.ts'
import { createTokenMemory } from '../../access/tokens/token-memory.ts'
import { findApp } from '../../catalog/apps/store.ts'
import { completePurchase } from '../../money/billing/purchase.fixture.ts'
import { tokenForApp } from './token-for-app.ts'

let world: World
let packageName: string
before(async () => {
  world = await createWorld()
  packageName = (await world.call('GET', `/apps/${world.appId}`)).packageName
})
after(() => world.close())

interface Till {
  readonly merchant: Merchant
  readonly businessId: string
  readonly storeId: string
  readonly deviceId: string
  readonly businessUserId: string
  ask(method: Method, path: string, body?: unknown): Promise<Answer>
  /** The terminal by itself. */
  askAlone(method: Method, path: string, body?: unknown): Promise<Answer>
}

async function newTill({
  role = 'MANAGER' as 'MANAGER' | 'CLERK',
  merchant = undefined as Merchant | undefined,
  storeId = undefined as string | undefined,
  isApproved = true,
  rights = ['READ'],
} = {}): Promise<Till> {
  const shop = merchant ?? (await world.merchant())
  const terminal = await activatedTerminal(world, shop.businessId, storeId)
  const token = await terminalToken(world, terminal)
  await installApp(world, token, packageName)
  const { headers, businessUserId } = await signInAt(world, shop, token, role)
  // 201 for the first terminal of a merchant, 200 for the next.
  const approval = { body: { appId: world.appId, rights } }
  if (isApproved) await world.ask(OPERATOR_KEY, 'POST', `/businesses/${shop.businessId}/approvals`, approval)
  return {
    ...{ merchant: shop, businessId: shop.businessId, businessUserId },
    ...{ storeId: terminal.storeId, deviceId: terminal.deviceId },
    ask: (method, path, body) => world.ask(token, method, path, { headers, body }),
    askAlone: (method, path, body) => world.ask(token, method, path, { body }),
  }
}

const of = (what: string, name = packageName) => `/terminal/apps/${name}/${what}`

test('a terminal shows the name, the developer and the icon of an app', async () => {
  const { ask } = await newTill()
  const path = `/terminal/apps/${packageName}`
  const { organizationId: _, ...app } = await world.call('GET', `/apps/${world.appId}`)
  const shown = { appId: app.appId, packageName, name: app.name, developerName: 'Stories' }
  assert.deepEqual((await ask('GET', path)).body, shown)
  await sendIcon(world, OPERATOR_KEY, { appId: world.appId, icon: pngOf({ width: 96 }) })
  const { icon } = await world.call('GET', `/apps/${world.appId}`)
  assert.deepEqual((await ask('GET', path)).body, { ...shown, icon })
  assert.equal((await ask('GET', '/terminal/apps/com.example.nothing')).body.code, 'APPLICATION_NOT_FOUND')
  assert.equal((await ask('GET', '/terminal/apps/nothing')).status, 400)
})

async function subscribe(merchant: Merchant, planId: string, location: Json = {}): Promise<string> {
  const body = { businessId: merchant.businessId, planId, ...location }
  return (await world.call('POST', `/apps/${world.appId}/subscriptions`, body)).subscriptionId
}

test('a terminal lists its merchant’s subscriptions: of the business, of its store, of itself', async () => {
  const here = await newTill()
  const beside = await newTill({ merchant: here.merchant, storeId: here.storeId })
  const elsewhere = await newTill({ merchant: here.merchant })
  const other = await newTill()
  const plans = await Promise.all(['BUSINESS', 'STORE', 'DEVICE'].map(scope => world.plan({ scope })))
  const [ofBusiness = '', ofStore = '', ofDevice = ''] = plans
  const { storeId, deviceId } = here
  const ids = [
    await subscribe(here.merchant, ofBusiness),
    await subscribe(here.merchant, ofStore, { storeId }),
    await subscribe(here.merchant, ofDevice, { storeId, deviceId }),
  ]
  const listed = async (till: Till) => {
    const { status, body } = await till.askAlone('GET', of('subscriptions'))
    assert.deepEqual([status, body.start, body.total, body.count], [200, 0, body.list.length, body.list.length])
    return body.list.map((one: Json) => ids.indexOf(one.subscriptionId))
  }
  assert.deepEqual(await listed(here), [0, 1, 2])
  assert.deepEqual(await listed(beside), [0, 1])
  assert.deepEqual(await listed(elsewhere), [0])
  assert.deepEqual(await listed(other), [])
  const paged = await here.ask('GET', `${of('subscriptions')}?count=1&start=1`)
  assert.deepEqual([paged.body.total, paged.body.list[0].subscriptionId], [3, ids[1]])
  assert.equal((await beside.ask('GET', `${of('subscriptions')}?after=${ids[2]}`)).status, 400)
  // The same through the REST interface with the same token.
  const rest = async (till: Till, id = '') =>
    await till.askAlone('GET', `/apps/${world.appId}/subscriptions${id === '' ? '' : `/${id}`}`)
  assert.equal((await rest(beside, ids[2])).body.code, 'SUBSCRIPTION_NOT_FOUND')
  assert.equal((await rest(here, ids[2])).status, 200)
})

test('a terminal lists the plans of any app, with its merchant’s prices', async () => {
  const amounts = [
    { country: 'US', currency: 'USD', value: 500 },
    { country: 'DE', currency: 'EUR', value: 450 },
  ]
  const planId = await world.plan({ amounts })
  const till = await newTill({ merchant: await world.merchant({ country: 'DE' }) })
  const { status, body } = await till.askAlone('GET', of('plans'))
  assert.equal(status, 200)
  assert.equal(body.count, body.list.length)
  assert.equal(body.list.find((plan: Json) => plan.planId === planId).amount, 450)
  for (const what of ['plans', 'subscriptions']) {
    assert.equal((await till.ask('GET', of(what, 'com.nobody.app'))).body.code, 'APPLICATION_NOT_FOUND')
    assert.equal((await till.ask('GET', of(what, 'nope'))).status, 400)
  }
})

test('a purchase is opened, read and cancelled only by its terminal', async () => {
  const till = await newTill()
  const [beside, other] = [await newTill({ merchant: till.merchant, storeId: till.storeId }), await newTill()]
  const opened = await till.ask('POST', of('purchases'), { planId: await world.plan() })
  assert.equal(opened.status, 201, opened.text)
  const { purchaseId, url, status } = opened.body
  assert.equal(status, 'OPEN')
  assert.match(url, new RegExp(`/purchases/${purchaseId}\\?key=[\\w-]{43}$`))
  const path = `/terminal/purchases/${purchaseId}`
  const { url: _, ...shown } = opened.body
  assert.deepEqual((await till.askAlone('GET', path)).body, shown)
  for (const foreign of [beside, other]) {
    assert.equal((await foreign.ask('GET', path)).body.code, 'PURCHASE_NOT_FOUND')
    assert.equal((await foreign.ask('DELETE', path)).body.code, 'PURCHASE_NOT_FOUND')
  }
  assert.equal((await till.ask('DELETE', path)).body.status, 'CANCELLED')
  assert.equal((await till.ask('GET', path)).body.status, 'CANCELLED')
})

test('a completed purchase tells the terminal the outcome of the payment', async () => {
  const till = await newTill()
  const opened = await till.ask('POST', of('purchases'), { planId: await world.plan() })
  const { purchaseId, url } = opened.body
  await completePurchase(world.app.ports, { purchaseId, by: { secret: url.split('key=')[1] } })
  const path = `/terminal/purchases/${purchaseId}`
  const before = (await till.ask('GET', path)).body
  assert.deepEqual([before.status, before.payment], ['COMPLETED', { status: 'PENDING' }])
  await world.work()
  const { payment, subscriptionId } = (await till.ask('GET', path)).body
  assert.deepEqual(payment, { status: 'PAID' })
  assert.equal((await till.ask('DELETE', path)).body.code, 'PURCHASE_CLOSED')
  const { list } = (await till.ask('GET', of('subscriptions'))).body
  assert.deepEqual([list[0].subscriptionId, list[0].bundleId], [subscriptionId, purchaseId])
})

test('only a signed-in manager buys, and a clerk or an anonymous user only looks', async () => {
  const [till, clerk] = [await newTill(), await newTill({ role: 'CLERK' })]
  const planId = await world.plan({ cancelPolicy: 'BILLING' })
  assert.equal((await clerk.ask('POST', of('purchases'), { planId })).body.code, 'FORBIDDEN')
  assert.equal((await till.askAlone('POST', of('purchases'), { planId })).body.code, 'FORBIDDEN')
  const subscriptionId = await subscribe(clerk.merchant, planId)
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  assert.equal((await clerk.ask('DELETE', path)).body.code, 'FORBIDDEN')
  assert.equal((await clerk.ask('GET', path)).status, 200)
  const { storeId, deviceId, businessId } = clerk
  assert.equal((await clerk.ask('POST', `/businesses/${businessId}/orders`, { storeId, deviceId })).status, 201)
})

test('a signed-in user gets a token for an app, which the app’s server verifies with our public key', async () => {
  const till = await newTill()
  const { status, body, headers } = await till.ask('POST', of('token'))
  assert.deepEqual([status, body.expiresIn, headers['cache-control']], [201, 3600, 'no-store'])
  const { keys } = (await world.ask(null, 'GET', '/.well-known/jwks.json')).body
  const [head = '', claims = '', signature = ''] = body.accessToken.split('.')
  const key = createPublicKey({ key: keys[0], format: 'jwk' })
  assert.ok(verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
  const { iss, sub, aud, iat = 0, exp, ...rest } = decodeJwt(body.accessToken)
  const { appId, organizationId } = world
  assert.deepEqual([iss, sub, aud, exp], [world.app.ports.settings.baseUrl, appId, appId, iat + 3600])
  const { jti, 'service.gid': _, ...service } = rest
  assert.deepEqual(service, {
    'service.org': organizationId,
    'service.biz': till.businessId,
    'service.str': till.storeId,
    'service.did': till.deviceId,
    'service.uid': till.businessUserId,
    'service.ist': appId,
  })
  const alone = await till.askAlone('POST', of('token'))
  assert.deepEqual([alone.status, alone.body.code], [401, 'INVALID_USER_SESSION'])
})

test('with a token for a terminal’s user an app sees the business, store and device, and needs a confirmation to subscribe', async () => {
  const till = await newTill()
  const elsewhere = await newTill({ merchant: till.merchant })
  const planId = await world.plan({ scope: 'DEVICE' })
  const { storeId, deviceId } = till
  const mine = await subscribe(till.merchant, planId, { storeId, deviceId })
  const theirs = await subscribe(till.merchant, planId, { storeId: elsewhere.storeId, deviceId: elsewhere.deviceId })
  const bearer = (await till.ask('POST', of('token'))).body.accessToken
  const path = `/apps/${world.appId}/subscriptions`
  const { body } = await world.ask(bearer, 'GET', path)
  assert.deepEqual([body.total, body.list[0].subscriptionId], [1, mine])
  assert.equal((await world.ask(bearer, 'GET', `${path}/${theirs}`)).body.code, 'SUBSCRIPTION_NOT_FOUND')
  // A token for an hour must not make changes that outlast the hour.
  assert.equal((await world.ask(bearer, 'DELETE', `${path}/${theirs}`)).body.code, 'FORBIDDEN')
  const { businessId } = till
  const wanted = { businessId, planId: await world.plan({ scope: 'STORE' }) }
  const foreign = await world.ask(bearer, 'POST', path, { body: { ...wanted, storeId: elsewhere.storeId } })
  assert.equal(foreign.body.code, 'FORBIDDEN')
  const asked = await world.ask(bearer, 'POST', path, { body: wanted })
  assert.deepEqual([asked.status, asked.body.status], [202, 'OPEN'], asked.text)
  const business = await world.ask(bearer, 'GET', `/businesses/${businessId}`)
  assert.deepEqual(
    business.body.stores.map((store: Json) => store.storeId),
    [storeId],
  )
})

test('an app without the merchant’s approval gets no token, and a revoked approval ends the token', async () => {
  const till = await newTill({ isApproved: false })
  const { status, body } = await till.ask('POST', of('token'))
  assert.deepEqual([status, body.code], [409, 'APPROVAL_REQUIRED'])
  const approvals = `/businesses/${till.businessId}/approvals`
  await world.call('POST', approvals, { appId: world.appId })
  const bearer = (await till.ask('POST', of('token'))).body.accessToken
  const read = async () => (await world.ask(bearer, 'GET', `/businesses/${till.businessId}`)).status
  assert.equal(await read(), 200)
  await world.call('DELETE', `${approvals}/${world.appId}`, undefined, 204)
  assert.equal(await read(), 401)
})

for (const role of ['CLERK', 'MANAGER'] as const) {
  test(`a token issued for a ${role} buys exactly what the ${role} may buy, although the approval includes SUBSCRIBE`, async () => {
    const till = await newTill({ role, rights: ['READ', 'SUBSCRIBE'] })
    const [planId, dearer] = [await world.plan(), await world.plan()]
    const bearer = (await till.ask('POST', of('token'))).body.accessToken
    const path = `/apps/${world.appId}/subscriptions`
    const body = { businessId: till.businessId, planId }
    const isManager = role === 'MANAGER'
    assert.equal((await world.ask(bearer, 'POST', path, { body })).status, isManager ? 201 : 403)
    if (!isManager) await subscribe(till.merchant, planId)
    const [{ subscriptionId }] = (await world.ask(bearer, 'GET', path)).body.list
    const change = { body: { planId: dearer, when: 'NOW' } }
    assert.equal((await world.ask(bearer, 'PATCH', `${path}/${subscriptionId}`, change)).status, isManager ? 200 : 403)
    // Hooks and deliveries show the developer's endpoints.
    const ofHooks = ['/hooks', `/hooks?businessId=${till.businessId}`]
    const ofDeliveries = [`/apps/${world.appId}/deliveries`, `/businesses/${till.businessId}/deliveries`]
    for (const developers of [...ofHooks, ...ofDeliveries]) {
      assert.equal((await world.ask(bearer, 'GET', developers)).status, 403, developers)
    }
    if (!isManager) return
    const { entries } = (await world.ask(OPERATOR_KEY, 'GET', `/audit?resourceId=${subscriptionId}`)).body
    assert.match(entries[0].principal, new RegExp(till.businessUserId))
  })
}

test('a clerk whose approval lacks SUBSCRIBE cannot request a purchase through such a token', async () => {
  const till = await newTill({ role: 'CLERK' })
  const bearer = (await till.ask('POST', of('token'))).body.accessToken
  const body = { businessId: till.businessId, planId: await world.plan() }
  const asked = await world.ask(bearer, 'POST', `/apps/${world.appId}/subscriptions`, { body })
  assert.deepEqual([asked.status, asked.body.code], [403, 'FORBIDDEN'])
})

test('a new role ends the tokens issued for the user, in every process', async () => {
  const other = await world.openAnother()
  const till = await newTill({ rights: ['READ', 'SUBSCRIBE'] })
  const bearer = (await till.ask('POST', of('token'))).body.accessToken
  const read = async (app = world.app) =>
    (await world.ask(bearer, 'GET', `/apps/${world.appId}/subscriptions`, { app })).status
  assert.deepEqual([await read(), await read(other)], [200, 200])
  await world.call('PATCH', `/businesses/${till.businessId}/users/${till.businessUserId}`, { role: 'CLERK' })
  await other.jobs.revocations.runOnce()
  assert.deepEqual([await read(), await read(other)], [401, 401])
})

test('a user’s token ends with the sign-out and with the user, within a second in every process', async () => {
  const other = await world.openAnother()
  for (const end of [
    (till: Till) => till.ask('DELETE', '/terminal/sessions/current'),
    (till: Till) =>
      world.call('PATCH', `/businesses/${till.businessId}/users/${till.businessUserId}`, { status: 'DISABLED' }),
  ]) {
    const till = await newTill()
    const bearer = (await till.ask('POST', of('token'))).body.accessToken
    const read = async (app = world.app) =>
      (await world.ask(bearer, 'GET', `/apps/${world.appId}/subscriptions`, { app })).status
    assert.deepEqual([await read(), await read(other)], [200, 200])
    await end(till)
    await other.jobs.revocations.runOnce()
    assert.deepEqual([await read(), await read(other)], [401, 401])
  }
})

test('an ended user’s token is purged a day later, and the terminal’s own token is kept', async () => {
  const { ports, jobs } = world.app
  const till = await newTill()
  await till.ask('POST', of('token'))
  const grants = async () => {
    const rows = await ports.db.sql<{ isOfUser: boolean }[]>`
      select business_user_id is not null as "isOfUser" from grants where device_id = ${till.deviceId.slice(-36)}`
    return rows.map(({ isOfUser }) => isOfUser).sort()
  }
  const start = world.clock.now()
  world.clock.set(new Date(start.getTime() + 24 * 3_600_000 - 60_000))
  await jobs.tokens.runOnce()
  assert.deepEqual(await grants(), [false, true])
  world.clock.set(new Date(start.getTime() + 24 * 3_600_000 + 60_000))
  await jobs.tokens.runOnce()
  assert.deepEqual(await grants(), [false])
  world.clock.set(start)
})

test('a sign-out during the issue of a token leaves no token', async () => {
  const { ports } = world.app
  const { businessId, storeId, deviceId: urn, businessUserId, ask } = await newTill()
  const deviceId = urn.slice(-36)
  const [session] = await ports.db.sql<{ sessionId: string }[]>`
    select session_id as "sessionId" from terminal_sessions where business_user_id = ${businessUserId}`
  const app = await findApp(ports.db.sql, world.appId.slice(-36))
  assert.ok(session && app)
  const user = { businessUserId, role: 'MANAGER', ...session } as const
  const terminal = { kind: 'terminal', businessId, storeId, deviceId, user } as const
  const { signingKeys } = createTokenMemory(ports)
  const grants = async () =>
    (await ports.db.sql`select 1 from grants where business_user_id = ${businessUserId}`).length
  assert.equal(typeof (await tokenForApp({ ...ports, signingKeys }, { terminal, app })), 'string')
  assert.equal(await grants(), 1)
  assert.equal((await ask('DELETE', '/terminal/sessions/current')).status, 204)
  const late = await tokenForApp({ ...ports, signingKeys }, { terminal, app })
  assert.partialDeepStrictEqual(late, { rejected: 'INVALID_USER_SESSION' })
  assert.equal(await grants(), 1)
})

test('an unknown package gets neither a token nor a purchase, and a disabled app no token', async () => {
  const till = await newTill()
  const unknown = await till.ask('POST', of('token', 'com.example.nobody'))
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'APPLICATION_NOT_FOUND'])
  const planId = await world.plan()
  const nothing = await till.ask('POST', of('purchases', 'com.example.nobody'), { planId })
  assert.deepEqual([nothing.status, nothing.body.code], [404, 'APPLICATION_NOT_FOUND'])
  const { appId } = await world.developer()
  const { packageName: name } = await world.call('PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  await till.ask('PUT', `/terminal/apps/${name}`, { version: '1', signerSha256: '0'.repeat(64), permissions: [] })
  const disabled = await till.ask('POST', of('token', name))
  assert.deepEqual([disabled.status, disabled.body.code], [409, 'APPLICATION_DISABLED'])
})
