import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
import { runRedeliveries } from './run.ts'
import { countDue } from './store.ts'

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

/** Sends what is due; everything that is left waits for later. */
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

test('a job rests while its replays are not sent, and goes on when they are', async () => {
  const app = await listening()
  await webhooks.record(billingEvent(webhooks, app))
  webhooks.pass(1_000)
  await webhooks.db.sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts,
      due_at, recorded_at)
    select ('0197a000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '2026-03-01', ${app.hookId},
      ${app.uuid}, ${app.businessId}, ${v7()}, n, 'REPLAY', 1, ${webhooks.now()}, ${webhooks.now()}
    from generate_series(1, 2000) as n`
  const { body } = await app.redeliver({ since: LONG_AGO })
  const state = async () =>
    (await webhooks.call(app.app, 'GET', `${app.path}/redeliveries/${body.redeliveryId}`)).body.state
  await runAll()
  assert.equal(await state(), 'RUNNING')
  await webhooks.db.sql`delete from deliveries where hook_id = ${app.hookId} and lane = 'REPLAY'`
  webhooks.pass(1_000)
  await runAll()
  assert.equal(await state(), 'DONE')
})

/** So many first attempts of a hook wait. */
async function waitFor(of: { uuid: string; businessId: string }, hookId: string, count: number): Promise<void> {
  await webhooks.db.sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, lane, attempts,
      due_at, recorded_at)
    select gen_random_uuid(), '2026-03-01', ${hookId}, ${of.uuid}, ${of.businessId}, gen_random_uuid(), 1, 'FIRST', 0,
      ${webhooks.now()}, ${webhooks.now()}
    from generate_series(1, ${count}::integer) as n`
}

test('what is due for an app is counted without reading those of its hooks for which nothing waits, nor what waits for other apps', async t => {
  t.after(() => webhooks.db.sql`delete from deliveries`)
  const app = await listening()
  const { sql } = webhooks.db
  const [waiting, off] = [
    await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${URL}waiting` }),
    await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${URL}off` }),
  ]
  await sql`update hooks set active = false where hook_id = ${off}`
  const others = await sql<{ hookId: string }[]>`
    insert into hooks
    select (jsonb_populate_record(h, jsonb_build_object(
      'hook_id', left(h.hook_id::text, 14) || substr(gen_random_uuid()::text, 15), 'fingerprint', '\\x' || md5(n::text)))).*
    from hooks as h cross join generate_series(1, 3000) as n where h.hook_id = ${waiting}
    returning hook_id as "hookId"`
  const [sick = '', last = ''] = others
    .map(({ hookId }) => hookId)
    .sort()
    .slice(1_000, 1_002)
  await openBreaker(sick)
  for (const [hookId, count] of [
    [waiting, 3],
    [off, 5],
    [sick, 7],
    [last, 11],
    [v7(), 13],
  ] as const) {
    await waitFor(app, hookId, count)
  }
  await sql`
    insert into deliveries
    select (jsonb_populate_record(
      d, jsonb_build_object('notification_id', gen_random_uuid(), 'hook_id', gen_random_uuid()))).*
    from deliveries as d cross join generate_series(1, 3000)
    where d.notification_id = (select notification_id from deliveries where hook_id = ${last} limit 1)`
  const of = { appId: app.uuid }
  for (const known of ['nothing', 'all']) {
    if (known === 'all') await sql`analyze hooks, deliveries`
    const { due, read } = await webhooks.db.transaction(async tx => {
      const readSoFar = async () => {
        const [row] = await tx.sql<{ read: number }[]>`
          select sum(seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
          where relname in ('hooks', 'deliveries')`
        return row?.read ?? Number.NaN
      }
      const before = await readSoFar()
      const due = await countDue(tx.sql, of, { now: webhooks.now(), each: 100 })
      return { due, read: (await readSoFar()) - before }
    })
    assert.equal(due, 14)
    assert.ok(read < 100, `${known} is known: ${read} read`)
  }
  assert.equal(await countDue(sql, of, { now: webhooks.now(), each: 11 }), 3)
})

const STUCK: readonly (readonly [how: string, waiting: number, stick: (hookId: string) => Promise<unknown>])[] = [
  ['is behind an open breaker', 500, hookId => openBreaker(hookId)],
  ['is not active', 20_000, hookId => webhooks.db.sql`update hooks set active = false where hook_id = ${hookId}`],
  ['is slower than what it is sent', 2_000, async () => {}],
]

function openBreaker(hookId: string) {
  const openUntil = new Date(webhooks.now().getTime() + HOUR_MS)
  return webhooks.db.sql`
    insert into hook_health (hook_id, failures, failing_since, opened, open_until)
    values (${hookId}, 9, ${webhooks.now()}, 9, ${openUntil})`
}

for (const [how, waiting, stick] of STUCK) {
  test(`a hook that ${how} holds up no redelivery to another one; its own part of one comes when it has room`, async t => {
    const listener = await openListener(t)
    const app = await listening(listener.url)
    const [stuck, other] = [
      await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${listener.url}stuck` }),
      await listening(listener.url),
    ]
    await webhooks.record(
      ...Array.from({ length: 3 }, () => billingEvent(webhooks, app)),
      billingEvent(webhooks, other),
    )
    await send()
    webhooks.pass(1_000)
    await waitFor(app, stuck, waiting)
    await stick(stuck)
    const started = [{ hookId: app.hookId }, {}, { businessId: app.businessId }].map(which =>
      app.redeliver({ since: LONG_AGO, ...which }),
    )
    const [ofOne, ofAll, ofBusiness] = (await Promise.all(started)).map(({ body }) => body.redeliveryId)
    const shown = async (id: string) => (await webhooks.call(app.app, 'GET', `${app.path}/redeliveries/${id}`)).body
    await Promise.all([runAll(), runAll()])
    const [one, all, business] = [await shown(ofOne), await shown(ofAll), await shown(ofBusiness)]
    assert.deepEqual([one.state, one.progress], ['DONE', { percent: 100, queued: 3, skipped: 0 }])
    assert.equal(await queuedFor(app.hookId), 3)
    assert.equal(await queuedFor(other.hookId), 0)
    const isOff = how === 'is not active'
    for (const job of [all, business]) {
      assert.deepEqual([job.state, job.progress.skipped], isOff ? ['DONE', 3] : ['RUNNING', 0])
    }

    await webhooks.db.sql`delete from deliveries where hook_id = ${stuck}`
    await webhooks.db.sql`delete from hook_health where hook_id = ${stuck}`
    webhooks.pass(1_000)
    await Promise.all([runAll(), runAll()])
    assert.equal(await queuedFor(stuck), isOff ? 0 : 3)
    for (const id of [ofAll, ofBusiness]) {
      const { state, progress } = await shown(id)
      assert.deepEqual([state, progress.percent, progress.queued + progress.skipped], ['DONE', 100, 6])
    }
  })
}

test('a hook that went away while its part of a redelivery waits ends it, with what went before counted', async () => {
  const app = await listening()
  const stuck = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: `${URL}stuck` })
  await webhooks.record(billingEvent(webhooks, app))
  await webhooks.db.sql`delete from deliveries where app_id = ${app.uuid}`
  webhooks.pass(1_000)
  await waitFor(app, stuck, 2_000)
  const { body } = await app.redeliver({ since: LONG_AGO })
  const shown = async () => (await webhooks.call(app.app, 'GET', `${app.path}/redeliveries/${body.redeliveryId}`)).body
  await runAll()
  assert.deepEqual([(await shown()).state, (await shown()).progress.queued], ['RUNNING', 1])
  await webhooks.call(app.app, 'DELETE', `/hooks/${stuck}`)
  webhooks.pass(1_000)
  await runAll()
  assert.deepEqual([(await shown()).state, (await shown()).progress], ['DONE', { percent: 100, queued: 1, skipped: 1 }])
})
