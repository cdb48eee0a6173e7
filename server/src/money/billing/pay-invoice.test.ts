import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let monthly: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  monthly = await world.plan({ trialPeriodDays: 1 })
})
after(() => world?.close())

/** A merchant whose first payment was declined softly: the trial ends and nothing is paid. */
async function overdue(card = 'tok_insufficient_funds') {
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card })
  await shop.subscribe(monthly)
  await shop.until('2026-01-02T00:00:01Z')
  const [invoice] = await shop.invoices()
  assert.equal(invoice?.status, 'OPEN')
  return { shop, invoiceId: String(invoice.invoiceId) }
}

async function pay(shop: Merchant, invoiceId: string, body: Json = {}) {
  const path = `/businesses/${shop.businessId}/invoices/${invoiceId}/pay`
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', path, { body })
  return { status, code: answer.code, answer }
}

const invoiceOf = async (shop: Merchant) => (await shop.invoices())[0] as Json
const addCard = (shop: Merchant, token: string) =>
  world.call('POST', `/businesses/${shop.businessId}/payment-methods`, { gateway: 'sandbox', token })

test('the same card is charged again on request, before the next retry', async () => {
  const { shop, invoiceId } = await overdue()
  const paid = await pay(shop, invoiceId)
  assert.deepEqual([paid.status, paid.answer.invoiceId], [202, invoiceId])
  assert.equal(paid.answer.attempts.at(-1).outcome, 'IN_FLIGHT')
  await world.work()
  assert.equal((await invoiceOf(shop)).attempts.length, 2)
})

test('a named card pays at once and becomes the default', async () => {
  const { shop, invoiceId } = await overdue()
  const { paymentMethodId } = await addCard(shop, 'tok_stolen')
  await world.work()
  const back = (await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)).list[1]
  const rejected = await pay(shop, invoiceId)
  assert.deepEqual(
    [rejected.status, rejected.code],
    [409, 'PAYMENT_METHOD_DECLINED'],
    'a stolen card is not charged again',
  )
  assert.equal((await pay(shop, invoiceId, { paymentMethodId: back.paymentMethodId })).status, 202)
  await world.work()
  const { list } = await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)
  assert.deepEqual([list[0].paymentMethodId, list[1].paymentMethodId], [back.paymentMethodId, paymentMethodId])
})

test('two concurrent requests start one charge', async () => {
  const { shop, invoiceId } = await overdue()
  const answers = await Promise.all([pay(shop, invoiceId), pay(shop, invoiceId), pay(shop, invoiceId)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409])
  assert.deepEqual(new Set(answers.flatMap(({ code }) => code ?? [])), new Set(['CHARGE_IN_PROGRESS']))
  await world.work()
  assert.equal((await invoiceOf(shop)).attempts.length, 2)
})

test('a paid invoice, an unknown invoice and another business are rejected', async () => {
  const { shop, invoiceId } = await overdue()
  await addCard(shop, 'tok_ok')
  await world.work()
  const again = await pay(shop, invoiceId)
  assert.deepEqual([again.status, again.code], [409, 'INVOICE_NOT_OPEN'])
  assert.equal((await pay(shop, UNKNOWN)).code, 'INVOICE_NOT_FOUND')
  const other = await overdue()
  assert.equal((await pay(other.shop, invoiceId)).code, 'INVOICE_NOT_FOUND')
  const { list } = await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)
  const foreign = await pay(other.shop, other.invoiceId, { paymentMethodId: list[0].paymentMethodId })
  assert.equal(foreign.code, 'PAYMENT_METHOD_NOT_FOUND')
  assert.equal((await pay(other.shop, other.invoiceId, { paymentMethodId: 7 })).status, 400)
})

test('a request without a payment method is rejected with PAYMENT_METHOD_REQUIRED', async () => {
  const { shop, invoiceId } = await overdue('none')
  assert.equal((await pay(shop, invoiceId)).code, 'PAYMENT_METHOD_REQUIRED')
})

test('the oldest invoice of a subscription is paid first', async () => {
  const daily = await world.plan({ interval: 'DAY', gracePeriodDays: 1, trialPeriodDays: 1 })
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_insufficient_funds' })
  await shop.subscribe(daily)
  await shop.until('2026-01-03T00:00:00Z')
  const open = (await shop.invoices()).filter(({ status }) => status === 'OPEN')
  if (open.length === 2) assert.equal((await pay(shop, open[1]?.invoiceId)).code, 'PAYMENT_DUE')
})

test('a card is removed once, and the default of a live paid subscription cannot be removed', async () => {
  const { shop } = await overdue()
  const path = `/businesses/${shop.businessId}/payment-methods`
  const remove = async (id: string) => (await world.ask(OPERATOR_KEY, 'DELETE', `${path}/${id}`)).status
  const [first] = (await world.call('GET', path)).list
  const inUse = await world.ask(OPERATOR_KEY, 'DELETE', `${path}/${first.paymentMethodId}`)
  assert.deepEqual([inUse.status, inUse.body.code], [409, 'PAYMENT_METHOD_IN_USE'])
  const second = await addCard(shop, 'tok_ok')
  await world.work()
  const other = await world.merchant()
  const foreign = await world.ask(
    OPERATOR_KEY,
    'DELETE',
    `/businesses/${other.businessId}/payment-methods/${first.paymentMethodId}`,
  )
  assert.equal(foreign.status, 404)
  assert.deepEqual(
    await Promise.all([remove(first.paymentMethodId), remove(first.paymentMethodId)]).then(all => all.sort()),
    [204, 404],
  )
  assert.deepEqual((await world.call('GET', path)).total, 1)
  await world.call('PUT', `${path}/${first.paymentMethodId}/default`, undefined, 404)
  assert.equal(await remove(second.paymentMethodId), 409)
})

test('a card cannot be removed during a charge', async () => {
  const { shop, invoiceId } = await overdue('tok_pending')
  assert.equal((await invoiceOf(shop)).attempts[0].outcome, 'PENDING')
  const path = `/businesses/${shop.businessId}/payment-methods`
  const [pending] = (await world.call('GET', path)).list
  await addCard(shop, 'tok_ok')
  const busy = await world.ask(OPERATOR_KEY, 'DELETE', `${path}/${pending.paymentMethodId}`)
  assert.deepEqual([busy.status, busy.body.code, typeof invoiceId], [409, 'CHARGE_IN_PROGRESS', 'string'])
})

test('a card has its brand, last digits and expiry', async () => {
  const shop = await world.merchant()
  const { card } = await addCard(shop, 'tok_expires_soon')
  assert.deepEqual([card.brand, /^\d{4}$/.test(card.last4), card.expires], ['test', true, '2026-01'])
})
