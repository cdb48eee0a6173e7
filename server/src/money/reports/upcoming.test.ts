import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { foldCounts } from '../subscriptions/counts.ts'
import { readUpcomingCalendar } from './upcoming.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

const AMOUNTS = [
  { country: 'US', currency: 'USD', value: 500 },
  { country: 'JP', currency: 'JPY', value: 1_000 },
  { country: 'KW', currency: 'KWD', value: 1_250 },
]

async function subscribe(definition: Json, { country = 'US', type = 'MERCHANT' as const } = {}): Promise<string> {
  const shop = await world.merchant({ type, country })
  const { subscriptionId } = await shop.subscribe(await world.plan({ amounts: AMOUNTS, ...definition }))
  return subscriptionId
}

const upcoming = (query = '') => world.call('GET', `/operations/upcoming${query}`)
const day = (date: string, currency: string, amount: number, charges = 1) => ({ day: date, currency, charges, amount })

test('upcoming charges are listed by day and currency, and by subscription', async () => {
  const weekly = await subscribe({ interval: 'WEEK' })
  const trial = await subscribe({ trialPeriodDays: 14 }, { country: 'JP' })
  const monthly = await subscribe({}, { country: 'KW' })
  await subscribe({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  const { days, list, count, next } = await upcoming('?days=14')
  assert.deepEqual(days, [day('2026-01-17', 'USD', 500)])
  assert.deepEqual([list.length, count, next], [1, 1, undefined])
  assert.partialDeepStrictEqual(list[0], { subscriptionId: weekly, charges: 1, firstAt: '2026-01-17T12:00:00Z' })
  const month = await upcoming('?days=32')
  assert.deepEqual(month.days, [
    day('2026-01-17', 'USD', 500),
    day('2026-01-24', 'JPY', 1_000),
    day('2026-01-24', 'USD', 500),
    day('2026-01-31', 'USD', 500),
    day('2026-02-07', 'USD', 500),
    day('2026-02-10', 'KWD', 1_250),
  ])
  assert.deepEqual(
    month.list.map(({ subscriptionId, charges, amount }: Json) => [subscriptionId, charges, amount]),
    [
      [weekly, 4, 2_000],
      [trial, 1, 1_000],
      [monthly, 1, 1_250],
    ],
  )
})

test('the forecast excludes test merchants, with or without a clock', async () => {
  const { list } = await upcoming('?days=90')
  const shop = await world.merchant({ at: '2026-01-10T12:00:00Z' })
  await shop.subscribe(await world.plan())
  await subscribe({}, { type: 'TEST_MERCHANT' as never })
  assert.deepEqual((await upcoming('?days=90')).list, list)
})

test('the forecast excludes subscriptions of an app that the operator disabled', async () => {
  const { list } = await upcoming('?days=90')
  const { appId } = await world.developer('Orchard')
  const shop = await world.merchant({ type: 'MERCHANT' })
  const planId = await world.plan({ amounts: AMOUNTS }, appId)
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId }, 201)
  assert.equal((await upcoming('?days=90')).list.length, list.length + 1)
  await world.call('PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  assert.deepEqual((await upcoming('?days=90')).list, list)
  const { sampled } = await readUpcomingCalendar(world.app.ports, { days: 90, most: 1_000 })
  const charges = list
    .filter(({ currency }: Json) => currency === 'USD')
    .reduce((sum: number, one: Json) => sum + one.charges, 0)
  assert.equal(sampled.get('USD'), charges)
})

test('the days of all pages add up to the total', async () => {
  const whole = await upcoming('?days=90')
  const sums = new Map<string, number>()
  const seen: string[] = []
  let next: string | undefined
  do {
    const page = await upcoming(`?days=90&count=1${next === undefined ? '' : `&after=${next}`}`)
    for (const { day: date, currency, amount } of page.days) {
      sums.set(`${date} ${currency}`, (sums.get(`${date} ${currency}`) ?? 0) + amount)
    }
    seen.push(...page.list.map(({ subscriptionId }: Json) => subscriptionId))
    next = page.next
  } while (next !== undefined)
  assert.deepEqual(
    seen,
    whole.list.map(({ subscriptionId }: Json) => subscriptionId),
  )
  assert.deepEqual(
    [...sums].sort(),
    whole.days.map(({ day: date, currency, amount }: Json) => [`${date} ${currency}`, amount]).sort(),
  )
})

test('the report charges nothing, and equals the charges made later', async () => {
  const { days } = await upcoming('?days=60')
  const charged = async () => {
    const [row] = await world.app.ports.db.sql<{ count: number }[]>`select count(*) as count from charges`
    return row?.count ?? 0
  }
  const earlier = await charged()
  await upcoming('?days=60')
  assert.equal(await charged(), earlier)
  for (let passed = 1; passed <= 60; passed++) {
    world.clock.set(new Date(Date.UTC(2026, 0, 10 + passed, 11, 59, 59)))
    await world.work()
  }
  const promised = days.reduce((sum: number, { charges }: Json) => sum + charges, 0)
  // Test merchants in real time are charged as well.
  const [tests] = await world.app.ports.db.sql<{ count: number }[]>`
    select count(*) as count from charges join businesses using (business_id)
    where type = 'TEST_MERCHANT' and started_at > '2026-01-10T12:00:00Z'`
  assert.equal((await charged()) - earlier - (tests?.count ?? 0), promised)
})

test('the calendar is complete for few subscriptions, and within a tenth for many', async () => {
  const { ports } = world.app
  const { days } = await upcoming('?days=30')
  const whole = await readUpcomingCalendar(ports, { days: 30, most: 1_000 })
  assert.deepEqual([whole.share, whole.days], [1, days])
  const subscriptionId = await subscribe({ interval: 'MONTH', intervalCount: 2 })
  await multiply(subscriptionId, 2_000)
  assert.ok((await foldCounts(ports.db.sql)) >= 2_000)
  const [row] = await ports.db.sql<{ live: number }[]>`
    select count(*) as live from subscriptions where status <> 'ENDED'`
  const estimate = await readUpcomingCalendar(ports, { days: 70, most: 500 })
  assert.equal(estimate.share, 500 / Number(row?.live))
  const all = await readUpcomingCalendar(ports, { days: 70, most: 10_000 })
  const most = (calendar: typeof all) => Math.max(...calendar.days.map(({ charges }) => charges))
  const [charges, estimated] = [most(all), most(estimate)]
  assert.ok(charges >= 2_000 && Math.abs(estimated - charges) < charges / 10, `${estimated} for ${charges}`)
})

/** Copies a subscription and its merchant. The ids decide which copies a sample takes. */
async function multiply(subscriptionId: string, times: number): Promise<void> {
  const { sql } = world.app.ports.db
  await sql`
    insert into businesses
    select (jsonb_populate_record(b, jsonb_build_object('business_id', lpad(n::text, 32, '0')))).*
    from businesses as b join subscriptions as s using (business_id) cross join generate_series(1, ${times}::integer) as n
    where s.subscription_id = ${subscriptionId}`
  await sql`
    insert into subscriptions
    select (jsonb_populate_record(s, jsonb_build_object(
      'subscription_id', lpad(n::text, 32, '0'), 'business_id', lpad(n::text, 32, '0')))).*
    from subscriptions as s cross join generate_series(1, ${times}::integer) as n
    where s.subscription_id = ${subscriptionId}`
}

for (const query of ['days=0', 'days=91', 'days=1.5', 'count=0', 'after=x', `after=99999999999999.${v7()}`]) {
  test(`a wrong query is rejected with 400: ?${query}`, async () => {
    const { body } = await world.ask(OPERATOR_KEY, 'GET', `/operations/upcoming?${query}`)
    assert.deepEqual([body.httpStatus, body.fields?.[0]?.path], [400, query.split('=')[0]])
  })
}
