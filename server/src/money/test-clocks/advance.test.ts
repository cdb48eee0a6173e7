import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { DEFAULT_QUOTAS } from '../../core/quota.ts'
import { carryOutRefunds } from '../billing/refund.ts'
import { claimCharges } from '../charges/store.ts'
import { settle as confirmAtBank } from '../gateway/sandbox/payments.ts'
import { claimRefunds } from '../refunds/store.ts'
import { lockDueOnClock, lockSubscription } from '../subscriptions/store.ts'
import { advanceTestClock, beginAdvance, drive } from './advance.ts'

const NOW = '2026-01-01T00:00:00Z'
const BEFORE = '2025-12-31T00:00:00Z'

let world: World
let daily: string
before(async () => {
  world = await createWorld({ at: '2026-06-15T12:00:00Z' })
  daily = await world.plan({ interval: 'DAY' })
})
after(() => world?.close())

/** A merchant with a daily subscription and an ADVANCING clock that has no driver yet. */
async function underWay(to: string) {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  assert.equal(await beginAdvance(world.app.ports, { testClockId, to: new Date(to) }), null)
  return { shop, testClockId: testClockId as string }
}

const inAMinute = () => new Date(world.clock.now().getTime() + 60_000)
const read = (testClockId: string) => world.call('GET', `/test-clocks/${testClockId}`)

async function hasMoved(testClockId: string): Promise<void> {
  for (let poll = 0; poll < 500; poll++) if ((await read(testClockId)).now !== NOW) return
  assert.fail('the clock does not move')
}

/** Days 0 to `days`, each billed once and in order. */
async function billedDaily(shop: Merchant, days: number) {
  const invoices = await shop.invoices()
  const expected = Array.from({ length: days + 1 }, (_, day) => new Date(Date.parse(NOW) + day * 86_400_000))
  assert.deepEqual(
    invoices.map(({ periodStart, status }) => [periodStart, status]),
    expected.map(day => [day.toISOString().replace('.000', ''), 'PAID']),
  )
  await shop.expectEvents('START', ...Array(days + 1).fill('PAYMENT_SUCCESS'))
}

test('the quota limits the years that a clock may be ahead', async () => {
  const { businessId } = await world.merchant({ at: NOW })
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${businessId}`)).list[0]
  const body = { to: `${world.clock.now().getUTCFullYear() + DEFAULT_QUOTAS.testClockYears + 1}-01-01T00:00:00Z` }
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${testClockId}/advance`, {
    body,
  })
  assert.deepEqual([status, answer.code], [409, 'QUOTA_EXCEEDED'])
  assert.equal((await read(testClockId)).status, 'READY')
})

test('an advancing clock accepts no other target and no deletion', async () => {
  const { shop, testClockId } = await underWay('2026-01-03T00:00:00Z')
  const { status, to, now } = await read(testClockId)
  assert.deepEqual([status, now, to], ['ADVANCING', NOW, '2026-01-03T00:00:00Z'])
  const body = { to: '2026-01-04T00:00:00Z' }
  const again = await world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${testClockId}/advance`, { body })
  assert.deepEqual([again.status, again.body.code], [409, 'TEST_CLOCK_ADVANCING'])
  const deleted = await world.ask(OPERATOR_KEY, 'DELETE', `/test-clocks/${testClockId}`)
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'TEST_CLOCK_ADVANCING'])
  assert.equal(await drive(world.app.ports, { testClockId, deadline: inAMinute() }), true)
  await billedDaily(shop, 2)
})

test('ten concurrent advances start one advance, and each day is billed once', async () => {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const body = { to: '2026-01-03T00:00:00Z' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${testClockId}/advance`, { body })),
  )
  assert.ok(answers.some(({ status }) => status === 200))
  assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'TEST_CLOCK_ADVANCING'))
  await billedDaily(shop, 2)
})

test('a long advance answers 202 with its progress, and the background job finishes the advance', async () => {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const to = '2026-01-31T00:00:00Z'
  world.clock.tick(1_000)
  const answer = await world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${testClockId}/advance`, { body: { to } })
  world.clock.tick(0)
  assert.deepEqual([answer.status, answer.body.status, answer.body.to], [202, 'ADVANCING', to])
  assert.ok(answer.body.now >= NOW && answer.body.now < to)
  while ((await read(testClockId)).status === 'ADVANCING') await world.app.jobs.testClocks.runOnce()
  const arrived = await read(testClockId)
  assert.deepEqual([arrived.now, arrived.to], [to, undefined])
  await billedDaily(shop, 30)
})

test('a driver stops at its deadline, and another process may continue at once', async () => {
  const { shop, testClockId } = await underWay('2026-01-03T00:00:00Z')
  const another = await world.openAnother()
  const deadline = world.clock.now()
  assert.equal(await drive(world.app.ports, { testClockId, deadline }), false)
  assert.equal(await another.jobs.testClocks.runOnce(), 1)
  await billedDaily(shop, 2)
})

test('if two processes drive a clock concurrently, one drives and the other stops', async () => {
  const { shop, testClockId } = await underWay('2026-01-08T00:00:00Z')
  const another = await world.openAnother()
  const deadline = inAMinute()
  const arrived = await Promise.all([world.app, another].map(({ ports }) => drive(ports, { testClockId, deadline })))
  assert.ok(arrived.includes(true))
  assert.equal((await read(testClockId)).status, 'READY')
  await billedDaily(shop, 7)
})

test('a driver that lost its lease and continues beside a new driver bills nothing twice', async () => {
  const { shop, testClockId } = await underWay('2026-01-08T00:00:00Z')
  const another = await world.openAnother()
  // The second driver's clock is a minute ahead, so all leases have run out for it.
  const ahead = { now: () => new Date(world.clock.now().getTime() + 60_000) }
  const deadline = inAMinute()
  await Promise.all([
    drive(world.app.ports, { testClockId, deadline }),
    drive({ ...another.ports, clock: ahead }, { testClockId, deadline: new Date(deadline.getTime() + 60_000) }),
  ])
  assert.equal((await read(testClockId)).status, 'READY')
  await billedDaily(shop, 7)
})

test('a merchant that subscribes during an advance is billed for each day up to the target', async () => {
  for (let round = 0; round < 5; round++) {
    const { shop, testClockId } = await underWay('2026-01-06T00:00:00Z')
    const driven = drive(world.app.ports, { testClockId, deadline: inAMinute() })
    const planId = await world.plan({ interval: 'DAY' })
    const body = { businessId: shop.businessId, planId }
    const made = await world.call('POST', `/apps/${world.appId}/subscriptions`, body)
    assert.equal(await driven, true)
    await world.work()
    const days = (Date.parse('2026-01-06T00:00:00Z') - Date.parse(made.createdAt)) / 86_400_000
    const invoices = (await shop.invoices()).filter(({ subscriptionId }) => subscriptionId === made.subscriptionId)
    assert.equal(invoices.length, days + 1)
    assert.equal((await shop.subscription(made.subscriptionId)).nextChargeAt, '2026-01-07T00:00:00Z')
  }
})

test('a refund that another process has claimed is recorded at the instant of its request', async () => {
  const { shop, testClockId } = await underWay('2026-01-03T00:00:00Z')
  const [invoice] = await shop.invoices()
  const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
  await world.call('POST', path, { amount: 100 })
  const now = world.clock.now()
  await claimRefunds(world.app.ports.db.sql, { now, leasedUntil: inAMinute(), limit: 1 })
  world.clock.tick(1_000)
  const deadline = new Date(now.getTime() + 30_000)
  assert.equal(await drive(world.app.ports, { testClockId, deadline }), false)
  assert.equal((await read(testClockId)).now, NOW)
  world.clock.tick(0)
  // The other process was killed, and its lease is over.
  world.clock.set(inAMinute())
  assert.equal(await drive(world.app.ports, { testClockId, deadline: inAMinute() }), true)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
})

test('clocks of two merchants advance concurrently and independently', async () => {
  const [one, two] = [await underWay('2026-01-04T00:00:00Z'), await underWay('2026-01-06T00:00:00Z')]
  const deadline = inAMinute()
  await Promise.all([one, two].map(({ testClockId }) => drive(world.app.ports, { testClockId, deadline })))
  await billedDaily(one.shop, 3)
  await billedDaily(two.shop, 5)
})

test('a clock that is frozen during an advance stops, has billed each day once, and can advance again', async () => {
  const to = '2027-01-01T00:00:00Z'
  for (let round = 0; round < 3; round++) {
    const { shop, testClockId } = await underWay(to)
    const another = await world.openAnother()
    const deadline = inAMinute()
    const driven = [world.app, another].map(({ ports }) => drive(ports, { testClockId, deadline }))
    await hasMoved(testClockId)
    const frozen = await world.call('POST', `/test-clocks/${testClockId}/freeze`, undefined, 200)
    assert.deepEqual([frozen.status, frozen.to], ['READY', undefined])
    await Promise.all(driven)
    assert.deepEqual(await read(testClockId), frozen)
    assert.ok(frozen.now < to)
    await world.work()
    const days = (Date.parse(frozen.now) - Date.parse(NOW)) / 86_400_000
    await billedDaily(shop, days)
    assert.equal(await world.app.jobs.testClocks.runOnce(), 0)
    const next = new Date(Date.parse(frozen.now) + 86_400_000).toISOString()
    await world.call('POST', `/test-clocks/${testClockId}/advance`, { to: next }, 200)
    await shop.expectEvents('PAYMENT_SUCCESS')
  }
})

test('a frozen advance responds with the reached instant', async () => {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const to = '2036-01-01T00:00:00Z'
  const waiting = world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${testClockId}/advance`, { body: { to } })
  await hasMoved(testClockId)
  const frozen = await world.call('POST', `/test-clocks/${testClockId}/freeze`, undefined, 200)
  const answer = await waiting
  assert.deepEqual([answer.status, answer.body], [200, frozen])
})

test('freezing a READY clock changes nothing and leaves no audit entry', async () => {
  const shop = await world.merchant({ at: NOW })
  const [standing] = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list
  const path = `/test-clocks/${standing.testClockId}/freeze`
  assert.deepEqual(await world.call('POST', path, undefined, 200), standing)
  const { entries } = await world.call('GET', `/audit?resourceId=${standing.testClockId}`)
  assert.equal(entries.length, 1)
  const unknown = await world.ask(OPERATOR_KEY, 'POST', `/test-clocks/${shop.businessId}/freeze`)
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'TEST_CLOCK_NOT_FOUND'])
})

test('stuck clocks do not delay other clocks and are retried', async () => {
  const stuck = []
  for (let n = 0; n < 5; n++) stuck.push(await underWay('2026-01-02T00:00:00Z'))
  for (const { shop } of stuck) {
    const [invoice] = await shop.invoices()
    const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
    await world.call('POST', path, { amount: 100 })
  }
  const now = world.clock.now()
  await claimRefunds(world.app.ports.db.sql, { now, leasedUntil: inAMinute(), limit: stuck.length })
  const { shop, testClockId } = await underWay('2026-01-03T00:00:00Z')
  world.clock.tick(5)
  // Five stuck clocks precede this clock, so its turn is the second run or, on a slow machine, a later one.
  for (let run = 0; run < 20 && (await read(testClockId)).status === 'ADVANCING'; run++) {
    await world.app.jobs.testClocks.runOnce()
  }
  world.clock.tick(0)
  assert.equal((await read(testClockId)).status, 'READY')
  await billedDaily(shop, 2)
  for (const { testClockId } of stuck) assert.equal((await read(testClockId)).status, 'ADVANCING')
  // The other process was killed, and its leases are over.
  world.clock.set(inAMinute())
  world.clock.tick(5)
  for (let run = 0; run < 20 && (await world.app.jobs.testClocks.runOnce()) > 0; run++);
  world.clock.tick(0)
  for (const { testClockId } of stuck) assert.equal((await read(testClockId)).status, 'READY')
})

test('a clock carries out the refunds of its own merchant and does not wait for other merchants', async () => {
  const { shop, testClockId } = await underWay('2026-01-02T00:00:00Z')
  const other = await world.merchant()
  await other.subscribe(daily)
  const [[own], [others]] = [await shop.invoices(), await other.invoices()]
  for (const invoice of [own, others]) {
    const path = `/businesses/${invoice?.businessId}/invoices/${invoice?.invoiceId}/refunds`
    await world.call('POST', path, { amount: 100 })
  }
  const refunded: string[] = []
  const { sandbox } = world.app.ports.gateways
  const refund: typeof sandbox.refund = async request => {
    refunded.push(request.key)
    return await sandbox.refund(request)
  }
  const ports = { ...world.app.ports, gateways: { sandbox: { ...sandbox, refund } } }
  assert.equal(await drive(ports, { testClockId, deadline: inAMinute() }), true)
  const statusOf = async (of: Merchant) => (await of.invoices())[0]?.refunds[0].status
  assert.deepEqual([await statusOf(shop), await statusOf(other), refunded.length], ['SUCCEEDED', 'PENDING', 1])
  assert.equal(await carryOutRefunds(ports), 1)
  assert.equal(await statusOf(other), 'SUCCEEDED')
})

test('due subscriptions of a clock are locked in the order of locks, so settling charges causes no deadlock', async () => {
  const shop = await world.merchant({ at: NOW })
  const first = (await shop.subscribe(await world.plan())).subscriptionId
  // Created later and due sooner.
  const second = (await shop.subscribe(daily)).subscriptionId
  const { db, clock } = world.app.ports
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const due = { testClockId, now: new Date('2026-03-01T00:00:00Z'), realNow: clock.now(), limit: 10 }
  const order = await db.transaction(async settling => {
    await lockSubscription(settling.sql, first)
    const stepping = db.transaction(async clockStep => await lockDueOnClock(clockStep.sql, due))
    stepping.catch(() => {})
    await someoneWaitsForALock()
    await lockSubscription(settling.sql, second)
    return { stepping }
  })
  // In the order of time, not of locks.
  assert.deepEqual(
    (await order.stepping).map(({ subscriptionId }) => subscriptionId),
    [second, first],
  )
})

async function someoneWaitsForALock(): Promise<void> {
  const { sql } = world.app.ports.db
  for (let poll = 0; poll < 10_000; poll++) {
    const [row] = await sql<{ waiting: number }[]>`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row && row.waiting > 0) return
  }
  assert.fail('nobody waits for a lock')
}

test('a clock does not finish while a waiting charge is polled after a change of card', async () => {
  const shop = await world.merchant({ at: BEFORE, card: 'tok_action_required' })
  await shop.subscribe(await world.plan({ trialPeriodDays: 1 }))
  await shop.until(NOW)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  await world.call('POST', `/businesses/${shop.businessId}/payment-methods`, { gateway: 'sandbox', token: 'tok_ok' })
  // The background job of another process claims the charge first.
  const now = world.clock.now()
  const leasedUntil = new Date(now.getTime() + 15_000)
  const { sql } = world.app.ports.db
  assert.equal((await claimCharges(sql, { now, leasedUntil, limit: 10, testClockId })).length, 1)
  assert.equal(await beginAdvance(world.app.ports, { testClockId, to: new Date('2026-01-02T00:00:00Z') }), null)
  world.clock.tick(1_000)
  const deadline = new Date(now.getTime() + 10_000)
  assert.equal(await drive(world.app.ports, { testClockId, deadline }), false)
  assert.deepEqual([(await read(testClockId)).status, (await read(testClockId)).now], ['ADVANCING', NOW])
  world.clock.tick(0)
  world.clock.set(inAMinute())
  assert.equal(await drive(world.app.ports, { testClockId, deadline: inAMinute() }), true)
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.attempts.map(({ at }: { at: string }) => at)], ['PAID', [NOW, NOW]])
})

test('an advance applies an earlier payment at the bank at the instant of the clock', async () => {
  const shop = await world.merchant({ at: NOW, card: 'tok_action_required' })
  await shop.subscribe(await world.plan())
  const { sql } = world.app.ports.db
  const [charge] = await sql<{ key: string; gatewayChargeId: string }[]>`
    select charge_id as key, gateway_charge_id as "gatewayChargeId" from charges join charge_objects using (invoice_id)
    where business_id = ${shop.businessId} and status = 'ACTION_REQUIRED'`
  assert.ok(charge)
  await confirmAtBank(world.app.ports, { ...charge, outcome: { kind: 'succeeded' } })
  await shop.until('2026-01-02T00:00:00Z')
  const { list } = await world.call('GET', `/businesses/${shop.businessId}/invoices`)
  assert.deepEqual([list[0].status, list[0].updatedAt], ['PAID', NOW])
})

test('no other process drives a clock while its request waits for the response', async () => {
  const shop = await world.merchant({ at: NOW })
  await shop.subscribe(daily)
  const { testClockId } = (await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)).list[0]
  const another = await world.openAnother()
  const { ports } = world.app
  const taken: number[] = []
  const db: typeof ports.db = {
    ...ports.db,
    transaction: async work => {
      const committed = await ports.db.transaction(work)
      taken.push(await another.jobs.testClocks.runOnce())
      return committed
    },
  }
  const to = new Date('2026-01-03T00:00:00Z')
  assert.equal(await advanceTestClock(ports, { db }, { testClockId, to, deadline: inAMinute() }), null)
  assert.deepEqual([taken, (await read(testClockId)).status], [[0], 'READY'])
  await billedDaily(shop, 2)
})
