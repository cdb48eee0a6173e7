import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { v7 } from 'uuid'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Pace } from './pace.ts'
import { drain, outcomesOf, progressOf, until } from './sender.fixture.ts'

/** More than a hook has room for at first, and so much is claimed of it. */
const MANY = 20
const ONE_LOT = 8
const HOOKS = 4

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

/** What is late may not begin until `open`, as if others were always sent. */
function gate(): Pace & { open(): void } {
  let isOpen = false
  return {
    firstBegan: () => {},
    givesWay: () => true,
    mayBegin: () => isOpen,
    began: () => {},
    restMs: () => 5,
    open: () => {
      isOpen = true
    },
  }
}

async function newHeard(t: TestContext) {
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  return { ...app, listener, hookId }
}

function startSender(t: TestContext) {
  const latePace = gate()
  // Longer than the test, so that no lot is given back meanwhile.
  const sender = webhooks.sender({ latePace, freshForMs: 60_000 })
  sender.start()
  t.after(() => sender.stop())
  return { latePace, sender }
}

const leasesOf = async (hookId: string) =>
  (await progressOf(webhooks, hookId)).flatMap(({ leaseId }) => leaseId ?? []).length

test('a hook that catches up gives way: others are sent at once, and of it no more than one lot is taken', async t => {
  const [late, other] = [await newHeard(t), await newHeard(t)]
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, late)))
  webhooks.pass(10_000)
  const { latePace, sender } = startSender(t)
  await until(async () => (await leasesOf(late.hookId)) === ONE_LOT)
  for (let n = 1; n <= 3; n++) {
    await webhooks.record(billingEvent(webhooks, other))
    sender.wake()
    await until(async () => (await outcomesOf(webhooks, other.hookId)).length === n)
  }
  assert.deepEqual([late.listener.received.length, await leasesOf(late.hookId)], [0, ONE_LOT])
  latePace.open()
  await until(async () => (await outcomesOf(webhooks, late.hookId)).length === MANY)
  assert.deepEqual(await outcomesOf(webhooks, late.hookId), Array(MANY).fill('DELIVERED 1'))
  assert.equal(late.listener.received.length, MANY)
})

test('hooks that recover all at once are probed, and then give way with all of their queues; another is sent to at once', async t => {
  const failing = 5
  const late = await Promise.all(Array.from({ length: HOOKS }, () => newHeard(t)))
  const other = await newHeard(t)
  for (const { listener } of late) listener.reply = 500
  await webhooks.record(
    ...late.flatMap(app => Array.from({ length: failing + MANY }, () => billingEvent(webhooks, app))),
  )
  await drain(() => webhooks.sender({ maxUnderWayPerHook: 1 }).runOnce())
  assert.deepEqual(
    late.map(({ listener }) => listener.received.length),
    Array(HOOKS).fill(failing),
  )
  for (const { listener } of late) listener.reply = 200
  webhooks.pass(5_000)
  const { latePace, sender } = startSender(t)
  const held = async () => Promise.all(late.map(({ hookId }) => leasesOf(hookId)))
  await until(async () => (await held()).every(many => many === ONE_LOT))
  await webhooks.record(billingEvent(webhooks, other))
  sender.wake()
  await until(async () => (await outcomesOf(webhooks, other.hookId)).length === 1)
  for (const { hookId } of late) {
    const told = await outcomesOf(webhooks, hookId)
    assert.deepEqual(
      told.filter(text => text === 'DELIVERED 1'),
      ['DELIVERED 1'],
      'the probe',
    )
  }
  latePace.open()
  for (const { hookId, listener } of late) {
    await until(async () => (await outcomesOf(webhooks, hookId)).length === failing + MANY)
    assert.equal(listener.received.length, 2 * failing + MANY)
  }
})

test('what gives way is not sent once its hook is changed, but claimed anew', async t => {
  const late = await newHeard(t)
  const moved = await openListener(t)
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, late)))
  webhooks.pass(10_000)
  const { latePace, sender } = startSender(t)
  await until(async () => (await leasesOf(late.hookId)) === ONE_LOT)
  await webhooks.db.transaction(async ({ sql, afterCommit }) => {
    await sql`update hooks set delivery_url = ${moved.url} where hook_id = ${late.hookId}`
    afterCommit(() => sender.forget([late.hookId]))
  })
  latePace.open()
  await until(async () => (await outcomesOf(webhooks, late.hookId)).length === MANY)
  assert.deepEqual([late.listener.received.length, moved.received.length], [0, MANY])
})

test('what is caught up with keeps the order of each resource', async t => {
  const late = await newHeard(t)
  const [one, other] = [v7(), v7()]
  for (let resourceSeq = 1; resourceSeq <= 4; resourceSeq++) {
    for (const resourceId of [one, other])
      await webhooks.record(billingEvent(webhooks, late, { resourceId, resourceSeq }))
  }
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, late)))
  const rows = await webhooks.db.sql<{ id: string; resourceId: string }[]>`
    select notification_id as id, resource_id as "resourceId" from notifications
    where hook_id = ${late.hookId} and resource_id = any(${[one, other]}::uuid[]) order by resource_id, resource_seq`
  webhooks.pass(10_000)
  const { latePace } = startSender(t)
  await until(async () => (await leasesOf(late.hookId)) === ONE_LOT)
  latePace.open()
  await until(async () => (await outcomesOf(webhooks, late.hookId)).length === MANY + rows.length)
  const received = late.listener.received.map(({ body }) => body.id)
  for (const resourceId of [one, other]) {
    const ids = rows.filter(row => row.resourceId === resourceId).map(({ id }) => id)
    assert.deepEqual(
      received.filter(id => ids.includes(id)),
      ids,
    )
  }
})

test('a queue that is not late gives way to nobody', async t => {
  const busy = await newHeard(t)
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, busy)))
  startSender(t)
  await until(async () => (await outcomesOf(webhooks, busy.hookId)).length === MANY)
  assert.equal(busy.listener.received.length, MANY)
})

test('what gives way when the process stops is not sent by it, and at once by another', async t => {
  const late = await newHeard(t)
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, late)))
  webhooks.pass(10_000)
  const { sender } = startSender(t)
  await until(async () => (await leasesOf(late.hookId)) === ONE_LOT)
  await sender.stop()
  assert.deepEqual([late.listener.received.length, await leasesOf(late.hookId)], [0, 0])
  await drain(() => webhooks.sender().runOnce())
  assert.deepEqual(await outcomesOf(webhooks, late.hookId), Array(MANY).fill('DELIVERED 1'))
})

test('what gives way to others is given back when the breaker of its hook opens again', async t => {
  const late = await newHeard(t)
  late.listener.reply = 500
  const failing = 4
  await webhooks.record(...Array.from({ length: failing }, () => billingEvent(webhooks, late)))
  await drain(() => webhooks.sender().runOnce())
  await webhooks.record(...Array.from({ length: MANY }, () => billingEvent(webhooks, late)))
  webhooks.pass(10_000)
  startSender(t)
  await until(async () => (await progressOf(webhooks, late.hookId)).every(row => row.attempts !== 1))
  await until(async () => (await leasesOf(late.hookId)) === 0)
  assert.deepEqual((await progressOf(webhooks, late.hookId)).map(({ attempts }) => attempts).sort(), [
    ...Array(MANY).fill(0),
    ...Array(failing).fill(2),
  ])
  assert.equal(late.listener.received.length, 2 * failing)
})
