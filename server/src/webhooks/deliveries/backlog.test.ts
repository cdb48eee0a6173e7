import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, type TestContext, test } from 'node:test'
import { v7 } from 'uuid'
import {
  billingEvent,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { createBacklog } from './backlog.ts'
import { drain, until } from './sender.fixture.ts'
import { findUntaken } from './untaken.ts'

const MINUTE_MS = 60_000
const MANY = 12

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health, hooks`)

/** An app whose listener holds each request until it is let go. */
async function newHolding(t: TestContext) {
  const held: ServerResponse[] = []
  const listener = await openListener(t, (_got, response) => void held.push(response))
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: listener.url })
  const letGo = () => {
    listener.reply = 200
    for (const response of held.splice(0)) response.writeHead(200).end()
  }
  return { ...app, hookId, held, letGo }
}

/** What is shown to orders, when it is looked at for as long as it takes. */
async function isBehind(): Promise<boolean> {
  await webhooks.ports.backlog?.look()
  webhooks.pass(5_000)
  await webhooks.ports.backlog?.look()
  return webhooks.ports.backlog?.isBehind() === true
}

const GIVEN_UP = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })

/** One of whose looks fails as it is told to. */
function newFailing() {
  const { db, clock, log } = webhooks.ports
  const failing: { next?: Error } = {}
  const sql = new Proxy(db.sql, {
    apply: (target, self, args) => {
      if (failing.next !== undefined) throw failing.next
      return Reflect.apply(target, self, args)
    },
  })
  return { failing, backlog: createBacklog({ db: { ...db, sql }, clock, log }) }
}

/** The gauge, in seconds. */
async function oldestUntaken(): Promise<number> {
  const now = webhooks.now()
  const { oldestDueAt = now } = await findUntaken(webhooks.db.sql, { now, overdueSince: now })
  return (now.getTime() - oldestDueAt.getTime()) / 1_000
}

test('long queues behind listeners that are served are no lag of ours; what nobody takes is', async t => {
  const [ofMany, ofOne] = [await newHolding(t), await newHolding(t)]
  const resourceId = v7()
  for (let n = 1; n <= MANY; n++) {
    await webhooks.record(billingEvent(webhooks, ofMany))
    await webhooks.record(billingEvent(webhooks, ofOne, { resourceId, resourceSeq: n }))
  }
  webhooks.pass(10 * MINUTE_MS)
  const sender = webhooks.sender()
  const run = sender.runOnce()
  await until(async () => ofMany.held.length === 8 && ofOne.held.length === 1)
  assert.equal(await isBehind(), false)
  assert.equal(await oldestUntaken(), 0)
  ofMany.letGo()
  ofOne.letGo()
  await run
  const [{ left } = { left: 0 }] = await webhooks.db.sql<{ left: number }[]>`select count(*) as left from deliveries`
  assert.equal(left, 2 * MANY - 9)
  assert.equal(await isBehind(), true)
  assert.equal(await oldestUntaken(), 610)
  await drain(() => sender.runOnce())
  assert.equal(await isBehind(), false)
  assert.equal(await oldestUntaken(), 0)
})

test('hooks that are on again after long are no lag, unless nobody takes what has waited', async t => {
  const apps = [await newHolding(t), await newHolding(t)]
  for (const app of apps) await webhooks.record(billingEvent(webhooks, app))
  // By their developers: what waits for a hook that the service disabled ends when it is on again.
  await webhooks.db.sql`update hooks set active = false`
  webhooks.pass(60 * MINUTE_MS)
  assert.equal(await isBehind(), false)
  for (const { app, hookId } of apps) {
    assert.equal((await webhooks.call(app, 'PATCH', `/hooks/${hookId}`, { active: true })).status, 200)
  }
  await webhooks.ports.backlog?.look()
  assert.equal(webhooks.ports.backlog?.isBehind(), false)
  const run = webhooks.sender().runOnce()
  await until(async () => apps.every(({ held }) => held.length === 1))
  assert.equal(await isBehind(), false)
  for (const { letGo } of apps) letGo()
  await run
})

test('a lease that has run out is no attempt under way, and a hook that is SLOW, failing or off is nobody’s lag', async t => {
  const apps = [await newHolding(t), await newHolding(t)]
  for (const app of apps) await webhooks.record(billingEvent(webhooks, app))
  const sql = webhooks.db.sql
  await sql`update deliveries set lease_id = ${v7()}, leased_until = ${new Date(webhooks.now().getTime() + 30_000)}`
  webhooks.pass(MINUTE_MS)
  assert.equal(await isBehind(), true)
  const [first] = apps
  assert.ok(first)
  await sql`insert into hook_health (hook_id, failures, opened) values (${first.hookId}, 0, 0)`
  assert.equal(await isBehind(), false)
  assert.equal(await oldestUntaken(), 70, 'the other one alone: one app of two is not enough, but shown')
  await sql`update hooks set active = false`
  assert.equal(await oldestUntaken(), 0)
})

test('a look that the database gives up says nothing: orders are not refused for what was seen before', async t => {
  await webhooks.record(billingEvent(webhooks, await newHolding(t)))
  webhooks.pass(MINUTE_MS)
  const { backlog, failing } = newFailing()
  const look = async () => {
    await backlog.look()
    webhooks.pass(5_000)
    return backlog.isBehind()
  }
  assert.deepEqual([await look(), await look()], [false, true])
  failing.next = GIVEN_UP
  assert.equal(await look(), false)
  delete failing.next
  assert.deepEqual([await look(), await look()], [false, true], 'what is seen again is believed after 5 s, as always')
  failing.next = new Error('the database is away')
  await assert.rejects(look())
  assert.equal(backlog.isBehind(), true)
})
