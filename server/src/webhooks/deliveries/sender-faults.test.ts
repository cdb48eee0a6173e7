import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
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
import { endParked } from './parked.ts'
import { prepare } from './prepare.ts'
import { createSecrets } from './secrets.ts'
import { attemptsOf, claimAll, drain, outcomesOf, progressOf, until } from './sender.fixture.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside`)

test('what a crash left is sent again when its lease is over, not before', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const crashed = webhooks.sender({ post: () => new Promise(() => {}) })
  void crashed.runOnce()
  await until(async () => (await progressOf(webhooks, hookId))[0]?.leaseId !== null)
  const sender = webhooks.sender()
  webhooks.pass(29_999)
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(1)
  assert.equal(await sender.runOnce(), 1)
  assert.equal(listener.received.length, 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
})

test('a save whose lease another process has taken only appends the attempt', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  let answerLate = () => {}
  const late = new Promise<void>(resolve => {
    answerLate = resolve
  })
  const slow = webhooks.sender({
    post: async () => {
      await late
      return { kind: 'failed', reason: 'timeout', durationMs: 2_000 }
    },
  })
  const run = slow.runOnce()
  await until(async () => (await progressOf(webhooks, hookId))[0]?.leaseId !== null)
  webhooks.pass(31_000)
  assert.equal(await webhooks.sender().runOnce(), 1)
  answerLate()
  await run
  assert.deepEqual(await progressOf(webhooks, hookId), [])
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  assert.deepEqual((await attemptsOf(webhooks, hookId)).sort(), ['1 200', '1 timeout'])
})

test('two processes at once send each notification once', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(...Array.from({ length: 40 }, () => billingEvent(webhooks, app)))
  const senders = [webhooks.sender(), webhooks.sender(), webhooks.sender()]
  const counts = await Promise.all(senders.map(sender => drain(() => sender.runOnce())))
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    40,
  )
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, 40)
  assert.equal(listener.received.length, 40)
})

test('processes whose clocks are 5 s apart either way send each notification once, in order', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const resourceId = v7()
  const events = Array.from({ length: 12 }, (_, n) => billingEvent(webhooks, app, { resourceId, resourceSeq: n + 1 }))
  await webhooks.record(...events)
  const clockAt = (aheadMs: number) => ({ now: () => new Date(webhooks.now().getTime() + aheadMs) })
  const senders = [-5_000, 0, 5_000].map(aheadMs => webhooks.sender({ clock: clockAt(aheadMs) }))
  webhooks.pass(5_000)
  for (let run = 0; run < 100 && listener.received.length < 12; run++) {
    await Promise.all(senders.map(sender => sender.runOnce()))
  }
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    rows.map(({ id }) => id),
  )
})

test('what a process recorded whose clock is 5 s ahead is due at once, also to one whose clock is 5 s behind', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const now = webhooks.now()
  webhooks.pass(5_000)
  await webhooks.record(billingEvent(webhooks, app))
  webhooks.setNow(now)
  const behind = webhooks.sender({ clock: { now: () => new Date(now.getTime() - 5_000) } })
  assert.equal(await behind.runOnce(), 1)
  assert.equal(listener.received.length, 1)
})

test('a hook deleted midway ends its queue; the attempt under way is kept and counted, and changes nothing else', async () => {
  let deleted = 0
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, app), billingEvent(webhooks, app))
  const deleting = webhooks.sender({
    maxUnderWay: 1,
    post: async () => {
      deleted = (await webhooks.call(app.app, 'DELETE', `/hooks/${hookId}`)).status
      return { kind: 'answered', httpStatus: 200, answer: '', durationMs: 1 }
    },
  })
  assert.equal(await deleting.runOnce(), 1)
  assert.equal(deleted, 204)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED hook_deleted 1', 'ERRORED hook_deleted 0'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200'])
  assert.deepEqual(await progressOf(webhooks, hookId), [])
})

test('what was recorded while its hook was deleted ends when it is claimed', async () => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.db.sql`delete from hooks where hook_id = ${hookId}`
  assert.equal(await webhooks.sender().runOnce(), 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['ERRORED hook_deleted 0'])
})

test('what waits for an inactive hook rests; it goes on when the hook listens again, and ends after 72 h', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app), billingEvent(webhooks, app))
  const activate = (active: boolean) => webhooks.db.sql`update hooks set active = ${active} where hook_id = ${hookId}`
  await activate(false)
  const sender = webhooks.sender({ maxUnderWay: 1 })
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(HOUR_MS)
  await activate(true)
  assert.equal(await sender.runOnce(), 1)
  assert.equal(listener.received.length, 1)
  await activate(false)
  assert.equal(await endParked(webhooks.ports), 0)
  webhooks.pass(71 * HOUR_MS)
  assert.equal(await sender.runOnce(), 0)
  assert.equal(await endParked(webhooks.ports), 1)
  assert.deepEqual((await outcomesOf(webhooks, hookId)).sort(), ['DELIVERED 1', 'ERRORED hook_inactive 0'])
})

test('a hook that stops listening just after a claim costs the delivery no attempt', async () => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(billingEvent(webhooks, app))
  const [claimed] = await claimAll(webhooks)
  assert.ok(claimed)
  const ports = { ...webhooks.ports, secrets: createSecrets(webhooks.ports.vault) }
  assert.deepEqual(await prepare(ports, [{ ...claimed, active: false }]), [])
  const [waiting] = await progressOf(webhooks, hookId)
  assert.deepEqual([waiting?.attempts, waiting?.leaseId], [0, null])
  assert.equal(waiting?.dueAt.getTime(), webhooks.now().getTime() + 300_000)
})

test('a delivery that cannot be handled stands aside, holds nobody up, and goes on once it can', async t => {
  const app = await newListening(webhooks)
  const [broken, whole] = [await openListener(t), await openListener(t)]
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: broken.url })
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: whole.url })
  const [sealed] = await webhooks.db.sql`select secret from hooks where hook_id = ${hookId}`
  await webhooks.db.sql`update hooks set secret = 'nonsense' where hook_id = ${hookId}`
  const resourceId = v7()
  await webhooks.record(...[1, 2].map(resourceSeq => billingEvent(webhooks, app, { resourceId, resourceSeq })))
  const sender = webhooks.sender()
  await drain(() => sender.runOnce())
  assert.equal(whole.received.length, 2)
  const aside = await webhooks.db.sql`select failures, last_error from set_aside where kind = 'delivery'`
  assert.equal(aside.length, 2)
  assert.match(aside[0]?.last_error, /VaultError/)
  assert.doesNotMatch(aside[0]?.last_error, /nonsense/)

  webhooks.pass(49_999)
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(10_001)
  assert.equal(await sender.runOnce(), 2, 'the second does not wait for the first, which stands aside')
  const [again] = await webhooks.db.sql`select failures, blocked_until from set_aside where kind = 'delivery' limit 1`
  assert.equal(again?.failures, 2)
  assert.equal(again?.blocked_until.getTime(), webhooks.now().getTime() + 120_000)

  await webhooks.db.sql`update hooks set secret = ${sealed?.secret} where hook_id = ${hookId}`
  webhooks.pass(120_000)
  await drain(() => sender.runOnce())
  assert.equal(broken.received.length, 2)
  assert.equal((await webhooks.db.sql`select 1 from set_aside where kind = 'delivery'`).length, 0)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1', 'DELIVERED 1'])
})

test('one attempt that the database refuses does not lose those saved with it', async () => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(...Array.from({ length: 5 }, () => billingEvent(webhooks, app)))
  let posts = 0
  const sender = webhooks.sender({
    // No integer of the database is as large as the third one's time.
    post: async () => ({ kind: 'answered', httpStatus: 200, answer: '', durationMs: ++posts === 3 ? 3e10 : 1 }),
  })
  assert.equal(await sender.runOnce(), 5)
  assert.equal((await outcomesOf(webhooks, hookId)).length, 4)
  const [left] = await progressOf(webhooks, hookId)
  assert.equal(left?.leaseId, null)
  assert.equal(left?.dueAt.getTime(), webhooks.now().getTime() + 60_000)
})

test('one attempt that belongs to a spoilt page does not hold up those saved with it', async t => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  await webhooks.record(...Array.from({ length: 5 }, () => billingEvent(webhooks, app)))
  await webhooks.db.sql`
    create function spoil() returns trigger language plpgsql as
      $$ begin raise exception 'invalid page in block 7' using errcode = 'XX001'; end $$`
  await webhooks.db.sql`
    create trigger spoilt before insert on attempts for each row when (new.duration_ms = 777) execute function spoil()`
  t.after(async () => {
    await webhooks.db.sql`drop trigger spoilt on attempts`
    await webhooks.db.sql`drop function spoil`
  })
  let posts = 0
  const sender = webhooks.sender({
    post: async () => ({ kind: 'answered', httpStatus: 200, answer: '', durationMs: ++posts === 3 ? 777 : 1 }),
  })
  assert.equal(await sender.runOnce(), 5)
  assert.equal((await outcomesOf(webhooks, hookId)).length, 4)
  assert.equal((await progressOf(webhooks, hookId)).length, 1)
  assert.equal((await webhooks.db.sql`select from set_aside where kind = 'delivery'`).length, 1)
})

test('a delivery with too little left of its lease is not sent', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await webhooks.record(billingEvent(webhooks, app))
  const claimedAt = webhooks.now().getTime()
  // Its clock is read for the claim, and then after a long pause.
  let reads = 0
  const clock = { now: () => new Date(reads++ === 0 ? claimedAt : claimedAt + 18_001) }
  const paused = webhooks.sender({ clock })
  assert.equal(await paused.runOnce(), 1)
  assert.equal(listener.received.length, 0)
  webhooks.pass(30_000)
  assert.equal(await webhooks.sender().runOnce(), 1)
  assert.equal(listener.received.length, 1)
})
