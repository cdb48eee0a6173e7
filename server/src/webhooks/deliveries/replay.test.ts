import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { attemptsOf, drain, outcomesOf, progressOf } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { queueReplay } from './store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health`)

async function idsOf(hookId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where hook_id = ${hookId} order by notification_id`
  return rows.map(({ id }) => id)
}

async function listening(deliveryUrl: string) {
  const app = await newListening(webhooks)
  return { app, hookId: await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl }) }
}

test('a replay sends the same bytes and id, has its own schedule, and decides the outcome', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await drain(() => sender.runOnce())
  webhooks.pass(80 * HOUR_MS)
  const ids = await idsOf(hookId)
  assert.deepEqual(await queueReplay(webhooks.db.sql, [...ids, v7()], webhooks.now()), ids)
  listener.reply = 500
  assert.equal(await sender.runOnce(), 1)
  assert.equal((await progressOf(webhooks, hookId))[0]?.attempts, 1, 'it is tried again, although 72 h are over')
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  listener.reply = 200
  webhooks.pass(5_000)
  assert.equal(await sender.runOnce(), 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 2'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200', '1 500', '2 200'])
  assert.equal(new Set(listener.received.map(({ text }) => text)).size, 1)
})

test('a redelivery makes a waiting retry due now, and leaves a waiting first attempt unchanged', async t => {
  const listener = await openListener(t, 500)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await sender.runOnce()
  await webhooks.record(billingEvent(webhooks, app))
  const ids = await idsOf(hookId)
  assert.deepEqual(await queueReplay(webhooks.db.sql, ids, webhooks.now()), ids.slice(0, 1))
  assert.equal((await progressOf(webhooks, hookId)).length, 2)
  assert.equal(await sender.runOnce(), 2)
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 500', '2 500', '1 500'])
})
