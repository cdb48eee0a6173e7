import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { freshDatabase } from '../../../test/support/postgres.ts'
import {
  billingEvent,
  HOUR_MS,
  newHook,
  newListening,
  openWebhooks,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import { addDays } from '../../core/calendar.ts'
import type { DeliveryStatus } from '../../core/delivery.ts'
import { type Database, openDatabase, type Sql } from '../../platform/db/db.ts'
import { ensurePartitions } from '../deliveries/partitions.ts'
import { listHistory, listIds } from './history-store.ts'
import type { HistoryFilter } from './scope.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'
/** More than any page looks at. */
const MANY = 3_000

type Owner = { readonly appId: string; readonly businessId: string; readonly hookId: string }

/** Only in the queue: no page of another owner, or of another status, may come to read what they tell. */
async function queueMany({ appId, businessId, hookId }: Owner, attempts: number): Promise<void> {
  const priority = attempts === 0 ? 'FIRST' : 'RETRY'
  const ids = Array.from({ length: MANY }, () => webhooks.ports.newId())
  await webhooks.db.sql`
    insert into deliveries (
      notification_id, recorded_day, hook_id, app_id, business_id, resource_id, resource_seq, priority, attempts, due_at,
      recorded_at)
    select x.notification_id, ${webhooks.now().toISOString().slice(0, 10)}::date, ${hookId}, ${appId}, ${businessId},
      x.notification_id, 1, ${priority}, ${attempts}, ${webhooks.now()}, ${webhooks.now()}
    from unnest(${ids}::uuid[]) as x (notification_id)`
}

/** Returns the ids found, newest first, and the queue rows read by each way. */
async function findCounting(filter: HistoryFilter): Promise<{ ids: string[]; read: number }> {
  return webhooks.db.transaction(async ({ sql }) => {
    // The counter includes earlier transactions of the connection.
    const readSoFar = async () => {
      const [row] = await sql<{ read: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'deliveries'`
      return row?.read ?? Number.NaN
    }
    const before = await readSoFar()
    const { entries, next } = await listHistory(sql, filter, { limit: 100 })
    const { found } = await listIds(sql, filter, { limit: 100 })
    const read = (await readSoFar()) - before
    const ids = entries.map(({ notificationId }) => notificationId)
    assert.deepEqual(found.map(({ notificationId }) => notificationId).reverse(), ids)
    assert.equal(next, undefined)
    return { ids, read }
  })
}

test('unfinished deliveries of an app, merchant or hook are found without reading the queues of others', async () => {
  const mine = await newListening(webhooks)
  const hookId = await newHook(webhooks, mine.app, { applicationId: mine.appId, deliveryUrl: URL })
  const own: Owner = { appId: mine.uuid, businessId: mine.businessId, hookId }
  const other: Owner = { appId: v7(), businessId: v7(), hookId: v7() }
  const since = addDays(webhooks.now(), -30)
  const recorded = async (many: number) => {
    const from = webhooks.now()
    await webhooks.record(...Array.from({ length: many }, () => billingEvent(webhooks, mine)))
    const rows = await webhooks.db.sql<{ id: string }[]>`
      select notification_id as id from notifications where hook_id = ${hookId} and recorded_at >= ${from}
      order by notification_id desc`
    return rows.map(({ id }) => id)
  }
  await queueMany(other, 0)
  await queueMany(other, 3)
  webhooks.pass(HOUR_MS)
  const retrying = await recorded(3)
  await webhooks.db.sql`
    update deliveries set attempts = 1, priority = 'RETRY' where notification_id = any(${retrying}::uuid[])`
  webhooks.pass(HOUR_MS)
  const scheduled = await recorded(4)
  webhooks.pass(HOUR_MS)
  await queueMany(other, 0)
  await queueMany(other, 3)

  const check = async (words: string, expected: Partial<Record<DeliveryStatus, string[]>>) => {
    const owners = [{ appId: own.appId }, { businessId: own.businessId }, { appId: own.appId, hookId }]
    for (const owner of owners) {
      for (const [status, ids] of Object.entries(expected) as [DeliveryStatus, string[]][]) {
        const { ids: found, read } = await findCounting({ ...owner, status, since })
        const asked = `${Object.keys(owner)}, ${status}, ${words}`
        assert.deepEqual(found, ids, asked)
        assert.ok(read > 0 && read < 100, `${asked}: ${read} rows were read`)
      }
    }
  }
  await check('nothing is known of the table', { SCHEDULED: scheduled, ERRORED_RETRYING: retrying })
  await webhooks.db.sql`analyze deliveries`
  await check('most is known to be of the other', { SCHEDULED: scheduled, ERRORED_RETRYING: retrying })
  await queueMany(own, 2)
  await check('many of its own deliveries are retried', { SCHEDULED: scheduled })
})

test('the time filter and the cursor limit the read of unfinished deliveries', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  const from = webhooks.now()
  const at = (hours: number) => new Date(from.getTime() + hours * HOUR_MS)
  for (let hour = 0; hour < 4; hour++) {
    await webhooks.record(billingEvent(webhooks, app), billingEvent(webhooks, app))
    webhooks.pass(HOUR_MS)
  }
  const rows = await webhooks.db.sql<{ id: string }[]>`
    select notification_id as id from deliveries where app_id = ${app.uuid} order by notification_id`
  const all = rows.map(({ id }) => id)
  const filter = { appId: app.uuid, status: 'SCHEDULED', since: addDays(from, -30) } as const
  const find = (more: Partial<HistoryFilter>, before?: string) =>
    webhooks.db.transaction(async ({ sql }) => {
      const page = { limit: 100, ...(before === undefined ? {} : { before }) }
      const { entries } = await listHistory(sql, { ...filter, ...more }, page)
      return entries.map(({ notificationId }) => notificationId).reverse()
    })
  assert.equal(all.length, 8)
  assert.deepEqual(await find({}), all)
  assert.deepEqual(await find({ startAt: at(1) }), all.slice(2))
  assert.deepEqual(await find({ endAt: at(1) }), all.slice(0, 2))
  assert.deepEqual(await find({ startAt: at(1), endAt: at(3) }), all.slice(2, 6))
  assert.deepEqual(await find({}, all[3]?.toUpperCase()), all.slice(0, 3))
  assert.deepEqual(await find({ startAt: at(1), endAt: at(3) }, all[7]), all.slice(2, 6))
  assert.deepEqual(await find({ startAt: at(1), endAt: at(3) }, all[4]), all.slice(2, 4))
  assert.deepEqual(await find({}, 'ffffffff-ffff-4fff-bfff-ffffffffffff'), all)
  assert.deepEqual(await find({}, '00000000-0000-4000-8000-000000000000'), [])
  const after = await webhooks.db.transaction(({ sql }) => listIds(sql, filter, { limit: 3, after: all[2] ?? '' }))
  assert.deepEqual(
    after.found.map(({ notificationId }) => notificationId),
    all.slice(3, 6),
  )
  assert.equal(after.next, all[5])
})

test('a page of a long queue with few matches reads 500 rows, and the next page continues', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  const rare = billingEvent(webhooks, app)
  await webhooks.record({ ...rare, eventType: 'APPLICATION_SUBSCRIPTION_END' } as typeof rare)
  await webhooks.record(...Array.from({ length: 700 }, () => billingEvent(webhooks, app)))
  const filter = {
    appId: app.uuid,
    status: 'SCHEDULED',
    eventType: 'APPLICATION_SUBSCRIPTION_END',
    since: addDays(webhooks.now(), -30),
  } as const
  const found: number[] = []
  let before: string | undefined
  do {
    const page = { limit: 10, ...(before === undefined ? {} : { before }) }
    const { entries, next } = await webhooks.db.transaction(({ sql }) => listHistory(sql, filter, page))
    found.push(entries.length)
    before = next
  } while (before !== undefined && found.length < 5)
  assert.deepEqual(found, [0, 1])
})

/** The newest first, a second apart. */
async function insertMany(
  db: Database,
  owner: Owner & { readonly resourceId: string },
  { many, eventType, status }: Rows,
): Promise<string[]> {
  const ids = Array.from({ length: many }, (_, n) => v7({ msecs: NOON.getTime() - n * 1_000 }))
  await db.sql`
    insert into notifications (
      notification_id, recorded_day, hook_id, app_id, business_id, event_type, resource_id, resource_seq, delivery_url,
      body, recorded_at)
    select id, ${DAY}::date, ${owner.hookId}, ${owner.appId}, ${owner.businessId}, ${eventType}, ${owner.resourceId}, 1,
      ${URL}, '{}', ${NOON}
    from unnest(${ids}::uuid[]) as x (id)`
  await db.sql`
    insert into outcomes (recorded_day, notification_id, hook_id, app_id, business_id, status, attempts, finished_at)
    select ${DAY}::date, id, ${owner.hookId}, ${owner.appId}, ${owner.businessId}, ${status}, 1, ${NOON}
    from unnest(${ids}::uuid[]) as x (id)`
  return ids
}

const DAY = '2026-03-01'
const NOON = new Date(`${DAY}T12:00:00Z`)

interface Rows {
  readonly many: number
  readonly eventType: string
  readonly status: DeliveryStatus
}

test('a plan made for empty tables reads only the needed rows after the tables of others have grown', async () => {
  const fresh = await freshDatabase()
  // A plan belongs to its connection.
  const db = openDatabase({ url: fresh.url, maxConnections: 1 })
  try {
    await ensurePartitions(db, NOON)
    const mine = { appId: v7(), businessId: v7(), hookId: v7(), resourceId: v7() }
    const since = addDays(NOON, -30)
    const { appId, businessId, hookId, resourceId } = mine
    const asked: Partial<HistoryFilter>[] = [
      { appId, eventType: 'RARE' },
      ...[{ businessId }, { hookId }, { resourceId }],
      ...[{ appId }, { businessId }, { hookId }].map(owner => ({ ...owner, status: 'ERRORED' as const })),
      ...[{ businessId }, { hookId }, { resourceId }].map(of => ({ ...of, appId, eventType: 'RARE' })),
    ]
    const read = async (sql: Sql) => {
      const [row] = await sql<{ read: number }[]>`
        select sum(seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
        where relname like 'notifications%' or relname like 'outcomes%'`
      return row?.read ?? Number.NaN
    }
    const find = (filter: Partial<HistoryFilter>) =>
      db.transaction(async ({ sql }) => {
        const before = await read(sql)
        const { entries, next } = await listHistory(sql, { ...filter, since }, { limit: 100 })
        const { found } = await listIds(sql, { ...filter, since }, { limit: 100 })
        const ids = entries.map(({ notificationId }) => notificationId)
        assert.deepEqual(found.map(({ notificationId }) => notificationId).reverse(), ids)
        assert.equal(next, undefined)
        return { ids, read: (await read(sql)) - before }
      })
    for (const filter of asked) assert.deepEqual((await find(filter)).ids, [])
    const others = { appId, businessId: v7(), hookId: v7(), resourceId: v7() }
    await insertMany(db, others, { many: MANY, eventType: 'COMMON', status: 'DELIVERED' })
    const ids = await insertMany(db, mine, { many: 5, eventType: 'RARE', status: 'ERRORED' })
    for (const filter of asked) {
      const { ids: found, read: many } = await find(filter)
      assert.deepEqual(found, ids, JSON.stringify(filter))
      assert.ok(many > 0 && many < 100, `${JSON.stringify(filter)}: ${many} rows were read`)
    }
  } finally {
    await db.close()
    await fresh.drop()
  }
})

test('statements after a history query in the same transaction are planned as before', async () => {
  const settings = (sql: Sql) => sql`
    select name, setting from pg_settings where name like 'enable%' or name = 'plan_cache_mode' order by name`
  const [before, after] = await webhooks.db.transaction(async ({ sql }) => {
    const were = await settings(sql)
    await listIds(sql, { appId: v7(), since: webhooks.now() }, { limit: 1 })
    return [were, await settings(sql)]
  })
  assert.ok(before.length > 5)
  assert.deepEqual([...after], [...before])
})
