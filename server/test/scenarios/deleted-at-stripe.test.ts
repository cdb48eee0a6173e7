import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deleteCustomer } from '../support/stripe/methods.ts'
import { type Json, type Merchant, OPERATOR_KEY } from '../support/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

/**
 * A customer is deleted in Stripe's dashboard, with all cards. Replacing the test key by a live key over the same
 * database looks alike. The merchant learns that the payment failed, and a new card repairs it.
 */

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

async function later(ms: number): Promise<void> {
  await story.passTo(new Date(story.world.clock.now().getTime() + ms).toISOString())
}

const MONTH_MS = 31 * 86_400_000
const standingOf = (invoice: Json | undefined) => [
  invoice?.status,
  ...(invoice?.attempts ?? []).map(({ outcome, reason = '' }: Json) => `${outcome} ${reason}`.trim()),
]

async function subscribed() {
  const { world } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa' })
  const { subscriptionId } = await shop.subscribe(await world.plan())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  return { shop, subscriptionId }
}

const customersOf = ({ businessId }: Merchant) =>
  [...story.stripe.state.things.values()].filter(
    ({ object, metadata }) => object === 'customer' && metadata.businessId === businessId,
  ).length

test('a renewal of a deleted customer is declined, and a new card pays this renewal and the next', async () => {
  const { world, stripe } = story
  const { shop, subscriptionId } = await subscribed()
  const { shop: neighbour } = await subscribed()
  deleteCustomer(stripe.state, shop.businessId)
  await later(MONTH_MS)
  await shop.expectEvents('PAYMENT_FAIL')
  assert.deepEqual(standingOf((await shop.invoices())[1]), ['OPEN', 'DECLINED customer_missing'])
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
  await shop.card('pm_card_visa')
  await later(10_000)
  await shop.expectEvents('PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
  await later(MONTH_MS)
  await shop.expectEvents('PAYMENT_SUCCESS')
  await neighbour.expectEvents('PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  assert.deepEqual([customersOf(shop), customersOf(neighbour)], [1, 1])
  assert.deepEqual((await world.call('GET', '/reconciliations')).discrepancies, [])
})

test('without a new card the subscription ends with grace, as after any hard decline', async () => {
  const { shop, subscriptionId } = await subscribed()
  deleteCustomer(story.stripe.state, shop.businessId)
  // The creation of the intent was not answered, so it is searched among the intents of a deleted customer.
  story.stripe.fail(/POST \/v1\/payment_intents$/, '500 before')
  await later(MONTH_MS)
  await later(10_000)
  await later(8 * 86_400_000)
  await shop.expectEvents('PAYMENT_FAIL', 'END')
  assert.equal((await shop.subscription(subscriptionId)).endReason, 'NON_PAYMENT')
})

test('an invoice with an attempt before its customer was deleted is paid by a new card with another intent', async () => {
  const { shop, subscriptionId } = await subscribed()
  const { stripe, intentsOf, news, deliver } = story
  await shop.card('pm_saved_insufficientFunds')
  await later(MONTH_MS)
  deleteCustomer(stripe.state, shop.businessId)
  await later(86_400_000 + 10_000)
  assert.deepEqual(standingOf((await shop.invoices())[1]), [
    'OPEN',
    'DECLINED insufficient_funds',
    'DECLINED payment_method_unexpected_state',
  ])
  news()
  await shop.card('pm_card_visa')
  await later(10_000)
  await deliver(news())
  await shop.expectEvents('PAYMENT_FAIL', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
  assert.deepEqual(
    intentsOf(shop).map(({ status }) => status),
    ['succeeded', 'canceled', 'succeeded'],
  )
})

test('a card of a deleted customer is saved once: by the page, by a token, twice at once, and in a repeat', async () => {
  const { world, stripe } = story
  const { shop } = await subscribed()
  const path = `/businesses/${shop.businessId}/payment-methods`
  deleteCustomer(stripe.state, shop.businessId)
  const begun = await world.call('POST', `${path}/setup`, { gateway: 'stripe' }, 200)
  assert.match(begun.clientSecret, /_secret_/)
  deleteCustomer(stripe.state, shop.businessId)
  const save = (key: string, token = 'pm_card_visa') =>
    world.ask(OPERATOR_KEY, 'POST', path, {
      body: { gateway: 'stripe', token },
      headers: { 'idempotency-key': key },
    })
  const statuses = (await Promise.all([save('first'), save('second')])).map(({ status }) => status)
  assert.deepEqual(statuses, [201, 201])
  stripe.fail(/attach$/, '500 after')
  assert.equal((await save('third')).status, 503)
  assert.equal((await save('third')).status, 201)
  assert.equal((await save('fourth', 'pm_nothing')).status, 400)
  assert.equal(customersOf(shop), 1)
  const { list } = await world.call('GET', path)
  assert.equal(list.length, 4)
})

test('a card that no longer exists at Stripe is a hard decline', async () => {
  const { world, stripe } = story
  const { shop } = await subscribed()
  const [method] = await world.app.ports.db.sql<{ reference: string }[]>`
    select reference from payment_methods where business_id = ${shop.businessId}`
  stripe.state.things.delete(method?.reference ?? '')
  await later(MONTH_MS)
  await later(2 * 86_400_000)
  assert.deepEqual(standingOf((await shop.invoices())[1]), ['OPEN', 'DECLINED resource_missing'])
  await shop.expectEvents('PAYMENT_FAIL')
  await shop.card('pm_card_visa')
  await shop.expectEvents('PAYMENT_SUCCESS')
})
