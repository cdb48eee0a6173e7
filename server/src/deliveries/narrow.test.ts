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
} from '../../test/support/webhooks.ts'
import type { Event } from '../core/event.ts'
import type { Db } from '../db/db.ts'
import { saveHookHealth } from '../hooks/health.ts'
import { recordNotifications } from '../notifications/record.ts'
import type { Ports } from '../ports.ts'
import { changeHook } from '../redeliveries/change-hook.ts'
import { redeliverOne } from '../redeliveries/redeliver-one.ts'
import { claimDeliveries } from './claim.ts'
import { createNarrow, type Narrow, type Read } from './narrow.ts'
import type { Notices, Told } from './notices.ts'
import { drain, progressOf, until } from './sender.fixture.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'
import { NO_TURNS } from './turns.ts'

const [ONE, OTHER] = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222']
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)
const seconds = (from: ReadonlyMap<string, Date> | undefined, hookId: string) => {
  const since = from?.get(hookId)
  return since && (since.getTime() - at(0).getTime()) / 1_000
}
const taken = (hookId: string, recordedAt: Date) => ({ hookId, lane: 'FIRST' as const, recordedAt })

/** Everything is read, from `beganAtMs` on, and nothing of it was filled unless it is told. */
function readAll(narrow: Narrow, tookMs: number, beganAtMs: number, read: Partial<Read> = {}, claimed = [] as never[]) {
  narrow.choose(beganAtMs)
  narrow.learn(claimed, {
    now: at(100),
    from: undefined,
    isFilled: () => false,
    beganAtMs,
    endedAtMs: beganAtMs + tookMs,
    ...read,
  })
}

test('while everything is read quickly, everything is read; one that was slow may be a machine that stood still', () => {
  const narrow = createNarrow()
  readAll(narrow, 5_000, 0)
  assert.equal(narrow.choose(5_000), undefined)
  readAll(narrow, 99, 5_000)
  readAll(narrow, 5_000, 6_000)
  assert.equal(narrow.choose(11_000), undefined)
})

test('after two that were slow only what is new is read, for ten times as long as the last one took, 10 s at most', () => {
  const narrow = createNarrow()
  readAll(narrow, 100, 0)
  readAll(narrow, 100, 1_000)
  assert.ok(narrow.choose(2_099))
  assert.equal(narrow.choose(2_100), undefined)
  readAll(narrow, 3_000, 3_000)
  assert.ok(narrow.choose(15_999))
  assert.equal(narrow.choose(16_000), undefined)
  readAll(narrow, 99, 16_000)
  assert.equal(narrow.choose(16_100), undefined)
})

test('a hook is read from 15 s before the last one that was taken of it, or before the claim that left nothing', () => {
  const narrow = createNarrow()
  narrow.left([ONE, OTHER], at(100))
  const claimed = [taken(ONE, at(40)), taken(ONE, at(50)), taken(OTHER, at(45))] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, { isFilled: hookId => hookId === ONE }, claimed)
  const from = narrow.choose(300)
  assert.deepEqual([seconds(from, ONE), seconds(from, OTHER)], [35, 85])
  const next = { now: at(101), from, isFilled: () => true, beganAtMs: 300, endedAtMs: 301 }
  narrow.learn([taken(ONE, at(60))], next)
  const then = narrow.choose(302)
  assert.deepEqual([seconds(then, ONE), seconds(then, OTHER)], [45, 85], 'of the other there was no room to ask')
})

test('a hook that a narrow claim was not told of is not taken for read', () => {
  const narrow = createNarrow()
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const from = narrow.choose(300)
  assert.equal(from?.size, 0)
  narrow.left([ONE], at(70))
  narrow.learn([], { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 55)
})

test('a hook of which only retries were taken is read by narrow claims, too: a backlog of retries goes on', () => {
  const narrow = createNarrow()
  const retried = [{ hookId: ONE, lane: 'RETRY', recordedAt: at(10) }] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, {}, retried)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, seconds(from, ONE)], [1, 85])
  narrow.learn(retried, { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 86)
})

test('so is one whose first attempts there was no room to ask for', () => {
  const narrow = createNarrow()
  const retried = [{ hookId: ONE, lane: 'RETRY', recordedAt: at(10) }] as never[]
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs, { isFilled: () => true }, retried)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, seconds(from, ONE)], [1, 85])
  narrow.learn(retried, { now: at(200), from, isFilled: () => true, beganAtMs: 300, endedAtMs: 301 })
  assert.equal(seconds(narrow.choose(302), ONE), 85, 'what it was read to')
})

const some = (many: number) => Array.from({ length: many }, (_, n) => String(n))

test('of hooks that were read it remembers a thousand, those heard of last; of those that something was left of, all', () => {
  const narrow = createNarrow()
  narrow.left(some(1_001), at(0))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const from = narrow.choose(300)
  assert.deepEqual([from?.size, from?.has('0'), from?.has('1000')], [1_000, false, true])
  narrow.learn([], { now: at(101), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  narrow.left(some(2_500), at(102))
  const then = narrow.choose(302)
  assert.deepEqual([then?.size, seconds(then, '0'), seconds(then, '1')], [2_500, 102 - 15, 101 - 15])
  narrow.left(some(10_001), at(103))
  const last = narrow.choose(303)
  assert.deepEqual([last?.size, last?.has('10000')], [10_000, true])
})

test('a hook of which something is left while a claim reads is not taken for read, however many others are', () => {
  const narrow = createNarrow()
  narrow.left([ONE, ...some(1_000)], at(100))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  narrow.left([ONE], at(101))
  const from = narrow.choose(300)
  narrow.left([ONE], at(102))
  narrow.left(some(1_000), at(102))
  narrow.learn([], { now: at(102), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  const then = narrow.choose(302)
  assert.deepEqual([then?.size, seconds(then, ONE)], [1_001, 102 - 15])
})

test('of a hook that was changed everything is read, whatever was read of it before, and once more where that was while a claim read', () => {
  const narrow = createNarrow()
  narrow.left([ONE], at(100))
  for (const beganAtMs of [0, 100]) readAll(narrow, 100, beganAtMs)
  const choose = (nowMs: number) => {
    const from = narrow.choose(nowMs)
    return { from, since: from?.get(ONE)?.getTime() }
  }
  const learn = (from: ReadonlyMap<string, Date> | undefined) =>
    narrow.learn([], { now: at(200), from, isFilled: () => false, beganAtMs: 300, endedAtMs: 301 })
  narrow.changed([ONE])
  narrow.left([ONE], at(150))
  const first = choose(300)
  assert.equal(first.since, -15_000)
  narrow.changed([ONE])
  narrow.left([ONE], at(150))
  learn(first.from)
  const second = choose(301)
  assert.equal(second.since, -15_000)
  narrow.left([ONE], at(150))
  learn(second.from)
  assert.equal(choose(302).since, at(200 - 15).getTime())
})

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

interface NarrowWorker {
  readonly worker: Sender
  /** Ends with a claim that began after it was asked for. */
  readonly claimAnew: () => Promise<void>
  readonly ofAnother: Pick<Ports, 'wake' | 'handOff'>
}

/** A process whose first claims took a second each, after which its clock hardly moves: everything is read again in no time. */
async function openNarrowWorker(t: TestContext, given: Pick<SenderOptions, 'maxUnderWay'> = {}): Promise<NarrowWorker> {
  let nowMs = 0
  let claims = 0
  // It never quite stands still: what is read in the moment of a change counts as read before it.
  t.mock.method(performance, 'now', () => {
    nowMs += 0.001
    return nowMs
  })
  const db: Db = {
    ...webhooks.db,
    transaction: async work => {
      claims++
      const result = await webhooks.db.transaction(work)
      if (claims <= 2) nowMs += 1_000
      return result
    },
  }
  const heard: { by?: (told: Told) => void } = {}
  const notices = (announce: Notices['announce']): Notices => ({
    announce,
    listen: onNotice => void Object.assign(heard, { by: onNotice }),
    close: async () => {},
  })
  const options = { version: '0.0.0-test', random: () => 0.5, ...given }
  const worker = createSender({ ...webhooks.ports, db }, { ...options, notices: notices(() => {}) })
  worker.start()
  t.after(() => worker.stop())
  const claimsAre = (many: number) =>
    until(async () => {
      worker.wake()
      return claims >= many
    })
  await claimsAre(3)
  // One that only answers.
  const announce: Notices['announce'] = given => heard.by?.({ changed: [], left: [], parked: [], ...given })
  const handOff = createSender(webhooks.ports, { ...options, notices: notices(announce) })
  const wake = { ...webhooks.ports.wake, deliveries: (hookIds: readonly string[]) => announce({ left: hookIds }) }
  // The next one may have begun already, and the one after it begins when that has ended.
  return { worker, claimAnew: () => claimsAre(claims + 3), ofAnother: { wake, handOff } }
}

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
  const { ofAnother } = await openNarrowWorker(t)
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
  const { worker, claimAnew, ofAnother } = await openNarrowWorker(t, { maxUnderWay: 4 })
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
  const { ofAnother } = await openNarrowWorker(t)
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

test('a process that does not read everything at the moment sends what waited for a hook whose breaker closes', async t => {
  const held: ServerResponse[] = []
  let isWell = false
  const listener = await openListener(t, (_got, response) => void (isWell ? response.end() : held.push(response)))
  await webhooks.db.sql`delete from deliveries`
  const [ill] = await hooksAt(listener.url)
  const { hookId } = ill
  const failure = { hookId, leaseId: v7(), acknowledged: false, durationMs: 1, word: '500', at: webhooks.now() }
  await webhooks.db.transaction(({ sql }) => saveHookHealth(sql, Array(5).fill(failure), webhooks.now()))
  await webhooks.record(...[1, 2, 3].map(() => billingEvent(webhooks, ill)))
  // Its probe is due, and what waits was recorded long before what a narrow claim reads back.
  webhooks.pass(60_000)
  await openNarrowWorker(t)
  await until(async () => held.length > 0)
  assert.equal(listener.received.length, 1, 'one probe')
  isWell = true
  held[0]?.end()
  await until(async () => (await progressOf(webhooks, hookId)).length === 0)
  assert.equal(listener.received.length, 3)
})
