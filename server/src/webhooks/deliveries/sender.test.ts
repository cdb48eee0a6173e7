import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { v7 } from 'uuid'
import { attemptsOf, outcomesOf, progressOf, until } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import { signHmacSha1 } from '../../core/signature.ts'
import type { Post } from '../../platform/egress/post.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health`)

test('a notification is delivered to its hook once, with both signatures, and is then finished', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const secret = 'ключ with "quotes" \\ and more'
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url, secret })
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  assert.equal(await sender.runOnce(), 1)
  assert.equal(await sender.runOnce(), 0)

  const [received, ...more] = listener.received
  assert.ok(received)
  assert.deepEqual(more, [])
  const { headers, text, body } = received
  const [row] = await webhooks.db.sql`select body, notification_id from notifications where hook_id = ${hookId}`
  assert.equal(text, row?.body)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'Tillhook/0.0.0-test')
  assert.equal(headers['service-webhook-signature'], signHmacSha1(secret, text))
  assert.equal(headers['webhook-id'], row?.notification_id)
  assert.equal(headers['webhook-timestamp'], String(webhooks.now().getTime() / 1_000))
  assert.match(String(headers['service-request-id']), /^[0-9a-f-]{36}$/)
  assert.equal(body.hookId, hookId)
  const standard = new Webhook(Buffer.from(secret).toString('base64'))
  const sign = standard.sign(String(headers['webhook-id']), webhooks.now(), text)
  assert.equal(headers['webhook-signature'], sign)

  assert.deepEqual(await progressOf(webhooks, hookId), [])
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200'])
})

test('a retry sends the same bytes and id, with a new request id and the current secret', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, 500)
  const hook = { applicationId: app.appId, deliveryUrl: listener.url }
  const hookId = await newHook(webhooks, app.app, { ...hook, secret: 'old' })
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  assert.equal(await sender.runOnce(), 1)
  const [waiting] = await progressOf(webhooks, hookId)
  assert.equal(waiting?.attempts, 1)
  assert.equal(waiting?.dueAt.getTime(), webhooks.now().getTime() + 5_000)
  assert.equal(await sender.runOnce(), 0)

  const renewed = await webhooks.call(app.app, 'POST', '/hooks', {
    ...hook,
    secret: 'new',
    eventTypes: ['ORDER_UPDATED', 'ORDER_OPENED', 'ORDER_COMPLETED', 'ORDER_CANCELLED'].concat(
      'APPLICATION_SUBSCRIPTION_END',
      'APPLICATION_SUBSCRIPTION_START',
    ),
  })
  assert.equal(renewed.status, 200)
  listener.reply = 200
  webhooks.pass(5_000)
  assert.equal(await sender.runOnce(), 1)
  const [first, second] = listener.received
  assert.ok(first && second)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id'])
  assert.notEqual(second.headers['service-request-id'], first.headers['service-request-id'])
  assert.equal(first.headers['service-webhook-signature'], signHmacSha1('old', first.text))
  assert.equal(second.headers['service-webhook-signature'], signHmacSha1('new', first.text))
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 2'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 500', '2 200'])
})

test('every status except 200 is a failure, and a redirect is not followed', async t => {
  const app = await newListening(webhooks)
  const elsewhere = await openListener(t)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  for (const status of [201, 204, 302, 400, 410, 500]) {
    listener.reply = (_received, response) => void response.writeHead(status, { location: elsewhere.url }).end()
    assert.equal(await sender.runOnce(), 1)
    webhooks.pass(13 * HOUR_MS)
  }
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 201', '2 204', '3 302 redirect', '4 400', '5 410', '6 500'])
  assert.equal(elsewhere.received.length, 0)
})

test('an unacknowledged delivery is given up and ends as ERRORED', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, 503)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  const recordedAt = webhooks.now().getTime()
  let runs = 0
  while (runs < 20 && (await sender.runOnce()) === 1) {
    runs++
    const [waiting] = await progressOf(webhooks, hookId)
    if (waiting) webhooks.setNow(waiting.dueAt)
  }
  assert.equal(runs, 11)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED attempts_exhausted 11'])
  assert.ok(webhooks.now().getTime() - recordedAt <= 72 * HOUR_MS)
})

test('an unreachable endpoint and a non-public address have a failure reason', async () => {
  const app = await newListening(webhooks)
  const absent = { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' }
  const hookId = await newHook(webhooks, app.app, absent)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await sender.runOnce()
  // The name had a public address at registration.
  await webhooks.db.sql`update hooks set delivery_url = 'http://10.0.0.1/' where hook_id = ${hookId}`
  webhooks.pass(6_000)
  await sender.runOnce()
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 refused', '2 private_address'])
})

test('first attempts of one resource are sent in the order of the events, with any outcome', async t => {
  const app = await newListening(webhooks)
  const resourceId = v7()
  const listener = await openListener(t, (received, response) => {
    response.writeHead(received.body.resourceId === resourceId && listener.received.length === 1 ? 500 : 200).end()
  })
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const events = [1, 2, 3].map(resourceSeq => billingEvent(webhooks, app, { resourceId, resourceSeq }))
  await webhooks.record(...events.toReversed())
  const sender = webhooks.sender()
  for (const expected of [3, 0]) assert.equal(await sender.runOnce(), expected)
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    rows.map(({ id }) => id),
  )
})

test('a hanging endpoint does not delay other hooks and gets fewer concurrent attempts', async t => {
  const app = await newListening(webhooks)
  const hanging = await openListener(t, () => {})
  const healthy = await openListener(t)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: hanging.url })
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: healthy.url })
  await webhooks.record(...Array.from({ length: 60 }, () => billingEvent(webhooks, app)))
  const sender = webhooks.sender()
  const run = sender.runOnce()
  await until(async () => healthy.received.length === 60)
  assert.equal(hanging.received.length, 8, 'as many as a hook has slots at first')
  await run
  const before = hanging.received.length
  webhooks.pass(5_000)
  await sender.runOnce()
  assert.equal(hanging.received.length - before, 1, 'a probe')
})

test('with more hanging hooks than slots, a healthy hook is still served', async t => {
  const app = await newListening(webhooks)
  const hanging = await openListener(t, () => {})
  const healthy = await openListener(t)
  const healthyHook = {
    applicationId: app.appId,
    deliveryUrl: healthy.url,
    eventTypes: ['APPLICATION_SUBSCRIPTION_END'],
  }
  await newHook(webhooks, app.app, healthyHook)
  for (let n = 0; n < 6; n++) {
    const deliveryUrl = `${hanging.url}/${n}`
    await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl, eventTypes: [START] })
  }
  const ending = () => ({ ...billingEvent(webhooks, app), eventType: 'APPLICATION_SUBSCRIPTION_END' }) as Event
  const sender = webhooks.sender({ maxSlots: 16 })
  t.after(() => sender.stop())
  sender.start()
  await until(async () => sender.state().shards > 0)
  await webhooks.record(ending())
  sender.changed(await hookIds())
  await until(async () => healthy.received.length === 1)
  await webhooks.record(...Array.from({ length: 8 }, () => billingEvent(webhooks, app)))
  sender.changed(await hookIds())
  await until(async () => hanging.received.length >= 12)
  await webhooks.record(ending(), ending(), ending(), ending())
  sender.changed(await hookIds())
  await until(async () => healthy.received.length === 5)
  assert.equal(hanging.received.length, 12, 'three quarters of the slots, and none of them has come free')
})

async function hookIds(): Promise<string[]> {
  const rows = await webhooks.db.sql<{ id: string }[]>`select hook_id as id from hooks`
  return rows.map(({ id }) => id)
}

test('hooks take turns, so a long queue does not delay the next hook', async t => {
  const app = await newListening(webhooks)
  const order: string[] = []
  const [long, short] = [await openListener(t), await openListener(t)]
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: long.url })
  await webhooks.record(...Array.from({ length: 30 }, () => billingEvent(webhooks, app)))
  const other = await newListening(webhooks)
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: short.url })
  await webhooks.record(billingEvent(webhooks, other))
  const post: Post = async ({ url }) => {
    order.push(url)
    return { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1 }
  }
  await webhooks.sender({ maxSlots: 2, post }).runOnce()
  assert.equal(order.length, 31)
  assert.ok(order.indexOf(short.url) < 4)
})

test('a response with any bytes is recorded, up to 1 KiB', async t => {
  const app = await newListening(webhooks)
  const nasty = Buffer.from([0, 255, 34, 92, 39, 123, 125, 44, 10, 0xf0, 0x9f, 0x98, 0x80])
  const listener = await openListener(t, (_received, response) => void response.writeHead(200).end(nasty))
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.sender().runOnce()
  const [attempt] = await webhooks.db.sql`
    select a.answer from attempts as a join notifications as n using (recorded_day, notification_id)
    where n.hook_id = ${hookId}`
  assert.equal(attempt?.answer, '\ufffd\ufffd"\\\'{},\n😀')
})

test('a started sender delivers by itself, and stops after the attempts in progress', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, (_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 100)
  })
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender()
  t.after(() => sender.stop())
  sender.start()
  await until(async () => sender.state().shards > 0)
  await webhooks.record(billingEvent(webhooks, app))
  sender.changed([hookId])
  await until(async () => listener.received.length === 1)
  await sender.stop()
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
})
