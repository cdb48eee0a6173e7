import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { finishIntent } from '../support/stripe/intents.ts'
import { finishSetupIntent } from '../support/stripe/methods.ts'
import { createRefund, finishRefund } from '../support/stripe/refunds.ts'
import { createWorld, type Merchant, OPERATOR_KEY } from '../support/world.ts'
import { createStripeWorld, postEvent, type StripeWorld } from './stripe.fixture.ts'

let story: StripeWorld
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

const shopWith = (card: string) => story.world.merchant({ gateway: 'stripe', card })
const plan = () => story.world.plan()

async function invoiceOf(shop: Merchant, n = 0) {
  const invoice = (await shop.invoices())[n]
  assert.ok(invoice)
  return invoice
}

/** Status, amount, paid amount and attempts of each invoice. */
async function billedOf(shop: Merchant): Promise<unknown[][]> {
  return (await shop.invoices()).map(({ status, amount, amountPaid, attempts }) => [
    ...[status, amount, amountPaid],
    ...attempts.map(({ outcome }: { outcome: string }) => outcome),
  ])
}

test('the whole life: charged, renewed, declined, retried on the same intent, refunded on both sides', async () => {
  const { world, stripe, passTo, deliver, news, intentsOf } = story
  const shop = await shopWith('pm_card_visa')
  const { subscriptionId } = await shop.subscribe(await plan())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')

  await shop.card('pm_saved_insufficientFunds')
  await passTo('2026-02-01T00:00:05Z')
  await shop.expectEvents('PAYMENT_FAIL')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
  await passTo('2026-02-02T00:00:10Z')
  await shop.expectEvents('PAYMENT_FAIL')
  stripe.forgetKeys()
  await shop.card('pm_card_visa')
  await shop.expectEvents('PAYMENT_SUCCESS')

  const [, second] = intentsOf(shop)
  assert.equal(intentsOf(shop).length, 2, 'one intent per invoice, for any number of attempts')
  const charges = [...stripe.state.things.values()].filter(({ payment_intent: of }) => of === second?.id)
  assert.deepEqual(
    charges.map(({ status }) => status),
    ['failed', 'failed', 'succeeded'],
  )

  const { invoiceId } = await invoiceOf(shop, 1)
  await shop.refund(invoiceId, { amount: 200 })
  await shop.expectEvents('REFUND_SUCCESS')
  news()
  createRefund(stripe.state, { payment_intent: second?.id, amount: 100 })
  const events = news()
  for (let i = 0; i < 2; i++) {
    const answers = await deliver(events.toReversed())
    assert.ok(answers.every(({ status, body }) => status === 200 && body.received === true))
  }
  await shop.expectEvents('REFUND_SUCCESS')
  const invoice = await invoiceOf(shop, 1)
  assert.deepEqual([invoice.status, invoice.amountPaid, invoice.amountRefunded], ['PAID', 500, 300])
  assert.equal(invoice.refunds[1].reason, 'Made at the payment gateway.')
  assert.equal(await ledgerOf(shop), 500 + 500 - 300)
  const { discrepancies } = await world.call('GET', '/reconciliations')
  assert.deepEqual(discrepancies, [])
})

test('every event again, twice and in reverse order, changes nothing and is stored once', async () => {
  const { stripe, world, deliver } = story
  await deliver(stripe.state.events)
  const before = await everything()
  await deliver([...stripe.state.events].reverse())
  await deliver(stripe.state.events)
  assert.deepEqual(await everything(), before)
  const [row] = await world.app.ports.db.sql<{ kept: number; open: number }[]>`
    select count(*) as kept, count(next_poll_at) as open from gateway_events`
  assert.deepEqual(row, { kept: stripe.state.events.length, open: 0 })
})

test('a forged event and an event of an unknown gateway are rejected; an event of a foreign object is ignored', async () => {
  const { world, stripe } = story
  const { payload, headers } = stripe.sign({ id: 'evt_1', type: 'payout.paid', data: { object: {} } })
  assert.equal((await postEvent(world, payload, headers)).status, 200)
  const object = { object: 'payment_intent', id: 'pi_of_somebody' }
  const other = stripe.sign({ id: 'evt_2', type: 'payment_intent.succeeded', data: { object } })
  assert.equal((await postEvent(world, other.payload, other.headers)).status, 200)
  const forged = await postEvent(world, Buffer.from(`${payload} `), headers)
  assert.deepEqual([forged.status, forged.body.code], [400, 'INVALID_REQUEST'])
  assert.equal((await postEvent(world, payload, {})).status, 400)
  assert.equal((await postEvent(world, payload, headers, 'sandbox')).status, 400)
  assert.equal((await postEvent(world, payload, headers, 'paypal')).status, 404)
  await story.deliver([])
})

test('an event before our own commit waits, and the charge is recorded and emitted once', async () => {
  const { stripe, deliver, news, passTo, intentsOf } = story
  const shop = await shopWith('pm_card_visa')
  news()
  // Stripe made the intent, and the answer was lost.
  stripe.fail(/POST \/v1\/payment_intents$/, '500 after')
  await shop.subscribe(await plan())
  assert.equal(intentsOf(shop).length, 1)
  await deliver(news())
  assert.equal((await invoiceOf(shop)).status, 'OPEN')
  await passTo('2026-02-02T00:00:30Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.equal(intentsOf(shop).length, 1)
  assert.deepEqual(await billedOf(shop), [['PAID', 500, 500, 'SUCCEEDED']])
  await passTo('2026-02-02T03:00:00Z')
  const [row] = await story.world.app.ports.db.sql<{ open: number }[]>`
    select count(next_poll_at) as open from gateway_events`
  assert.equal(row?.open, 0)
})

test('after a 500 at each step, charge and refund follow within minutes, once', async () => {
  const { world, stripe, passTo, intentsOf } = story
  const shop = await shopWith('pm_card_visa')
  const minutes = async () => {
    for (let n = 0; n < 8; n++) await passTo(new Date(world.clock.now().getTime() + 40_000).toISOString())
  }
  for (const call of [/POST \/v1\/payment_intents$/, /POST \/v1\/payment_intents\/\w+$/, /confirm$/]) {
    stripe.fail(call, '500 before')
  }
  await shop.subscribe(await plan())
  await shop.expectEvents()
  await minutes()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedOf(shop), [['PAID', 500, 500, 'SUCCEEDED']])
  const { invoiceId } = await invoiceOf(shop)
  stripe.fail(/POST \/v1\/refunds$/, '500 before')
  await shop.refund(invoiceId, { amount: 200 })
  assert.equal((await invoiceOf(shop)).refunds[0].status, 'PENDING')
  await minutes()
  await shop.expectEvents('REFUND_SUCCESS')
  const [intent, ...others] = intentsOf(shop)
  assert.deepEqual(others, [])
  const refunds = [...stripe.state.things.values()].filter(
    ({ object, payment_intent: of }) => object === 'refund' && of === intent?.id,
  )
  assert.deepEqual([refunds.length, (await invoiceOf(shop)).amountRefunded], [1, 200])
})

test('an event before the response counts at once, and the later poll changes nothing', async () => {
  const { stripe, deliver, news, passTo } = story
  const shop = await shopWith('pm_card_visa')
  news()
  stripe.fail(/confirm$/, '500 after')
  stripe.fail(/GET \/v1\/payment_intents\//, '500 before')
  await shop.subscribe(await plan())
  await shop.expectEvents()
  await deliver(news())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedOf(shop), [['PAID', 500, 500, 'SUCCEEDED']])
  await passTo('2026-02-02T04:00:00Z')
  await shop.expectEvents()
  assert.deepEqual(await billedOf(shop), [['PAID', 500, 500, 'SUCCEEDED']])
})

test('a charge that the bank asks the payer about waits, and is paid after the confirmation', async () => {
  const { stripe, deliver, news, intentsOf } = story
  const shop = await shopWith('pm_card_authenticationRequired')
  await shop.subscribe(await plan())
  const [attempt] = (await invoiceOf(shop)).attempts
  assert.equal(attempt.outcome, 'ACTION_REQUIRED')
  assert.match(attempt.actionUrl, /^https:\/\/hooks\.stripe\.invalid\//)
  news()
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  finishIntent(stripe.state, intent, 'succeeds')
  await deliver(news())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.equal((await invoiceOf(shop)).attempts[0].actionUrl, undefined)
})

test('a refund that is returned days later is FAILED, and the money is booked back', async () => {
  const { stripe, deliver, news } = story
  const shop = await shopWith('pm_card_refundFail')
  await shop.subscribe(await plan())
  const { invoiceId } = await invoiceOf(shop)
  await shop.refund(invoiceId, { amount: 200 })
  assert.deepEqual([(await invoiceOf(shop)).amountRefunded, await ledgerOf(shop)], [200, 300])
  news()
  const refund = [...stripe.state.things.values()].findLast(({ object }) => object === 'refund')
  assert.ok(refund)
  finishRefund(stripe.state, refund, 'failed')
  await deliver([...news(), ...news()])
  const invoice = await invoiceOf(shop)
  assert.deepEqual([invoice.amountRefunded, invoice.refunds[0].status, await ledgerOf(shop)], [0, 'FAILED', 500])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a refund that is pending at Stripe is PENDING here until it succeeds', async () => {
  const { stripe, passTo } = story
  const shop = await shopWith('pm_card_pendingRefund')
  await shop.subscribe(await plan())
  const { invoiceId } = await invoiceOf(shop)
  await shop.refund(invoiceId, {})
  assert.equal((await invoiceOf(shop)).refunds[0].status, 'PENDING')
  const refund = [...stripe.state.things.values()].findLast(({ object }) => object === 'refund')
  assert.ok(refund)
  finishRefund(stripe.state, refund, 'succeeded')
  await passTo('2026-02-02T05:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a failed refund of a late payment is retried after 1, 3 and 7 days, then shown to the operator', async () => {
  const { world, stripe, deliver, news, passTo, intentsOf } = story
  const shop = await shopWith('pm_saved_processingThenRefundFails')
  const { subscriptionId } = await shop.subscribe(await plan())
  await shop.cancel(subscriptionId)
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  finishIntent(stripe.state, intent, 'succeeds')
  await deliver(news())
  for (const at of ['2026-02-03T05:00:10Z', '2026-02-06T05:00:20Z', '2026-02-13T05:00:30Z', '2026-03-01T00:00:00Z']) {
    const refund = [...stripe.state.things.values()].findLast(({ object }) => object === 'refund')
    assert.ok(refund)
    if (refund.status !== 'failed') finishRefund(stripe.state, refund, 'failed')
    await deliver(news())
    await passTo(at)
  }
  const { invoiceId, refunds } = await invoiceOf(shop)
  assert.deepEqual(
    refunds.map(({ status }: { status: string }) => status),
    ['FAILED', 'FAILED', 'FAILED', 'FAILED'],
  )
  const { owedRefunds } = await world.call('GET', '/reconciliations')
  assert.deepEqual(
    owedRefunds.map((owed: { invoiceId: string; amount: number }) => [owed.invoiceId, owed.amount]),
    [[invoiceId, 500]],
  )
  await shop.refund(invoiceId, {})
  const { refunds: after } = await invoiceOf(shop)
  assert.deepEqual([after.length, after.at(-1).status, (await invoiceOf(shop)).amountRefunded], [5, 'SUCCEEDED', 500])
  assert.deepEqual((await world.call('GET', '/reconciliations')).owedRefunds, [])
})

test('a late payment that waits for its next refund attempt is refunded at once on request, once', async () => {
  const { world, stripe, deliver, news, passTo, intentsOf } = story
  const shop = await shopWith('pm_saved_processingThenRefundFails')
  const { subscriptionId } = await shop.subscribe(await plan())
  await shop.cancel(subscriptionId)
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  finishIntent(stripe.state, intent, 'succeeds')
  await deliver(news())
  const refund = [...stripe.state.things.values()].findLast(({ object }) => object === 'refund')
  assert.ok(refund)
  finishRefund(stripe.state, refund, 'failed')
  await deliver(news())
  const statusesOf = async () => (await invoiceOf(shop)).refunds.map(({ status }: { status: string }) => status)
  assert.deepEqual(await statusesOf(), ['FAILED', 'PENDING'])
  const { invoiceId } = await invoiceOf(shop)
  await shop.refund(invoiceId, { amount: 100 }, 409)
  await shop.refund(invoiceId, {})
  assert.deepEqual(await statusesOf(), ['FAILED', 'SUCCEEDED'])
  await shop.refund(invoiceId, {}, 409)
  await passTo(new Date(world.clock.now().getTime() + 30 * 86_400_000).toISOString())
  assert.deepEqual(await statusesOf(), ['FAILED', 'SUCCEEDED'])
})

test("a card is saved by the page with Stripe's element, and no id of another merchant is accepted", async () => {
  const { world, stripe } = story
  const [shop, other] = [await shopWith('none'), await shopWith('none')]
  const path = `/businesses/${shop.businessId}/payment-methods`
  const begun = await world.call('POST', `${path}/setup`, { gateway: 'stripe' }, 200)
  assert.equal(begun.publishableKey, 'pk_test_1')
  const token = begun.clientSecret.replace(/_secret_.*/, '')
  await world.call('POST', path, { gateway: 'stripe', token }, 409)
  finishSetupIntent(stripe.state, token, 'pm_card_visa')
  await world.call('POST', `/businesses/${other.businessId}/payment-methods`, { gateway: 'stripe', token }, 400)
  const { label } = await world.call('POST', path, { gateway: 'stripe', token })
  assert.equal(label, 'Visa •••• 4242')
  await shop.subscribe(await plan())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a card that is declined when it is saved is not stored', async () => {
  const shop = await shopWith('none')
  const path = `/businesses/${shop.businessId}/payment-methods`
  const body = { gateway: 'stripe', token: 'pm_card_chargeDeclinedInsufficientFunds' }
  assert.equal((await story.world.call('POST', path, body, 409)).code, 'PAYMENT_METHOD_DECLINED')
  const kept = await story.world.call('GET', path)
  assert.deepEqual([kept.total, kept.list], [0, []])
})

test('while Stripe is unavailable, saving a card is 503, and the same request later saves it once', async () => {
  const { world, stripe } = story
  const shop = await shopWith('none')
  const path = `/businesses/${shop.businessId}/payment-methods`
  const options = { body: { gateway: 'stripe', token: 'pm_card_visa' }, headers: { 'idempotency-key': 'card 1' } }
  stripe.fail(/attach$/, '500 after')
  const away = await world.ask(OPERATOR_KEY, 'POST', path, options)
  assert.deepEqual([away.status, away.body.code], [503, 'SERVICE_UNAVAILABLE'])
  assert.equal((await world.ask(OPERATOR_KEY, 'POST', path, options)).status, 201)
  const saved = [...stripe.state.things.values()].filter(({ object }) => object === 'payment_method').length
  assert.equal((await world.ask(OPERATOR_KEY, 'POST', path, options)).status, 201)
  const again = [...stripe.state.things.values()].filter(({ object }) => object === 'payment_method').length
  assert.equal(again, saved)
})

test('a test merchant cannot use a real gateway, nor a merchant the sandbox beside a real gateway, in test mode or live', async () => {
  const { stripe, world } = story
  const tester = await world.merchant({ card: 'none' })
  const calls = stripe.calls.length
  for (const way of ['payment-methods', 'payment-methods/setup']) {
    const path = `/businesses/${tester.businessId}/${way}`
    const declined = await world.call('POST', path, { gateway: 'stripe', token: 'pm_card_visa' }, 409)
    assert.equal(declined.code, 'GATEWAY_NOT_FOR_BUSINESS')
  }
  assert.equal(stripe.calls.length, calls)
  for (const secretKey of ['sk_test_of_the_tests', 'sk_live_of_the_tests']) {
    const real = await createWorld({ stripe: { secretKey, apiBase: stripe.url } })
    try {
      const { businessId } = await real.merchant({ gateway: 'stripe', card: 'none' })
      for (const way of ['payment-methods', 'payment-methods/setup']) {
        const path = `/businesses/${businessId}/${way}`
        const rejected = await real.call('POST', path, { gateway: 'sandbox', token: 'tok_ok' }, 409)
        assert.equal(rejected.code, 'GATEWAY_NOT_FOR_BUSINESS')
      }
      assert.equal((await real.call('GET', `/businesses/${businessId}/payment-methods`)).total, 0)
      await real.merchant({ card: 'tok_ok' })
    } finally {
      await real.close()
    }
  }
})

/** The merchant's balance at the gateway in our ledger. */
async function ledgerOf({ businessId }: Merchant): Promise<number> {
  const [row] = await story.world.app.ports.db.sql<{ sum: number }[]>`
    select coalesce(sum(gateway), 0)::bigint as sum from ledger_transactions where business_id = ${businessId}`
  return row?.sum ?? 0
}

async function everything() {
  const { sql } = story.world.app.ports.db
  return {
    invoices: await sql`select invoice_id, status, amount_paid, amount_refunded from invoices order by 1`,
    refunds: await sql`select refund_id, status from refunds order by 1`,
    ledger: await sql`select ledger_transaction_id from ledger_transactions order by 1`,
    notifications: await sql`select count(*) from notifications`,
  }
}
