import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { isRejection } from '../../core/rejection.ts'
import { lockBusiness } from '../../merchants/businesses/store.ts'
import { GatewayUnreachable } from '../gateway/gateway.ts'
import { choosePaymentMethod, saveAtGateway } from './payment-method.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  planId = await world.plan()
})
after(() => world?.close())

const methodsOf = ({ businessId }: Merchant) => `/businesses/${businessId}/payment-methods`

async function add(shop: Merchant, body: Json) {
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', methodsOf(shop), { body })
  return { status, code: answer.code, field: answer.fields?.[0]?.path, answer }
}

async function choose(shop: Merchant, paymentMethodId: string) {
  const { status, body } = await world.ask(OPERATOR_KEY, 'PUT', `${methodsOf(shop)}/${paymentMethodId}/default`)
  return { status, code: body.code, body }
}

test('the newest payment method is the default and the first of the list', async () => {
  const shop = await world.merchant({ card: 'none' })
  assert.deepEqual(await world.call('GET', methodsOf(shop)), { list: [], start: 0, total: 0, count: 0 })
  const made = []
  for (const token of ['tok_ok', 'tok_stolen', 'tok_ok']) {
    const { status, answer } = await add(shop, { gateway: 'sandbox', token })
    assert.deepEqual([status, answer.default, answer.businessId], [201, true, shop.businessId])
    made.unshift(answer)
  }
  const { list } = await world.call('GET', methodsOf(shop))
  assert.deepEqual(
    list,
    made.map((method, i) => ({ ...method, default: i === 0 })),
  )
})

test('the list has pages of 100 or `count` items, and begins with the default', async () => {
  const shop = await world.merchant()
  const { sql } = world.app.ports.db
  await sql`
    insert into payment_methods (payment_method_id, business_id, gateway, reference, label, preferred_at, created_at)
    select gen_random_uuid(), business_id, gateway, reference || n, label, preferred_at - n * interval '1 s', created_at
    from payment_methods, generate_series(1, 100) as n where business_id = ${shop.businessId}`
  const page = async (query: string) => {
    const { list, ...rest } = await world.call('GET', `${methodsOf(shop)}${query}`)
    return { ...rest, listed: list.length, defaults: list.filter((method: Json) => method.default).length }
  }
  assert.deepEqual(await page(''), { start: 0, total: 101, count: 100, listed: 100, defaults: 1 })
  assert.deepEqual(await page('?start=100'), { start: 100, total: 101, count: 1, listed: 1, defaults: 0 })
  assert.deepEqual(await page('?start=1&count=2'), { start: 1, total: 101, count: 2, listed: 2, defaults: 0 })
  for (const query of ['count=0', 'start=-1', 'start=2026-01-01T00:00:00Z']) {
    const { status, body } = await world.ask(OPERATOR_KEY, 'GET', `${methodsOf(shop)}?${query}`)
    assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]])
  }
})

test('an unknown token and an unknown gateway are 400 and name the field, and nothing is stored', async () => {
  const shop = await world.merchant({ card: 'none' })
  for (const token of ['tok_nothing', '', 'x'.repeat(256), 'tok_ok\u0000', 'tok_ok ', 'TOK_OK', '\ud800', null, 7]) {
    const { status, field } = await add(shop, { gateway: 'sandbox', token })
    assert.deepEqual([status, field], [400, 'token'], JSON.stringify(token))
  }
  for (const gateway of ['paypal', '', 'Sandbox', '__proto__', 'constructor', null, 7]) {
    const { status, field } = await add(shop, { gateway, token: 'tok_ok' })
    assert.deepEqual([status, field], [400, 'gateway'], JSON.stringify(gateway))
  }
  assert.deepEqual(await world.call('GET', methodsOf(shop)), { list: [], start: 0, total: 0, count: 0 })
})

test('a gateway without a key is rejected', async () => {
  const shop = await world.merchant({ card: 'none' })
  const { status, code } = await add(shop, { gateway: 'stripe', token: 'pm_card_visa' })
  assert.deepEqual([status, code], [409, 'GATEWAY_NOT_CONFIGURED'])
  const path = `${methodsOf(shop)}/setup`
  await world.call('POST', path, { gateway: 'stripe' }, 409)
  const begun = await world.call('POST', path, { gateway: 'sandbox' }, 200)
  assert.deepEqual(begun, { gateway: 'sandbox', clientSecret: 'tok_ok' })
})

test('a new payment method pays past-due invoices at once', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.renewWith(planId, 'tok_insufficient_funds')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
  await add(shop, { gateway: 'sandbox', token: 'tok_ok' })
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
})

test('changing the default pays past-due invoices once, also with repeated requests', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.renewWith(planId, 'tok_insufficient_funds')
  const [bad, good] = (await world.call('GET', methodsOf(shop))).list
  const answers = await Promise.all([1, 2, 3].map(() => choose(shop, good.paymentMethodId)))
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.paymentMethodId, body.default]),
    answers.map(() => [200, good.paymentMethodId, true]),
  )
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
  const { list } = await world.call('GET', methodsOf(shop))
  assert.deepEqual(
    list.map((method: Json) => [method.paymentMethodId, method.default]),
    [
      [good.paymentMethodId, true],
      [bad.paymentMethodId, false],
    ],
  )
  const [, invoice] = await shop.invoices()
  assert.deepEqual(
    invoice?.attempts.map((attempt: Json) => attempt.outcome),
    ['DECLINED', 'SUCCEEDED'],
  )
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
})

test('selecting the current default again charges nothing, also with ids in capitals', async () => {
  const shop = await world.merchant()
  await shop.renewWith(planId, 'tok_insufficient_funds')
  const [{ paymentMethodId }] = (await world.call('GET', methodsOf(shop))).list
  for (const written of [(id: string) => id, (id: string) => id.toUpperCase()]) {
    const chosen = await choose({ ...shop, businessId: written(shop.businessId) }, written(paymentMethodId))
    assert.deepEqual([chosen.status, chosen.body.paymentMethodId], [200, paymentMethodId])
  }
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL')
})

test('a change to another declined method emits one more PAYMENT_FAIL', async () => {
  const shop = await world.merchant({ card: 'tok_stolen' })
  await add(shop, { gateway: 'sandbox', token: 'tok_ok' })
  await shop.renewWith(planId, 'tok_insufficient_funds')
  const stolen = (await world.call('GET', methodsOf(shop))).list.at(-1)
  await choose(shop, stolen.paymentMethodId)
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PAYMENT_FAIL')
})

test('selecting the current default again changes and charges nothing after any decline', async () => {
  for (const token of ['tok_stolen', 'tok_insufficient_funds']) {
    const shop = await world.merchant()
    // Without a trial, a hard decline of the very first charge would end the subscription.
    await shop.subscribe(await world.plan({ trialPeriodDays: 1 }))
    await add(shop, { gateway: 'sandbox', token })
    world.clock.set(new Date(world.clock.now().getTime() + 2 * 86_400_000))
    await world.work()
    const countAttempts = async () => (await shop.invoices()).at(-1)?.attempts.length
    assert.equal(await countAttempts(), 1)
    const [current, other] = (await world.call('GET', methodsOf(shop))).list
    const { paymentMethodId } = current
    for (const again of await Promise.all([1, 2, 3].map(() => choose(shop, paymentMethodId)))) {
      assert.deepEqual([again.status, again.body.paymentMethodId, again.body.default], [200, paymentMethodId, true])
    }
    await world.call('POST', `/apps/${world.appId}/subscriptions`, {
      ...{
        businessId: shop.businessId,
        planId: await world.plan({ trialPeriodDays: 3, trialEligibility: 'ALWAYS' }),
        paymentMethodId,
      },
    })
    await world.work()
    assert.equal(await countAttempts(), 1)
    await choose(shop, other.paymentMethodId)
    await world.work()
    assert.equal(await countAttempts(), 2)
  }
})

test('a payment method of another business and an unknown one are not found in the same way', async () => {
  const [shop, stranger] = [await world.merchant(), await world.merchant()]
  const [foreign] = (await world.call('GET', methodsOf(stranger))).list
  const answers = []
  for (const id of [foreign.paymentMethodId, UNKNOWN]) {
    const { status, body } = await choose(shop, id)
    assert.deepEqual([status, body.code], [404, 'PAYMENT_METHOD_NOT_FOUND'])
    answers.push({ ...body, requestId: '' })
  }
  assert.deepEqual(answers[0], answers[1])
})

test('no app reads or changes payment methods', async () => {
  const shop = await world.merchant()
  const [own] = (await world.call('GET', methodsOf(shop))).list
  const tokens = [await tokenOf(world, world.credentials), await tokenWithin(world, world.credentials, shop.businessId)]
  for (const token of tokens) {
    const body = { gateway: 'sandbox', token: 'tok_ok' }
    assert.equal((await world.ask(token, 'GET', methodsOf(shop))).status, 403)
    assert.equal((await world.ask(token, 'POST', methodsOf(shop), { body })).status, 403)
    assert.equal((await world.ask(token, 'PUT', `${methodsOf(shop)}/${own.paymentMethodId}/default`)).status, 403)
  }
})

test('a repeated request saves one payment method, also at the gateway', async () => {
  const shop = await world.merchant({ card: 'none' })
  const ask = { body: { gateway: 'sandbox', token: 'tok_ok' }, headers: { 'idempotency-key': 'one card' } }
  const [first, again] = [
    await world.ask(OPERATOR_KEY, 'POST', methodsOf(shop), ask),
    await world.ask(OPERATOR_KEY, 'POST', methodsOf(shop), ask),
  ]
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  assert.equal((await world.call('GET', methodsOf(shop))).list.length, 1)
})

test('while the gateway is unavailable, nothing is saved, and the response is 503', async () => {
  const { db, gateways } = world.app.ports
  const { businessId } = await world.merchant({ card: 'none' })
  const away = async () => {
    throw new GatewayUnreachable('unreachable')
  }
  const unreachable = { ...gateways, sandbox: { ...gateways.sandbox, savePaymentMethod: away } }
  const request = { businessId, gateway: 'sandbox', token: 'tok_ok', key: 'while away' } as const
  await assert.rejects(saveAtGateway({ db, gateways: unreachable }, request), GatewayUnreachable)
  assert.ok(!isRejection(await saveAtGateway({ db, gateways }, request)))
})

test('selecting a payment method waits for the lock of the business', async () => {
  const shop = await world.merchant()
  const [{ paymentMethodId }] = (await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)).list
  const { ports } = world.app
  let chosen: Promise<unknown> = Promise.resolve()
  await ports.db.transaction(async ({ sql }) => {
    await lockBusiness(sql, shop.businessId)
    chosen = choosePaymentMethod(ports, { businessId: shop.businessId, paymentMethodId })
    await untilWaiting(sql, 1)
  })
  await chosen
})
