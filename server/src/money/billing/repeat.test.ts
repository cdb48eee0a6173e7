import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import type { App } from '../../app.ts'

/** Decisions 1: the same key and body within 24 h gets the first answer again, and nothing happens twice. */

let world: World
let another: App
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  another = await world.openAnother()
  planId = await world.plan()
})
after(() => world?.close())

const subscriptions = () => `/apps/${world.appId}/subscriptions`

function post(path: string, body: Json, key: string, { header = 'idempotency-key', app = world.app } = {}) {
  return world.ask(OPERATOR_KEY, 'POST', path, { body, headers: { [header]: key }, app })
}

async function countOf(businessId: string): Promise<number> {
  return (await world.call('GET', `${subscriptions()}?businessId=${businessId}&status=ALL`)).total
}

test('a subscribe repeated with either header, also in another process, has the same response and one effect', async () => {
  for (const header of ['idempotency-key', 'service-request-id']) {
    const [shop, key] = [await world.merchant(), randomUUID()]
    const body = { businessId: shop.businessId, planId }
    const first = await post(subscriptions(), body, key, { header })
    const again = await post(subscriptions(), body, key, { header })
    const elsewhere = await post(subscriptions(), body, key, { header, app: another })
    assert.equal(first.status, 201)
    for (const repeated of [again, elsewhere]) {
      assert.deepEqual([repeated.status, repeated.text], [201, first.text])
      assert.equal(repeated.headers['idempotent-replayed'], 'true')
    }
    await world.work()
    await shop.expectEvents('START', 'PAYMENT_SUCCESS')
    assert.equal(await countOf(shop.businessId), 1)
  }
})

test('the response of a subscribe is replayed also after the end of the subscription', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  const body = { businessId: shop.businessId, planId }
  const first = await post(subscriptions(), body, key)
  await shop.cancel(first.body.subscriptionId)
  assert.equal((await post(subscriptions(), body, key)).text, first.text)
  assert.equal(await countOf(shop.businessId), 1)
})

test('a repeated refund request makes one refund', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  await shop.subscribe(planId)
  const [invoice] = await shop.invoices()
  const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
  const first = await post(path, { amount: 100 }, key)
  await world.work()
  const again = await post(path, { amount: 100 }, key, { app: another })
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  await world.work()
  assert.equal((await shop.invoices())[0]?.amountRefunded, 100)
  assert.equal((await post(path, { amount: 101 }, key)).body.code, 'REQUEST_ID_DUPLICATE')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a key with another body is rejected and has no effect', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  const body = { businessId: shop.businessId, planId }
  await post(subscriptions(), body, key)
  const other = await post(subscriptions(), { ...body, planId: await world.plan() }, key, { app: another })
  assert.deepEqual([other.status, other.body.code], [409, 'REQUEST_ID_DUPLICATE'])
  assert.equal(await countOf(shop.businessId), 1)
})

test('one key sent to two processes at once has one effect', async () => {
  for (let round = 0; round < 5; round++) {
    const [shop, key] = [await world.merchant(), randomUUID()]
    const body = { businessId: shop.businessId, planId }
    const answers = await Promise.all(
      [world.app, another, world.app, another].map(app => post(subscriptions(), body, key, { app })),
    )
    const made = answers.filter(({ status }) => status === 201)
    assert.ok(made.length >= 1)
    assert.equal(new Set(made.map(({ text }) => text)).size, 1)
    const others = answers.filter(({ status }) => status !== 201)
    assert.ok(others.every(({ status, body }) => status === 409 && body.code === 'REQUEST_IN_PROGRESS'))
    assert.equal(await countOf(shop.businessId), 1)
  }
})

test('one refund key sent to two processes at once refunds once', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  await shop.subscribe(planId)
  const [invoice] = await shop.invoices()
  const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
  const answers = await Promise.all([world.app, another].map(app => post(path, { amount: 100 }, key, { app })))
  assert.ok(answers.some(({ status }) => status === 201))
  await world.work()
  assert.equal((await shop.invoices())[0]?.amountRefunded, 100)
})

test('a conflict is replayed even after its reason is gone, and a new key is evaluated again', async () => {
  const [shop, key] = [await world.merchant({ card: 'none' }), randomUUID()]
  const body = { businessId: shop.businessId, planId }
  const first = await post(subscriptions(), body, key)
  assert.equal(first.body.code, 'PAYMENT_METHOD_REQUIRED')
  await shop.card('tok_ok')
  const again = await post(subscriptions(), body, key, { app: another })
  assert.deepEqual([again.status, again.text], [409, first.text])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal((await post(subscriptions(), body, randomUUID())).status, 201)
})

test('404 and 400 responses are not stored', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  const body = { businessId: shop.businessId, planId: randomUUID() }
  assert.equal((await post(subscriptions(), body, key)).status, 404)
  assert.equal((await post(subscriptions(), { ...body, planId: 'nope' }, key)).status, 400)
  assert.equal((await post(subscriptions(), { ...body, planId }, key)).status, 201)
})

test('a key expires after 24 hours', async () => {
  const [shop, key] = [await world.merchant(), randomUUID()]
  const body = { businessId: shop.businessId, planId }
  await post(subscriptions(), body, key)
  world.clock.set(new Date(world.clock.now().getTime() + 86_400_001))
  assert.equal((await post(subscriptions(), body, key)).body.code, 'ALREADY_SUBSCRIBED')
})
