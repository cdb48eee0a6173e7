import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const NOW = '2026-01-31T00:00:00Z'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-06-15T12:00:00Z' })
  planId = await world.plan()
})
after(() => world?.close())

async function post(path: string, body?: Json) {
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', path, { body })
  return { status, code: answer.code, field: answer.fields?.[0]?.path, answer }
}

const clockOf = async (businessId: string) => (await world.call('GET', `/test-clocks?businessId=${businessId}`)).list[0]

test('a clock shows the time that was set, in whole seconds, and is found by its merchant', async () => {
  const { businessId } = await world.merchant()
  assert.deepEqual(await world.call('GET', `/test-clocks?businessId=${businessId}`), { list: [] })
  const { status, answer } = await post('/test-clocks', { businessId, now: '2026-01-31T01:00:00.900+01:00' })
  assert.deepEqual([status, answer.now, answer.status, answer.to], [201, NOW, 'READY', undefined])
  assert.deepEqual(await world.call('GET', `/test-clocks/${answer.testClockId}`), answer)
  assert.deepEqual(await clockOf(businessId.toUpperCase()), answer)
})

test("a clock sets the instants of its merchant's subscriptions and invoices, and of no other merchant", async () => {
  const [shop, real] = [await world.merchant({ at: NOW }), await world.merchant()]
  const [own, other] = [await shop.subscribe(planId), await real.subscribe(planId)]
  assert.deepEqual([own.createdAt, other.createdAt], [NOW, '2026-06-15T12:00:00Z'])
  await shop.until('2026-02-28T00:00:00Z')
  assert.equal((await shop.invoices()).length, 2)
  assert.equal((await real.invoices()).length, 1)
})

test('a real merchant has no clock', async () => {
  const business = { legalName: 'Real Shop', emailAddress: 'real@example.com', country: 'US', type: 'MERCHANT' }
  const { businessId } = await world.call('POST', '/businesses', business)
  const { status, code } = await post('/test-clocks', { businessId, now: NOW })
  assert.deepEqual([status, code], [409, 'NOT_A_TEST_MERCHANT'])
})

test('a second clock is rejected, naming the first; of ten concurrent requests one succeeds', async () => {
  const { businessId } = await world.merchant()
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('/test-clocks', { businessId, now: NOW })))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  for (const { code, answer } of answers.filter(one => one !== made[0])) {
    assert.equal(code, 'TEST_CLOCK_EXISTS')
    assert.ok(answer.developerMessage.includes(made[0]?.answer.testClockId))
  }
})

test('a clock cannot be created after the first subscription, even after its end', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(planId)
  const create = () => post('/test-clocks', { businessId: shop.businessId, now: NOW })
  assert.equal((await create()).code, 'TEST_CLOCK_TOO_LATE')
  await shop.cancel(subscriptionId)
  assert.equal((await create()).code, 'TEST_CLOCK_TOO_LATE')
})

test('a concurrent clock and first subscription: the subscription uses the time of the request that came first', async () => {
  for (let round = 0; round < 5; round++) {
    const shop = await world.merchant()
    const [created, subscription] = await Promise.all([
      post('/test-clocks', { businessId: shop.businessId, now: NOW }),
      shop.subscribe(planId),
    ])
    assert.equal(subscription.createdAt, created.status === 201 ? NOW : '2026-06-15T12:00:00Z')
    assert.ok(created.status === 201 || created.code === 'TEST_CLOCK_TOO_LATE')
  }
})

test('an invalid or too distant instant is 400 and names the field', async () => {
  const { businessId } = await world.merchant()
  const wrong = ['', 'now', '2026-01-31', '2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z', '9000-01-01T00:00:00Z']
  for (const now of [...wrong, null, 0]) {
    const { status, field } = await post('/test-clocks', { businessId, now })
    assert.deepEqual([status, field], [400, 'now'], String(now))
  }
  const { answer } = await post('/test-clocks', { businessId, now: NOW })
  for (const to of [...wrong, null, 0]) {
    const { status, field } = await post(`/test-clocks/${answer.testClockId}/advance`, { to })
    assert.deepEqual([status, field], [400, 'to'], String(to))
  }
})

test('the longest plan can begin at the last instant of a clock', async () => {
  const plan = await world.plan({ interval: 'YEAR', trialPeriodDays: 365 })
  const shop = await world.merchant({ at: '8999-12-31T23:59:59Z' })
  assert.equal((await shop.subscribe(plan)).currentPeriodEnd, '9000-12-31T23:59:59Z')
})

test('a clock never goes back, and an advance to its own time is READY at once', async () => {
  const shop = await world.merchant({ at: NOW })
  const { testClockId } = await clockOf(shop.businessId)
  const back = await post(`/test-clocks/${testClockId}/advance`, { to: '2026-01-30T23:59:59Z' })
  assert.deepEqual([back.status, back.field], [400, 'to'])
  const stay = await post(`/test-clocks/${testClockId}/advance`, { to: NOW })
  assert.deepEqual([stay.status, stay.answer.now, stay.answer.status], [200, NOW, 'READY'])
})

test('deleting a clock ends its live subscriptions at its instant and returns the merchant to real time', async () => {
  const shop = await world.merchant({ at: NOW })
  const trial = await world.plan({ trialPeriodDays: 14 })
  const [paid, inTrial] = [await shop.subscribe(planId), await shop.subscribe(trial)]
  const { testClockId } = await clockOf(shop.businessId)
  await world.call('DELETE', `/test-clocks/${testClockId}`, undefined, 204)
  for (const { subscriptionId } of [paid, inTrial]) {
    const { status, endReason, endedAt } = await shop.subscription(subscriptionId)
    assert.deepEqual([status, endReason, endedAt], ['ENDED', 'OPERATOR', NOW])
  }
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'START', 'END', 'END')
  assert.equal(
    (await world.ask(OPERATOR_KEY, 'DELETE', `/test-clocks/${testClockId}`)).body.code,
    'TEST_CLOCK_NOT_FOUND',
  )
  assert.equal(await clockOf(shop.businessId), undefined)
  assert.equal((await shop.subscribe(planId)).createdAt, '2026-06-15T12:00:00Z')
})

test('a payment on a clock can be refunded after the clock is deleted', async () => {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(planId)
  const { testClockId } = await clockOf(shop.businessId)
  await world.call('DELETE', `/test-clocks/${testClockId}`, undefined, 204)
  const [invoice] = await shop.invoices()
  await shop.refund(invoice?.invoiceId, {})
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'END', 'REFUND_SUCCESS')
})

test('an unknown clock and an unknown business are not found, and apps have no clocks', async () => {
  const { businessId } = await world.merchant({ at: NOW })
  const { testClockId } = await clockOf(businessId)
  assert.equal((await post('/test-clocks', { businessId: UNKNOWN, now: NOW })).code, 'BUSINESS_NOT_FOUND')
  assert.equal((await post(`/test-clocks/${UNKNOWN}/advance`, { to: NOW })).code, 'TEST_CLOCK_NOT_FOUND')
  const tokens = [await tokenOf(world, world.credentials), await tokenWithin(world, world.credentials, businessId)]
  for (const token of tokens) {
    assert.equal((await world.ask(token, 'GET', `/test-clocks/${testClockId}`)).status, 403)
    assert.equal((await world.ask(token, 'GET', `/test-clocks?businessId=${businessId}`)).status, 403)
    assert.equal((await world.ask(token, 'DELETE', `/test-clocks/${testClockId}`)).status, 403)
  }
})

test('a charge that is pending when its clock is deleted waits at most three days of real time', async () => {
  const shop = await world.merchant({ at: '2031-01-31T00:00:00Z', card: 'tok_pending' })
  await shop.subscribe(await world.plan({ trialPeriodDays: 1 }))
  await shop.until('2031-02-01T00:00:00Z')
  const { testClockId } = await clockOf(shop.businessId)
  await world.call('DELETE', `/test-clocks/${testClockId}`, undefined, 204)
  const attempts = async () => (await shop.invoices())[0]?.attempts.map(({ outcome }: Json) => outcome)
  world.clock.set('2026-06-17T12:00:00Z')
  await world.work()
  assert.deepEqual(await attempts(), ['PENDING'])
  world.clock.set('2026-06-18T13:00:00Z')
  await world.work()
  assert.deepEqual(await attempts(), ['DECLINED'])
})
