import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finishIntent } from '../support/stripe/intents.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY } from '../support/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

const DAY_MS = 86_400_000
const ASKS = 'pm_card_authenticationRequired'

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

/** A monthly subscription whose first payment waits for the payer at the bank. */
async function asked(definition: Record<string, unknown> = {}) {
  const shop = await story.world.merchant({ gateway: 'stripe', card: ASKS })
  const { subscriptionId } = await shop.subscribeAfterTrial(definition)
  assert.deepEqual(await outcomes(shop), ['ACTION_REQUIRED'])
  return { shop, subscriptionId }
}

const invoiceOf = async (shop: Merchant): Promise<Json> => (await shop.invoices()).at(-1) ?? {}
const outcomes = async (shop: Merchant) => (await invoiceOf(shop)).attempts.map(({ outcome }: Json) => outcome)
const received = (shop: Merchant) => story.intentsOf(shop).map(intent => intent.amount_received)

test("a new card is charged at once while the bank's page waits, on the same intent, and the page is no longer shown", async () => {
  const { shop, subscriptionId } = await asked()
  await shop.card('pm_card_visa')
  await story.world.work()
  const { status, attempts } = await invoiceOf(shop)
  assert.equal(status, 'PAID')
  assert.deepEqual(
    attempts.map(({ outcome, reason, actionUrl }: Json) => [outcome, reason, actionUrl]),
    [
      ['DECLINED', 'payment_method_changed', undefined],
      ['SUCCEEDED', undefined, undefined],
    ],
  )
  assert.deepEqual(received(shop), [500])
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
})

test('if the payer confirmed after all, the confirmation counts, and the new card is not charged', async () => {
  const { shop } = await asked()
  const [intent] = story.intentsOf(shop)
  assert.ok(intent)
  finishIntent(story.stripe.state, intent, 'succeeds')
  await shop.card('pm_card_visa')
  await story.world.work()
  assert.deepEqual(await outcomes(shop), ['SUCCEEDED'])
  assert.deepEqual(received(shop), [500])
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_SUCCESS')
})

test('a subscription without grace continues, and ends if the new card is declined', async () => {
  const [paying, declined] = [await asked({ gracePeriodDays: 0 }), await asked({ gracePeriodDays: 0 })]
  await paying.shop.card('pm_card_visa')
  await declined.shop.card('pm_saved_insufficientFunds')
  await story.world.work()
  assert.equal((await paying.shop.subscription(paying.subscriptionId)).paymentStatus, 'CURRENT')
  assert.equal((await declined.shop.subscription(declined.subscriptionId)).endReason, 'NON_PAYMENT')
})

test('a new card waits while a bank works on the old one, and is charged after the decline', async () => {
  const { world, stripe, intentsOf, passTo } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_saved_processing' })
  await shop.subscribeAfterTrial()
  const later = (ms: number) => passTo(new Date(world.clock.now().getTime() + ms).toISOString())
  // After three days the charge counts as declined, and grace runs.
  await later(3 * DAY_MS + 1_000)
  await shop.card('pm_card_visa')
  await world.work()
  assert.deepEqual(await outcomes(shop), ['DECLINED', 'PENDING'])
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  finishIntent(stripe.state, intent, 'declines')
  await later(3_600_000)
  assert.deepEqual(await outcomes(shop), ['DECLINED', 'SUCCEEDED'])
  assert.deepEqual(received(shop), [500])
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
})

test('two cards that need confirmation: one page waits, and the confirmed payment is taken once', async () => {
  const { shop } = await asked()
  await shop.card(ASKS)
  await story.world.work()
  assert.deepEqual(await outcomes(shop), ['DECLINED', 'ACTION_REQUIRED'])
  const [intent] = story.intentsOf(shop)
  assert.ok(intent)
  finishIntent(story.stripe.state, intent, 'succeeds')
  await story.deliver(story.news())
  await story.passTo(new Date(story.world.clock.now().getTime() + DAY_MS).toISOString())
  assert.deepEqual(await outcomes(shop), ['DECLINED', 'SUCCEEDED'])
  assert.deepEqual(received(shop), [500])
})

test('the payer of a closed invoice is not sent to the bank', async () => {
  const { shop, subscriptionId } = await asked()
  assert.match((await invoiceOf(shop)).attempts[0].actionUrl, /^https:/)
  await shop.cancel(subscriptionId)
  const { status, attempts } = await invoiceOf(shop)
  assert.deepEqual([status, attempts[0].actionUrl], ['VOID', undefined])
})

test('a sandbox card that a merchant saved before Stripe was configured neither pays nor becomes the default', async () => {
  const live = await createWorld({ stripe: { secretKey: 'sk_test_of_the_tests', apiBase: story.stripe.url } })
  try {
    const [shop, tester] = [await live.merchant({ gateway: 'stripe', card: 'none' }), await live.merchant()]
    const methods = `/businesses/${shop.businessId}/payment-methods`
    const { sql } = live.app.ports.db
    await sql`
      insert into payment_methods (payment_method_id, business_id, gateway, reference, label, preferred_at, created_at)
      select gen_random_uuid(), ${shop.businessId}, gateway, reference, label, preferred_at, created_at
      from payment_methods where business_id = ${tester.businessId}`
    const { subscriptionId } = await shop.subscribe(await live.plan({ trialPeriodDays: 1 }))
    const [saved] = (await live.call('GET', methods)).list
    const path = `${methods}/${saved.paymentMethodId}/default`
    assert.equal((await live.call('PUT', path, {}, 409)).code, 'GATEWAY_NOT_FOR_BUSINESS')
    live.clock.set(new Date(live.clock.now().getTime() + 2 * DAY_MS))
    await live.work()
    const declined = await invoiceOf(shop)
    assert.deepEqual([declined.status, declined.attempts[0].reason], ['OPEN', 'gateway_not_for_business'])
    assert.equal((await shop.subscription(subscriptionId)).nextChargeAt, undefined)
    const objects = await sql`
      select 1 as one from charge_objects join invoices using (invoice_id) where business_id = ${shop.businessId}`
    assert.equal(objects.length, 0, 'nothing stands in the way of a real card')
  } finally {
    await live.close()
  }
})

test('dinars are refunded in tens of fils, and other amounts are rejected', async () => {
  const { world } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa', country: 'KW' })
  await shop.subscribe(await world.plan({ amounts: [{ country: 'KW', currency: 'KWD', value: 5_000 }] }))
  const { invoiceId } = await invoiceOf(shop)
  const path = `/businesses/${shop.businessId}/invoices/${invoiceId}/refunds`
  const odd = await world.ask(OPERATOR_KEY, 'POST', path, { body: { amount: 5 } })
  assert.deepEqual([odd.status, odd.body.code, odd.body.fields[0].path], [400, 'INVALID_PARAMETER', 'amount'])
  await shop.refund(invoiceId, { amount: 10 })
  assert.deepEqual(
    (await invoiceOf(shop)).refunds.map(({ amount, status }: Json) => [amount, status]),
    [[10, 'SUCCEEDED']],
  )
})
