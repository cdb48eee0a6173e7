import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { attemptsOf, outcomesOf, progressOf, until } from './sender.fixture.ts'

const MANY = 12

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

/** Attempts are made, and none can be saved while `during` runs. */
async function whileNothingIsSaved(during: () => Promise<void>): Promise<void> {
  await webhooks.db.transaction(async ({ sql }) => {
    await sql`lock table attempts in exclusive mode`
    await during()
  })
}

async function listening(deliveryUrl: string): Promise<string> {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, app)))
  return hookId
}

test('an acknowledged attempt makes room for the next before it is saved, up to four of a place; each is sent once', async t => {
  const listener = await openListener(t)
  const hookId = await listening(listener.url)
  const sender = webhooks.sender({ maxUnderWayPerHook: 1 })
  await whileNothingIsSaved(async () => {
    sender.start()
    await until(async () => listener.received.length >= 4)
    sender.wake()
    await until(async () => (await progressOf(webhooks, hookId)).length === MANY)
    assert.equal(listener.received.length, 4)
  })
  await until(async () => (await outcomesOf(webhooks, hookId)).length === MANY)
  await sender.stop()
  assert.equal(listener.received.length, MANY)
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, MANY)
})

test('one that failed keeps its place until it is saved, so that a breaker opens in time', async t => {
  const listener = await openListener(t, 500)
  const hookId = await listening(listener.url)
  const sender = webhooks.sender({ maxUnderWayPerHook: 1 })
  await whileNothingIsSaved(async () => {
    sender.start()
    await until(async () => listener.received.length >= 1)
    sender.wake()
    await until(async () => (await progressOf(webhooks, hookId)).length === MANY)
    assert.equal(listener.received.length, 1)
  })
  await until(async () => (await attemptsOf(webhooks, hookId)).length === 5)
  await sender.stop()
  assert.equal(listener.received.length, 5)
})
