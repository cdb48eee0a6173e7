import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { OPERATOR } from '../../../test/support/tenants.ts'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health, hooks, delivery_workers`)

/** A merchant's terminal, and the app that receives its order events. */
async function newTill() {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const path = `/businesses/${app.businessId}`
  const { storeId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores`, { displayName: 'Main' })).body
  const device = { name: 'Till', serialNumber: v7() }
  const { deviceId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores/${storeId}/devices`, device)).body
  return { ...app, open: () => webhooks.call(OPERATOR, 'POST', `${path}/orders`, { storeId, deviceId }), path }
}

async function reportLag(lagMs: number) {
  await webhooks.db.sql`
    insert into delivery_workers (worker_id, seen_until, lag_ms)
    values (${v7()}, ${new Date(webhooks.now().getTime() + 10_000)}, ${lagMs})`
  await webhooks.ports.backlog?.check()
}

test('while a process is too busy to send, orders get 503, billing is recorded, and the rejection ends automatically', async () => {
  const [till, other] = [await newTill(), await newTill()]
  const before = await till.open()
  assert.equal(before.status, 201)
  await reportLag(60_000)
  assert.equal((await till.open()).status, 201)

  await reportLag(60_001)
  const rejected = await till.open()
  assert.deepEqual([rejected.status, rejected.body.code], [503, 'SERVICE_UNAVAILABLE'])
  const edit = { reference: 'table 4' }
  const edited = await webhooks.call(OPERATOR, 'PATCH', `${till.path}/orders/${before.body.orderId}`, edit)
  assert.equal(edited.status, 503)
  await webhooks.record(billingEvent(webhooks, other))

  webhooks.pass(10_000)
  await webhooks.ports.backlog?.check()
  assert.equal((await till.open()).status, 201, 'the report of a process that is gone does not count')
})

test('orders get 503 when no process has sent for a minute', async () => {
  const till = await newTill()
  await webhooks.sender().runOnce()
  webhooks.pass(60_000)
  await webhooks.ports.backlog?.check()
  assert.equal((await till.open()).status, 201)
  webhooks.pass(1)
  await webhooks.ports.backlog?.check()
  assert.equal((await till.open()).status, 503)
  await webhooks.sender().runOnce()
  await webhooks.ports.backlog?.check()
  assert.equal((await till.open()).status, 201)
})

test('long queues of failing endpoints reject no order', async () => {
  const till = await newTill()
  await webhooks.record(...Array.from({ length: 300 }, () => billingEvent(webhooks, till)))
  await webhooks.sender().runOnce()
  webhooks.pass(3_600_000)
  await webhooks.sender({ maxSlots: 4 }).runOnce()
  await webhooks.ports.backlog?.check()
  assert.equal((await till.open()).status, 201)
})
