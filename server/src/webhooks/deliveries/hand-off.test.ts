import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import type { Db, Sql } from '../../platform/db/db.ts'
import type { HandOff } from '../../ports.ts'
import { recordNotifications } from '../notifications/record.ts'
import { attemptsOf, drain, outcomesOf, progressOf, until } from './sender.fixture.ts'
import { createSender } from './sender.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside, hook_health`)

/** As a process records that sends, too. */
const recordWith = (handOff: HandOff, ...events: Event[]) =>
  webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff }, events))

test('what is recorded is sent from memory after the commit, and nobody needs to claim it', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender()
  sender.start()
  t.after(() => sender.stop())
  await webhooks.db.transaction(async tx => {
    await recordNotifications(tx, { ...webhooks.ports, handOff: sender }, [billingEvent(webhooks, app)])
    const [row] = await tx.sql`select lease_id from deliveries where hook_id = ${hookId}`
    assert.ok(row?.lease_id)
    assert.equal(listener.received.length, 0)
  })
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  assert.deepEqual([sender.state().handedOff, sender.state().claimed], [1, 0])
})

test('a roll-back sends nothing', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender()
  sender.start()
  const rolledBack = webhooks.db.transaction(async tx => {
    await recordNotifications(tx, { ...webhooks.ports, handOff: sender }, [billingEvent(webhooks, app)])
    throw new Error('no')
  })
  await assert.rejects(rolledBack, /no/)
  await recordWith(sender, billingEvent(webhooks, app))
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  await sender.stop()
  assert.equal(listener.received.length, 1)
})

test('a crash between the commit and the sending costs the lease, and loses nothing', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const dying = webhooks.sender()
  dying.start()
  t.after(() => dying.stop())
  await recordWith({ offer: ids => dying.offer(ids), take() {}, left() {}, forget() {} }, billingEvent(webhooks, app))
  const sender = webhooks.sender()
  webhooks.pass(29_999)
  assert.equal(await sender.runOnce(), 0)
  webhooks.pass(1)
  assert.equal(await sender.runOnce(), 1)
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200'])
})

test('the next one of a resource is not handed off while the one before is untried, and follows it by itself', async t => {
  const app = await newListening(webhooks)
  const seen: number[] = []
  const order = new Map<string, number>()
  const listener = await openListener(t, ({ body }, response) => {
    seen.push(order.get(body.id) ?? 0)
    setTimeout(() => response.writeHead(200).end(), 20)
  })
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const [one, other] = [webhooks.sender(), webhooks.sender()]
  for (const sender of [one, other]) {
    sender.start()
    t.after(() => sender.stop())
  }
  const resourceId = v7()
  for (let resourceSeq = 1; resourceSeq <= 6; resourceSeq++) {
    const event = billingEvent(webhooks, app, { resourceId, resourceSeq })
    await recordWith(resourceSeq % 2 === 0 ? one : other, event)
    const [row] = await webhooks.db.sql<{ id: string }[]>`
      select notification_id as id from notifications where resource_id = ${resourceId}
      order by resource_seq desc limit 1`
    order.set(row?.id ?? '', resourceSeq)
  }
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 6)
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where resource_id = ${resourceId} order by resource_seq`
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    rows.map(({ id }) => id),
  )
})

test('several of one resource in one transaction: only the first is handed off', async () => {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
  const resourceId = v7()
  const leaseId = v7()
  const taken: string[] = []
  const leasedUntil = new Date(webhooks.now().getTime() + 30_000)
  await recordWith(
    {
      offer: ids => ({ leaseId, leasedUntil, accepted: ids.map(() => true) }),
      take: handed => void taken.push(...handed.map(({ notificationId }) => notificationId)),
      left() {},
      forget() {},
    },
    ...[3, 1, 2].map(resourceSeq => billingEvent(webhooks, app, { resourceId, resourceSeq })),
  )
  const rows = await webhooks.db.sql<{ id: string; leaseId: string | null }[]>`
    select notification_id as id, lease_id as "leaseId" from deliveries where hook_id = ${hookId} order by resource_seq`
  assert.deepEqual(
    rows.map(row => row.leaseId),
    [leaseId, null, null],
  )
  assert.deepEqual(taken, [rows[0]?.id])
})

test('more than a hook has room for goes to the queue, and all of it arrives once', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender()
  sender.start()
  t.after(() => sender.stop())
  await recordWith(sender, ...Array.from({ length: 200 }, () => billingEvent(webhooks, app)))
  sender.wake()
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 200)
  assert.equal(listener.received.length, 200)
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, 200)
  const { handedOff, claimed, waiting, underWay } = sender.state()
  assert.ok(handedOff > 0 && claimed > 0)
  assert.deepEqual([handedOff + claimed, waiting, underWay.FIRST], [200, 0, 0])
})

test('what had to go to the queue is not overtaken for ever by what is recorded after it', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender({ maxUnderWayPerHook: 1 })
  sender.start()
  t.after(() => sender.stop())
  await recordWith(sender, ...Array.from({ length: 30 }, () => billingEvent(webhooks, app)))
  sender.wake()
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where hook_id = ${hookId}`
  const first = new Set(rows.map(({ id }) => id))
  const isDone = () => listener.received.filter(({ body }) => first.has(body.id)).length === first.size
  let later = 0
  for (let look = 0; look < 2_000 && !isDone(); look++) {
    // As many more as were received: the sender is never out of new ones.
    for (; later < listener.received.length + 2; later++) await recordWith(sender, billingEvent(webhooks, app))
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  const received = listener.received.map(({ body }) => body.id)
  const lastOfFirst = Math.max(...[...first].map(id => received.indexOf(id)))
  assert.ok(isDone() && lastOfFirst < 60, `the last of the first 30 was the ${lastOfFirst + 1}th to go`)
})

test('a sender that is not started, or stops, takes nothing; what it held is due at once for the others', async t => {
  const app = await newListening(webhooks)
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  const listener = await openListener(t, (_received, response) => void held.then(() => response.writeHead(200).end()))
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sender = webhooks.sender({ maxUnderWayPerHook: 2 })
  assert.equal(sender.offer([hookId]), null)
  sender.start()
  await recordWith(sender, ...Array.from({ length: 6 }, () => billingEvent(webhooks, app)))
  await until(async () => listener.received.length === 2)
  const stopping = sender.stop()
  assert.equal(sender.offer([hookId]), null)
  await until(async () => (await progressOf(webhooks, hookId)).filter(({ leaseId }) => leaseId !== null).length === 2)
  answer()
  await stopping
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1', 'DELIVERED 1'])
  await drain(() => webhooks.sender().runOnce())
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, 6)
  assert.equal(listener.received.length, 6)
})

test('a hook of another app gets nothing of it', async t => {
  const [app, other] = [await newListening(webhooks), await newListening(webhooks)]
  const [listener, foreign] = [await openListener(t), await openListener(t)]
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: foreign.url, eventTypes: [START] })
  const sender = webhooks.sender()
  sender.start()
  t.after(() => sender.stop())
  await recordWith(sender, billingEvent(webhooks, app))
  await until(async () => (await outcomesOf(webhooks, hookId)).length === 1)
  assert.equal(foreign.received.length, 0)
})

test('what waits in memory under many leases is given back by one statement', async t => {
  const app = await newListening(webhooks)
  const listener = await openListener(t, () => {})
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const sent: string[] = []
  const noted = (sql: Sql) =>
    new Proxy(sql, {
      apply: (of, self, given: [readonly string[]]) => {
        sent.push(given[0].join(' '))
        return Reflect.apply(of, self, given)
      },
    })
  const transaction: Db['transaction'] = work => webhooks.db.transaction(tx => work({ ...tx, sql: noted(tx.sql) }))
  const ports = { ...webhooks.ports, db: { ...webhooks.db, transaction } }
  const sender = createSender(ports, { version: '0.0.0-test', maxUnderWayPerHook: 1 })
  sender.start()
  t.after(() => sender.stop())
  for (let each = 0; each < 6; each++) await recordWith(sender, billingEvent(webhooks, app))
  await until(async () => listener.received.length === 1 && sender.state().waiting === 5)
  const before = await progressOf(webhooks, hookId)
  assert.equal(new Set(before.map(({ leaseId }) => leaseId)).size, 6)
  sent.length = 0
  await sender.stop()
  const given = (await progressOf(webhooks, hookId)).filter(({ attempts }) => attempts === 0)
  assert.deepEqual(
    given.map(({ leaseId }) => leaseId),
    Array(5).fill(null),
  )
  assert.equal(sent.filter(text => text.includes('update deliveries set due_at')).length, 1)
})
