import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listCharges } from '../support/sandbox-bench.ts'
import { createWorld, type Json, type Merchant, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('recovery in grace by a new card charges at once and keeps the anchor', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.card('tok_insufficient_funds')
  await shop.until('2026-02-02T12:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'PAYMENT_FAIL')
  const unpaid = await shop.subscription(subscriptionId)
  assert.deepEqual(
    [unpaid.status, unpaid.paymentStatus, unpaid.nextChargeAt],
    ['ACTIVE', 'PAST_DUE', '2026-02-04T00:00:00Z'],
  )
  await shop.card('tok_ok')
  await shop.expectEvents('PAYMENT_SUCCESS')
  const paid = await shop.subscription(subscriptionId)
  assert.deepEqual([paid.paymentStatus, paid.nextChargeAt], ['CURRENT', '2026-03-01T00:00:00Z'])
  const invoices = await shop.invoices()
  assert.deepEqual(billed(invoices), [
    ['PAID', 500, 'SUCCEEDED'],
    ['PAID', 500, 'DECLINED', 'DECLINED', 'SUCCEEDED'],
  ])
  assert.deepEqual(
    invoices.map(({ periodStart, periodEnd }) => [periodStart, periodEnd]),
    [
      ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'],
      ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
    ],
  )
  assert.deepEqual(await takenThere(shop), [500, 500])
  const [, february] = invoices
  assert.deepEqual(
    february?.attempts.map((attempt: { at: string; outcome: string }) => [attempt.at, attempt.outcome]),
    [
      ['2026-02-01T00:00:00Z', 'DECLINED'],
      ['2026-02-02T00:00:00Z', 'DECLINED'],
      ['2026-02-02T12:00:00Z', 'SUCCEEDED'],
    ],
  )
})

test('the end of grace without a payment ends the subscription, and its invoice is uncollectible', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_fail_after_1' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-03-01T00:00:00Z')
  // Attempts on the day and 1, 3, 5, 7 days later. The last attempt falls on the end of grace and precedes it.
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', ...Array(5).fill('PAYMENT_FAIL'), 'END')
  const ended = await shop.subscription(subscriptionId)
  assert.deepEqual([ended.status, ended.endReason, ended.endedAt], ['ENDED', 'NON_PAYMENT', '2026-02-08T00:00:00Z'])
  assert.deepEqual(billed(await shop.invoices()), [
    ['PAID', 500, 'SUCCEEDED'],
    ['UNCOLLECTIBLE', 0, ...Array(5).fill('DECLINED')],
  ])
  assert.deepEqual(await takenThere(shop), [500, 0])
})

test('a later hard decline stops the attempts until the payment method changes', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.card('tok_stolen')
  await shop.until('2026-02-05T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL')
  assert.equal((await shop.subscription(subscriptionId)).nextChargeAt, undefined)
  assert.deepEqual(billed(await shop.invoices()), [
    ['PAID', 500, 'SUCCEEDED'],
    ['OPEN', 0, 'DECLINED'],
  ])
  await shop.card('tok_ok')
  await shop.expectEvents('PAYMENT_SUCCESS')
  assert.deepEqual(billed(await shop.invoices()), [
    ['PAID', 500, 'SUCCEEDED'],
    ['PAID', 500, 'DECLINED', 'SUCCEEDED'],
  ])
  assert.deepEqual(await takenThere(shop), [500, 500])
})

test('at the end of a trial a missing payment method counts as a soft decline', async () => {
  const plan = await world.plan({ trialPeriodDays: 7 })
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'none' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-01-08T00:00:00Z')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
  assert.equal((await shop.invoices())[0]?.attempts[0].reason, 'no_payment_method')
  await shop.card('tok_ok')
  await shop.expectEvents('PAYMENT_SUCCESS')
  assert.deepEqual(billed(await shop.invoices()), [['PAID', 500, 'DECLINED', 'SUCCEEDED']])
})

test('unknown, then success: the lost response is looked up, and nothing is sent again', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_timeout_then_ok' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-01-20T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'CURRENT')
  assert.deepEqual(billed(await shop.invoices()), [['PAID', 500, 'SUCCEEDED']])
  assert.deepEqual(await takenThere(shop), [500])
})

test('unknown, then decline: the charge is retried a day later and paid by another card, once', async () => {
  const shop = await world.merchant({ at: '2025-12-31T00:00:00Z', card: 'tok_timeout_then_declined' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  const declined = await shop.subscription(subscriptionId)
  assert.deepEqual([declined.paymentStatus, declined.nextChargeAt], ['PAST_DUE', '2026-01-02T00:00:00Z'])
  assert.deepEqual(await takenThere(shop), [0])
  await shop.until('2026-01-02T12:00:00Z')
  await shop.expectEvents('PAYMENT_FAIL')
  await shop.card('tok_ok')
  await shop.until('2026-01-20T00:00:00Z')
  await shop.expectEvents('PAYMENT_SUCCESS')
  const [invoice, ...others] = await shop.invoices()
  assert.deepEqual(others, [])
  assert.deepEqual(
    invoice?.attempts.map(({ at, outcome }: Json) => [at, outcome]),
    [
      ['2026-01-01T00:00:00Z', 'DECLINED'],
      ['2026-01-02T00:00:00Z', 'DECLINED'],
      ['2026-01-02T12:00:00Z', 'SUCCEEDED'],
    ],
  )
  assert.deepEqual(billed([invoice ?? {}]), [['PAID', 500, 'DECLINED', 'DECLINED', 'SUCCEEDED']])
  assert.deepEqual(await takenThere(shop), [500])
})

/** Status, paid amount and attempts of each invoice. */
const billed = (invoices: readonly Json[]) =>
  invoices.map(({ status, amountPaid, attempts }) => [
    status,
    amountPaid,
    ...attempts.map(({ outcome }: Json) => outcome),
  ])

/** The amounts that the gateway took, by charge object: one per invoice. */
async function takenThere({ businessId }: Merchant): Promise<number[]> {
  const charges = await listCharges(world.app.ports.db.sql)
  return charges.filter(charge => charge.businessId === businessId).map(({ charged }) => charged)
}
