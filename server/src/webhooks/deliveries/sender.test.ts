import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { v7 } from 'uuid'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { signHmacSha1 } from '../../core/signature.ts'
import { attemptsOf, drain, drainUntil, outcomesOf, progressOf, until } from './sender.fixture.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside`)

test('a notification reaches its hook once, signed both ways, and is then finished', async t => {
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

test('a retry sends the same bytes and id, with a new request id and the secret of the moment', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, 500)
  const hook = { applicationId: app.appId, deliveryUrl: listener.url }
  const hookId = await newHook(webhooks, app.app, { ...hook, secret: 'old' })
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  assert.equal(await sender.runOnce(), 1)
  const [waiting] = await progressOf(webhooks, hookId)
  assert.equal(waiting?.attempts, 1)
  assert.equal(waiting?.leaseId, null)
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

test('everything but 200 is a failure, and a redirect is not followed', async t => {
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

test('what nobody acknowledges is given up, and ends as ERRORED', async t => {
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

test('a listener that is not there, and an address that is not public, leave a word', async () => {
  const app = await newListening(webhooks)
  const absent = { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' }
  const hookId = await newHook(webhooks, app.app, absent)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await sender.runOnce()
  // Its name led somewhere else when it was registered.
  await webhooks.db.sql`update hooks set delivery_url = 'http://10.0.0.1/' where hook_id = ${hookId}`
  webhooks.pass(6_000)
  await sender.runOnce()
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 refused', '2 private_address'])
})

test('first attempts of one resource go out in the order things happened, whatever becomes of each', async t => {
  const app = await newListening(webhooks)
  const resourceId = v7()
  const listener = await openListener(t, (received, response) => {
    response.writeHead(received.body.resourceId === resourceId && listener.received.length === 1 ? 500 : 200).end()
  })
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const events = [1, 2, 3].map(resourceSeq => billingEvent(webhooks, app, { resourceId, resourceSeq }))
  await webhooks.record(...events.toReversed())
  const sender = webhooks.sender()
  for (const expected of [1, 1, 1, 0]) assert.equal(await sender.runOnce(), expected)
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    rows.map(({ id }) => id),
  )
})

test('a listener that hangs holds nobody else up, and gets fewer attempts at once', async t => {
  const app = await newListening(webhooks)
  const hanging = await openListener(t, () => {})
  const healthy = await openListener(t)
  const dead = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: hanging.url })
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: healthy.url })
  await webhooks.record(...Array.from({ length: 60 }, () => billingEvent(webhooks, app)))
  const sender = webhooks.sender()
  const first = sender.runOnce()
  await drainUntil(
    () => sender.runOnce(),
    () => healthy.received.length === 60,
  )
  const leased = (await progressOf(webhooks, dead)).filter(({ leaseId, attempts }) => leaseId !== null || attempts > 0)
  assert.ok(leased.length <= 32, `${leased.length} of a hanging listener at once`)
  await first
  await sender.stop()
  const before = hanging.received.length
  webhooks.pass(4_000)
  await sender.runOnce()
  assert.ok(hanging.received.length - before <= 2, 'a listener that timed out is tried by few')
})

test('one claim takes turns: a long queue does not keep the next hook out', async t => {
  const app = await newListening(webhooks)
  const [long, short] = [await openListener(t), await openListener(t)]
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: long.url })
  await webhooks.record(...Array.from({ length: 30 }, () => billingEvent(webhooks, app)))
  const other = await newListening(webhooks)
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: short.url })
  await webhooks.record(billingEvent(webhooks, other))
  const sender = webhooks.sender({ maxUnderWay: 10, maxUnderWayPerHook: 10 })
  await sender.runOnce()
  await sender.runOnce()
  assert.equal(short.received.length, 1)
  await drain(() => sender.runOnce())
})

test('an answer of any bytes is recorded, at most 1 KiB of it', async t => {
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

test('a started sender delivers by itself, and stops when what is under way has ended', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, (_received, response) => {
    setTimeout(() => response.writeHead(200).end(), 100)
  })
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender()
  t.after(() => sender.stop())
  sender.start()
  await webhooks.record(billingEvent(webhooks, app))
  sender.wake()
  await until(async () => listener.received.length === 1)
  await sender.stop()
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
})
