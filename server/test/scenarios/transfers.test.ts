import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../support/world.ts'

let world: World
let ofDevice: string
let ofStore: string
before(async () => {
  world = await createWorld()
  ofDevice = await world.plan({ scope: 'DEVICE' })
  ofStore = await world.plan({ scope: 'STORE' })
})
after(() => world?.close())

const NEW_YEAR = '2026-01-01T00:00:00Z'

test('a terminal is replaced: the subscription moves with its periods, an event follows, and billing goes on', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const [old, replacement] = [await deviceOf(shop), await deviceOf(shop)]
  const id = await subscribed(shop, ofDevice, { deviceId: old.deviceId })
  await shop.until('2026-01-20T00:00:00Z')
  const { storeId, deviceId, ...moved } = await move(id, { deviceId: replacement.deviceId })
  assert.deepEqual({ storeId, deviceId }, replacement)
  assert.deepEqual([moved.planId, moved.currentPeriodEnd], [ofDevice, '2026-02-01T00:00:00Z'])
  assert.deepEqual((await shop.subscription(id)).deviceId, replacement.deviceId)
  const again = await move(id, { deviceId: replacement.deviceId })
  assert.equal(again.updatedAt, moved.updatedAt)
  await shop.until('2026-02-01T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'TRANSFERRED', 'PAYMENT_SUCCESS')
  // The old terminal is free for another subscription to the plan.
  const other = await subscribed(shop, ofDevice, { deviceId: old.deviceId })
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedOf(shop), [
    [id, NEW_YEAR, 'PAID'],
    [id, '2026-02-01T00:00:00Z', 'PAID'],
    [other, '2026-02-01T00:00:00Z', 'PAID'],
  ])
})

test('a subscription of a store moves to another store', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const [first, second] = [await deviceOf(shop), await deviceOf(shop)]
  const id = await subscribed(shop, ofStore, { storeId: first.storeId })
  assert.equal((await move(id, { storeId: second.storeId })).storeId, second.storeId)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'TRANSFERRED')
  assert.deepEqual(await billedOf(shop), [[id, NEW_YEAR, 'PAID']])
})

test('a move is rejected to an occupied, reserved, unknown or foreign location, and for a business plan', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const stranger = await deviceOf(await world.merchant({ at: NEW_YEAR }))
  const [here, there, waiting] = [await deviceOf(shop), await deviceOf(shop), await deviceOf(shop)]
  const id = await subscribed(shop, ofDevice, { deviceId: here.deviceId })
  await subscribed(shop, ofDevice, { deviceId: there.deviceId })
  const other = await world.plan({ scope: 'DEVICE' })
  const third = await subscribed(shop, other, { deviceId: waiting.deviceId })
  await world.call('PATCH', one(third), { planId: ofDevice, when: 'PERIOD_END' })
  await rejected(id, { deviceId: there.deviceId }, 409, 'ALREADY_SUBSCRIBED')
  await rejected(id, { deviceId: waiting.deviceId }, 409, 'ALREADY_SUBSCRIBED')
  await rejected(id, { deviceId: stranger.deviceId }, 404, 'DEVICE_NOT_FOUND')
  await rejected(id, { storeId: here.storeId }, 400, 'MISSING_PARAMETER')
  await rejected(id, { deviceId: there.deviceId, storeId: here.storeId }, 400, 'INVALID_PARAMETER')
  await rejected(id, { deviceId: there.deviceId, planId: other, when: 'NOW' }, 400, 'INVALID_PARAMETER')
  const atStore = await subscribed(shop, ofStore, { storeId: here.storeId })
  await rejected(atStore, { storeId: stranger.storeId }, 404, 'STORE_NOT_FOUND')
  const everywhere = await subscribed(shop, await world.plan(), {})
  await rejected(everywhere, { deviceId: there.deviceId }, 409, 'PLAN_INCOMPATIBLE')
  await shop.cancel(id)
  await rejected(id, { deviceId: here.deviceId }, 409, 'ALREADY_ENDED')
})

test('if two subscriptions move to one terminal concurrently, one move succeeds', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const [a, b, goal] = [await deviceOf(shop), await deviceOf(shop), await deviceOf(shop)]
  const ids = [
    await subscribed(shop, ofDevice, { deviceId: a.deviceId }),
    await subscribed(shop, ofDevice, { deviceId: b.deviceId }),
  ]
  const outcomes = await Promise.all(
    ids.map(id =>
      move(id, { deviceId: goal.deviceId }).then(
        () => 200,
        () => 409,
      ),
    ),
  )
  assert.deepEqual(outcomes.sort(), [200, 409])
})

const one = (id: string) => `/apps/${world.appId}/subscriptions/${id}`

/** A store with a terminal. */
async function deviceOf({ businessId }: Merchant): Promise<{ storeId: string; deviceId: string }> {
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const device = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  return { storeId, deviceId }
}

async function subscribed({ businessId }: Merchant, planId: string, location: Json): Promise<string> {
  const body = { businessId, planId, ...location }
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, body)
  await world.work()
  return subscriptionId
}

async function billedOf(shop: Merchant): Promise<string[][]> {
  return (await shop.invoices()).map(({ subscriptionId, periodStart, status }) => [subscriptionId, periodStart, status])
}

function move(id: string, to: Json): Promise<Json> {
  return world.call('PATCH', one(id), to)
}

async function rejected(id: string, body: Json, status: number, code: string): Promise<void> {
  assert.equal((await world.call('PATCH', one(id), body, status)).code, code)
}
