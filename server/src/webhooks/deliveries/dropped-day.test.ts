import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { drain, outcomesOf, progressOf } from '../../../test/support/deliveries.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openListener,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { addDays } from '../../core/calendar.ts'
import { createPartitions, dropOldPartitions } from '../../runtime/jobs/jobs.ts'
import { endUndeliverable } from './end-undeliverable.ts'
import { dropPartitions, ensurePartitions, findLastDay, KEEP_DAYS } from './partitions.ts'
import { queueReplay } from './store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())
beforeEach(() => webhooks.db.sql`truncate deliveries, hook_health`)

const DAY_MS = 24 * HOUR_MS

/** An app with a hook and one notification, replayed on the notification's 29th day and waiting for the attempt. */
async function redelivered(url: string) {
  const app = await newListening(webhooks)
  const hookId = await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: url })
  await ensurePartitions(webhooks.db, webhooks.now(), 60)
  await webhooks.record(billingEvent(webhooks, app))
  await drain(() => webhooks.sender().runOnce())
  webhooks.pass(29 * DAY_MS)
  const ids = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from notifications where hook_id = ${hookId}`
  const [id = ''] = ids.map(row => row.id)
  assert.deepEqual(await queueReplay(webhooks.db.sql, [id], webhooks.now()), [id])
  return { app, hookId, id }
}

test('queued deliveries of a dropped day end with the day', async t => {
  const listener = await openListener(t)
  const { app, hookId } = await redelivered(listener.url)
  const { length: sentBefore } = listener.received
  await webhooks.record(billingEvent(webhooks, app))
  // No process ran for days.
  webhooks.pass(6 * DAY_MS)
  assert.ok((await dropPartitions(webhooks.db, addDays(webhooks.now(), -KEEP_DAYS))).length > 0)
  assert.equal((await progressOf(webhooks, hookId)).length, 1, 'the delivery of another day waits')
  await drain(() => webhooks.sender().runOnce())
  assert.equal(listener.received.length, sentBefore + 1)
  assert.equal(await endUndeliverable(webhooks.ports), 0)
  assert.equal((await webhooks.call(app.app, 'DELETE', `/hooks/${hookId}`)).status, 204)
})

test('each statement ends a limited number of queued deliveries of a dropped day', async t => {
  const { sql } = webhooks.db
  await ensurePartitions(webhooks.db, webhooks.now(), 0)
  const old = addDays(webhooks.now(), 1)
  await sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, priority, attempts, due_at, recorded_at)
    select gen_random_uuid(), ${webhooks.now()}::timestamptz::date, x.id, x.id, x.id, x.id, 1, 'RETRY', 0, ${old}, ${old}
    from (select gen_random_uuid() as id from generate_series(1, 20_500)) as x`
  await sql`create table ended (many integer)`
  await sql`
    create function count_ended() returns trigger language plpgsql as
      $$ begin insert into ended select count(*) from gone; return null; end $$`
  await sql`
    create trigger ending after delete on deliveries referencing old table as gone
    for each statement execute function count_ended()`
  t.after(async () => {
    await sql`drop trigger ending on deliveries`
    await sql`drop function count_ended`
    await sql`drop table ended`
  })
  assert.ok((await dropPartitions(webhooks.db, addDays(webhooks.now(), 2))).length > 0)
  const ended = await sql<{ many: number }[]>`select many from ended where many > 0`
  assert.deepEqual(
    ended.map(row => row.many),
    [10_000, 10_000, 500],
  )
})

test('a row without its notification and partition does not delay other claimed rows', async t => {
  const [dead, well] = [await openListener(t), await openListener(t)]
  const { id } = await redelivered(dead.url)
  webhooks.pass(4 * DAY_MS)
  for (const table of ['notifications', 'attempts', 'outcomes']) {
    const [row] = await webhooks.db.sql<{ name: string }[]>`
      select ${table} || to_char(recorded_day, '_YYYY_MM_DD') as name from deliveries where notification_id = ${id}`
    await webhooks.db.sql`drop table ${webhooks.db.sql(row?.name ?? '')}`
  }
  const other = await newListening(webhooks)
  const hookId = await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: well.url })
  await webhooks.record(billingEvent(webhooks, other))
  assert.equal(await webhooks.sender().runOnce(), 2, 'both are claimed')
  assert.equal(well.received.length, 1)
  assert.deepEqual(await outcomesOf(webhooks, hookId), ['DELIVERED 1'])
})

test('a process whose date is weeks ahead drops no partition that other processes keep', async () => {
  const [databaseTime] = await webhooks.db.sql<{ at: Date }[]>`select statement_timestamp() as at`
  const today = databaseTime?.at ?? webhooks.now()
  await ensurePartitions(webhooks.db, addDays(today, -20), 0)
  const kept = async () => {
    const rows = await webhooks.db.sql`
      select 1 from pg_class where relname = ${`outcomes_${addDays(today, -20).toISOString().slice(0, 10).replaceAll('-', '_')}`}`
    return rows.length
  }
  const ahead = { ...webhooks.ports, clock: { now: () => addDays(today, 60) } }
  await createPartitions(ahead)
  await dropOldPartitions(ahead)
  assert.equal(await kept(), 1)
  assert.ok((await findLastDay(webhooks.db.sql, addDays(today, 60))) >= addDays(today, 60))
})
