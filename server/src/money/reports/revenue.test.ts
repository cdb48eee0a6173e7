import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { reconcile } from '../billing/reconcile.ts'
import { disputeAtGateway, settle } from '../gateway/sandbox/payments.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

const price = (value: number, country = 'US', currency = 'USD') => ({ amounts: [{ country, currency, value }] })

async function subscribe(
  definition: Json,
  { country = 'US', card = 'tok_ok', type = 'MERCHANT' as 'MERCHANT' | 'TEST_MERCHANT' } = {},
) {
  const shop = await world.merchant({ type, country, card })
  const { subscriptionId } = await shop.subscribe(await world.plan(definition))
  return { shop, end: () => shop.cancel(subscriptionId) }
}

const revenue = async (month: string, query = ''): Promise<Json[]> =>
  (await world.call('GET', `/reports/revenue?month=${month}${query}`)).list
const usd = async (month: string): Promise<Json> => (await revenue(month, '&currency=USD'))[0] ?? {}

test('recurring revenue is monthly for any interval, per currency, without test merchants', async () => {
  await subscribe({ ...price(500), interval: 'MONTH' })
  await subscribe({ ...price(12_007), interval: 'YEAR' })
  await subscribe({ ...price(299), interval: 'WEEK' })
  await subscribe({ ...price(1_000), interval: 'MONTH', intervalCount: 3 })
  await subscribe({ ...price(1_000, 'JP', 'JPY'), interval: 'DAY' }, { country: 'JP' })
  await subscribe({ ...price(1_250, 'KW', 'KWD'), interval: 'YEAR' }, { country: 'KW' })
  await subscribe(price(9_999), { type: 'TEST_MERCHANT' })
  await subscribe(price(0))
  await subscribe({ ...price(7_777), trialPeriodDays: 300 })
  const list = await revenue('2026-01')
  assert.deepEqual(
    list.map(({ currency, mrr }) => [currency, mrr.subscriptions, mrr.amount]),
    [
      ['JPY', 1, 30_417],
      ['KWD', 1, 104],
      ['USD', 4, 500 + 1_001 + 1_296 + 333],
    ],
  )
  assert.deepEqual(list[2]?.churn, { before: 0, churned: 0, beforeAmount: 0, churnedAmount: 0 })
})

test('churn counts subscriptions that paid at the start of the month and ended within the month', async () => {
  const leaving = await subscribe({ ...price(2_000), interval: 'YEAR' })
  world.clock.set('2026-02-10T00:00:00Z')
  await world.work()
  const visitor = await subscribe(price(100))
  await visitor.end()
  await leaving.end()
  const { churn, mrr } = await usd('2026-02')
  // 5.00 a month, 10.00 a quarter, 120.07 and 20.00 a year, 2.99 a week.
  assert.deepEqual(churn, {
    ...{ before: 5, churned: 1, rate: 2_000 },
    ...{ beforeAmount: 500 + 333 + 1_167 + 1_296, churnedAmount: 167, amountRate: 507 },
  })
  assert.equal(mrr.subscriptions, 4)
  assert.equal((await usd('2026-01')).mrr.subscriptions, 5, 'at the end of January it still paid')
})

test('a trial is converted by its first paid invoice', async () => {
  world.clock.set('2026-03-01T00:00:00Z')
  await world.work()
  const trial = { ...price(600), trialPeriodDays: 10, gracePeriodDays: 7 }
  await subscribe(trial)
  await subscribe(trial, { card: 'tok_insufficient_funds' })
  const gone = await subscribe(trial)
  await gone.end()
  await subscribe(trial, { type: 'TEST_MERCHANT' })
  assert.deepEqual((await usd('2026-03')).trials, { ended: 1, converted: 0, rate: 0 })
  world.clock.set('2026-03-11T00:00:01Z')
  await world.work()
  assert.deepEqual((await usd('2026-03')).trials, { ended: 3, converted: 1, rate: 3_333 })
})

test('a past-due invoice is recovered once paid and not refunded', async () => {
  world.clock.set('2026-04-01T00:00:00Z')
  await world.work()
  const recovering = await subscribe(price(700), { card: 'tok_fail_after_1' })
  await subscribe(price(700), { card: 'tok_fail_after_1' })
  await subscribe(price(700), { card: 'tok_fail_after_1', type: 'TEST_MERCHANT' })
  world.clock.set('2026-05-01T00:00:00Z')
  await world.work()
  const pastDue = { pastDue: 2, recovered: 0, open: 2, rate: 0, pastDueAmount: 1_400, recoveredAmount: 0 }
  assert.deepEqual((await usd('2026-05')).recovery, pastDue)
  await recovering.shop.card('tok_ok')
  await world.work()
  const recovered = { recovered: 1, open: 1, rate: 5_000, recoveredAmount: 700 }
  assert.deepEqual((await usd('2026-05')).recovery, { ...pastDue, ...recovered })
  world.clock.set('2026-05-20T00:00:00Z')
  await world.work()
  assert.deepEqual((await usd('2026-05')).recovery, { ...pastDue, ...recovered, open: 0 })
})

test('a given-up charge paid weeks later was past due and is recovered, until a chargeback', async () => {
  const { ports } = world.app
  world.clock.set('2026-06-18T00:00:00Z')
  await world.work()
  const before = (await usd('2026-06')).recovery
  world.clock.set('2026-06-19T00:00:00Z')
  const terms = { ...price(900), gracePeriodDays: 14, trialPeriodDays: 1 }
  const { shop } = await subscribe(terms, { card: 'tok_pending' })
  world.clock.set('2026-06-20T00:00:00Z')
  await world.work()
  world.clock.set('2026-06-23T00:00:10Z')
  await world.work()
  const pastDue = { ...before, pastDue: before.pastDue + 1, pastDueAmount: before.pastDueAmount + 900 }
  assert.deepEqual(await counted('2026-06'), counts({ ...pastDue, open: before.open + 1 }))
  const [object] = await ports.db.sql<{ gatewayChargeId: string; key: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId", c.charge_id as key
    from charges as c join charge_objects as o using (invoice_id)
    where c.business_id = ${shop.businessId} and c.reason = 'not_completed_in_time'`
  assert.ok(object)
  // The retry of the next day waits at the bank too, and succeeds.
  await settle(ports, { ...object, outcome: { kind: 'succeeded' } })
  world.clock.set('2026-07-02T00:00:00Z')
  await world.work()
  assert.deepEqual((await shop.invoices())[0]?.status, 'PAID')
  const recovered = { recovered: before.recovered + 1, recoveredAmount: before.recoveredAmount + 900 }
  assert.deepEqual(await counted('2026-06'), counts({ ...pastDue, ...recovered }))
  assert.deepEqual((await usd('2026-07')).recovery.pastDue, 0)
  const { gatewayChargeId } = object
  await disputeAtGateway(ports, { gatewayChargeId, disputeId: 'dp of a late one', amount: 900, status: 'lost' })
  await reconcile(ports, ports.gateways.sandbox, gatewayChargeId)
  assert.deepEqual(await counted('2026-06'), counts(pastDue))
})

const counted = async (month: string): Promise<Json> => counts((await usd(month)).recovery)
const counts = ({ rate: _, ...recovery }: Json): Json => recovery

test('the default month is the current month', async () => {
  const { month } = await world.call('GET', '/reports/revenue')
  assert.equal(month, '2026-07')
})

for (const [query, path] of [
  ['month=2026-08', 'month'],
  ['month=2026-13', 'month'],
  ['month=x', 'month'],
  ['currency=usd', 'currency'],
]) {
  test(`a wrong query is rejected with 400: ?${query}`, async () => {
    const { body } = await world.ask(OPERATOR_KEY, 'GET', `/reports/revenue?${query}`)
    assert.deepEqual([body.httpStatus, body.fields?.[0]?.path], [400, path])
  })
}
