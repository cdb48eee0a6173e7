import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
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
import type { Event } from '../../core/event.ts'
import type { Ports } from '../../ports.ts'
import { saveHookHealth } from '../hooks/health.ts'
import { recordNotifications } from '../notifications/record.ts'
import { changeHook } from '../redeliveries/change-hook.ts'
import { redeliverOne } from '../redeliveries/redeliver-one.ts'
import { claimDeliveries } from './claim.ts'
import { openNarrowWorker } from './narrow.fixture.ts'
import { endParked } from './parked.ts'
import { drain, progressOf, until } from './sender.fixture.ts'
import { NO_TURNS } from './turns.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

test('a narrow claim takes of each hook what is due since then, of retries all, and of other hooks nothing', async () => {
  const { db, now } = webhooks
  const hooks = await Promise.all(
    [1, 2, 3].map(async () => {
      const app = await newListening(webhooks)
      const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' })
      return { app, hookId }
    }),
  )
  const [one, other, unknown] = hooks.map(({ hookId }) => hookId) as [string, string, string]
  const recordOfEach = () => webhooks.record(...hooks.map(({ app }) => billingEvent(webhooks, app)))
  await recordOfEach()
  await db.sql`update deliveries set lane = 'RETRY' where hook_id = ${other}`
  webhooks.pass(10_000)
  const since = now()
  await recordOfEach()
  webhooks.pass(10_000)

  const claim = async (from?: ReadonlyMap<string, Date>) => {
    const many = { FIRST: 100, RETRY: 100, REPLAY: 100 }
    const claimed = await claimDeliveries(db, {
      now: now(),
      leaseId: v7(),
      leasedUntil: new Date(now().getTime() + 30_000),
      limits: many,
      roomOfOthers: many,
      rooms: new Map(),
      turns: NO_TURNS,
      ...(from && { from }),
    })
    return claimed.map(({ hookId, lane, recordedAt }) => [hookId, lane, recordedAt.getTime()].join(' ')).sort()
  }
  const [old, young] = [since.getTime() - 10_000, since.getTime()]
  const from = new Map([
    [one, since],
    [other, new Date(young + 1)],
  ])
  assert.deepEqual(await claim(from), [`${one} FIRST ${young}`, `${other} RETRY ${old}`].sort())
  assert.deepEqual(await claim(from), [], 'they are leased')
  assert.deepEqual(await claim(new Map()), [])
  assert.deepEqual(
    await claim(),
    [`${one} FIRST ${old}`, `${other} FIRST ${young}`, `${unknown} FIRST ${old}`, `${unknown} FIRST ${young}`].sort(),
  )
})

async function hooksAt(deliveryUrl: string) {
  const one = async () => {
    const app = await newListening(webhooks)
    const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
    return { ...app, hookId }
  }
  return [await one(), await one(), await one()] as const
}

test('a process that does not read everything at the moment sends what another one left of a hook that it has never heard of', async t => {
  const listener = await openListener(t)
  const [told, untold] = await hooksAt(listener.url)
  const { ofAnother } = await openNarrowWorker(t, webhooks)
  await webhooks.record(billingEvent(webhooks, untold))
  await webhooks.db.transaction(tx =>
    recordNotifications(tx, { ...webhooks.ports, ...ofAnother }, [billingEvent(webhooks, told)]),
  )
  await until(async () => listener.received.length > 0)
  assert.deepEqual(
    listener.received.map(({ body }) => body.hookId),
    [told.hookId],
  )
  assert.equal(
    (await progressOf(webhooks, untold.hookId)).length,
    1,
    'nobody was told of it: it is read with everything',
  )
})

test('what a claim had no room to ask for is not taken for read by a process that does not read everything at the moment', async t => {
  const held: ServerResponse[] = []
  const [hanging, quick] = [await openListener(t, (_got, response) => void held.push(response)), await openListener(t)]
  await webhooks.db.sql`delete from deliveries`
  const [full] = await hooksAt(hanging.url)
  const [unasked] = await hooksAt(quick.url)
  // Three of four places are for hooks that are not known as quick, and the last of them is free only when the others are.
  const { worker, claimAnew, ofAnother } = await openNarrowWorker(t, webhooks, { maxUnderWay: 4 })
  const record = (...events: Event[]) =>
    webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, ...ofAnother }, events))
  await record(...[1, 2, 3].map(() => billingEvent(webhooks, full)))
  await until(async () => held.length === 3)

  await record(billingEvent(webhooks, unasked))
  await claimAnew()
  // Longer than a narrow claim reads back.
  webhooks.pass(20_000)
  await claimAnew()
  assert.deepEqual([quick.received.length, worker.state().underWay.FIRST], [0, 3])
  for (const response of held) response.writeHead(200).end()
  await until(async () => quick.received.length > 0)
})

test('a process that does not read everything at the moment sends what waited for a hook that is switched on elsewhere, and what is sent again', async t => {
  const listener = await openListener(t)
  // What another test has left would be sent by its first claims, which are to be nothing but slow.
  await webhooks.db.sql`delete from deliveries`
  const [paused, again, untold] = await hooksAt(listener.url)
  await webhooks.record(...[paused, again].map(of => billingEvent(webhooks, of)))
  const switchTo = (active: boolean, ports: Partial<Ports> = {}) =>
    changeHook({ ...webhooks.ports, ...ports }, { appId: paused.uuid, hookId: paused.hookId }, { active })
  await switchTo(false)
  await drain(() => webhooks.sender().runOnce())
  webhooks.pass(3_600_000)
  const { ofAnother } = await openNarrowWorker(t, webhooks)
  await webhooks.record(billingEvent(webhooks, untold))
  const [sent] = listener.received
  listener.received.length = 0

  await switchTo(true, ofAnother)
  await until(async () => listener.received.length > 0)
  const path = { of: { appId: again.uuid }, principal: again.app, notificationId: sent?.body.id }
  await redeliverOne({ ...webhooks.ports, ...ofAnother }, path)
  await until(async () => listener.received.length > 1)
  assert.deepEqual(
    listener.received.map(({ body }) => body.hookId),
    [paused.hookId, again.hookId],
  )
  assert.equal((await progressOf(webhooks, untold.hookId)).length, 1)
})

/** The probe of an open breaker is due, and what waits behind it was recorded long before what a narrow claim reads back. */
async function waitBehindBreaker(
  t: TestContext,
  ofWhich: (nth: number) => { resourceId?: string; resourceSeq?: number },
) {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  await webhooks.db.sql`delete from deliveries`
  const [ill] = await hooksAt(listener.url)
  const { hookId } = ill
  const failure = { hookId, leaseId: v7(), acknowledged: false, durationMs: 1, word: '500', at: webhooks.now() }
  await webhooks.db.transaction(({ sql }) => saveHookHealth(sql, Array(5).fill(failure), webhooks.now()))
  for (const nth of [1, 2, 3, 4]) await webhooks.record(billingEvent(webhooks, ill, ofWhich(nth)))
  webhooks.pass(60_000)
  await openNarrowWorker(t, webhooks)
  await until(async () => held.length > 0)
  assert.equal(listener.received.length, 1, 'one probe')
  listener.reply = 200
  held[0]?.end()
  await until(async () => (await progressOf(webhooks, hookId)).length === 0)
  return listener.received.map(({ body }) => body.id)
}

test('a process that does not read everything at the moment sends what waited for a hook whose breaker closes', async t => {
  const sent = await waitBehindBreaker(t, () => ({}))
  assert.equal(sent.length, 4)
})

test('so it does where all of that is of one resource, each once the one before it is saved', async t => {
  const resourceId = v7()
  const sent = await waitBehindBreaker(t, resourceSeq => ({ resourceId, resourceSeq }))
  assert.equal(sent.length, 4)
  assert.deepEqual(sent, sent.toSorted())
})

test('a process that does not read everything at the moment sends what waited for one of its resource that stands aside', async t => {
  const listener = await openListener(t)
  await webhooks.db.sql`delete from deliveries`
  const [paused] = await hooksAt(listener.url)
  const switchTo = (active: boolean, ports: Partial<Ports> = {}) =>
    changeHook({ ...webhooks.ports, ...ports }, { appId: paused.uuid, hookId: paused.hookId }, { active })
  const resourceId = v7()
  await webhooks.record(...[1, 2].map(resourceSeq => billingEvent(webhooks, paused, { resourceId, resourceSeq })))
  await webhooks.db.sql`
    delete from notifications where notification_id = (
      select notification_id from deliveries where hook_id = ${paused.hookId} and resource_seq = 1)`
  await switchTo(false)
  webhooks.pass(3_600_000)
  const { ofAnother } = await openNarrowWorker(t, webhooks)
  await switchTo(true, ofAnother)
  await until(async () => (await progressOf(webhooks, paused.hookId)).length === 1)
  assert.equal(listener.received.length, 1)
})

/** Two of one resource wait for long, of which the first was missed; and a process that does not know of their hook, which is switched on. */
async function waitBehindMissed(t: TestContext, deliveryUrl: string) {
  await webhooks.db.sql`delete from deliveries`
  const [paused] = await hooksAt(deliveryUrl)
  const resourceId = v7()
  await webhooks.record(billingEvent(webhooks, paused, { resourceId, resourceSeq: 1 }))
  webhooks.pass(60_000)
  const { hookId } = paused
  await webhooks.record(billingEvent(webhooks, paused, { resourceId, resourceSeq: 2 }))
  await webhooks.db.sql`update hooks set active = false, skip_before = ${webhooks.now()} where hook_id = ${hookId}`
  webhooks.pass(3_600_000)
  const worker = await openNarrowWorker(t, webhooks)
  await webhooks.db.sql`update hooks set active = true where hook_id = ${hookId}`
  return { hookId, ...worker }
}

test('a process that does not read everything at the moment sends what waited for one of its resource that was missed', async t => {
  const listener = await openListener(t)
  const { hookId, tell } = await waitBehindMissed(t, listener.url)
  tell({ changed: [hookId] })
  await until(async () => (await progressOf(webhooks, hookId)).length === 0)
  assert.equal(listener.received.length, 1)
})

test('so it does where a duty, of any process, has ended the one that was missed', async t => {
  const listener = await openListener(t)
  const { hookId, ofAnother } = await waitBehindMissed(t, listener.url)
  assert.equal(await endParked({ ...webhooks.ports, ...ofAnother }), 1)
  await until(async () => (await progressOf(webhooks, hookId)).length === 0)
  assert.equal(listener.received.length, 1)
})

test('a process that does not read everything at the moment sends again what was handed to it and failed', async t => {
  const listener = await openListener(t)
  await webhooks.db.sql`delete from deliveries`
  const [failing] = await hooksAt(listener.url)
  const { worker: handOff } = await openNarrowWorker(t, webhooks)
  listener.reply = 500
  await webhooks.db.transaction(tx =>
    recordNotifications(tx, { ...webhooks.ports, handOff }, [billingEvent(webhooks, failing)]),
  )
  await until(async () => (await progressOf(webhooks, failing.hookId)).some(({ attempts }) => attempts === 1))
  listener.reply = 200
  webhooks.pass(60_000)
  await until(async () => (await progressOf(webhooks, failing.hookId)).length === 0)
})

test('so it does what was handed to it and is given back, as another one has opened the breaker of its hook', async t => {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  await webhooks.db.sql`delete from deliveries`
  const [ill] = await hooksAt(listener.url)
  const { worker: handOff, tell } = await openNarrowWorker(t, webhooks, { maxUnderWayPerHook: 1 })
  const events = Array.from({ length: 4 }, () => billingEvent(webhooks, ill))
  await webhooks.db.transaction(tx => recordNotifications(tx, { ...webhooks.ports, handOff }, events))
  await until(async () => held.length === 1 && handOff.state().waiting === 3)
  tell({ parked: [ill.hookId] })
  assert.equal(handOff.state().waiting, 0)
  listener.reply = 200
  held[0]?.end()
  await until(async () => (await progressOf(webhooks, ill.hookId)).length === 0)
  assert.equal(listener.received.length, 4)
})

test('a process for which the database gives up each claim of everything sends what it knows of', async t => {
  const listener = await openListener(t)
  await webhooks.db.sql`delete from deliveries`
  const [told, untold] = await hooksAt(listener.url)
  const { ofAnother } = await openNarrowWorker(t, webhooks, { everything: 'GIVEN_UP' })
  await webhooks.record(billingEvent(webhooks, untold))
  await webhooks.db.transaction(tx =>
    recordNotifications(tx, { ...webhooks.ports, ...ofAnother }, [billingEvent(webhooks, told)]),
  )
  await until(async () => listener.received.length > 0)
  assert.deepEqual(
    listener.received.map(({ body }) => body.hookId),
    [told.hookId],
  )
})
