import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { attemptsOf, drain, outcomesOf, progressOf, until } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { endUndeliverable } from './end-undeliverable.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await webhooks.db.sql`truncate deliveries, hook_health, delivery_workers`
  await webhooks.db.sql`update delivery_shards set owner = null, leased_until = null`
})

async function listening(deliveryUrl = 'http://127.0.0.1:9/') {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  return { app, hookId, record: (many = 1) => webhooks.record(...times(many, () => billingEvent(webhooks, app))) }
}

const times = <T>(length: number, make: () => T) => Array.from({ length }, make)

test('a killed process is replaced within 15 s, not before its lease ends, and its attempts in progress are repeated', async t => {
  const listener = await openListener(t)
  const { hookId, record } = await listening(listener.url)
  await record()
  let isSending = false
  const post = () => {
    isSending = true
    return new Promise<never>(() => {})
  }
  void webhooks.sender({ post }).runOnce()
  await until(async () => isSending)
  const next = webhooks.sender()
  assert.equal(await next.runOnce(), 0)
  webhooks.pass(9_999)
  assert.equal(await next.runOnce(), 0)
  webhooks.pass(1)
  assert.equal(await next.runOnce(), 1)
  assert.equal(listener.received.length, 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
})

test('a save by a process that lost the shard only appends the attempt', async t => {
  const listener = await openListener(t)
  const { hookId, record } = await listening(listener.url)
  await record()
  const late = Promise.withResolvers<void>()
  let isSending = false
  const slow = webhooks.sender({
    post: async () => {
      isSending = true
      await late.promise
      return { kind: 'failed', reason: 'timeout', durationMs: 2_000 }
    },
  })
  const run = slow.runOnce()
  await until(async () => isSending)
  webhooks.pass(41_000)
  assert.equal(await webhooks.sender().runOnce(), 1)
  late.resolve()
  await run
  assert.deepEqual(await progressOf(webhooks, hookId), [])
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  assert.deepEqual((await attemptsOf(webhooks, hookId)).sort(), ['1 200', '1 timeout'])
})

test('if two processes both believe that they own a shard, one is fenced: the fenced process only appends its attempts, and stops', async t => {
  const listener = await openListener(t)
  const { hookId, record } = await listening(listener.url)
  await record(3)
  // The clock of this process is frozen, so the process believes that its leases never end.
  const stopped = webhooks.now()
  const answered = Promise.withResolvers<void>()
  let begun = 0
  const believer = webhooks.sender({
    clock: { now: () => stopped },
    maxSlotsPerHook: 1,
    post: async request => {
      begun++
      await (begun === 1 ? answered.promise : until(async () => believer.state().shards < owned))
      return webhooks.ports.post(request)
    },
  })
  const run = believer.runOnce()
  await until(async () => begun === 1)
  webhooks.pass(10_000)
  const owner = webhooks.sender()
  assert.equal(await owner.runOnce(), 0)
  webhooks.pass(31_000)
  assert.equal(await owner.runOnce(), 3)
  const outcomes = await outcomesOf(webhooks, hookId)
  assert.deepEqual(outcomes, Array(3).fill('DELIVERED 1'))
  const owned = believer.state().shards
  assert.ok(owned > 0)
  answered.resolve()
  // The second begins while the first is saved, which tells the process that the shard is lost.
  assert.equal(await run, 2)
  assert.deepEqual(await outcomesOf(webhooks, hookId), outcomes)
  assert.deepEqual(await progressOf(webhooks, hookId), [])
  assert.equal((await attemptsOf(webhooks, hookId)).length, 5)
})

test('three processes send each notification once', async t => {
  const listener = await openListener(t)
  const app = await newListening(webhooks)
  for (let n = 0; n < 10; n++) {
    await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${listener.url}/${n}` })
  }
  await webhooks.record(...times(20, () => billingEvent(webhooks, app)))
  const senders = times(3, () => webhooks.sender())
  t.after(() => Promise.all(senders.map(sender => sender.stop())))
  for (const sender of senders) sender.start()
  await until(async () => listener.received.length >= 200)
  await until(async () => (await webhooks.db.sql`select 1 from deliveries`).length === 0)
  assert.equal(listener.received.length, 200)
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, 200)
})

test('deleting a hook ends its queue, and an attempt in progress is only appended', async () => {
  const { app, hookId, record } = await listening()
  await record(2)
  let deleted = 0
  const deleting = webhooks.sender({
    maxSlots: 1,
    post: async () => {
      deleted = (await webhooks.call(app.app, 'DELETE', `/hooks/${hookId}`)).status
      deleting.changed([hookId])
      return { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1 }
    },
  })
  assert.equal(await deleting.runOnce(), 1)
  assert.equal(deleted, 204)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED hook_deleted 0', 'ERRORED hook_deleted 0'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200'])
})

test('a notification that is recorded while its hook is deleted ends', async () => {
  const { hookId, record } = await listening()
  await record()
  await webhooks.db.sql`delete from hooks where hook_id = ${hookId}`
  assert.equal(await webhooks.sender().runOnce(), 0)
  assert.equal(await endUndeliverable(webhooks.ports), 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED hook_deleted 0'])
})

test('deliveries of an inactive hook continue when the hook is activated, and end after 72 h', async t => {
  const listener = await openListener(t)
  const { hookId, record } = await listening(listener.url)
  const activate = (active: boolean) => webhooks.db.sql`update hooks set active = ${active} where hook_id = ${hookId}`
  await record()
  await activate(false)
  const sender = webhooks.sender()
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(HOUR_MS)
  await activate(true)
  assert.equal(await sender.runOnce(), 1)
  await record()
  await activate(false)
  webhooks.pass(72 * HOUR_MS - 1)
  assert.equal(await endUndeliverable(webhooks.ports), 0)
  webhooks.pass(1)
  assert.equal(await sender.runOnce(), 0)
  assert.equal(await endUndeliverable(webhooks.ports), 1)
  assert.deepEqual((await outcomesOf(webhooks, hookId)).sort(), ['DELIVERED 1', 'ERRORED hook_inactive 0'])
})

test('a secret that cannot be opened quarantines only its own delivery, which is sent once the secret is readable', async t => {
  const listener = await openListener(t)
  const broken = await listening(listener.url)
  const whole = await listening(listener.url)
  const [kept] = await webhooks.db.sql<{ secret: Buffer }[]>`select secret from hooks where hook_id = ${broken.hookId}`
  assert.ok(kept)
  await webhooks.db.sql`update hooks set secret = '\\x00' where hook_id = ${broken.hookId}`
  await broken.record()
  await whole.record()
  await drain(() => webhooks.sender().runOnce())
  assert.deepEqual(await outcomesOf(webhooks, whole.hookId), ['DELIVERED 1'])
  const [row] = await webhooks.db.sql`select failures, attempts, due_at as "dueAt" from deliveries`
  assert.deepEqual([row?.failures, row?.attempts, row?.dueAt.getTime()], [1, 0, webhooks.now().getTime() + 60_000])
  await webhooks.db
    .sql`update hooks set secret = ${kept.secret}, version = version + 1 where hook_id = ${broken.hookId}`
  webhooks.pass(60_000)
  assert.equal(await webhooks.sender().runOnce(), 1)
  assert.deepEqual(await outcomesOf(webhooks, broken.hookId), ['DELIVERED 1'])
})

test('a delivery that stays quarantined for 72 h ends as quarantined', async () => {
  const { hookId, record } = await listening()
  await webhooks.db.sql`update hooks set secret = '\\x00' where hook_id = ${hookId}`
  await record()
  await webhooks.sender().runOnce()
  webhooks.pass(72 * HOUR_MS)
  await webhooks.sender().runOnce()
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED quarantined 0'])
})

test('a response that the database rejects quarantines only its delivery, and the rest of the batch is saved', async () => {
  const { hookId, record } = await listening()
  await record(9)
  let sent = 0
  const post = async () =>
    ({ kind: 'answered', httpStatus: 200, answer: sent++ === 4 ? 'a\0b' : '', durationMs: 1 }) as const
  await webhooks.sender({ post }).runOnce()
  assert.deepEqual(await outcomesOf(webhooks, hookId), Array(8).fill('DELIVERED 1'))
  const [row] = await webhooks.db.sql`select failures from deliveries where hook_id = ${hookId}`
  assert.equal(row?.failures, 1)
})

test('orders of a revoked approval are not sent, and end', async () => {
  const { app, hookId } = await listening()
  const order = { storeId: v7(), deviceId: v7(), occurredAt: webhooks.now(), resourceId: v7(), resourceSeq: 1 }
  await webhooks.record({ eventType: 'ORDER_OPENED', businessId: app.businessId, ...order })
  await webhooks.db.sql`update approvals set revoked_at = ${webhooks.now()} where business_id = ${app.businessId}`
  assert.equal(await webhooks.sender().runOnce(), 0)
  assert.equal(await endUndeliverable(webhooks.ports), 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED approval_revoked 0'])
})
