import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Answer, createWorld, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { settle } from '../gateway/sandbox/payments.ts'
import { collectCharges } from './collect.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  planId = await world.plan()
})
after(() => world?.close())

const pathOf = () => `/apps/${world.appId}/subscriptions`

function subscribe({ businessId }: Merchant, key: string = randomUUID(), to = planId): Promise<Answer> {
  const headers = { 'idempotency-key': key }
  return world.ask(OPERATOR_KEY, 'POST', pathOf(), { body: { businessId, planId: to }, headers })
}

const listed = async ({ businessId }: Merchant, status: string) =>
  (await world.call('GET', `${pathOf()}?businessId=${businessId}&status=${status}`)).total

for (const [card, reason] of [
  ['tok_insufficient_funds', 'insufficient_funds'],
  ['tok_stolen', 'stolen_card'],
] as const) {
  test(`a declined card (${reason}) starts no subscription, also with repeated requests, and another card does`, async () => {
    const shop = await world.merchant({ card })
    for (let n = 0; n < 3; n++) {
      const { status, body } = await subscribe(shop)
      assert.deepEqual([status, body.code], [409, 'PAYMENT_DECLINED'])
      assert.match(body.developerMessage, new RegExp(reason))
    }
    assert.deepEqual(
      [await listed(shop, 'ACTIVE'), await listed(shop, 'PENDING'), await listed(shop, 'ALL')],
      [0, 0, 3],
    )
    assert.deepEqual(
      (await shop.invoices()).map(({ status }) => status),
      ['VOID', 'VOID', 'VOID'],
    )
    await shop.expectEvents('PAYMENT_FAIL', 'PAYMENT_FAIL', 'PAYMENT_FAIL')
    await shop.card('tok_ok')
    const { status, body } = await subscribe(shop)
    assert.deepEqual([status, body.status], [201, 'ACTIVE'])
    await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  })
}

test('a repeated request returns the outcome of the first payment and charges nothing', async () => {
  for (const [card, expected] of [
    ['tok_ok', 201],
    ['tok_stolen', 409],
  ] as const) {
    const shop = await world.merchant({ card })
    const key = randomUUID()
    const first = await subscribe(shop, key)
    const again = await subscribe(shop, key)
    assert.deepEqual([first.status, again.status, again.text], [expected, expected, first.text])
    assert.equal((await shop.invoices()).length, 1)
  }
})

test('a request repeated during the first request, or after its process died, gets the same outcome', async () => {
  const shop = await world.merchant()
  const key = randomUUID()
  const [first, again] = await Promise.all([
    subscribe(shop, key),
    new Promise(resolve => setTimeout(resolve, 15)).then(() => subscribe(shop, key)),
  ])
  assert.equal(first.status, 201)
  // Before the commit the first request is in progress; after it both wait.
  if (again.body.code !== 'REQUEST_IN_PROGRESS') assert.deepEqual([again.status, again.text], [201, first.text])
  const { sql } = world.app.ports.db
  // As a process leaves it that dies after the commit.
  await sql`update idempotency_keys set status = 102 where key_hash = (
    select key_hash from idempotency_keys order by recorded_at desc, status limit 1)`
  const later = await subscribe(shop, key)
  assert.deepEqual([later.status, later.body.status], [201, 'ACTIVE'])
  assert.equal((await shop.invoices()).length, 1)
})

test('two concurrent requests create one subscription', async () => {
  const shop = await world.merchant()
  const answers = await Promise.all([subscribe(shop), subscribe(shop)])
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [201, 'ALREADY_SUBSCRIBED'])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('while the bank asks the payer, the response is 202 with the link, and the payment starts the subscription', async () => {
  const shop = await world.merchant({ card: 'tok_action_required' })
  const { status, body } = await subscribe(shop)
  assert.deepEqual([status, body.status], [202, 'PENDING'])
  assert.match(body.actionUrl, /\/test-bank\//)
  assert.deepEqual([await listed(shop, 'ALL'), await listed(shop, 'PENDING')], [0, 1])
  assert.equal((await subscribe(shop)).body.code, 'ALREADY_SUBSCRIBED')
  await shop.expectEvents()
  await bankConfirms(body.subscriptionId)
  await later(3_600_000)
  assert.equal((await shop.subscription(body.subscriptionId)).status, 'ACTIVE')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a PENDING subscription can be cancelled and then started with another card', async () => {
  const shop = await world.merchant({ card: 'tok_action_required' })
  const { subscriptionId } = (await subscribe(shop)).body
  assert.equal((await shop.cancel(subscriptionId)).endReason, 'NOT_STARTED')
  await shop.card('tok_ok')
  assert.equal((await subscribe(shop)).status, 201)
  await shop.expectEvents('PAYMENT_FAIL', 'START', 'PAYMENT_SUCCESS')
})

test('a subscription that is PENDING for 24 hours ends without an event, and a later confirmed payment is refunded', async () => {
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribePending(planId)
  await world.work()
  await later(24 * 3_600_000 - 1_000)
  assert.equal((await shop.subscription(subscriptionId)).status, 'PENDING')
  await later(1_000)
  const { status, endReason } = await shop.subscription(subscriptionId)
  assert.deepEqual([status, endReason], ['ENDED', 'NOT_STARTED'])
  await shop.expectEvents()
  await bankConfirms(subscriptionId)
  await later(3_600_000)
  await shop.expectEvents('PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.amountPaid, invoice?.amountRefunded], ['PAID', 500, 500])
})

test('a crash after the payment at the gateway delays the start and loses nothing', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribePending(planId)
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const confirmCharge: typeof sandbox.confirmCharge = async request => {
    await sandbox.confirmCharge(request)
    throw Object.assign(new Error('crashed'), { code: 'CONNECTION_CLOSED' })
  }
  await assert.rejects(collectCharges({ ...ports, gateways: { sandbox: { ...sandbox, confirmCharge } } }), /crashed/)
  assert.equal((await shop.subscription(subscriptionId)).status, 'PENDING')
  await later(15_000)
  assert.equal((await shop.subscription(subscriptionId)).status, 'ACTIVE')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a trial is granted once per app and business, unless the plan allows it ALWAYS', async () => {
  const [first, second, always] = [
    await world.plan({ trialPeriodDays: 10 }),
    await world.plan({ trialPeriodDays: 10 }),
    await world.plan({ trialPeriodDays: 10, trialEligibility: 'ALWAYS' }),
  ]
  const shop = await world.merchant()
  const phases = []
  for (const to of [first, second, always]) phases.push((await subscribe(shop, randomUUID(), to)).body.phase)
  assert.deepEqual(phases, ['TRIAL', 'FULL', 'TRIAL'])
  // Another app, and another business.
  const { appId } = await world.developer('Elsewhere')
  const elsewhere = { businessId: shop.businessId, planId: await world.plan({ trialPeriodDays: 10 }, appId) }
  assert.equal((await world.call('POST', `/apps/${appId}/subscriptions`, elsewhere)).phase, 'TRIAL')
  assert.equal((await subscribe(await world.merchant(), randomUUID(), second)).body.phase, 'TRIAL')
})

async function later(ms: number): Promise<void> {
  world.clock.set(new Date(world.clock.now().getTime() + ms))
  await world.work()
}

async function bankConfirms(subscriptionId: string): Promise<void> {
  const { db } = world.app.ports
  const [row] = await db.sql<{ gatewayChargeId: string; key: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId", c.charge_id as key
    from charges as c join charge_objects as o using (invoice_id) where c.subscription_id = ${subscriptionId}`
  assert.ok(row)
  await settle({ db, clock: world.clock }, { ...row, outcome: { kind: 'succeeded' } })
}
