import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createStripeWorld, type StripeWorld } from '../../../test/scenarios/stripe.fixture.ts'
import { refundAtGateway } from '../../../test/support/sandbox-bench.ts'
import { dispute } from '../../../test/support/stripe/disputes.ts'
import { finishIntent } from '../../../test/support/stripe/intents.ts'
import { createRefund, finishRefund } from '../../../test/support/stripe/refunds.ts'
import type { Thing } from '../../../test/support/stripe/state.ts'
import type { Merchant } from '../../../test/support/world.ts'
import { reconcileDaily } from './daily.ts'
import { listOurs } from './store.ts'

let story: StripeWorld
let day = 0
let disputedIntent: Thing = {}
before(async () => {
  story = await createStripeWorld('2026-01-01T00:00:00Z')
})
after(() => story?.close())

/** Runs the next day's comparison. */
async function nextDay(): Promise<Thing> {
  day++
  story.world.clock.set(new Date(Date.UTC(2026, 0, day + 1, 1)))
  await story.world.app.jobs.reconciliation.runOnce()
  return await story.world.call('GET', '/reconciliations')
}

async function paidShop(): Promise<{ shop: Merchant; intent: Thing; invoiceId: string }> {
  const shop = await story.world.merchant({ gateway: 'stripe', card: 'pm_card_visa' })
  await shop.subscribe(await story.world.plan())
  const [intent] = story.intentsOf(shop)
  const [invoice] = await shop.invoices()
  assert.ok(intent && invoice?.status === 'PAID')
  return { shop, intent, invoiceId: invoice.invoiceId }
}

const disputes = (intent: Thing, status: Parameters<typeof dispute>[2]) =>
  dispute(story.stripe.state, intent.id, status)
const ofStripe = ({ reconciliations }: Thing) => reconciliations.find(({ gateway }: Thing) => gateway === 'stripe')
const kindsOf = ({ discrepancies }: Thing) => discrepancies.map(({ kind }: Thing) => kind)

test('the first comparison covers everything since the first charge', async () => {
  const { shop, intent } = await paidShop()
  const onClock = await story.world.merchant({ at: '2031-01-01T00:00:00Z' })
  await onClock.subscribe(await story.world.plan())
  createRefund(story.stripe.state, { payment_intent: intent.id, amount: 120 })
  day += 6
  const report = await nextDay()
  const run = ofStripe(report)
  assert.deepEqual(
    report.reconciliations.map(({ fromAt }: Thing) => fromAt.slice(0, 10)),
    ['2026-01-01', '2026-01-01'],
  )
  assert.deepEqual([run.fromAt, run.untilAt, run.repaired], ['2026-01-01T00:00:00Z', '2026-01-08T00:00:00Z', 1])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('equal books leave only the row of the run, once a day', async () => {
  await paidShop()
  const report = await nextDay()
  const run = ofStripe(report)
  assert.deepEqual([run.untilAt, run.repaired, run.discrepancies], ['2026-01-09T00:00:00Z', 0, 0])
  assert.ok(run.compared > 0 && run.finishedAt)
  assert.deepEqual(report.discrepancies, [])
  const { ports } = story.world.app
  assert.deepEqual(await Promise.all([reconcileDaily(ports), reconcileDaily(ports)]), [0, 0])
})

test('a refund made at the gateway is applied without its events, and reported once', async () => {
  const { shop, intent } = await paidShop()
  createRefund(story.stripe.state, { payment_intent: intent.id, amount: 120 })
  assert.equal(ofStripe(await nextDay()).repaired, 1)
  await nextDay()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.amountRefunded, invoice?.refunds.length], [120, 1])
})

test('a pending refund at the gateway is PENDING here, is never repeated by us, and is reported after its success', async () => {
  const { stripe, world } = story
  const { shop, intent, invoiceId } = await paidShop()
  const made = createRefund(stripe.state, { payment_intent: intent.id, amount: 120 })
  made.status = 'pending'
  await nextDay()
  const statusesOf = async () => (await shop.invoices())[0]?.refunds.map(({ status }: Thing) => status)
  assert.deepEqual(await statusesOf(), ['PENDING'])
  await shop.refund(invoiceId, { amount: 381 }, 409)
  await nextDay()
  await world.work()
  assert.deepEqual(await statusesOf(), ['PENDING'])
  finishRefund(stripe.state, made, 'succeeded')
  world.clock.set(new Date(world.clock.now().getTime() + 11 * 60_000))
  await world.work()
  assert.deepEqual(await statusesOf(), ['SUCCEEDED'])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const refunds = [...stripe.state.things.values()].filter(
    ({ payment_intent: of, object }) => of === intent.id && object === 'refund',
  )
  assert.equal(refunds.length, 1)
})

test('a payment after a recorded decline is applied', async () => {
  const { stripe, world, intentsOf } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa' })
  const planId = await world.plan({ interval: 'DAY' })
  await shop.renewWith(planId, 'pm_saved_insufficientFunds')
  const [, intent] = intentsOf(shop)
  assert.ok(intent)
  const failed = [...stripe.state.things.values()].findLast(({ payment_intent: of }) => of === intent.id)
  // The payer paid on the gateway's page after the bank had declined.
  Object.assign(failed ?? {}, { status: 'succeeded' })
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
  assert.equal(ofStripe(await nextDay()).repaired, 1)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PAYMENT_SUCCESS')
})

test('a payment long after its charge was given up is applied, with or without an event', async () => {
  const { stripe, world, intentsOf } = story
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_saved_processing' })
  await shop.subscribe(await world.plan())
  day += 3
  await nextDay()
  await world.work()
  await shop.expectEvents('PAYMENT_FAIL')
  // Days later, neither list contains the charge as new.
  day += 4
  await nextDay()
  const [intent] = intentsOf(shop)
  assert.ok(intent)
  finishIntent(stripe.state, intent, 'succeeds')
  assert.equal(ofStripe(await nextDay()).repaired, 1)
  await world.work()
  await shop.expectEvents('PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a charge missing at the gateway is a discrepancy until the gateway has the charge again, and stays booked', async () => {
  const { stripe } = story
  const [charged, refunded, gone] = [await paidShop(), await paidShop(), await paidShop()]
  await refunded.shop.refund(refunded.invoiceId, { amount: 100 })
  const refund = [...stripe.state.things.values()].findLast(({ object }) => object === 'refund')
  Object.assign(charged.intent, { status: 'requires_payment_method', amount_received: 0 })
  stripe.state.things.delete(refund?.id)
  stripe.state.things.delete(gone.intent.id)
  const report = await nextDay()
  assert.deepEqual(kindsOf(report).sort(), [
    'CHARGE_NOT_AT_GATEWAY',
    'CHARGE_OBJECT_NOT_AT_GATEWAY',
    'REFUND_NOT_AT_GATEWAY',
  ])
  const one = report.discrepancies.find(({ kind }: Thing) => kind === 'CHARGE_NOT_AT_GATEWAY')
  assert.deepEqual([one.invoiceId, one.gatewayChargeId], [charged.invoiceId, charged.intent.id])
  const [invoice] = await charged.shop.invoices()
  assert.equal(invoice?.status, 'PAID')
  // An open discrepancy is compared however old the charge is.
  Object.assign(charged.intent, { status: 'succeeded', amount_received: 500 })
  stripe.state.things.set(refund?.id, refund ?? {})
  stripe.state.things.set(gone.intent.id, gone.intent)
  day += 5
  assert.deepEqual((await nextDay()).discrepancies, [])
})

test('a different amount is a discrepancy, and so is a dispute', async () => {
  const [other, disputed] = [await paidShop(), await paidShop()]
  other.intent.amount_received = 499
  disputes(disputed.intent, 'open')
  disputedIntent = disputed.intent
  assert.deepEqual(kindsOf(await nextDay()).sort(), ['AMOUNT_DIFFERS', 'DISPUTED'])
  other.intent.amount_received = 500
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED'])
})

test('charges of others at the gateway are ignored', async () => {
  const { stripe, world } = story
  const foreign = { object: 'charge', status: 'succeeded', created: world.clock.now().getTime() / 1000, metadata: {} }
  stripe.state.things.set('ch_1', { ...foreign, id: 'ch_1', payment_intent: 'pi_foreign' })
  const named = { ...foreign, metadata: { invoiceId: randomUUID() } }
  stripe.state.things.set('ch_2', { ...named, id: 'ch_2', payment_intent: 'pi_other' })
  const intent = { object: 'payment_intent', status: 'succeeded', amount_received: 5, currency: 'usd' }
  stripe.state.things.set('pi_other', { ...intent, id: 'pi_other', metadata: named.metadata })
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED'])
})

test('a failed run is repeated by the next process after the lease', async () => {
  const { stripe, world } = story
  const { shop, intent } = await paidShop()
  createRefund(stripe.state, { payment_intent: intent.id, amount: 10 })
  stripe.fail(/GET \/v1\/payment_intents\//, '500 before', 4)
  await assert.rejects(nextDay())
  assert.equal(await reconcileDaily(world.app.ports), 0)
  world.clock.set(new Date(world.clock.now().getTime() + 11 * 60_000))
  const other = await world.openAnother()
  assert.ok((await reconcileDaily(other.ports)) > 0)
  const run = ofStripe(await world.call('GET', '/reconciliations'))
  assert.ok(run.finishedAt)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('one lost call does not restart the run, and an object without two responses is NOT_COMPARED and keeps its discrepancies', async () => {
  const { stripe } = story
  const { shop, intent } = await paidShop()
  createRefund(stripe.state, { payment_intent: intent.id, amount: 10 })
  stripe.fail(new RegExp(`GET /v1/payment_intents/${intent.id}`), '500 before')
  stripe.fail(new RegExp(`GET /v1/payment_intents/${disputedIntent.id}`), '429', 2)
  const report = await nextDay()
  assert.deepEqual([ofStripe(report).repaired, kindsOf(report)], [1, ['DISPUTED', 'NOT_COMPARED']])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED'])
})

test('a stopping service releases the run for the next service', async () => {
  const { stripe, world } = story
  const { shop, intent } = await paidShop()
  createRefund(stripe.state, { payment_intent: intent.id, amount: 10 })
  const calls = stripe.calls.length
  day++
  world.clock.set(new Date(Date.UTC(2026, 0, day + 1, 1)))
  // The run has listed the charges at Stripe and compared none.
  await world.app.jobs.reconciliation.runOnce(() => stripe.calls.length > calls)
  assert.equal(ofStripe(await world.call('GET', '/reconciliations')).finishedAt, undefined)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.ok((await reconcileDaily(world.app.ports)) > 0)
  const run = ofStripe(await world.call('GET', '/reconciliations'))
  assert.ok(run.finishedAt)
  await shop.expectEvents('REFUND_SUCCESS')
})

test('an object that cannot be compared is a discrepancy and does not stop the run', async () => {
  const { stripe } = story
  const [strange, other] = [await paidShop(), await paidShop()]
  const { currency } = strange.intent
  delete strange.intent.currency
  createRefund(stripe.state, { payment_intent: other.intent.id, amount: 10 })
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED', 'NOT_COMPARED'])
  await other.shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  Object.assign(strange.intent, { currency })
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED'])
})

test('a dispute is a discrepancy until the bank decides, although the charge stays marked as disputed', async () => {
  disputes(disputedIntent, 'open').status = 'under_review'
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTED'])
  disputes(disputedIntent, 'lost')
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTE_LOST'])
  disputes(disputedIntent, 'won')
  assert.deepEqual(kindsOf(await nextDay()), [])
})

test('the books of the sandbox are compared in the same way', async () => {
  const { world } = story
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const { db, clock } = world.app.ports
  const [object] = await db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  await refundAtGateway({ db, clock }, { gatewayChargeId: object?.id ?? '', id: randomUUID(), amount: 50 })
  const { reconciliations } = await nextDay()
  const run = reconciliations.find(({ gateway }: Thing) => gateway === 'sandbox')
  assert.deepEqual([run.repaired, run.discrepancies], [1, 0])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('refunds on a test clock that is years ahead are compared only for a limited time', async () => {
  const { world } = story
  const shop = await world.merchant({ at: '2031-01-01T00:00:00Z' })
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  await shop.refund(invoice?.invoiceId, { amount: 10 })
  const since = new Date('2026-06-01T00:00:00Z')
  const of = { gateway: 'sandbox', chargedSince: since, givenUpSince: since, refundedSince: since } as const
  assert.deepEqual(await listOurs(world.app.ports.db.sql, of), [])
})

test('a lost dispute is charged back once and is a discrepancy for half a year', async () => {
  const { shop, intent } = await paidShop()
  disputes(intent, 'lost')
  const report = await nextDay()
  assert.deepEqual([kindsOf(report), ofStripe(report).repaired], [['DISPUTE_LOST'], 1])
  assert.equal(report.discrepancies[0].detail, "The payer's bank took back 500 USD. It is booked as charged back.")
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.amountChargedBack, invoice?.amountRefunded], ['PAID', 500, 0])
  day += 170
  assert.deepEqual(kindsOf(await nextDay()), ['DISPUTE_LOST'])
  day += 10
  assert.deepEqual(kindsOf(await nextDay()), [])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'DISPUTE_OPENED', 'DISPUTE_CLOSED', 'END')
})

test('only the operator may read reconciliations', async () => {
  const { world } = story
  const answer = await world.ask(null, 'GET', '/reconciliations')
  assert.equal(answer.status, 401)
})
