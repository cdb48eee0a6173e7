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
import { dayOfId, firstIdAt } from '../../core/id.ts'
import { endParked } from './parked.ts'
import { attemptsOf, claimAll, drain, outcomesOf, progressOf } from './sender.fixture.ts'
import { endLeased, queueReplay } from './store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, set_aside, hook_health`)

async function idsOf(hookId: string): Promise<string[]> {
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where hook_id = ${hookId} order by notification_id`
  return rows.map(({ id }) => id)
}

async function listening(deliveryUrl: string) {
  const app = await newListening(webhooks)
  return { app, hookId: await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl }) }
}

test('a replay sends the same bytes and id, has a schedule of its own, and its end is the outcome', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await drain(() => sender.runOnce())
  webhooks.pass(80 * HOUR_MS)
  const ids = await idsOf(hookId)
  assert.deepEqual(await queueReplay(webhooks.db.sql, [...ids, v7()], webhooks.now()), ids)
  listener.reply = 500
  assert.equal(await sender.runOnce(), 1)
  assert.equal((await progressOf(webhooks, hookId))[0]?.attempts, 1, 'it is tried again, although 72 h are over')
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
  listener.reply = 200
  webhooks.pass(5_000)
  assert.equal(await sender.runOnce(), 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 2'])
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 200', '1 500', '2 200'])
  assert.equal(new Set(listener.received.map(({ text }) => text)).size, 1)
})

test('what still waits for a retry is due now instead; what waits for its first attempt stays as it is', async t => {
  const listener = await openListener(t, 500)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await sender.runOnce()
  await webhooks.record(billingEvent(webhooks, app))
  const ids = await idsOf(hookId)
  assert.deepEqual(await queueReplay(webhooks.db.sql, ids, webhooks.now()), ids.slice(0, 1))
  assert.equal((await progressOf(webhooks, hookId)).length, 2)
  assert.equal(await sender.runOnce(), 2)
  assert.deepEqual(await attemptsOf(webhooks, hookId), ['1 500', '2 500', '1 500'])
})

test('what ended without an attempt is sent in the order things happened, and before what happened since', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await listening(listener.url)
  const resourceId = v7()
  const record = (resourceSeq: number) => webhooks.record(billingEvent(webhooks, app, { resourceId, resourceSeq }))
  await webhooks.db.sql`update hooks set active = false, disabled_reason = 'failing' where hook_id = ${hookId}`
  for (let seq = 1; seq <= 12; seq++) await record(seq)
  const ids = await idsOf(hookId)
  await webhooks.call(app.app, 'PATCH', `/hooks/${hookId}`, { active: true })
  assert.deepEqual((await queueReplay(webhooks.db.sql, ids.toReversed(), webhooks.now())).toSorted(), ids)
  await record(13)
  const [one, another] = [webhooks.sender(), webhooks.sender()]
  for (let run = 0; run < 100 && listener.received.length < 13; run++) {
    await Promise.all([one.runOnce(), another.runOnce()])
  }
  assert.deepEqual(
    listener.received.map(({ body }) => body.id),
    await idsOf(hookId),
  )
})

test('replays wait for nobody of their resource, and nobody waits for them', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await listening(listener.url)
  const resourceId = v7()
  await webhooks.record(...[1, 2].map(resourceSeq => billingEvent(webhooks, app, { resourceId, resourceSeq })))
  const sender = webhooks.sender()
  await drain(() => sender.runOnce())
  await queueReplay(webhooks.db.sql, await idsOf(hookId), webhooks.now())
  await webhooks.record(billingEvent(webhooks, app, { resourceId, resourceSeq: 3 }))
  assert.equal((await claimAll(webhooks)).length, 3)
})

test('100,000 replays and retries of a hook do not hold up its next first attempt, nor that of another', async t => {
  const [listener, next] = [await openListener(t), await openListener(t)]
  const busy = await listening(listener.url)
  const other = await listening(next.url)
  await makeDue(busy, listener.url, ['RETRY', 'REPLAY'])
  await webhooks.record(billingEvent(webhooks, busy.app), billingEvent(webhooks, other.app))
  await areAmongTheFirst([busy.hookId, other.hookId])
})

test('100,000 first attempts that are due to a hook do not hold up the first of another', async t => {
  const [listener, next] = [await openListener(t), await openListener(t)]
  const busy = await listening(listener.url)
  const other = await listening(next.url)
  await makeDue(busy, listener.url, ['FIRST'])
  await webhooks.record(billingEvent(webhooks, busy.app), billingEvent(webhooks, other.app))
  await areAmongTheFirst([other.hookId])
})

/** 100,000 at once, of as many resources, in these lanes by turns. */
async function makeDue(
  { app, hookId }: Awaited<ReturnType<typeof listening>>,
  url: string,
  lanes: readonly ('FIRST' | 'RETRY' | 'REPLAY')[],
): Promise<void> {
  const recordedAt = webhooks.now()
  const firstId = firstIdAt(recordedAt)
  // Each call by its own ids.
  const prefix = `${firstId.slice(0, 13)}-7000-8${v7().slice(-3)}-`
  await webhooks.db.sql`
    with made as (
      insert into notifications (
        notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
        body, recorded_at)
      select (${prefix} || lpad(to_hex(n), 12, '0'))::uuid, ${dayOfId(firstId)}, ${hookId}, ${app.uuid}, ${app.businessId},
        'TEST', gen_random_uuid(), n, ${url}, '{}', ${recordedAt}
      from generate_series(1, 100000) as n
      returning notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, recorded_at)
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts, due_at,
      recorded_at)
    select notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq,
      lane, case lane when 'FIRST' then 0 else 1 end, recorded_at, recorded_at
    from made cross join lateral (
      select split_part(${lanes.join(' ')}, ' ', 1 + resource_seq % ${lanes.length}::integer) as lane) as l`
}

/** Of eight that are taken up and never answered, one is of each of these hooks, and is a first attempt. */
async function areAmongTheFirst(hookIds: readonly string[]): Promise<void> {
  const sender = webhooks.sender({ maxUnderWay: 8, post: async () => new Promise(() => {}) })
  void sender.runOnce()
  for (let look = 0; look < 500; look++) {
    const rows = await webhooks.db.sql<{ hookId: string }[]>`
      select distinct hook_id as "hookId" from deliveries where lane = 'FIRST' and lease_id is not null`
    const taken = new Set(rows.map(({ hookId }) => hookId))
    if (hookIds.every(hookId => taken.has(hookId))) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  assert.fail('the first attempts were not among the first')
}

/** As a hook is left that was switched on again with so long a queue that the rest of it is still to end. */
async function missAllQueued(hookId: string): Promise<void> {
  webhooks.pass(10_000)
  await webhooks.db.sql`update hooks set skip_before = ${webhooks.now()} where hook_id = ${hookId}`
  webhooks.pass(10_000)
}

test('what was missed and is still queued is sent when it is asked for again, tried before or not; the rest of that ends', async t => {
  const listener = await openListener(t, 500)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const sender = webhooks.sender()
  await sender.runOnce()
  const resourceId = v7()
  for (const resourceSeq of [1, 2, 3]) await webhooks.record(billingEvent(webhooks, app, { resourceId, resourceSeq }))
  const [tried, , asked] = await idsOf(hookId)
  await missAllQueued(hookId)
  listener.reply = 200
  listener.received.length = 0
  for (const id of [tried, asked]) {
    const answer = await webhooks.call(app.app, 'POST', `/apps/${app.appId}/deliveries/${id}/redeliver`)
    assert.equal(answer.status, 202)
    assert.notEqual(answer.body.status, 'ERRORED')
  }
  await drain(() => sender.runOnce())
  await drain(() => endParked(webhooks.ports))
  await drain(() => sender.runOnce())
  assert.deepEqual(listener.received.map(({ body }) => body.id).toSorted(), [tried, asked])
  const outcomes = ['DELIVERED 1', 'ERRORED hook_inactive 0', 'DELIVERED 1', 'ERRORED hook_inactive 0']
  assert.deepEqual(await outcomesOf(webhooks, hookId), outcomes)
})

test('so it is where a claim has taken it to end it', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  const ids = await idsOf(hookId)
  await missAllQueued(hookId)
  const [taken] = await claimAll(webhooks)
  assert.equal(taken?.isMissed, true)
  const now = webhooks.now()
  assert.deepEqual(await queueReplay(webhooks.db.sql, ids, now), ids)
  const { leaseId } = taken
  assert.deepEqual(await endLeased(webhooks.db.sql, { ids, leaseId, reason: 'hook_inactive', now }), [])
  await drain(() => webhooks.sender().runOnce())
  assert.deepEqual([listener.received.length, await outcomesOf(webhooks, hookId)], [1, ['DELIVERED 1']])
})
