import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { billingEvent, newHook, newListening, openWebhooks, type Webhooks } from '../../../test/support/webhooks.ts'
import type { Sql } from '../../platform/db/db.ts'
import { type HookFilter, listHooks } from './list.ts'
import { countHooks, findHookIds, findListeners, findSameHook, hasActiveHook } from './store.ts'

let webhooks: Webhooks
before(async () => {
  webhooks = await openWebhooks()
})
after(() => webhooks?.[Symbol.asyncDispose]())

const URL = 'http://127.0.0.1:9/'
const MANY = 3_000
const PAGE = 51

/** An app with a hook for one merchant and an app-wide hook. */
async function appWithTwo() {
  const app = await newListening(webhooks)
  const hook = { applicationId: app.appId, deliveryUrl: URL }
  const wide = await newHook(webhooks, app.app, hook)
  const own = await newHook(webhooks, app.app, { ...hook, businessId: app.businessId })
  return { ...app, wide, own }
}

/** Adds a hook for each of very many other merchants. Then activates all hooks of the app, or none. */
async function addMany(sql: Sql, { uuid, businessId, own }: Awaited<ReturnType<typeof appWithTwo>>, active: boolean) {
  await sql`
    with others as (
      insert into businesses
      select (jsonb_populate_record(b, jsonb_build_object('business_id', gen_random_uuid()))).*
      from businesses as b cross join generate_series(1, ${MANY}) where b.business_id = ${businessId}
      returning business_id)
    insert into hooks
    select (jsonb_populate_record(h, jsonb_build_object(
      'hook_id', left(h.hook_id::text, 14) || substr(gen_random_uuid()::text, 15), 'business_id', o.business_id))).*
    from hooks as h cross join others as o where h.hook_id = ${own}`
  await sql`update hooks set active = ${active} where app_id = ${uuid}`
}

async function appWithMany(active: boolean) {
  const app = await appWithTwo()
  await addMany(webhooks.db.sql, app, active)
  return app
}

const words = (filter: HookFilter) =>
  `a page of ${Object.entries(filter).map(([name, value]) => (typeof value === 'boolean' ? `${name}=${value}` : name))}`

async function readFor(sql: Sql, work: (sql: Sql) => Promise<unknown>): Promise<number> {
  // The counter includes earlier transactions of the connection.
  const readSoFar = async () => {
    const [row] = await sql<{ read: number }[]>`
      select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'hooks'`
    return row?.read ?? Number.NaN
  }
  const before = await readSoFar()
  await work(sql)
  return (await readSoFar()) - before
}

test('a query reads no hooks of other merchants and other apps', async () => {
  // The oldest hooks belong to another app, so a page would have to skip them.
  const [on, off] = [await appWithMany(true), await appWithMany(false)]
  const { sql } = webhooks.db
  const tooMany: string[] = []
  const ids = async (filter: HookFilter) => (await listHooks(sql, filter, { limit: PAGE })).map(({ hookId }) => hookId)

  for (const known of ['nothing', 'all', 'that all listen'] as const) {
    if (known === 'that all listen') await sql`update hooks set active = true`
    if (known !== 'nothing') await sql`analyze hooks, businesses, apps`
    await sql`update hooks set active = false where app_id = ${off.uuid}`
    const check = async (what: string, atMost: number, work: (sql: Sql) => Promise<unknown>) => {
      const read = await webhooks.db.transaction(tx => readFor(tx.sql, work))
      if (read > atMost) tooMany.push(`${known} is known: ${read} read for ${what}`)
    }
    for (const { uuid: appId, businessId, wide, own } of [on, off]) {
      assert.deepEqual((await findHookIds(sql, { appId, businessId })).sort(), [wide, own])
      await check('who hears of a merchant', 20, tx => findHookIds(tx, { appId, businessId }))
      for (const owner of [{ appId, businessId }, { appId }]) {
        assert.equal(await hasActiveHook(sql, owner), appId === on.uuid)
        await check(`whether one listens, ${Object.keys(owner)}`, 20, tx => hasActiveHook(tx, owner))
      }
    }
    for (const { uuid: appId, organizationId, businessId, wide, own } of [on, off]) {
      const isOn = appId === on.uuid
      for (const bounds of [{ appId }, { organizationId }, { appId, organizationId }]) {
        const few: [HookFilter, string[]][] = [
          [{ ...bounds, businessId }, [own]],
          [{ ...bounds, listensTo: businessId }, [own]],
          [{ ...bounds, listensTo: organizationId }, [wide]],
          [{ ...bounds, listensTo: businessId, active: !isOn }, []],
          [{ ...bounds, active: !isOn }, []],
        ]
        for (const [filter, expected] of few) {
          assert.deepEqual(await ids(filter), expected, JSON.stringify(filter))
          await check(words(filter), 20, tx => listHooks(tx, filter, { limit: PAGE }))
        }
        for (const filter of [bounds, { ...bounds, active: isOn }]) {
          await check(words(filter), 3 * PAGE, tx => listHooks(tx, filter, { limit: PAGE }))
        }
      }
      await check('a merchant', 20, tx => listHooks(tx, { listensTo: businessId }, { limit: PAGE }))
    }
    await check('those that do not listen', 3 * PAGE, tx => listHooks(tx, { active: false }, { limit: PAGE }))
    await check('all', 3 * PAGE, tx => listHooks(tx, {}, { limit: PAGE }))
  }
  assert.deepEqual(tooMany, [])
})

test('a plan made for nearly empty tables reads no hooks of other merchants and other apps either', async () => {
  // Without autovacuum the table stays unanalyzed. A plan made for two known rows would read the whole table.
  await webhooks.db.sql`alter table hooks set (autovacuum_enabled = false)`
  await webhooks.db.sql`truncate hooks, hook_health`
  const app = await appWithTwo()
  const [of, organizationId] = [{ appId: app.uuid, businessId: app.businessId }, app.organizationId]
  const works: [what: string, work: (sql: Sql) => Promise<unknown>][] = [
    ['who hears of a merchant', sql => findHookIds(sql, of)],
    ['which is the same', sql => findSameHook(sql, of, Buffer.alloc(32))],
    ['how many there are', sql => countHooks(sql, of)],
    ['how many are app-wide', sql => countHooks(sql, { appId: app.uuid })],
    ['who hears of an event', sql => findListeners(sql, [billingEvent(webhooks, app)], webhooks.now())],
    ['whether one listens', sql => hasActiveHook(sql, of)],
    ['whether any listens', sql => hasActiveHook(sql, { appId: app.uuid })],
    ...[{ appId: app.uuid }, { organizationId }]
      .flatMap(bounds => [
        ...[
          { ...bounds, businessId: app.businessId },
          { ...bounds, listensTo: organizationId },
        ],
        ...[{ ...bounds, active: true }, bounds],
      ])
      .map((filter): (typeof works)[number] => [words(filter), sql => listHooks(sql, filter, { limit: 5 })]),
  ]
  const tooMany = await webhooks.db.transaction(async ({ sql }) => {
    await sql`select set_config('plan_cache_mode', 'force_generic_plan', true)`
    for (const [, work] of works) await work(sql)
    await addMany(sql, app, false)
    const found: string[] = []
    for (const [what, work] of works) {
      const read = await readFor(sql, work)
      if (read > 20) found.push(`${read} read for ${what}`)
    }
    return found
  })
  assert.deepEqual(tooMany, [])
})

test('each hook is on exactly one page of results, with any filter, in order of creation', async () => {
  const { uuid: appId, organizationId } = await appWithMany(true)
  const { sql } = webhooks.db
  await sql`update hooks set active = false where app_id = ${appId} and get_byte(uuid_send(hook_id), 15) % 3 = 0`
  const [all, off] = [
    await sql<{ id: string }[]>`select hook_id as id from hooks where app_id = ${appId} order by hook_id`,
    await sql<
      { id: string }[]
    >`select hook_id as id from hooks where app_id = ${appId} and not active order by hook_id`,
  ]
  assert.ok(off.length > 100)
  for (const [filter, expected] of [
    [{ appId }, all],
    [{ organizationId }, all],
    [{ appId, active: false }, off],
  ] as const) {
    const found: string[] = []
    for (;;) {
      const after = found.at(-1)
      const page = await listHooks(sql, filter, { limit: 400, ...(after === undefined ? {} : { after }) })
      if (page.length === 0) break
      found.push(...page.map(({ hookId }) => hookId))
    }
    assert.deepEqual(
      found,
      expected.map(({ id }) => id),
    )
  }
})
