import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { signHmacSha1 } from '../../core/signature.ts'
import { recordNotifications } from '../notifications/record.ts'
import { attemptsOf, outcomesOf, until } from './sender.fixture.ts'

const MANY = 6
const FRESH_FOR_MS = 20

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

/** One attempt of a hook is held by its listener, and the others wait in memory until they are stale. */
async function waitingInMemory(t: TestContext) {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender({ maxUnderWayPerHook: 1, freshForMs: FRESH_FOR_MS })
  sender.start()
  t.after(() => sender.stop())
  const events = Array.from({ length: MANY }, () => billingEvent(webhooks, app))
  await webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff: sender }, events))
  await until(async () => held.length === 1)
  assert.equal(sender.state().handedOff, MANY)
  await wait(2 * FRESH_FOR_MS)
  const release = () => {
    listener.reply = 200
    held[0]?.writeHead(200).end()
  }
  const hook = (method: 'PATCH' | 'DELETE', body?: unknown) => webhooks.call(app.app, method, `/hooks/${hookId}`, body)
  return { received: listener.received, hookId, hook, release, sender }
}

test('a new secret and address reach what waits in memory', async t => {
  const { hook, hookId, received, release } = await waitingInMemory(t)
  const moved = await openListener(t)
  assert.equal((await hook('PATCH', { secret: 'newer', deliveryUrl: moved.url })).status, 200)
  release()
  await until(async () => (await outcomesOf(webhooks, hookId)).length === MANY)
  assert.equal(received.length, 1)
  assert.deepEqual(
    moved.received.map(({ headers }) => headers['service-webhook-signature']),
    moved.received.map(({ text }) => signHmacSha1('newer', text)),
  )
  assert.equal(new Set(moved.received.map(({ body }) => body.id)).size, MANY - 1)
})

test('nothing that waits in memory is sent to a hook that is deleted', async t => {
  const { hook, hookId, received, release, sender } = await waitingInMemory(t)
  assert.equal((await hook('DELETE')).status, 204)
  release()
  await until(async () => (await attemptsOf(webhooks, hookId)).length === 1)
  await sender.stop()
  assert.equal(received.length, 1)
  assert.deepEqual((await outcomesOf(webhooks, hookId)).sort(), [
    ...Array(MANY - 1).fill('ERRORED hook_deleted 0'),
    'ERRORED hook_deleted 1',
  ])
})

test('nothing that waits in memory is sent to a hook that is switched off, until it is on again', async t => {
  const { hook, hookId, received, release } = await waitingInMemory(t)
  assert.equal((await hook('PATCH', { active: false })).status, 200)
  release()
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  assert.equal(received.length, 1)
  assert.equal((await hook('PATCH', { active: true })).status, 200)
  await until(async () => (await outcomesOf(webhooks, hookId)).length === MANY)
  assert.equal(new Set(received.map(({ body }) => body.id)).size, MANY)
})
