import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newTill, type Till } from '../../../test/support/purchases.ts'
import { addTerminal } from '../../../test/support/terminals.ts'
import { tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

interface Location {
  readonly storeId: string
  /** The URN. */
  readonly deviceId: string
}

interface Scene {
  readonly till: Till
  /** The app's token for the till's user, bound to store and device. */
  readonly bearer: string
  /** The till's own location, a terminal in the same store, and a terminal in another store. */
  readonly locations: { readonly own: Location; readonly beside: Location; readonly elsewhere: Location }
}

async function newScene(): Promise<Scene> {
  const till = await newTill(world)
  const { businessId, terminal, token, headers } = till
  const { packageName } = await world.call('GET', `/apps/${world.appId}`)
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights: ['READ'] })
  const asked = await world.ask(token, 'POST', `/terminal/apps/${packageName}/token`, { headers })
  const [beside, elsewhere] = [
    await addTerminal(world, businessId, terminal.storeId),
    await addTerminal(world, businessId),
  ]
  return {
    till,
    bearer: asked.body.accessToken,
    locations: {
      own: { storeId: terminal.storeId, deviceId: terminal.deviceId },
      beside: { storeId: terminal.storeId, deviceId: beside.deviceId },
      elsewhere: { storeId: elsewhere.storeId, deviceId: elsewhere.deviceId },
    },
  }
}

async function subscribe(
  { till: { businessId } }: Scene,
  scope: string,
  location: Partial<Location> = {},
): Promise<string> {
  const body = { businessId, planId: await world.plan({ scope }), ...location }
  return (await world.call('POST', `/apps/${world.appId}/subscriptions`, body)).subscriptionId
}

/** Subscribes the business, each store and each device. */
async function subscribeEverywhere(scene: Scene) {
  const { own, beside, elsewhere } = scene.locations
  const ids = {
    business: await subscribe(scene, 'BUSINESS'),
    store: await subscribe(scene, 'STORE', { storeId: own.storeId }),
    device: await subscribe(scene, 'DEVICE', own),
    besideDevice: await subscribe(scene, 'DEVICE', beside),
    otherStore: await subscribe(scene, 'STORE', { storeId: elsewhere.storeId }),
    otherDevice: await subscribe(scene, 'DEVICE', elsewhere),
  }
  await world.work()
  const { business, store, device, ...foreign } = ids
  return { mine: [business, store, device].sort(), foreign: Object.values(foreign) }
}

const subscriptionsOf = (list: readonly Json[]) => list.map(({ subscriptionId }) => subscriptionId).sort()

test('a token of a store and a device sees the invoices of its location and of the whole business', async () => {
  const scene = await newScene()
  const { mine, foreign } = await subscribeEverywhere(scene)
  const path = `/businesses/${scene.till.businessId}/invoices`
  const all: Json[] = (await world.call('GET', path)).list
  assert.equal(all.length, 6)
  for (const bearer of [scene.bearer, scene.till.token]) {
    const { body } = await world.ask(bearer, 'GET', path)
    assert.deepEqual([body.total, subscriptionsOf(body.list)], [3, mine])
    for (const { invoiceId, subscriptionId } of all) {
      const { status, body: one } = await world.ask(bearer, 'GET', `${path}/${invoiceId}`)
      const isForeign = foreign.includes(subscriptionId)
      assert.deepEqual([status, one.code], isForeign ? [404, 'INVOICE_NOT_FOUND'] : [200, undefined])
    }
  }
})

test('an app’s token for a store and a device sees the deliveries about its location and the whole business', async () => {
  const scene = await newScene()
  const { businessId } = scene.till
  const eventTypes = ['APPLICATION_SUBSCRIPTION_START', 'ORDER_OPENED']
  const hook = { applicationId: world.appId, businessId, deliveryUrl: 'http://127.0.0.1:9/', secret: 's', eventTypes }
  const { id: hookId } = await world.call('POST', '/hooks', hook)
  const { mine, foreign } = await subscribeEverywhere(scene)
  const open = async (location: Location) =>
    (await world.call('POST', `/businesses/${businessId}/orders`, { ...location })).orderId as string
  const { own, beside, elsewhere } = scene.locations
  const device = { storeId: own.storeId, deviceId: own.deviceId.slice('urn:tid:'.length) }
  const bearer = await tokenWithin(world, world.credentials, businessId, device)
  const [order, ...foreignOrders] = [await open(own), await open(beside), await open(elsewhere)]
  const all: Json[] = (await world.call('GET', `/businesses/${businessId}/deliveries?limit=100&hookId=${hookId}`))
    .deliveries
  assert.equal(all.length, 9)
  const seen = [...mine, order].sort()
  for (const whose of [`/businesses/${businessId}`, `/apps/${world.appId}`]) {
    const { body } = await world.ask(bearer, 'GET', `${whose}/deliveries?limit=100&hookId=${hookId}`)
    assert.deepEqual(body.deliveries.map((one: Json) => one.resourceId).sort(), seen)
    for (const { id, resourceId } of all) {
      const { status } = await world.ask(bearer, 'GET', `${whose}/deliveries/${id}`)
      assert.equal(status, seen.includes(resourceId) ? 200 : 404)
    }
    for (const resourceId of [...foreign, ...foreignOrders]) {
      const { body: none } = await world.ask(
        bearer,
        'GET',
        `${whose}/deliveries?hookId=${hookId}&resourceId=${resourceId}`,
      )
      assert.deepEqual(none.deliveries, [])
    }
  }
})

test('an app’s token for a terminal’s user reads the orders of that terminal', async () => {
  const { till, bearer, locations } = await newScene()
  const path = `/businesses/${till.businessId}/orders`
  for (const [name, location] of Object.entries(locations)) {
    const { orderId } = await world.call('POST', path, location)
    const { status } = await world.ask(bearer, 'GET', `${path}/${orderId}`)
    assert.equal(status, name === 'own' ? 200 : 403, name)
    // The terminal reads every order of its store.
    const atTill = await world.ask(till.token, 'GET', `${path}/${orderId}`)
    assert.equal(atTill.status, name === 'elsewhere' ? 403 : 200, name)
  }
})

test('an app’s token for a location sees its subscriptions and purchases, and those of the whole business', async () => {
  const scene = await newScene()
  const { mine, foreign } = await subscribeEverywhere(scene)
  const path = `/apps/${world.appId}/subscriptions`
  const { body } = await world.ask(scene.bearer, 'GET', path)
  assert.deepEqual(subscriptionsOf(body.list), mine)
  for (const id of foreign) {
    assert.equal((await world.ask(scene.bearer, 'GET', `${path}/${id}`)).status, 404)
    assert.equal((await world.ask(scene.bearer, 'DELETE', `${path}/${id}`)).status, 403)
  }
  const own = await scene.till.open({ planId: await world.plan() })
  const read = (purchaseId: string) => world.ask(scene.bearer, 'GET', `/apps/${world.appId}/purchases/${purchaseId}`)
  assert.equal((await read(own.purchaseId)).status, 200)
  const { deviceId, storeId } = scene.locations.elsewhere
  await world.app.ports.db.sql`
    update purchases set store_id = ${storeId}, device_id = ${deviceId.slice('urn:tid:'.length)}
    where purchase_id = ${own.purchaseId}`
  assert.equal((await read(own.purchaseId)).status, 404)
})

test('a token of a store without a device cannot subscribe for a device of another store', async () => {
  const { ask, locations } = await newStoreScene()
  for (const location of [locations.elsewhere, { deviceId: locations.elsewhere.deviceId }]) {
    const { status, body } = await ask('POST', '', location)
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  }
  assert.equal((await ask('POST', '', { deviceId: locations.beside.deviceId })).status, 201)
})

test('a token of a store without a device cannot move a subscription to a device of another store', async () => {
  const { ask, locations } = await newStoreScene()
  const { own, beside, elsewhere } = locations
  const { subscriptionId } = (await ask('POST', '', own)).body
  for (const location of [elsewhere, { deviceId: elsewhere.deviceId }]) {
    const { status, body } = await ask('PATCH', `/${subscriptionId}`, location)
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  }
  const { status, body } = await ask('PATCH', `/${subscriptionId}`, { deviceId: beside.deviceId })
  assert.deepEqual([status, body.storeId, body.deviceId], [200, beside.storeId, beside.deviceId])
})

/** An app that may subscribe for a merchant, with a token of the store of the till. */
async function newStoreScene() {
  const { till, locations } = await newScene()
  const { businessId } = till
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights: ['SUBSCRIBE'] }, 200)
  const bearer = await tokenWithin(world, world.credentials, businessId, { storeId: locations.own.storeId })
  const planId = await world.plan({ scope: 'DEVICE' })
  const ask = (method: 'POST' | 'PATCH', path: string, location: Partial<Location>) => {
    const body = method === 'POST' ? { businessId, planId, ...location } : location
    return world.ask(bearer, method, `/apps/${world.appId}/subscriptions${path}`, { body })
  }
  return { ask, locations }
}
