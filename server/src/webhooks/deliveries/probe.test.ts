import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { v7 } from 'uuid'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Post } from '../../platform/egress/post.ts'
import { findHookHealth, giveBackProbes } from '../hooks/health.ts'
import { attemptsOf, drain, until } from './sender.fixture.ts'
import { createSender } from './sender.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside, hook_health`)

const failing: Post = async () => ({ kind: 'failed', reason: 'refused', durationMs: 1 })

/** Hooks whose breakers have opened, with some of their queues left, each of another tenant; their pauses have just ended. */
async function aboutToBeProbed(many = 1) {
  const apps = await Promise.all(Array.from({ length: many }, () => newListening(webhooks)))
  const hookIds: string[] = []
  for (const app of apps) {
    hookIds.push(await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: 'http://127.0.0.1:9/' }))
    await webhooks.record(...Array.from({ length: 20 }, () => billingEvent(webhooks, app)))
  }
  await drain(() => webhooks.sender({ post: failing }).runOnce())
  webhooks.pass(5_000)
  return Promise.all(
    hookIds.map(async hookId => {
      const tried = (await attemptsOf(webhooks, hookId)).length
      const triedSince = async () => (await attemptsOf(webhooks, hookId)).length - tried
      return { hookId, triedSince, health: async () => (await findHookHealth(webhooks.db.sql, [hookId])).get(hookId) }
    }),
  )
}

/** `meanwhile` happens once, between the claim and the attempt. */
function interrupted(meanwhile: () => void, post: Post = failing) {
  const { vault } = webhooks.ports
  const openText: typeof vault.openText = (...sealed) => {
    meanwhile()
    return vault.openText(...sealed)
  }
  const ports = { ...webhooks.ports, post, vault: { ...vault, openText } }
  return createSender(ports, { version: '0.0.0-test', random: () => 0.5 })
}

test('a probe that is given back is made at once by the next claim, and one of another hook stays as it was', async () => {
  const [hook, other] = await aboutToBeProbed(2)
  assert.ok(hook && other)
  const sender = interrupted(() => sender.forget([hook.hookId]))
  assert.equal(await sender.runOnce(), 2)
  await until(async () => (await hook.health())?.probeLease === undefined)
  assert.deepEqual([await hook.triedSince(), await other.triedSince()], [0, 1])
  assert.deepEqual((await hook.health())?.openUntil, webhooks.now())
  assert.equal((await other.health())?.openUntil?.getTime(), webhooks.now().getTime() + 10_000)
  assert.equal(await webhooks.sender({ post: failing }).runOnce(), 1)
  assert.deepEqual([await hook.triedSince(), await other.triedSince()], [1, 1])
})

test('of many processes one makes the probe that was given back', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  const sender = interrupted(() => sender.forget([hook.hookId]))
  await sender.runOnce()
  await until(async () => (await hook.health())?.probeLease === undefined)
  const claimed = await Promise.all([1, 2, 3].map(() => webhooks.sender({ post: failing }).runOnce()))
  assert.deepEqual([claimed.toSorted(), await hook.triedSince()], [[0, 0, 1], 1])
})

test('a process that has too little of the lease left gives the probe back', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  const sender = interrupted(() => webhooks.pass(19_000))
  assert.equal(await sender.runOnce(), 1)
  assert.equal(await hook.triedSince(), 0)
  assert.equal(await webhooks.sender({ post: failing }).runOnce(), 1)
  assert.equal(await hook.triedSince(), 1)
})

test('a probe that told nothing, as this process stood still, is followed by another one at once', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  const stalled: Post = async () => ({ kind: 'failed', reason: 'timeout', durationMs: 5_000, stalled: true })
  assert.equal(await webhooks.sender({ post: stalled }).runOnce(), 1)
  assert.equal((await hook.health())?.opened, 1)
  assert.equal(await webhooks.sender({ post: failing }).runOnce(), 1)
  assert.deepEqual([await hook.triedSince(), (await hook.health())?.opened], [2, 2])
})

test('where deliveries that were to be the probe cannot be sent another one is', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  await webhooks.db.sql`
    delete from notifications where notification_id in (
      select notification_id from deliveries where hook_id = ${hook.hookId} and lane = 'FIRST' order by notification_id offset 1)`
  await drain(() => webhooks.sender({ post: failing }).runOnce())
  assert.equal(await hook.triedSince(), 1)
})

test('where deliveries that were to be the probe end, as they were missed, another one is', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  const { hookId } = hook
  const [last] = await webhooks.db.sql<{ id: string }[]>`
    select max(notification_id::text)::uuid as id from deliveries where hook_id = ${hookId}`
  await webhooks.db.sql`update hooks set skip_before = ${webhooks.now()} where hook_id = ${hookId}`
  await webhooks.db.sql`
    update deliveries set recorded_at = ${webhooks.now()}, due_at = ${webhooks.now()} where notification_id = ${last?.id ?? ''}`
  await drain(() => webhooks.sender({ post: failing }).runOnce())
  assert.equal(await hook.triedSince(), 1)
})

test('who held the probe before gives nothing back of the one that another has', async () => {
  const [hook] = await aboutToBeProbed()
  assert.ok(hook)
  const never: Post = () => new Promise(() => {})
  void webhooks.sender({ post: never }).runOnce()
  await until(async () => (await hook.health())?.probeLease !== undefined)
  const before = await hook.health()
  await giveBackProbes(webhooks.db.sql, [{ hookId: hook.hookId, leaseId: v7() }], webhooks.now())
  await giveBackProbes(webhooks.db.sql, [{ hookId: v7(), leaseId: before?.probeLease ?? '' }], webhooks.now())
  assert.deepEqual(await hook.health(), before)
})
