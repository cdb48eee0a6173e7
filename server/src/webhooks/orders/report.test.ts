import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { OPERATOR } from '../../../test/support/tenants.ts'
import { newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Principal } from '../../core/principal.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

type Item = Record<string, unknown>

const report = (events: Item[], as: Principal | null = OPERATOR) =>
  webhooks.call(as, 'POST', '/orders/events', { events })

/** A merchant with a terminal, and an app that hears its orders. */
async function newTill() {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const { businessId } = app
  const path = `/businesses/${businessId}`
  const { storeId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores`, { displayName: 'Main' })).body
  const device = { name: 'Till', serialNumber: v7() }
  const { deviceId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores/${storeId}/devices`, device)).body
  const at = { businessId, storeId, deviceId: deviceId as string }
  const event = (eventType: string, orderId: string, more: Item = {}) => ({
    id: v7(),
    eventType,
    orderId,
    ...at,
    ...more,
  })
  const find = (orderId: string) => webhooks.call(OPERATOR, 'GET', `${path}/orders/${orderId}`)
  return { ...app, ...at, path, event, find }
}

async function eventsOf(orderId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ text: string }[]>`
    select event_type || ' ' || resource_seq as text from notifications
    where resource_id = ${orderId} order by resource_seq`
  return rows.map(({ text }) => text)
}

const statusesOf = ({ body }: { body: { results: { status: number; error?: { code: string } }[] } }) =>
  body.results.map(({ status, error }) => (error ? `${status} ${error.code}` : status))

test('bulk events of several merchants are applied in order, each with its result and its notification', async () => {
  const [till, other] = [await newTill(), await newTill()]
  const [orderId, otherId, lateId] = [v7(), v7(), v7()]
  const reported = await report([
    till.event('ORDER_OPENED', orderId, { amount: 500, currency: 'EUR' }),
    other.event('ORDER_OPENED', otherId),
    till.event('ORDER_UPDATED', orderId, { note: 'two teas' }),
    till.event('ORDER_COMPLETED', orderId, { storeId: undefined, deviceId: undefined }),
    other.event('ORDER_CANCELLED', lateId, { reference: 'opened before Tillhook was connected' }),
  ])
  assert.equal(reported.status, 200)
  assert.deepEqual(statusesOf(reported), [200, 200, 200, 200, 200])
  assert.deepEqual([reported.body.succeeded, reported.body.failed], [5, 0])
  assert.equal(reported.body.results[0].orderId, orderId)
  const { body: order } = await till.find(orderId)
  assert.deepEqual([order.status, order.amount, order.note], ['COMPLETED', 500, 'two teas'])
  assert.equal((await other.find(lateId)).body.status, 'CANCELLED')
  assert.deepEqual(await eventsOf(orderId), ['ORDER_OPENED 1', 'ORDER_UPDATED 2', 'ORDER_COMPLETED 3'])
  assert.deepEqual(await eventsOf(otherId), ['ORDER_OPENED 1'])
  assert.deepEqual(await eventsOf(lateId), ['ORDER_CANCELLED 1'])
  // An order that is known already changes by one statement, with what it was.
  const added = v7()
  await report([other.event('ORDER_COMPLETED', otherId, { note: 'paid' }), other.event('ORDER_OPENED', added)])
  assert.equal((await other.find(otherId)).body.status, 'COMPLETED')
  assert.deepEqual(await eventsOf(otherId), ['ORDER_OPENED 1', 'ORDER_COMPLETED 2'])
  const entries = await webhooks.db.sql<{ was: string | null; became: string; path: string }[]>`
    select before ->> 'status' as was, after ->> 'status' as became, path from audit_entries
    where resource_id = ${otherId} order by entry_id`
  assert.deepEqual(
    entries.map(entry => ({ ...entry })),
    [
      { was: null, became: 'OPENED', path: '/orders/events' },
      { was: 'OPENED', became: 'COMPLETED', path: '/orders/events' },
    ],
  )
})

test('an event is applied once by its id, within one request, in the next, and in many concurrent requests', async () => {
  const till = await newTill()
  const orderId = v7()
  const opened = till.event('ORDER_OPENED', orderId)
  const twice = await report([opened, { ...opened }, { ...opened, note: 'another' }])
  assert.deepEqual(statusesOf(twice), [200, 200, '409 REQUEST_ID_DUPLICATE'])
  const again = await report([opened, { ...opened, note: 'another' }])
  assert.deepEqual(statusesOf(again), [200, '409 REQUEST_ID_DUPLICATE'])
  assert.equal(again.body.results[0].replayed, true)
  assert.deepEqual(statusesOf(await report([{ ...opened, eventType: 'ORDER_COMPLETED' }])), [
    '409 REQUEST_ID_DUPLICATE',
  ])
  const updated = till.event('ORDER_UPDATED', orderId)
  const answers = await Promise.all(Array.from({ length: 6 }, () => report([updated])))
  const expected = new Set<unknown>([200, '409 REQUEST_IN_PROGRESS'])
  for (const answer of answers) assert.ok(expected.has(statusesOf(answer)[0]), JSON.stringify(answer.body))
  assert.deepEqual(await eventsOf(orderId), ['ORDER_OPENED 1', 'ORDER_UPDATED 2'])
})

test('a rejected event has its reason, and the others are applied', async () => {
  const [till, other] = [await newTill(), await newTill()]
  const [orderId, closedId] = [v7(), v7()]
  await report([till.event('ORDER_COMPLETED', closedId)])
  const reported = await report([
    till.event('ORDER_OPENED', v7(), { businessId: v7() }),
    till.event('ORDER_OPENED', v7(), { storeId: other.storeId }),
    till.event('ORDER_OPENED', v7(), { deviceId: other.deviceId }),
    till.event('ORDER_OPENED', v7(), { storeId: undefined }),
    till.event('ORDER_OPENED', v7(), { amount: 5 }),
    till.event('ORDER_OPENED', v7(), { amount: 5, currency: 'XXX' }),
    till.event('ORDER_OPENED', closedId),
    till.event('ORDER_UPDATED', closedId),
    other.event('ORDER_UPDATED', closedId),
    till.event('ORDER_OPENED', orderId),
  ])
  assert.deepEqual(statusesOf(reported), [
    ...['404 BUSINESS_NOT_FOUND', '404 STORE_NOT_FOUND', '404 DEVICE_NOT_FOUND', '400 MISSING_PARAMETER'],
    ...['400 INVALID_PARAMETER', '400 INVALID_PARAMETER', '409 ORDER_EXISTS', '409 ORDER_CLOSED', '409 ORDER_EXISTS'],
    200,
  ])
  assert.deepEqual([reported.body.succeeded, reported.body.failed], [1, 9])
  assert.deepEqual(reported.body.results[3].error.fields, [{ path: 'storeId', problem: 'is required' }])
  assert.deepEqual(await eventsOf(orderId), ['ORDER_OPENED 1'])
  assert.deepEqual(await eventsOf(closedId), ['ORDER_COMPLETED 1'])
})

test('the same order opened by two requests at once is opened once', async () => {
  const till = await newTill()
  for (let round = 0; round < 5; round++) {
    const orderId = v7()
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => report([till.event('ORDER_OPENED', orderId), till.event('ORDER_OPENED', v7())])),
    )
    const statuses = answers.map(answer => statusesOf(answer).join()).sort()
    assert.deepEqual(statuses, ['200,200', ...Array(3).fill('409 ORDER_EXISTS,200')])
    assert.deepEqual(await eventsOf(orderId), ['ORDER_OPENED 1'])
  }
})

test('a request has 1 to 1,000 events, and a malformed event is named before anything is written', async () => {
  const till = await newTill()
  const many = (count: number) => Array.from({ length: count }, () => till.event('ORDER_OPENED', v7()))
  const full = await report(many(1_000))
  assert.deepEqual([full.status, full.body.succeeded], [200, 1_000])
  for (const events of [[], many(1_001)]) assert.equal((await report(events)).body.fields[0].path, 'events')
  const longest = { note: '日'.repeat(2_000), reference: '本'.repeat(255) }
  const long = await report(many(1_000).map(event => ({ ...event, ...longest })))
  assert.deepEqual([long.status, long.body.succeeded], [200, 1_000])
  const large = { id: 'x'.repeat(10 * 1024 * 1024) }
  assert.equal((await report([large])).body.code, 'PAYLOAD_TOO_LARGE')
  const orderId = v7()
  for (const bad of [{ id: '' }, { id: undefined }, { eventType: 'TEST' }, { amount: '5' }, { businessId: 'b' }]) {
    const { status, body } = await report([till.event('ORDER_OPENED', orderId), till.event('ORDER_OPENED', v7(), bad)])
    assert.deepEqual([status, body.fields[0].path], [400, `events[1].${Object.keys(bad)[0]}`])
  }
  assert.equal((await till.find(orderId)).status, 404)
})

test('only the operator reports events', async () => {
  const till = await newTill()
  const terminal: Principal = {
    kind: 'terminal',
    businessId: till.businessId,
    storeId: till.storeId,
    deviceId: till.deviceId.slice('urn:tid:'.length),
  }
  for (const as of [till.app, terminal]) {
    assert.equal((await report([till.event('ORDER_OPENED', v7())], as)).status, 403)
  }
})

test('while deliveries are backlogged new events get 503, and repeated events their stored response', async () => {
  const till = await newTill()
  const opened = till.event('ORDER_OPENED', v7())
  await report([opened])
  await webhooks.db.sql`
    insert into delivery_workers (worker_id, seen_until, lag_ms)
    values (${v7()}, ${new Date(webhooks.now().getTime() + 10_000)}, 60_001)`
  await webhooks.ports.backlog?.check()
  const rejected = await report([opened, till.event('ORDER_OPENED', v7())])
  assert.deepEqual(statusesOf(rejected), [200, '503 SERVICE_UNAVAILABLE'])
  assert.equal(rejected.body.results[1].error.retryAfterSeconds, 5)
  await webhooks.db.sql`truncate delivery_workers`
  await webhooks.ports.backlog?.check()
})
