import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cancelIntent, finishIntent } from '../support/stripe/intents.ts'
import type { Thing } from '../support/stripe/state.ts'
import type { Merchant } from '../support/world.ts'
import { createStripeWorld, type StripeWorld } from './stripe.fixture.ts'

/**
 * The intent of an open invoice is cancelled in Stripe's dashboard. The intent can never be paid, so the invoice gets
 * another: one payable intent at a time, never two.
 */

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

/** Past due with a card without funds, and the intent cancelled. No event has arrived yet. */
async function cancelledWhilePastDue() {
  const { world, stripe, intentsOf } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_saved_insufficientFunds' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  cancelIntent(stripe.state, intent)
  return { shop, subscriptionId, intent }
}

async function later(ms: number): Promise<void> {
  await story.passTo(new Date(story.world.clock.now().getTime() + ms).toISOString())
}

const statusesOf = (shop: Merchant) => story.intentsOf(shop).map(({ status }) => status)
const chargesOf = (shop: Merchant) => {
  const ids = new Set(story.intentsOf(shop).map(({ id }) => id))
  return [...story.stripe.state.things.values()].filter(
    ({ object, status, payment_intent: of }: Thing) => object === 'charge' && status === 'succeeded' && ids.has(of),
  )
}

for (const reported of ['reported', 'not reported'] as const) {
  test(`a new card pays another intent, once, if the cancellation was ${reported}`, async () => {
    const { news, deliver } = story
    const { shop, subscriptionId } = await cancelledWhilePastDue()
    const events = news()
    if (reported === 'reported') await deliver(events)
    await shop.card('pm_card_visa')
    await later(10_000)
    await shop.expectEvents('PAYMENT_SUCCESS')
    assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
    assert.deepEqual(statusesOf(shop), ['canceled', 'succeeded'])
    // The events of the replaced intent, late and twice.
    await deliver([...events, ...news(), ...events])
    await later(3 * 3_600_000)
    await shop.expectEvents()
    assert.equal(chargesOf(shop).length, 1)
    const [invoice] = await shop.invoices()
    assert.deepEqual([invoice?.status, invoice?.amountPaid, invoice?.attempts.length], ['PAID', 500, 2])
    assert.deepEqual((await story.world.call('GET', '/reconciliations')).discrepancies, [])
    const { sql } = story.world.app.ports.db
    const [row] = await sql<{ open: number }[]>`select count(next_poll_at) as open from gateway_events`
    assert.equal(row?.open, 0)
  })
}

test('retries go on with another intent, and later retries use the same one', async () => {
  const { shop } = await cancelledWhilePastDue()
  await later(86_400_000 + 10_000)
  await later(10_000)
  await later(2 * 86_400_000)
  assert.deepEqual(statusesOf(shop), ['canceled', 'requires_payment_method'])
  await shop.expectEvents('PAYMENT_FAIL', 'PAYMENT_FAIL')
  const [invoice] = await shop.invoices()
  assert.deepEqual(
    invoice?.attempts.map(({ reason }: { reason: string }) => reason),
    ['insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
  )
})

for (const lost of ['before', 'after'] as const) {
  test(`a crash ${lost} the creation of the other intent leaves one payable intent`, async () => {
    const { stripe } = story
    const { shop } = await cancelledWhilePastDue()
    stripe.fail(/POST \/v1\/payment_intents$/, `500 ${lost}`)
    await shop.card('pm_card_visa')
    assert.equal((await shop.invoices())[0]?.status, 'OPEN')
    // Stripe keeps idempotency keys for a day. The intent is found without them.
    stripe.forgetKeys()
    for (let i = 0; i < 4; i++) await later(3_600_000)
    await shop.expectEvents('PAYMENT_SUCCESS')
    assert.deepEqual(statusesOf(shop), ['canceled', 'succeeded'])
    assert.equal(chargesOf(shop).length, 1)
  })
}

test('two processes that find the intent cancelled at once create one other intent', async () => {
  const { stripe, world } = story
  const { shop } = await cancelledWhilePastDue()
  const other = await world.openAnother()
  // The first request is held until its lease is over and another process has finished.
  stripe.meanwhile(/POST \/v1\/payment_intents$/, async () => {
    world.clock.set(new Date(world.clock.now().getTime() + 120_000))
    while ((await other.jobs.charges.runOnce()) > 0);
    world.clock.set(new Date(world.clock.now().getTime() + 120_000))
    while ((await other.jobs.charges.runOnce()) > 0);
  })
  await shop.card('pm_card_visa')
  await later(3_600_000)
  await shop.expectEvents('PAYMENT_SUCCESS')
  assert.deepEqual(statusesOf(shop), ['canceled', 'succeeded'])
  assert.equal(chargesOf(shop).length, 1)
})

test('an intent cancelled while the payer is asked is declined at once, and a new card pays', async () => {
  const { world, stripe, intentsOf, news, deliver } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa' })
  const { subscriptionId } = await shop.subscribe(await world.plan({ interval: 'DAY' }))
  await shop.card('pm_card_authenticationRequired')
  await later(86_400_000)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  const [, asked] = intentsOf(shop)
  assert.equal(asked?.status, 'requires_action')
  news()
  cancelIntent(stripe.state, asked)
  await deliver(news())
  const [, invoice] = await shop.invoices()
  assert.deepEqual(
    invoice?.attempts.map(({ outcome, reason }: { outcome: string; reason: string }) => [outcome, reason]),
    [['DECLINED', 'canceled_at_gateway']],
  )
  await shop.card('pm_card_authenticationRequired')
  await later(10_000)
  assert.deepEqual(statusesOf(shop), ['succeeded', 'canceled', 'requires_action'])
  const last = intentsOf(shop).at(-1)
  assert.ok(last)
  finishIntent(stripe.state, last, 'succeeds')
  await deliver(news())
  await shop.expectEvents('PAYMENT_FAIL', 'PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
})
