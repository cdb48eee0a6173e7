import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newBusiness, OPERATOR, type Tenants } from '../../../test/support/tenants.ts'
import {
  ALL_ORDERS,
  billingEvent,
  newHook,
  newListening,
  openWebhooks,
  START,
  type Webhooks,
} from '../../../test/support/webhooks.ts'
import type { Event } from '../../core/event.ts'
import type { Tx } from '../../platform/db/db.ts'
import { countHooks, findListeners, findSameHook } from '../hooks/store.ts'
import { recordNotifications } from './record.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'

function orderEvent(businessId: string, eventType: 'ORDER_OPENED' | 'ORDER_UPDATED' = 'ORDER_OPENED'): Event {
  const location = { storeId: v7(), deviceId: v7(), businessId }
  return { eventType, ...location, resourceId: v7(), resourceSeq: 1, occurredAt: webhooks.now() }
}

async function listenersOf(event: Event): Promise<string[]> {
  const rows = await webhooks.db.sql<{ hookId: string }[]>`
    select n.hook_id as "hookId" from notifications as n join deliveries as d using (notification_id)
    where n.resource_id = ${event.resourceId} and d.attempts = 0  order by n.hook_id`
  return rows.map(({ hookId }) => hookId)
}

test("a billing event is sent to its app's hooks: app-wide hooks and hooks of its merchant", async () => {
  const app = await newListening(webhooks)
  const other = await newListening(webhooks)
  const hook = { applicationId: app.appId, deliveryUrl: URL }
  const wide = await newHook(webhooks, app.app, hook)
  const own = await newHook(webhooks, app.app, { ...hook, businessId: app.businessId })
  const second = { ...app, businessId: await newBusiness(webhooks as unknown as Tenants) }
  await webhooks.call(OPERATOR, 'POST', `/businesses/${second.businessId}/approvals`, { appId: app.appId })
  const ofSecond = await newHook(webhooks, app.app, { ...hook, businessId: second.businessId })
  await newHook(webhooks, app.app, { ...hook, deliveryUrl: `${URL}deaf`, eventTypes: ALL_ORDERS })
  const off = await newHook(webhooks, app.app, { ...hook, deliveryUrl: `${URL}off` })
  await webhooks.db.sql`update hooks set active = false where hook_id = ${off}`
  await newHook(webhooks, other.app, { applicationId: other.appId, deliveryUrl: URL })

  const [first, next] = [billingEvent(webhooks, app), billingEvent(webhooks, second)]
  await webhooks.record(first, next)
  assert.deepEqual(await listenersOf(first), [wide, own])
  assert.deepEqual(await listenersOf(next), [wide, ofSecond])
  const [row] = await webhooks.db.sql`
    select body, event_type, delivery_url, recorded_at, recorded_day::text as day, app_id, business_id
    from notifications where resource_id = ${first.resourceId} and hook_id = ${own}`
  assert.equal(JSON.parse(row?.body).businessId, app.businessId)
  assert.equal(JSON.parse(row?.body).applicationId, app.appId)
  assert.deepEqual(
    { ...row, body: undefined },
    {
      body: undefined,
      event_type: START,
      delivery_url: URL,
      recorded_at: webhooks.now(),
      day: '2026-03-01',
      app_id: app.uuid,
      business_id: app.businessId,
    },
  )
})

test('an order event is sent to every app that the merchant approved, and to no other', async () => {
  const app = await newListening(webhooks)
  const second = await newListening(webhooks)
  await webhooks.call(OPERATOR, 'POST', `/businesses/${app.businessId}/approvals`, { appId: second.appId })
  const stranger = await newListening(webhooks)
  const [first, also] = [
    await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL, businessId: app.businessId }),
    await newHook(webhooks, second.app, { applicationId: second.appId, deliveryUrl: URL }),
  ]
  await newHook(webhooks, stranger.app, { applicationId: stranger.appId, deliveryUrl: URL })
  const opened = orderEvent(app.businessId)
  await webhooks.record(opened)
  assert.deepEqual(await listenersOf(opened), [first, also])
  await webhooks.call(OPERATOR, 'DELETE', `/businesses/${app.businessId}/approvals/${second.appId}`)
  const updated = orderEvent(app.businessId, 'ORDER_UPDATED')
  await webhooks.record(updated)
  assert.deepEqual(await listenersOf(updated), [first])
})

test('recording an event and registering a hook read no hooks for other merchants', async () => {
  const app = await newListening(webhooks)
  const hook = { applicationId: app.appId, deliveryUrl: URL }
  const wide = await newHook(webhooks, app.app, hook)
  const own = await newHook(webhooks, app.app, { ...hook, businessId: app.businessId })
  const { sql } = webhooks.db
  await sql`
    with others as (
      insert into businesses
      select (jsonb_populate_record(b, jsonb_build_object('business_id', gen_random_uuid()))).*
      from businesses as b cross join generate_series(1, 3000) where b.business_id = ${app.businessId}
      returning business_id)
    insert into hooks
    select (jsonb_populate_record(
      h, jsonb_build_object('hook_id', gen_random_uuid(), 'business_id', o.business_id))).*
    from hooks as h cross join others as o where h.hook_id = ${own}`
  const readFor = (work: (tx: Tx) => Promise<unknown>) =>
    webhooks.db.transaction(async tx => {
      // The counter includes earlier transactions of the connection.
      const readSoFar = async () => {
        const [row] = await tx.sql<{ read: number }[]>`
          select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'hooks'`
        return row?.read ?? Number.NaN
      }
      const before = await readSoFar()
      await work(tx)
      return (await readSoFar()) - before
    })
  const [billed, opened] = [billingEvent(webhooks, app), orderEvent(app.businessId)]
  for (const known of ['nothing', 'all'] as const) {
    if (known === 'all') await sql`analyze hooks, businesses`
    for (const owner of [{ businessId: app.businessId }, {}]) {
      const wanted = { appId: app.uuid, ...owner }
      const read = await readFor(tx =>
        Promise.all([findSameHook(tx.sql, wanted, Buffer.alloc(32)), countHooks(tx.sql, wanted)]),
      )
      assert.ok(read < 20, `${known} is known: ${read} read to register ${JSON.stringify(owner)}`)
    }
    for (const event of [billed, opened]) {
      const read = await readFor(tx => findListeners(tx.sql, [event], webhooks.now()))
      assert.ok(read < 20, `${known} is known: ${read} read for ${event.eventType}`)
    }
  }
  await webhooks.record(billed, opened)
  assert.deepEqual(await listenersOf(billed), [wide, own])
  assert.deepEqual(await listenersOf(opened), [wide, own])
})

test('a rolled-back notification is neither recorded nor sent', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  let dispatched = 0
  const dispatch = {
    recorded: (rows: readonly unknown[]) => {
      dispatched += rows.length
    },
    changed() {},
  }
  const ports = { ...webhooks.ports, dispatch }
  const [rolledBack, committed, withoutListener] = [
    billingEvent(webhooks, app),
    billingEvent(webhooks, app),
    billingEvent(webhooks, { ...app, uuid: v7() }),
  ]
  await assert.rejects(
    webhooks.db.transaction(async tx => {
      await recordNotifications(tx, ports, [rolledBack])
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(await listenersOf(rolledBack), [])
  await webhooks.db.transaction(tx => recordNotifications(tx, ports, [withoutListener]))
  assert.equal(dispatched, 0)
  await webhooks.db.transaction(async tx => {
    await recordNotifications(tx, ports, [committed])
    assert.equal(dispatched, 0)
  })
  assert.equal(dispatched, 1)
})

test('any number of events takes three statements, one of which sets the planner, and no events take none', async () => {
  const app = await newListening(webhooks)
  await newHook(webhooks, app.app, { applicationId: app.appId, deliveryUrl: URL })
  let statements = 0
  const count = (events: Event[]) =>
    webhooks.db.transaction(tx => {
      const sql = new Proxy(tx.sql, {
        apply: (target, self, args) => {
          statements++
          return Reflect.apply(target, self, args)
        },
      })
      return recordNotifications({ ...tx, sql }, webhooks.ports, events)
    })
  await count([])
  assert.equal(statements, 0)
  await count(Array.from({ length: 3_000 }, () => billingEvent(webhooks, app)))
  assert.equal(statements, 3)
  const [row] = await webhooks.db.sql`select count(*) as many from deliveries where app_id = ${app.uuid}`
  assert.equal(row?.many, 3_000)
})
