import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

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
  const [, february] = await shop.invoices()
  assert.deepEqual(
    february?.attempts.map((attempt: { at: string; outcome: string }) => [attempt.at, attempt.outcome]),
    [
      ['2026-02-01T00:00:00Z', 'REFUSED'],
      ['2026-02-02T00:00:00Z', 'REFUSED'],
      ['2026-02-02T12:00:00Z', 'SUCCEEDED'],
    ],
  )
})

test('grace over without a payment ends the subscription, and its invoice is uncollectible', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_fail_after_1' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-03-01T00:00:00Z')
  // Tries on the day and 1, 3, 5, 7 days later; the last one falls on the end of grace and comes before it.
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', ...Array(5).fill('PAYMENT_FAIL'), 'END')
  const ended = await shop.subscription(subscriptionId)
  assert.deepEqual([ended.status, ended.endReason, ended.endedAt], ['ENDED', 'NON_PAYMENT', '2026-02-08T00:00:00Z'])
  assert.deepEqual(
    (await shop.invoices()).map(invoice => invoice.status),
    ['PAID', 'UNCOLLECTIBLE'],
  )
})

test('a hard refusal of the very first charge ends the subscription at once', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_stolen' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.expectEvents('START', 'PAYMENT_FAIL', 'END')
  assert.equal((await shop.subscription(subscriptionId)).endReason, 'NON_PAYMENT')
})

test('a hard refusal later stops the tries until the payment method changes', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.card('tok_stolen')
  await shop.until('2026-02-05T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL')
  assert.equal((await shop.subscription(subscriptionId)).nextChargeAt, undefined)
  await shop.card('tok_ok')
  await shop.expectEvents('PAYMENT_SUCCESS')
})

test('at the end of a trial, no payment method counts as a soft refusal', async () => {
  const plan = await world.plan({ trialPeriodDays: 7 })
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'none' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-01-08T00:00:00Z')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  assert.equal((await shop.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
  assert.equal((await shop.invoices())[0]?.attempts[0].reason, 'no_payment_method')
  await shop.card('tok_ok')
  await shop.expectEvents('PAYMENT_SUCCESS')
})

test('an answer that got lost is looked up: charged once when it was, tried again when it was refused', async () => {
  const plan = await world.plan()
  const charged = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_timeout_then_ok' })
  await charged.subscribe(plan)
  await charged.expectEvents('START', 'PAYMENT_SUCCESS')
  const declined = await world.merchant({ at: '2026-01-01T00:00:00Z', card: 'tok_timeout_then_declined' })
  const { subscriptionId } = await declined.subscribe(plan)
  await declined.expectEvents('START', 'PAYMENT_FAIL')
  assert.equal((await declined.subscription(subscriptionId)).paymentStatus, 'PAST_DUE')
})
