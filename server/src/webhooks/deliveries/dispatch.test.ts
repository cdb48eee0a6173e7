import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { until } from '../../../test/support/deliveries.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
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
import { createNotices } from './notices.ts'
import { createSender, type Sender } from './sender.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await webhooks.db.sql`truncate deliveries, hook_health, delivery_workers`
  await webhooks.db.sql`update delivery_shards set owner = null, leased_until = null`
})

async function listening(deliveryUrl: string) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  const record = (dispatch: Sender | undefined, ...seqs: readonly { resourceId: string; resourceSeq: number }[]) =>
    webhooks.db.transaction(tx =>
      recordNotifications(
        tx,
        { ...webhooks.ports, ...(dispatch && { dispatch }) },
        seqs.map(seq => billingEvent(webhooks, app, seq)),
      ),
    )
  return { app, hookId, record }
}

async function started(t: { after(end: () => unknown): void }, sender: Sender): Promise<Sender> {
  sender.start()
  t.after(() => sender.stop())
  await until(async () => sender.state().shards > 0)
  return sender
}

const first = () => ({ resourceId: v7(), resourceSeq: 1 })

test('the owner of a shard sends the notifications that it records from memory, without reading the queue', async t => {
  const listener = await openListener(t)
  const { record } = await listening(listener.url)
  const sender = await started(t, webhooks.sender())
  await record(sender, first(), first())
  await until(async () => listener.received.length === 2)
  assert.equal(sender.state().loaded, 0)
})

test('events of one resource keep their order, recorded at once, in turn, or without a notice of the first event', async t => {
  const listener = await openListener(t, (_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 30)
  })
  const { record } = await listening(listener.url)
  const sender = await started(t, webhooks.sender())
  const resourceId = v7()
  const seq = (resourceSeq: number) => ({ resourceId, resourceSeq })
  await record(undefined, seq(1))
  await record(sender, seq(2), seq(3))
  await record(sender, seq(4))
  await until(async () => listener.received.length === 4)
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    rows.map(({ id }) => id),
  )
})

test('notifications recorded by another process arrive by a notice, long before the periodic read of the queue', async t => {
  const listener = await openListener(t)
  const { record } = await listening(listener.url)
  const open = () => createNotices({ db: webhooks.db, url: webhooks.url, log: webhooks.ports.log })
  const [ofOwner, ofApi] = [open(), open()]
  t.after(() => Promise.all([ofOwner.close(), ofApi.close()]))
  const owner = await started(t, webhooks.sender({ notices: ofOwner }))
  await until(
    async () =>
      (await webhooks.db.sql`select 1 from pg_stat_activity where application_name = 'tillhook notices'`).length > 0,
  )
  const api = webhooks.sender({ notices: ofApi })
  const beganAt = performance.now()
  await record(api, first())
  await until(async () => listener.received.length === 1)
  assert.ok(performance.now() - beganAt < 5_000)
  assert.equal(owner.state().loaded, 1)
})

test('a changed secret and address apply to every attempt that begins after the change', async t => {
  const [before, after] = [await openListener(t, () => {}), await openListener(t)]
  const { app, hookId, record } = await listening(before.url)
  const sender = await started(t, webhooks.sender({ maxSlotsPerHook: 1 }))
  await record(sender, first(), first(), first())
  await until(async () => before.received.length === 1)
  const change = { deliveryUrl: after.url, secret: 'changed' }
  assert.equal((await webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, change)).status, 200)
  sender.changed([hookId])
  await until(async () => after.received.length === 2)
  assert.equal(before.received.length, 1)
  for (const { headers, text } of after.received) {
    assert.equal(headers['service-webhook-signature'], signHmacSha1('changed', text))
  }
})

test('a stop during a renewal of the leases leaves no shard owned', async () => {
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = webhooks.db.transaction(async ({ sql }) => {
    await sql`lock table delivery_shards in access exclusive mode`
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const sender = webhooks.sender()
  sender.start()
  await untilWaiting(webhooks.db.sql, 1)
  const stopped = sender.stop()
  end.resolve()
  await Promise.all([holding, stopped])
  for (let look = 0; look < 50; look++) {
    assert.equal((await webhooks.db.sql`select from delivery_shards where owner is not null`).length, 0)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
})

test('a queue far longer than the memory limit is sent in order of its resources, each delivery once', async t => {
  const listener = await openListener(t)
  const { record } = await listening(listener.url)
  const many = 1_000
  await record(undefined, ...Array.from({ length: many }, first))
  const sender = await started(t, webhooks.sender())
  await until(async () => listener.received.length >= many)
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, many)
  assert.equal(listener.received.length, many)
  assert.ok(sender.state().queued === 0)
})

test('reading a queue during inserts skips nothing, without the periodic read', async t => {
  const listener = await openListener(t)
  const { record } = await listening(listener.url)
  const sleep = (ms: number) => new Promise<void>(resolve => void (ms < 10_000 && setTimeout(resolve, ms)))
  const sender = await started(t, createSender({ ...webhooks.ports, sleep }, { version: '0.0.0-test' }))
  const recorder = async () => {
    for (let n = 0; n < 10; n++) await record(sender, ...Array.from({ length: 50 }, first))
  }
  await Promise.all([recorder(), recorder(), recorder(), recorder()])
  const isSent = async () => listener.received.length === 2_000
  for (let waits = 0; waits < 10 && !(await isSent()); waits++) await until(isSent).catch(() => {})
  assert.equal(listener.received.length, 2_000)
})
