import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { carryOutRefunds } from './refund.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  planId = await world.plan()
})
after(() => world?.close())

/** A merchant with one invoice of 500, paid unless the card declines. */
async function billed(card = 'tok_ok'): Promise<{ shop: Merchant; invoiceId: string }> {
  const shop = await world.merchant({ card })
  await shop.subscribe(planId, card === 'tok_insufficient_funds' ? 409 : 201)
  const [invoice] = await shop.invoices()
  return { shop, invoiceId: invoice?.invoiceId }
}

const path = (businessId: string, invoiceId: string) => `/businesses/${businessId}/invoices/${invoiceId}/refunds`

async function refund({ shop, invoiceId }: Awaited<ReturnType<typeof billed>>, body?: unknown) {
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', path(shop.businessId, invoiceId), { body })
  return { status, code: answer.code, field: answer.fields?.[0]?.path, answer }
}

test('without an amount, with or without a body, the whole rest is refunded', async () => {
  for (const body of [undefined, {}, { reason: '' }]) {
    const one = await billed()
    await one.shop.refund(one.invoiceId, { amount: 100 })
    const { status, answer } = await refund(one, body)
    assert.deepEqual([status, answer.amount, answer.status, answer.reason], [201, 400, 'PENDING', undefined])
  }
})

test('a refund is PENDING until the gateway responds, and is emitted once', async () => {
  const one = await billed()
  const { answer } = await refund(one, { amount: 500, reason: 'a bad week' })
  const { refundId, ...rest } = answer
  assert.deepEqual(rest, {
    ...{ amount: 500, reason: 'a bad week', status: 'PENDING', createdAt: '2026-01-01T00:00:00Z' },
  })
  await one.shop.expectEvents('START', 'PAYMENT_SUCCESS')
  await world.work()
  await one.shop.expectEvents('REFUND_SUCCESS')
  const [invoice] = await one.shop.invoices()
  assert.deepEqual([invoice?.amountRefunded, invoice?.refunds], [500, [{ refundId, ...rest, status: 'SUCCEEDED' }]])
})

test('refunds, including pending refunds, never exceed the payment', async () => {
  const one = await billed()
  assert.equal((await refund(one, { amount: 501 })).code, 'REFUND_EXCEEDS_PAID')
  assert.equal((await refund(one, { amount: 499 })).status, 201)
  assert.equal((await refund(one, { amount: 2 })).code, 'REFUND_EXCEEDS_PAID')
  assert.equal((await refund(one, { amount: 1 })).status, 201)
  assert.equal((await refund(one)).code, 'REFUND_EXCEEDS_PAID')
  await world.work()
  assert.equal((await refund(one)).code, 'REFUND_EXCEEDS_PAID')
})

test('ten concurrent full refunds make one refund', async () => {
  const one = await billed()
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(one, { amount: 500 })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ code }) => code === 'REFUND_EXCEEDS_PAID').length, 9)
})

test('an invalid amount is 400 and names the field, and no amount is coerced', async () => {
  const one = await billed()
  for (const amount of [0, -1, 0.5, 1e308, 10_000_000_000, '5', null, true, [], {}]) {
    const { status, field } = await refund(one, { amount })
    assert.deepEqual([status, field], [400, 'amount'], String(amount))
  }
  assert.equal((await refund(one, { amount: 9_999_999_999 })).code, 'REFUND_EXCEEDS_PAID')
})

test('a reason has at most 500 characters of any script and is returned unchanged', async () => {
  const one = await billed()
  for (const reason of ['x'.repeat(501), 'a\u0000b', 'a\ud800b', '\udc00', 7, null]) {
    const { status, field } = await refund(one, { amount: 1, reason })
    assert.deepEqual([status, field], [400, 'reason'], JSON.stringify(reason))
  }
  for (const reason of ['😀'.repeat(500), '"\\\n\u2028<script>', "'; drop table refunds; --"]) {
    const { status, answer } = await refund(one, { amount: 1, reason })
    assert.deepEqual([status, answer.reason], [201, reason])
  }
})

test('an invoice that is not paid cannot be refunded', async () => {
  assert.equal((await refund(await billed('tok_insufficient_funds'))).code, 'INVOICE_NOT_PAID')
})

test('an invoice of another business and an unknown invoice are not found in the same way', async () => {
  const [one, other] = [await billed(), await billed()]
  const answers: Json[] = []
  for (const invoiceId of [other.invoiceId, UNKNOWN]) {
    const { status, answer } = await refund({ shop: one.shop, invoiceId }, {})
    assert.deepEqual([status, answer.code], [404, 'INVOICE_NOT_FOUND'])
    answers.push({ ...answer, requestId: '' })
  }
  assert.deepEqual(answers[0], answers[1])
  const unknown = await world.ask(OPERATOR_KEY, 'POST', path(UNKNOWN, one.invoiceId), { body: {} })
  assert.equal(unknown.body.code, 'BUSINESS_NOT_FOUND')
})

test('an app cannot refund, with its own token or within a business', async () => {
  const { shop, invoiceId } = await billed()
  const tokens = [
    await tokenOf(world, world.credentials),
    await tokenWithin(world, world.credentials, shop.businessId),
    await tokenOf(world, await world.developer()),
  ]
  for (const token of tokens) {
    const { status, body } = await world.ask(token, 'POST', path(shop.businessId, invoiceId), { body: {} })
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN'])
  }
})

test('a refund that the gateway declines is FAILED and can be repeated', async () => {
  const one = await billed('tok_refund_fails')
  await refund(one, {})
  await world.work()
  await one.shop.expectEvents('START', 'PAYMENT_SUCCESS')
  const [invoice] = await one.shop.invoices()
  assert.deepEqual([invoice?.amountRefunded, invoice?.refunds[0].status], [0, 'FAILED'])
  assert.equal((await refund(one, {})).status, 201)
})

test('after a crash a refund is looked up by its key and not made again', async () => {
  const { shop, invoiceId } = await billed()
  await world.call('POST', path(shop.businessId, invoiceId), { amount: 100 })
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const ordered: string[] = []
  const order: typeof sandbox.refund = async request => {
    await sandbox.refund(request)
    ordered.push(request.key)
    throw Object.assign(new Error('crashed'), { code: 'CONNECTION_CLOSED' })
  }
  const crashing = { ...ports, gateways: { sandbox: { ...sandbox, refund: order } } }
  await assert.rejects(carryOutRefunds(crashing), /crashed/)
  world.clock.set(new Date(world.clock.now().getTime() + 60_000))
  assert.equal(await carryOutRefunds(crashing), 1)
  assert.equal(ordered.length, 1)
  assert.deepEqual(
    (await shop.invoices())[0]?.refunds.map(({ status }: Json) => status),
    ['SUCCEEDED'],
  )
})
