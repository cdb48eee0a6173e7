import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Pace } from './pace.ts'
import { attemptsOf, drain, outcomesOf, progressOf, until } from './sender.fixture.ts'

/** Less than a hook has room for. */
const MANY = 3

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

/** What of `pace` lets nothing begin until `open`. */
function gate(): Pace & { open(): void } {
  let isOpen = false
  return {
    firstBegan: () => {},
    mayBegin: () => isOpen,
    givesWay: () => true,
    began: () => {},
    restMs: () => 5,
    open: () => {
      isOpen = true
    },
  }
}

/** So many retries are due, claimed, and give way. */
async function givingWay(t: TestContext, options: { freshForMs?: number } = {}) {
  const listener = await openListener(t, 500)
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, app)))
  await drain(() => webhooks.sender().runOnce())
  listener.reply = 200
  webhooks.pass(10_000)
  const pace = gate()
  const sender = webhooks.sender({ ...options, pace })
  sender.start()
  t.after(() => sender.stop())
  await until(async () => (await progressOf(webhooks, hookId)).every(({ leaseId }) => leaseId !== null))
  return { app, hookId, pace, received: listener.received, sender }
}

test('a first attempt is made while retries give way; each of them is sent once when it may', async t => {
  const { app, hookId, pace, received, sender } = await givingWay(t)
  await webhooks.record(billingEvent(webhooks, app))
  sender.wake()
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  assert.equal(received.length, MANY + 1)
  pace.open()
  await until(async () => (await outcomesOf(webhooks, hookId)).length === MANY + 1)
  assert.equal(received.length, 2 * MANY + 1)
  assert.deepEqual(
    (await outcomesOf(webhooks, hookId)).sort(),
    [...Array(MANY).fill('DELIVERED 2'), 'DELIVERED 1'].sort(),
  )
})

test('what gives way when the process stops is not sent by it, and at once by another', async t => {
  const { hookId, received, sender } = await givingWay(t)
  await sender.stop()
  assert.equal(received.length, MANY)
  const left = await progressOf(webhooks, hookId)
  assert.deepEqual(
    left.map(({ attempts, leaseId }) => ({ attempts, leaseId })),
    Array(MANY).fill({ attempts: 1, leaseId: null }),
  )
  await drain(() => webhooks.sender().runOnce())
  assert.deepEqual(await outcomesOf(webhooks, hookId), Array(MANY).fill('DELIVERED 2'))
  assert.equal((await attemptsOf(webhooks, hookId)).length, 2 * MANY)
})

test('what gives way for longer than its hook is known is claimed anew, and not sent meanwhile', async t => {
  const { hookId, received } = await givingWay(t, { freshForMs: 1 })
  const leases = async () => (await progressOf(webhooks, hookId)).map(({ leaseId }) => leaseId)
  const [before] = await leases()
  await until(async () => (await leases()).every(leaseId => leaseId !== null && leaseId !== before))
  assert.equal(received.length, MANY)
})
