import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { createWorld, type World } from '../../../test/support/world.ts'
import { endOfMonth, startOfMonth } from '../../core/statement.ts'
import type { Sql } from '../../platform/db/db.ts'
import { countRecurring, countTrials } from './revenue.fixture.ts'
import { foldRevenue, readRecurring, readTrials } from './revenue-store.ts'

const MONTHS = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']
/** After every event of this file. */
const NOW = '2026-06-20T00:00:00Z'

let world: World
const plans: string[] = []
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  const amounts = [
    { country: 'US', currency: 'USD', value: 500 },
    { country: 'JP', currency: 'JPY', value: 1_000 },
  ]
  for (const interval of ['MONTH', 'MONTH', 'YEAR', 'WEEK']) {
    const intervalCount = 1 + plans.length
    plans.push(await world.plan({ amounts, interval, intervalCount, trialPeriodDays: 10, gracePeriodDays: 3 }))
  }
})
after(() => world?.close())

const sql = () => world.app.ports.db.sql

async function agree(): Promise<void> {
  for (const month of MONTHS) {
    const span = { firstDay: `${month}-01`, from: startOfMonth(month), to: endOfMonth(month) }
    assert.deepEqual(
      [...(await readRecurring(sql(), span))],
      await countRecurring(sql(), span),
      `recurring in ${month}`,
    )
    assert.deepEqual([...(await readTrials(sql(), span))], await countTrials(sql(), span), `trials in ${month}`)
  }
  await holds()
}

/** One statement, so that concurrent changes do not disturb the comparison. */
async function holds(): Promise<void> {
  for (const check of ['revenueMatches', 'revenueDaysMatch']) {
    const { checks } = await world.call('GET', `/operations/checks?check=${check}`)
    assert.deepEqual([checks[0].status, checks[0].violations], ['PASSED', []])
  }
}

async function foldAll(): Promise<void> {
  while ((await world.app.jobs.revenueSums.runOnce()) > 0);
  assert.deepEqual([...(await sql()`select 1 from revenue_changes`)], [])
}

test('the sums are right after concurrent subscriptions, cancellations, renewals and folds', async () => {
  const shops = await Promise.all(Array.from({ length: 12 }, () => world.merchant({ type: 'MERCHANT' })))
  const live = async (shop: (typeof shops)[0], n: number) => {
    const { subscriptionId } = await shop.subscribe(plans[n % plans.length] ?? '')
    if (n % 3 === 0) await shop.cancel(subscriptionId)
  }
  await Promise.all([...shops.map(live), ...[1, 2, 3, 4].map(() => foldRevenue(sql())), holds(), holds()])
  await agree()
  for (const at of ['2026-01-20T11:00:00Z', '2026-01-20T13:00:00Z', '2026-02-28T00:00:00Z', '2026-04-02T00:00:00Z']) {
    world.clock.set(at)
    await Promise.all([world.work(), foldRevenue(sql()), world.work()])
    await agree()
  }
  await foldAll()
  await agree()
})

test('a plan change moves a subscription to another price, interval or none', async () => {
  world.clock.set('2026-04-05T00:00:00Z')
  const free = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await shop.subscribe(plans[0] ?? '')
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  await world.call('PATCH', path, { planId: plans[2], when: 'NOW' })
  await agree()
  world.clock.set('2026-04-16T00:00:00Z')
  await world.work()
  for (const planId of [plans[3], free, plans[1]]) {
    await world.call('PATCH', path, { planId, when: 'NOW' })
    await world.work()
    await agree()
  }
  await foldAll()
  await agree()
})

test('when credit pays two periods at once, one converts the trial', async () => {
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await shop.subscribe(plans[0] ?? '')
  const invoice = (n: number) => sql()`
    insert into invoices (
      invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, period_index,
      status, country, currency, amount, amount_paid, amount_refunded, lines, period_start, period_end, created_at, updated_at, credit_applied)
    select x.id, 'made ' || x.n, s.organization_id, s.app_id, s.business_id, s.subscription_id, s.plan_id, s.merchant_type, 9, x.n,
      'PAID', 'US', 'USD', 0, 0, 0, '[]', s.started_at, s.started_at, s.started_at, s.started_at, 500
    from subscriptions as s, unnest(array[${v7()}, ${v7()}]::uuid[], array[${n}, ${n + 1}]::int[]) as x (id, n)
    where s.subscription_id = ${subscriptionId}`
  await invoice(0)
  world.clock.set('2026-05-01T00:00:00Z')
  await world.work()
  await invoice(2)
  await agree()
})

test('a rolled-back change is in no sum', async () => {
  const undo = new Error('undo')
  const rolledBack = world.app.ports.db.transaction(async tx => {
    await tx.sql`update subscriptions set amount = amount + 1`
    throw undo
  })
  await assert.rejects(rolledBack, undo)
  await agree()
})

/** A random subscription and its changes. Days count from 1 December 2025. */
const life = fc.record({
  plan: fc.nat({ max: 3 }),
  currency: fc.constantFrom('USD', 'USD', 'JPY'),
  amount: fc.constantFrom(0, 500, 12_345),
  isTest: fc.boolean(),
  beganDay: fc.nat({ max: 150 }),
  trialDays: fc.option(fc.constantFrom(1, 10, 40), { nil: null }),
  isFull: fc.boolean(),
  endedAfterDays: fc.option(fc.nat({ max: 60 }), { nil: null }),
  isPaid: fc.boolean(),
  afterwards: fc.constantFrom('stays', 'ends', 'becomes free', 'changes plan', 'is deleted'),
})

test('sums equal counts after random inserts, changes, ends, payments, deletes and folds', async () => {
  world.clock.set(NOW)
  const [{ appId, organizationId } = { appId: '', organizationId: '' }] = await sql()<
    { appId: string; organizationId: string }[]
  >`select app_id as "appId", organization_id as "organizationId" from apps limit 1`
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 12 }), fc.boolean(), async (lives, isFolded) => {
      for (const one of lives) await live(sql(), { appId, organizationId }, one)
      if (isFolded) await foldAll()
      await agree()
    }),
    { numRuns: 15 },
  )
})

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never

async function live(sql: Sql, app: { appId: string; organizationId: string }, one: Life): Promise<void> {
  const subscriptionId = v7()
  const businessId = v7()
  await sql`
    insert into businesses (
      business_id, type, status, legal_name, doing_business_as, email_address, country, timezone, created_at, updated_at)
    values (${businessId}, ${one.isTest ? 'TEST_MERCHANT' : 'MERCHANT'}, 'ACTIVE', 'Shop', 'Shop', 'a@example.com', 'US', 'UTC',
      ${NOW}, ${NOW})`
  const day = (n: number) => new Date(Date.UTC(2025, 11, 1 + n))
  const began = day(one.beganDay)
  const trialEnd = one.trialDays === null ? null : day(one.beganDay + one.trialDays)
  const isFull = one.isFull || trialEnd === null
  const paidFrom = one.beganDay + (isFull ? (one.trialDays ?? 0) : 0)
  const ended = one.endedAfterDays === null ? null : day(paidFrom + one.endedAfterDays)
  await sql`
    insert into subscriptions (
      subscription_id, app_id, organization_id, business_id, plan_id, bundle_id, merchant_type, country, currency, amount,
      phase, status, payment_status, start_at, started_at, trial_end_at, anchor_at, term, period_index, current_period_start,
      current_period_end, ended_at, end_reason, last_trigger_at, resource_seq, created_at, updated_at, next_action_at)
    values (
      ${subscriptionId}, ${app.appId}, ${app.organizationId}, ${businessId}, ${plans[one.plan] ?? ''}, ${v7()},
      ${one.isTest ? 'TEST_MERCHANT' : 'MERCHANT'}, 'US', ${one.currency}, ${one.amount}, ${isFull ? 'FULL' : 'TRIAL'},
      ${ended ? 'ENDED' : 'ACTIVE'}, 'CURRENT', ${began}, ${began}, ${trialEnd}, ${isFull ? began : null}, 0,
      ${isFull ? 0 : null}, ${began}, ${day(one.beganDay + 400)}, ${ended}, ${ended ? 'CANCELLED' : null}, ${began}, 1,
      ${began}, ${began}, ${ended ? null : (trialEnd ?? day(400))})`
  if (one.isPaid) {
    await sql`
      insert into invoices (
        invoice_id, number, organization_id, app_id, business_id, subscription_id, plan_id, merchant_type, term, period_index,
        status, country, currency, amount, amount_paid, amount_refunded, lines, period_start, period_end, created_at, updated_at,
        credit_applied)
      values (${v7()}, ${v7()}, ${app.organizationId}, ${app.appId}, ${businessId}, ${subscriptionId}, ${plans[0] ?? ''},
        ${one.isTest ? 'TEST_MERCHANT' : 'MERCHANT'}, 0, 0, 'OPEN', 'US', 'USD', 500, 0, 0, '[]', ${began}, ${began}, ${began}, ${began}, 0)`
    await sql`update invoices set status = 'PAID', amount_paid = 500 where subscription_id = ${subscriptionId}`
  }
  const id = subscriptionId
  if (one.afterwards === 'becomes free') await sql`update subscriptions set amount = 0 where subscription_id = ${id}`
  if (one.afterwards === 'changes plan') {
    await sql`update subscriptions set plan_id = ${plans[2] ?? ''}, amount = 700 where subscription_id = ${id}`
  }
  if (one.afterwards === 'is deleted' && !one.isPaid) await sql`delete from subscriptions where subscription_id = ${id}`
  if (one.afterwards === 'ends' && ended === null) {
    await sql`
      update subscriptions set status = 'ENDED', ended_at = ${day(paidFrom + 20)}, end_reason = 'OPERATOR',
        next_action_at = null
      where subscription_id = ${id}`
  }
}
