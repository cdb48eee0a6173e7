import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { drain, outcomesOf } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { endUndeliverable } from '../deliveries/end-undeliverable.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

async function queuedFor(hookId: string): Promise<number> {
  const [row] = await webhooks.db.sql<{ queued: number }[]>`
    select count(*) as queued from deliveries where hook_id = ${hookId}`
  return row?.queued ?? -1
}

test('after the deletion of a hook nothing of its long queue is sent, all of it ends, and other queues are unchanged', async t => {
  const listener = await openListener(t)
  const [app, other] = [await newListening(webhooks), await newListening(webhooks)]
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const otherId = await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: listener.url })
  await webhooks.record(
    billingEvent(webhooks, other),
    ...Array.from({ length: 11_000 }, () => billingEvent(webhooks, app)),
  )
  assert.equal((await webhooks.call(other.app, 'DELETE', `/hooks/${hookId}`)).body.code, 'HOOK_NOT_FOUND')
  assert.equal(await queuedFor(hookId), 11_000)

  const gaveUp: string[] = []
  const watch = { gaveUp: (ended: readonly { reason: string }[]) => gaveUp.push(...ended.map(({ reason }) => reason)) }
  assert.equal((await webhooks.call(app.app, 'DELETE', `/hooks/${hookId}`)).status, 204)
  assert.equal(await queuedFor(hookId), 1_000)
  await webhooks.sender().runOnce()
  assert.deepEqual(
    listener.received.map(({ body }) => body.hookId),
    [otherId],
  )
  const left = await queuedFor(hookId)
  assert.equal(left, 1_000)
  webhooks.pass(60_000)
  await drain(() => endUndeliverable({ ...webhooks.ports, telemetry: watch as never }))
  assert.deepEqual([await queuedFor(hookId), gaveUp.length, new Set(gaveUp)], [0, left, new Set(['hook_deleted'])])
  const outcomes = await outcomesOf(webhooks, hookId)
  assert.deepEqual([outcomes.length, new Set(outcomes)], [11_000, new Set(['ERRORED hook_deleted 0'])])
  assert.deepEqual([listener.received.length, await outcomesOf(webhooks, otherId)], [1, ['DELIVERED 1']])
})

test('registering, changing or deleting a hook clears its cache entry, with any spelling of the id', async () => {
  const [app, other] = [await newListening(webhooks), await newListening(webhooks)]
  const hook = { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' }
  const hookId = await newHook(webhooks, app.app, hook)
  const { body } = await webhooks.call(app.app, 'GET', `/hooks/${hookId}`)
  const path = `/hooks/${hookId.toUpperCase()}`
  webhooks.forgotten.length = 0
  assert.equal((await webhooks.call(other.app, 'DELETE', path)).body.code, 'HOOK_NOT_FOUND')
  assert.deepEqual(webhooks.forgotten, [])
  const again = { ...hook, applicationId: app.appId.replace(app.uuid, app.uuid.toUpperCase()), secret: 'newer' }
  assert.equal((await webhooks.call(app.app, 'POST', '/hooks', { ...body, ...again })).status, 200)
  assert.equal((await webhooks.call(app.app, 'PATCH', path, { active: false })).status, 200)
  const deleted = await Promise.all([1, 2].map(() => webhooks.call(app.app, 'DELETE', path)))
  assert.deepEqual(deleted.map(({ status }) => status).toSorted(), [204, 404])
  assert.deepEqual(webhooks.forgotten, [hookId, hookId, hookId])
})
