import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newDeveloper, newPlans, openTenants, PLAN, type Tenants } from '../../../test/support/tenants.ts'
import { countsThatDisagree } from './counts.fixture.ts'
import { foldCounts } from './counts.ts'
import { readPage, type SubscriptionFilter } from './pages.ts'

interface Written {
  readonly subscriptionId: string
  readonly businessId: string
  readonly planId: string
  readonly status: 'ACTIVE' | 'ENDED'
  readonly createdAt: number
}

/** An offset beyond the reach of a search without counts. */
const MANY = 2_500
const LIMIT = 7

let tenants: Tenants
let appId: string
let otherAppId: string
let planIds: readonly string[]
/** In list order. */
let all: readonly Written[]

before(async () => {
  tenants = await openTenants()
  const [developer, other] = [await newDeveloper(tenants), await newDeveloper(tenants)]
  ;[appId, otherAppId] = [developer.uuid, other.uuid]
  planIds = await newPlans(tenants, developer.appId, [PLAN, { ...PLAN, name: 'Other' }])
  const folded = await write(MANY, 0)
  while ((await foldCounts(tenants.db.sql)) > 0);
  all = [...folded, ...(await write(MANY, 1))].sort(inListOrder)
})
after(() => tenants?.[Symbol.asyncDispose]())

test('a page of results at any offset is the same part of the whole list, with the total', async () => {
  for (const filter of filters()) {
    const list = listOf(filter)
    const offsets = [0, 1, 999, 1_000, 1_001, 1_002, list.length >> 1, list.length, list.length + 1]
    for (const offset of [...offsets, Math.max(0, list.length - 1), ...everyFew(list.length), 999_999_999_999_999]) {
      const page = await readPage(tenants.db.sql, filter, { begin: { offset }, limit: LIMIT })
      assert.deepEqual(seen(page), expectedPage(list, offset, offset), JSON.stringify({ filter, offset }))
    }
  }
})

test('a page after any subscription begins with the next subscription, at its offset', async () => {
  for (const filter of filters()) {
    const list = listOf(filter)
    for (const index of [0, ...everyFew(list.length), list.length - 1]) {
      const one = list[index]
      if (one === undefined) continue
      const page = await readPage(tenants.db.sql, filter, { begin: { after: one.subscriptionId }, limit: LIMIT })
      assert.deepEqual(seen(page), expectedPage(list, index + 1, index + 1), JSON.stringify({ filter, index }))
    }
  }
})

test('a page from any instant begins with the first subscription created then or later, at its offset', async () => {
  const edges = ['1969-11-01', '1970-01-01', '2026-06-01', '2026-06-01T12:00:00Z', '2026-06-01T12:01:00Z', '9999-12-31']
  for (const filter of filters()) {
    const list = listOf(filter)
    const created = everyFew(list.length).map(index => list[index]?.createdAt ?? 0)
    for (const at of [...edges.map(edge => Date.parse(edge)), ...created].flatMap(at => [at - 1, at, at + 1])) {
      const index = list.filter(({ createdAt }) => createdAt < at).length
      const page = await readPage(tenants.db.sql, filter, { begin: { createdFrom: new Date(at) }, limit: LIMIT })
      assert.deepEqual(seen(page), expectedPage(list, index, index), JSON.stringify({ filter, at }))
    }
  }
})

test('an app without subscriptions has an empty list, also filtered by a plan of another app', async () => {
  for (const filter of [{ appId: otherAppId }, { appId: otherAppId, ...(planIds[0] && { planId: planIds[0] }) }]) {
    for (const offset of [0, 1, 5_000]) {
      const page = await readPage(tenants.db.sql, { ...filter, status: 'ALL' }, { begin: { offset }, limit: LIMIT })
      assert.deepEqual(seen(page), { ids: [], start: offset, total: 0 })
    }
  }
})

test('the counts are right while half of the changes are not folded yet', async () => {
  assert.deepEqual(await countsThatDisagree(tenants.db.sql), [])
})

/** All merchants, each plan, and one merchant. */
function filters(): SubscriptionFilter[] {
  const businessId = all[MANY]?.businessId ?? ''
  const of = [{}, ...planIds.map(planId => ({ planId })), { businessId }]
  return (['ACTIVE', 'ENDED', 'ALL'] as const).flatMap(status => of.map(one => ({ appId, status, ...one })))
}

function listOf({ status, planId, businessId }: SubscriptionFilter): Written[] {
  return all.filter(
    one =>
      (status === 'ALL' || one.status === status) &&
      (planId === undefined || one.planId === planId) &&
      (businessId === undefined || one.businessId === businessId),
  )
}

const everyFew = (length: number) => Array.from({ length: Math.floor(length / 331) }, (_, index) => index * 331)

const seen = ({ rows, start, total }: Awaited<ReturnType<typeof readPage>>) => ({
  ...{ ids: rows.map(({ subscriptionId }) => subscriptionId), start, total },
})

const expectedPage = (list: readonly Written[], index: number, start: number) => ({
  ...{ ids: list.slice(index, index + LIMIT).map(({ subscriptionId }) => subscriptionId), start, total: list.length },
})

function inListOrder(a: Written, b: Written): number {
  return a.createdAt - b.createdAt || (a.subscriptionId < b.subscriptionId ? -1 : 1)
}

/**
 * Subscriptions of two plans in both statuses, each of another merchant: a third in one minute, the others across a
 * century.
 */
async function write(count: number, seed: number): Promise<Written[]> {
  const { sql } = tenants.db
  const rows = Array.from({ length: count }, (_, index): Written => {
    const n = (index * 7919 + seed) % count
    const inThatMinute = Date.UTC(2026, 5, 1, 12, 0, n % 60)
    const anyTime = Date.UTC(1969, 10, 1) + n * 1_234_567_000
    return {
      subscriptionId: v7(),
      businessId: v7(),
      planId: planIds[n % 4 === 0 ? 1 : 0] ?? '',
      status: n % 5 === 0 ? 'ENDED' : 'ACTIVE',
      createdAt: n % 3 === 0 ? inThatMinute : anyTime,
    }
  })
  const values = sql.json(rows.map(row => ({ ...row, createdAt: new Date(row.createdAt).toISOString() })) as never)
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    select "businessId", 'MERCHANT', 'ACTIVE', 'Shop', '', 'shop@example.com', 'US', 'UTC', "createdAt", "createdAt"
    from jsonb_to_recordset(${values}) as x ("businessId" uuid, "createdAt" timestamptz)`
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency,
      amount, phase, status, payment_status, start_at, started_at, anchor_at, term, period_index,
      current_period_start, current_period_end, ended_at, end_reason, last_trigger_at, resource_seq, created_at,
      updated_at)
    select x."subscriptionId", ${appId}, organization_id, x."businessId", x."planId", x."subscriptionId", 'MERCHANT',
      'US', 'USD', 500, 'FULL', x.status, 'CURRENT', x."createdAt", x."createdAt", x."createdAt", 1, 0, x."createdAt",
      x."createdAt" + interval '30 days', case when x.status = 'ENDED' then x."createdAt" end,
      case when x.status = 'ENDED' then 'CANCELLED' end, x."createdAt", 1, x."createdAt", x."createdAt"
    from jsonb_to_recordset(${values}) as x (
      "subscriptionId" uuid, "businessId" uuid, "planId" uuid, status text, "createdAt" timestamptz), apps
    where apps.app_id = ${appId}`
  return rows
}
