import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
import { newHook, newListening, openListener, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Principal } from '../../core/principal.ts'
import { setClock } from '../../merchants/businesses/store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

/** A merchant with a terminal. */
async function newLocation(businessId: string) {
  const store = await webhooks.call(OPERATOR, 'POST', `/businesses/${businessId}/stores`, { displayName: 'Main St' })
  return newDevice(businessId, store.body.storeId)
}

async function newDevice(businessId: string, storeId: string) {
  const device = await webhooks.call(OPERATOR, 'POST', `/businesses/${businessId}/stores/${storeId}/devices`, {
    name: 'Till 1',
    serialNumber: v7(),
  })
  return { storeId, deviceId: device.body.deviceId as string }
}

async function newTill() {
  const app = await newListening(webhooks)
  const location = await newLocation(app.businessId)
  const path = `/businesses/${app.businessId}/orders`
  const open = (more: object = {}, as: Principal = OPERATOR) =>
    webhooks.call(as, 'POST', path, { ...location, ...more })
  const terminal: Principal = {
    kind: 'terminal',
    businessId: app.businessId,
    storeId: location.storeId,
    deviceId: location.deviceId.slice('urn:tid:'.length),
  }
  return { ...app, ...location, path, open, terminal }
}

async function eventsOf(orderId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ text: string }[]>`
    select event_type || ' ' || resource_seq as text from notifications
    where resource_id = ${orderId} order by resource_seq`
  return rows.map(({ text }) => text)
}

test('an order is opened, edited and completed, and each change emits one event', async t => {
  const till = await newTill()
  const listener = await openListener(t)
  await newHook(webhooks, till.app, { applicationId: till.appId, deliveryUrl: listener.url })
  const opened = await till.open({ amount: 1_250, currency: 'EUR', reference: 'table 4', note: 'no onions' })
  assert.equal(opened.status, 201)
  const { orderId } = opened.body
  assert.deepEqual(opened.body, {
    orderId,
    businessId: till.businessId,
    storeId: till.storeId,
    deviceId: till.deviceId,
    status: 'OPENED',
    amount: 1_250,
    currency: 'EUR',
    reference: 'table 4',
    note: 'no onions',
    createdAt: '2026-03-01T10:00:00Z',
    updatedAt: '2026-03-01T10:00:00Z',
  })
  webhooks.pass(1_999)
  const path = `${till.path}/${orderId}`
  const edited = await webhooks.call(OPERATOR, 'PATCH', path, { note: 'with onions' })
  assert.equal(edited.body.note, 'with onions')
  assert.equal(edited.body.updatedAt, '2026-03-01T10:00:01Z')
  assert.equal((await webhooks.call(OPERATOR, 'PATCH', path, {})).status, 200)
  const completed = await webhooks.call(OPERATOR, 'PATCH', path, { status: 'COMPLETED', amount: 1_300 })
  assert.equal(completed.body.status, 'COMPLETED')
  const closed = await webhooks.call(OPERATOR, 'PATCH', path, { note: 'late' })
  assert.equal(closed.status, 409)
  assert.equal(closed.body.code, 'ORDER_CLOSED')
  assert.deepEqual(await eventsOf(orderId), ['ORDER_OPENED 1', 'ORDER_UPDATED 2', 'ORDER_COMPLETED 3'])

  const sender = webhooks.sender()
  for (let run = 0; run < 3; run++) await sender.runOnce()
  assert.deepEqual(
    listener.received.map(({ body }) => body.eventType),
    ['ORDER_OPENED', 'ORDER_UPDATED', 'ORDER_COMPLETED'],
  )
  const body = listener.received[2]?.body
  assert.equal(body.deviceId, till.deviceId)
  assert.equal(body.storeId, till.storeId)
  const linked = await webhooks.call(till.app, 'GET', body.links[0].href)
  assert.deepEqual(linked.body, completed.body)
})

test('each of many concurrent changes emits one event, in order', async () => {
  const till = await newTill()
  await newHook(webhooks, till.app, { applicationId: till.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const { orderId } = (await till.open()).body
  const path = `${till.path}/${orderId}`
  const edits = Array.from({ length: 6 }, (_, number) => webhooks.call(OPERATOR, 'PATCH', path, { note: `${number}` }))
  const closings = ['COMPLETED', 'CANCELLED'].map(status => webhooks.call(OPERATOR, 'PATCH', path, { status }))
  const answers = await Promise.all([...edits, ...closings])
  const changed = answers.filter(({ status }) => status === 200).length
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  assert.equal(answers.slice(6).filter(({ status }) => status === 200).length, 1)
  const events = await eventsOf(orderId)
  assert.deepEqual(
    events.map(text => Number(text.split(' ')[1])),
    Array.from({ length: changed + 1 }, (_, index) => index + 1),
  )
})

test("an order's instants are in business time, and recordings in real time", async () => {
  const till = await newTill()
  const testClockId = v7()
  await newHook(webhooks, till.app, { applicationId: till.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.db.sql`update businesses set type = 'TEST_MERCHANT' where business_id = ${till.businessId}`
  await setClock(webhooks.db.sql, till.businessId, { testClockId, now: new Date('2031-05-05T05:05:05Z') })
  const opened = await till.open()
  assert.equal(opened.body.createdAt, '2031-05-05T05:05:05Z')
  const [row] = await webhooks.db.sql`
    select body, recorded_at from notifications where resource_id = ${opened.body.orderId}`
  assert.equal(JSON.parse(row?.body).createdAt, '2031-05-05T05:05:05Z')
  assert.deepEqual(row?.recorded_at, webhooks.now())
})

test('store and device are required and must belong to the business', async () => {
  const till = await newTill()
  const other = await newTill()
  const cases: [object, number, string][] = [
    [{ storeId: undefined }, 400, 'MISSING_PARAMETER'],
    [{ deviceId: undefined }, 400, 'MISSING_PARAMETER'],
    [{ storeId: other.storeId }, 404, 'STORE_NOT_FOUND'],
    [{ storeId: v7() }, 404, 'STORE_NOT_FOUND'],
    [{ deviceId: other.deviceId }, 404, 'DEVICE_NOT_FOUND'],
    [{ deviceId: v7() }, 400, 'INVALID_PARAMETER'],
    [{ amount: 1 }, 400, 'INVALID_PARAMETER'],
    [{ amount: 1.5, currency: 'USD' }, 400, 'INVALID_PARAMETER'],
    [{ amount: -1, currency: 'USD' }, 400, 'INVALID_PARAMETER'],
    [{ amount: '1', currency: 'USD' }, 400, 'INVALID_PARAMETER'],
    [{ amount: null, currency: 'USD' }, 400, 'INVALID_PARAMETER'],
    [{ amount: 1e12, currency: 'USD' }, 400, 'INVALID_PARAMETER'],
    [{ amount: 1, currency: 'XXX' }, 400, 'INVALID_PARAMETER'],
    [{ note: 'a\0b' }, 400, 'INVALID_PARAMETER'],
    [{ note: 'x'.repeat(2_001) }, 400, 'INVALID_PARAMETER'],
    [{ reference: '' }, 400, 'INVALID_PARAMETER'],
  ]
  for (const [more, status, code] of cases) {
    const rejected = await till.open(more)
    assert.deepEqual([rejected.status, rejected.body.code], [status, code], JSON.stringify(more))
  }
  const inOtherStore = await newLocation(till.businessId)
  for (const more of [{ storeId: inOtherStore.storeId }, { deviceId: inOtherStore.deviceId }]) {
    const { status, body } = await till.open(more)
    const expected = [400, 'INVALID_PARAMETER', [{ path: 'storeId', problem: 'the device is in another store' }]]
    assert.deepEqual([status, body.code, body.fields], expected)
  }
  const { orderId } = (await till.open()).body
  const path = `${till.path}/${orderId}`
  for (const edit of [{ status: 'PAID' }, { amount: null }, { currency: 'USD' }, { note: 5 }]) {
    assert.equal((await webhooks.call(OPERATOR, 'PATCH', path, edit)).status, 400, JSON.stringify(edit))
  }
  assert.equal((await webhooks.call(OPERATOR, 'POST', `/businesses/${v7()}/orders`, {})).status, 404)
})

test('an order is found only below its own business', async () => {
  const till = await newTill()
  const other = await newTill()
  const { orderId } = (await till.open()).body
  for (const method of ['GET', 'PATCH'] as const) {
    const rejected = await webhooks.call(
      OPERATOR,
      method,
      `${other.path}/${orderId}`,
      method === 'GET' ? undefined : {},
    )
    assert.equal(rejected.body.code, 'ORDER_NOT_FOUND')
    const none = await webhooks.call(OPERATOR, method, `${till.path}/${v7()}`, method === 'GET' ? undefined : {})
    assert.equal(none.body.code, 'ORDER_NOT_FOUND')
  }
})

test('an app reads the orders of related merchants and cannot write orders', async () => {
  const till = await newTill()
  const stranger = await newListening(webhooks)
  const { orderId } = (await till.open()).body
  const path = `${till.path}/${orderId}`
  const bound = { ...till.app, businessId: till.businessId } as Principal
  for (const as of [till.app, bound]) {
    assert.equal((await webhooks.call(as, 'GET', path)).status, 200)
    assert.equal((await webhooks.call(as, 'PATCH', path, { note: 'x' })).status, 403)
    assert.equal((await till.open({}, as)).status, 403)
  }
  assert.equal((await webhooks.call(stranger.app, 'GET', path)).status, 403)
  assert.equal((await webhooks.call(stranger.app, 'GET', `${till.path}/${v7()}`)).status, 403)
  const elsewhere = { ...bound, businessId: stranger.businessId } as Principal
  assert.equal((await webhooks.call(elsewhere, 'GET', path)).status, 403)
})

test('a terminal need not name itself or its store, and cannot act in another store', async () => {
  const till = await newTill()
  const opened = await webhooks.call(till.terminal, 'POST', till.path, {})
  assert.equal(opened.status, 201)
  assert.equal(opened.body.deviceId, till.deviceId)
  assert.equal(opened.body.storeId, till.storeId)
  const next = await newLocation(till.businessId)
  assert.equal((await webhooks.call(till.terminal, 'POST', till.path, next)).status, 403)
  const elsewhere = await till.open(next)
  assert.equal((await webhooks.call(till.terminal, 'GET', `${till.path}/${elsewhere.body.orderId}`)).status, 403)
  const path = `${till.path}/${opened.body.orderId}`
  assert.equal((await webhooks.call(till.terminal, 'PATCH', path, { status: 'CANCELLED' })).body.status, 'CANCELLED')
  const businessId = await newBusiness(webhooks as unknown as Tenants)
  assert.equal((await webhooks.call(till.terminal, 'POST', `/businesses/${businessId}/orders`, {})).status, 403)
})

test('a terminal opens orders only for itself', async () => {
  const till = await newTill()
  const { storeId, deviceId, terminal, path } = till
  const [beside, elsewhere] = [await newDevice(till.businessId, storeId), await newLocation(till.businessId)]
  const stranger = await newTill()
  const named: object[] = [
    beside,
    elsewhere,
    { deviceId: beside.deviceId },
    { deviceId: elsewhere.deviceId },
    { storeId: elsewhere.storeId },
    { deviceId: stranger.deviceId },
    { deviceId: `urn:tid:${v7()}` },
  ]
  for (const body of named) {
    const rejected = await webhooks.call(terminal, 'POST', path, body)
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'FORBIDDEN'], JSON.stringify(body))
  }
  assert.equal((await webhooks.db.sql`select 1 from orders where business_id = ${till.businessId}`).length, 0)
  const own = { storeId: storeId.toUpperCase(), deviceId: `urn:tid:${deviceId.slice('urn:tid:'.length).toUpperCase()}` }
  const opened = await webhooks.call(terminal, 'POST', path, own)
  assert.deepEqual([opened.status, opened.body.storeId, opened.body.deviceId], [201, storeId, deviceId])
})

test('the terminals of a store read and change the orders of each other', async () => {
  const till = await newTill()
  const { orderId } = (await webhooks.call(till.terminal, 'POST', till.path, {})).body
  const { deviceId } = await newDevice(till.businessId, till.storeId)
  const beside = { ...till.terminal, deviceId: deviceId.slice('urn:tid:'.length) } as Principal
  assert.equal((await webhooks.call(beside, 'GET', `${till.path}/${orderId}`)).body.deviceId, till.deviceId)
  const completed = await webhooks.call(beside, 'PATCH', `${till.path}/${orderId}`, { status: 'COMPLETED' })
  assert.deepEqual([completed.status, completed.body.deviceId], [200, till.deviceId])
})

test('a terminal gets not found for an unknown order of its own business only', async () => {
  const till = await newTill()
  const stranger = await newTill()
  const { orderId } = (await stranger.open()).body
  for (const [method, body] of [['GET'], ['PATCH', { note: 'x' }]] as const) {
    for (const none of [v7(), orderId]) {
      const { status, body: answered } = await webhooks.call(till.terminal, method, `${till.path}/${none}`, body)
      assert.deepEqual([status, answered.code], [404, 'ORDER_NOT_FOUND'])
      const elsewhere = await webhooks.call(till.terminal, method, `${stranger.path}/${none}`, body)
      assert.deepEqual([elsewhere.status, elsewhere.body.code], [403, 'FORBIDDEN'])
    }
  }
})
