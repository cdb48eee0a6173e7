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
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health, hooks`)

/** A merchant's till, and the app that hears of it. */
async function newTill() {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const path = `/businesses/${app.businessId}`
  const { storeId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores`, { displayName: 'Main' })).body
  const device = { name: 'Till', serialNumber: v7() }
  const { deviceId } = (await webhooks.call(OPERATOR, 'POST', `${path}/stores/${storeId}/devices`, device)).body
  return { ...app, open: () => webhooks.call(OPERATOR, 'POST', `${path}/orders`, { storeId, deviceId }), path }
}

/** What nobody takes for a few seconds. */
async function lookLongEnough() {
  await webhooks.ports.backlog?.look()
  webhooks.pass(5_000)
  await webhooks.ports.backlog?.look()
}

test('while deliveries of healthy hooks fall behind orders get 503, billing is recorded, and it ends by itself', async () => {
  const [till, other] = [await newTill(), await newTill()]
  const before = await till.open()
  assert.equal(before.status, 201)
  await webhooks.record(billingEvent(webhooks, other))
  webhooks.pass(59_999)
  await webhooks.ports.backlog?.look()
  assert.equal((await till.open()).status, 201)

  webhooks.pass(1)
  await lookLongEnough()
  const refused = await till.open()
  assert.deepEqual([refused.status, refused.body.code], [503, 'SERVICE_UNAVAILABLE'])
  const edit = { reference: 'table 4' }
  const edited = await webhooks.call(OPERATOR, 'PATCH', `${till.path}/orders/${before.body.orderId}`, edit)
  assert.equal(edited.status, 503)
  await webhooks.record(billingEvent(webhooks, till))

  await webhooks.db.sql`delete from deliveries`
  await webhooks.ports.backlog?.look()
  assert.equal((await till.open()).status, 201)
})

test("one app's long queue, or listeners that fail or are slow, close nobody's till", async () => {
  const [till, other] = [await newTill(), await newTill()]
  await webhooks.record(...Array.from({ length: 10 }, () => billingEvent(webhooks, other)))
  webhooks.pass(3_600_000)
  await webhooks.record(billingEvent(webhooks, till))
  await lookLongEnough()
  assert.equal((await till.open()).status, 201)

  webhooks.pass(3_600_000)
  await webhooks.db.sql`
    insert into hook_health (hook_id, failures, opened) select hook_id, 0, 0 from hooks where app_id = ${other.uuid}`
  await lookLongEnough()
  assert.equal((await till.open()).status, 201)
})

test('where but one app has anything to tell, nobody else is seen to be served: its backlog is everybody’s', async () => {
  const [till] = [await newTill(), await newTill()]
  await webhooks.record(billingEvent(webhooks, till))
  webhooks.pass(60_000)
  await lookLongEnough()
  assert.equal((await till.open()).status, 503)
})
