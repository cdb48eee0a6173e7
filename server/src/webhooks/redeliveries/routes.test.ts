import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
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
import type { Principal } from '../../core/principal.ts'
import { purgeRedeliveries, runRedeliveries } from './run.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'
const LONG_AGO = '2026-02-20T00:00:00Z'

async function listening(deliveryUrl = URL) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl })
  const path = `/apps/${app.appId}/deliveries`
  return {
    ...app,
    hookId,
    path,
    redeliver: (body: unknown) => webhooks.call(app.app, 'POST', `${path}/redeliver`, body),
  }
}

/** Sends the due deliveries; all others wait. */
async function send(): Promise<void> {
  const sender = webhooks.sender()
  for (let run = 0; run < 200 && (await sender.runOnce()) > 0; run++);
}

async function runAll(): Promise<void> {
  for (let run = 0; run < 100 && (await runRedeliveries(webhooks.ports)) > 0; run++);
}

async function queuedFor(hookId: string): Promise<number> {
  const rows = await webhooks.db.sql`select 1 from deliveries where hook_id = ${hookId}`
  return rows.length
}

function orderOf(businessId: string): Event {
  const location = { storeId: v7(), deviceId: `urn:tid:${v7()}`, resourceId: v7(), resourceSeq: 1 }
  return { eventType: 'ORDER_OPENED', businessId, ...location, occurredAt: webhooks.now() }
}

const idsOf = async (as: Principal, path: string): Promise<string[]> =>
  (await webhooks.call(as, 'GET', `${path}?limit=100`)).body.deliveries.map(({ id }: { id: string }) => id)

test('a notification is redelivered with the same bytes and id, on request of its app or business', async t => {
  const listener = await openListener(t)
  const app = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  await send()
  const [id] = await idsOf(app.app, app.path)
  for (const path of [app.path, `/businesses/${app.businessId}/deliveries`]) {
    const again = await webhooks.call(app.app, 'POST', `${path}/${id?.toUpperCase()}/redeliver`)
    assert.equal(again.status, 202)
    assert.deepEqual([again.body.id, again.body.status], [id, 'SCHEDULED'])
    await send()
  }
  assert.equal(listener.received.length, 3)
  assert.equal(new Set(listener.received.map(({ text }) => text)).size, 1)
  assert.equal((await webhooks.call(app.app, 'GET', `${app.path}/${id}`)).body.attempts.length, 3)
})

test('an inactive or deleted hook gets no redelivery', async () => {
  const app = await listening()
  await webhooks.record(billingEvent(webhooks, app))
  const [id] = await idsOf(app.app, app.path)
  const rejections = async () => [
    (await webhooks.call(app.app, 'POST', `${app.path}/${id}/redeliver`)).body.code,
    (await webhooks.call(app.app, 'POST', `/businesses/${app.businessId}/deliveries/${id}/redeliver`)).body.code,
    (await app.redeliver({ since: LONG_AGO })).body.code,
    (await app.redeliver({ since: LONG_AGO, hookId: app.hookId })).body.code,
  ]
  await webhooks.call(app.app, 'PATCH', `/hooks/${app.hookId}`, { active: false })
  assert.deepEqual(await rejections(), Array(4).fill('HOOK_INACTIVE'))
  await webhooks.call(app.app, 'DELETE', `/hooks/${app.hookId}`)
  assert.deepEqual(await rejections(), [...Array(3).fill('HOOK_INACTIVE'), 'HOOK_NOT_FOUND'])
})

test('a redelivery of a queued order notification is rejected after the merchant revoked the approval', async t => {
  const app = await listening((await openListener(t, 500)).url)
  await webhooks.record(orderOf(app.businessId))
  webhooks.pass(1_000)
  await webhooks.record(billingEvent(webhooks, app))
  await send()
  webhooks.pass(1_000)
  await webhooks.record(orderOf(app.businessId))
  // As revoking does where more is queued than it ends itself.
  await webhooks.db.sql`update approvals set revoked_at = ${webhooks.now()} where app_id = ${app.uuid}`
  const answers: unknown[] = []
  for (const id of (await idsOf(app.app, app.path)).toSorted()) {
    const { status, body } = await webhooks.call(app.app, 'POST', `${app.path}/${id}/redeliver`)
    answers.push(body.code ?? status)
  }
  assert.deepEqual(answers, ['APPROVAL_REVOKED', 202, 'APPROVAL_REVOKED'])
})

test('no order notification is redelivered after the revocation, for any caller and any kind of request', async t => {
  const listener = await openListener(t, 500)
  const app = await listening(listener.url)
  const approvals = `/businesses/${app.businessId}/approvals`
  await webhooks.record(orderOf(app.businessId), billingEvent(webhooks, app))
  await webhooks.sender().runOnce()
  const revoke = () => webhooks.call(OPERATOR, 'DELETE', `${approvals}/${app.appId}`)
  assert.equal((await revoke()).status, 204)
  const history = (await webhooks.call(app.app, 'GET', `${app.path}?limit=100`)).body.deliveries
  const order = history.find(({ eventType }: { eventType: string }) => eventType === 'ORDER_OPENED')
  assert.deepEqual([order.status, order.reason], ['ERRORED', 'approval_revoked'])
  listener.reply = 200
  listener.received.length = 0
  const one = () => webhooks.call(app.app, 'POST', `${app.path}/${order.id}/redeliver`)
  assert.deepEqual([(await one()).status, (await one()).body.code], [409, 'APPROVAL_REVOKED'])
  webhooks.pass(1_000)
  const { body: job } = await app.redeliver({ since: LONG_AGO })
  await runAll()
  const done = (await webhooks.call(app.app, 'GET', `${app.path}/redeliveries/${job.redeliveryId}`)).body
  assert.deepEqual(done.progress, { percent: 100, queued: 1, skipped: 1 })
  await webhooks.call(app.app, 'PATCH', `/hooks/${app.hookId}`, { active: true, resendMissed: true })
  await runAll()
  await send()
  assert.deepEqual(
    listener.received.map(({ body }) => body.eventType),
    [START],
  )

  // A new approval allows a replay; a revocation ends the queued replay.
  assert.equal((await webhooks.call(OPERATOR, 'POST', approvals, { appId: app.appId })).status, 201)
  assert.equal((await one()).status, 202)
  const [queued, revoked] = await Promise.all([one(), revoke()])
  assert.ok([202, 409].includes(queued.status))
  assert.equal(revoked.status, 204)
  assert.equal(await queuedFor(app.hookId), 0)
})

test('a TEST is sent once: its redelivery is rejected, and ranges and missed notifications exclude it', async t => {
  const listener = await openListener(t, 500)
  const app = await listening(listener.url)
  const { body: tested } = await webhooks.call(app.app, 'POST', `/hooks/${app.hookId}/test`)
  assert.equal(tested.acknowledged, false)
  const one = await webhooks.call(app.app, 'POST', `${app.path}/${tested.deliveryId}/redeliver`)
  assert.deepEqual([one.status, one.body.code], [409, 'TEST_SENT_ONCE'])
  webhooks.pass(1_000)
  await app.redeliver({ since: LONG_AGO })
  await runAll()
  await webhooks.call(app.app, 'PATCH', `/hooks/${app.hookId}`, { active: true, resendMissed: true })
  await runAll()
  await send()
  assert.equal(listener.received.length, 1)
})

test('a redelivery of a range shows its progress and sends each notification once', async t => {
  const listener = await openListener(t)
  const app = await listening(listener.url)
  for (let hour = 0; hour < 4; hour++) {
    await webhooks.record(...Array.from({ length: 5 }, () => billingEvent(webhooks, app)))
    webhooks.pass(HOUR_MS)
  }
  await send()
  listener.received.length = 0
  const at = (hours: number) => new Date(webhooks.now().getTime() - hours * HOUR_MS).toISOString()
  const started = await app.redeliver({ startAt: at(3), endAt: at(1), status: 'DELIVERED' })
  assert.equal(started.status, 202)
  assert.equal(started.body.state, 'RUNNING')
  assert.deepEqual(started.body.progress, { percent: 0, queued: 0, skipped: 0 })
  const job = `${app.path}/redeliveries/${started.body.redeliveryId}`
  await runAll()
  const done = (await webhooks.call(app.app, 'GET', job)).body
  assert.equal(done.state, 'DONE')
  assert.deepEqual(done.progress, { percent: 100, queued: 10, skipped: 0 })
  await send()
  await runAll()
  assert.equal(new Set(listener.received.map(({ body }) => body.id)).size, 10)
  assert.equal(listener.received.length, 10)
  assert.deepEqual((await webhooks.call(app.app, 'GET', `${app.path}/redeliveries`)).body, {
    redeliveries: [done],
    links: [],
  })
  assert.deepEqual((await webhooks.call(app.app, 'DELETE', job)).body, done, 'what has ended stays as it is')
})

test('an endpoint that was unavailable needs only a start time for a redelivery', async t => {
  const listener = await openListener(t)
  const app = await listening(listener.url)
  await webhooks.record(billingEvent(webhooks, app))
  await send()
  webhooks.pass(HOUR_MS)
  const since = webhooks.now().toISOString()
  webhooks.pass(1_000)
  await webhooks.record(billingEvent(webhooks, app))
  await send()
  webhooks.pass(1_000)
  const { body } = await app.redeliver({ since, hookId: app.hookId.toUpperCase() })
  await webhooks.record(billingEvent(webhooks, app))
  await send()
  const before = listener.received.length
  await runAll()
  await send()
  assert.equal(body.endAt, webhooks.now().toISOString().replace('.000Z', 'Z'))
  assert.deepEqual(
    listener.received.slice(before).map(({ body }) => body.id),
    [listener.received[1]?.body.id],
  )
})

test('a redelivery continues after a crash in the middle of a batch and queues nothing twice', async () => {
  const app = await listening()
  await webhooks.record(...Array.from({ length: 1_200 }, () => billingEvent(webhooks, app)))
  await webhooks.db.sql`
    with gone as (delete from deliveries where hook_id = ${app.hookId}
      returning recorded_day, notification_id, hook_id, app_id, business_id)
    insert into outcomes (recorded_day, notification_id, hook_id, app_id, business_id, status, attempts, finished_at)
    select recorded_day, notification_id, hook_id, app_id, business_id, 'DELIVERED', 1, ${webhooks.now()} from gone`
  webhooks.pass(1_000)
  const { body } = await app.redeliver({ since: LONG_AGO })
  const job = `${app.path}/redeliveries/${body.redeliveryId}`
  const progress = async () => (await webhooks.call(app.app, 'GET', job)).body.progress
  await runRedeliveries(webhooks.ports)
  assert.equal((await progress()).queued, 500)
  // The transaction of a process that dies is rolled back.
  const { db, ...others } = webhooks.ports
  const dying = { ...others, db: { ...db, sql: db.sql, transaction: dieAtCommit } as typeof db }
  await assert.rejects(runRedeliveries(dying), /died/)
  assert.deepEqual([(await progress()).queued, await queuedFor(app.hookId)], [500, 500])
  await webhooks.db.sql`delete from deliveries where hook_id = ${app.hookId}`
  webhooks.pass(1_000)
  await Promise.all([runRedeliveries(webhooks.ports), runRedeliveries(webhooks.ports)])
  webhooks.pass(1_000)
  await runAll()
  const { percent, queued } = await progress()
  assert.deepEqual([percent, queued, await queuedFor(app.hookId)], [100, 1_200, 700])

  async function dieAtCommit<T>(
    work: (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => Promise<T>,
  ): Promise<T> {
    return db.transaction(async tx => {
      await work(tx)
      throw new Error('died')
    })
  }
})

test('a cancelled redelivery queues nothing more, and inactive hooks and first attempts are skipped', async () => {
  const app = await listening()
  const off = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${URL}off` })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.call(app.app, 'PATCH', `/hooks/${off}`, { active: false })
  webhooks.pass(1_000)
  const [first, second] = [await app.redeliver({ since: LONG_AGO }), await app.redeliver({ since: LONG_AGO })]
  const job = `${app.path}/redeliveries/${first.body.redeliveryId}`
  const cancelled = await webhooks.call(app.app, 'DELETE', job)
  assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'CANCELLED'])
  await runAll()
  assert.deepEqual((await webhooks.call(app.app, 'GET', job)).body, cancelled.body)
  const done = await webhooks.call(app.app, 'GET', `${app.path}/redeliveries/${second.body.redeliveryId}`)
  assert.deepEqual(done.body.progress, { percent: 100, queued: 0, skipped: 2 })
  assert.equal(await purgeRedeliveries(webhooks.ports), 0)
  const now = webhooks.now()
  webhooks.pass(31 * 24 * HOUR_MS)
  assert.ok((await purgeRedeliveries(webhooks.ports)) >= 2)
  webhooks.setNow(now)
  assert.equal((await webhooks.call(app.app, 'GET', job)).body.code, 'REDELIVERY_NOT_FOUND')
})

test('a wrong range is rejected by field name, and an app has at most ten running redeliveries', async () => {
  const app = await listening()
  const future = new Date(webhooks.now().getTime() + HOUR_MS).toISOString()
  const wrong: [object, string, string][] = [
    [{}, 'MISSING_PARAMETER', 'startAt'],
    [{ endAt: LONG_AGO }, 'MISSING_PARAMETER', 'startAt'],
    [{ startAt: 'soon' }, 'INVALID_PARAMETER', 'startAt'],
    [{ since: '2026-02-01' }, 'INVALID_PARAMETER', 'since'],
    [{ since: LONG_AGO, startAt: '2026-02-21T00:00:00Z' }, 'INVALID_PARAMETER', 'since'],
    [{ startAt: LONG_AGO, endAt: LONG_AGO }, 'INVALID_PARAMETER', 'endAt'],
    [{ startAt: future }, 'INVALID_PARAMETER', 'startAt'],
    [{ since: LONG_AGO, status: 'LOST' }, 'INVALID_PARAMETER', 'status'],
    [{ since: LONG_AGO, hookId: null }, 'INVALID_PARAMETER', 'hookId'],
  ]
  for (const [body, code, path] of wrong) {
    const rejected = await app.redeliver(body)
    assert.deepEqual([rejected.status, rejected.body.code, rejected.body.fields[0].path], [400, code, path])
  }
  assert.equal((await app.redeliver({ since: LONG_AGO, hookId: v7() })).body.code, 'HOOK_NOT_FOUND')
  const all = await Promise.all(Array.from({ length: 12 }, () => app.redeliver({ since: LONG_AGO })))
  assert.equal(all.filter(({ status }) => status === 202).length, 10)
  assert.ok(all.filter(({ status }) => status === 409).every(({ body }) => body.code === 'TOO_MANY_REDELIVERIES'))
  const pages: number[] = []
  let url: string | undefined = `${app.path}/redeliveries?limit=4`
  while (url) {
    const page: { body: { redeliveries: unknown[]; links: { href: string }[] } } = await webhooks.call(
      app.app,
      'GET',
      url,
    )
    pages.push(page.body.redeliveries.length)
    url = page.body.links[0]?.href
  }
  assert.deepEqual(pages, [4, 4, 2])
  assert.equal((await webhooks.call(app.app, 'GET', `${app.path}/redeliveries?limit=0`)).status, 400)
})

test('an app redelivers only its own notifications, and a token for one business only those of that business', async () => {
  const [mine, other] = [await listening(), await listening()]
  const second = await newBusiness(webhooks as unknown as Tenants)
  await webhooks.call(OPERATOR, 'POST', `/businesses/${second}/approvals`, { appId: mine.appId })
  await webhooks.record(billingEvent(webhooks, mine), billingEvent(webhooks, { ...mine, businessId: second }))
  await webhooks.db.sql`update deliveries set priority = 'RETRY', attempts = 1 where app_id = ${mine.uuid}`
  webhooks.pass(1_000)
  const [ofSecond] = await idsOf(mine.app, `/businesses/${second}/deliveries`)
  const bound = { ...mine.app, businessId: mine.businessId } as Principal
  for (const as of [bound, other.app, other.developer]) {
    const rejected = await webhooks.call(as, 'POST', `${mine.path}/${ofSecond}/redeliver`)
    assert.equal(rejected.status, 404)
  }
  const rejected = { since: LONG_AGO, businessId: second }
  assert.equal((await webhooks.call(bound, 'POST', `${mine.path}/redeliver`, rejected)).status, 403)
  assert.equal(
    (await webhooks.call(bound, 'POST', `${mine.path}/redeliver`, { since: LONG_AGO, hookId: mine.hookId })).body.code,
    'HOOK_NOT_FOUND',
  )
  assert.equal((await other.redeliver({ since: LONG_AGO, hookId: mine.hookId })).body.code, 'HOOK_NOT_FOUND')
  const wide = await mine.redeliver({ since: LONG_AGO, businessId: second })
  const { body: own } = await webhooks.call(bound, 'POST', `${mine.path}/redeliver`, { since: LONG_AGO })
  assert.equal(own.businessId, mine.businessId)
  await runAll()
  const job = (as: Principal, id: string) => webhooks.call(as, 'GET', `${mine.path}/redeliveries/${id}`)
  assert.equal((await job(bound, own.redeliveryId)).body.progress.queued, 1)
  assert.equal((await job(mine.developer, own.redeliveryId)).status, 200)
  assert.equal((await job(bound, wide.body.redeliveryId)).body.code, 'REDELIVERY_NOT_FOUND')
  assert.equal((await job(other.app, own.redeliveryId)).body.code, 'APPLICATION_NOT_FOUND')
  const elsewhere = `${other.path}/redeliveries/${own.redeliveryId}`
  assert.equal((await webhooks.call(other.app, 'DELETE', elsewhere)).body.code, 'REDELIVERY_NOT_FOUND')
  const listed = await webhooks.call(bound, 'GET', `${mine.path}/redeliveries`)
  assert.deepEqual(
    listed.body.redeliveries.map(({ redeliveryId }: { redeliveryId: string }) => redeliveryId),
    [own.redeliveryId],
  )
})
