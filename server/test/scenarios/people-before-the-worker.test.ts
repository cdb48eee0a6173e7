import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../support/world.ts'

/** The service was down, and people act before the background jobs have caught up. Found by the simulation. */

let world: World
before(async () => {
  world = await createWorld({ at: '2026-11-01T00:00:00Z' })
})
after(() => world?.close())

test('a cancellation after the paid period and before its renewal ends at once, and nothing more is billed', async () => {
  world.clock.set('2026-11-01T00:00:00Z')
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ interval: 'DAY', cancelPolicy: 'BILLING' }))
  world.clock.set('2026-11-10T06:00:00Z')
  const ended = await shop.cancel(subscriptionId)
  assert.deepEqual([ended.status, ended.endedAt], ['ENDED', '2026-11-10T06:00:00Z'])
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'END')
  assert.equal((await shop.invoices()).length, 1)
})

test('after a scheduled end a new payment method charges nothing, even before the job ends the subscription', async () => {
  world.clock.set('2026-11-01T00:00:00Z')
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ cancelPolicy: 'BILLING', gracePeriodDays: 28 }))
  await shop.card('tok_insufficient_funds')
  // Late, so that grace outlasts the period.
  world.clock.set('2026-12-20T00:00:00Z')
  await world.work()
  assert.equal((await shop.cancel(subscriptionId)).cancelAt, '2027-01-01T00:00:00Z')
  world.clock.set('2027-01-02T00:00:00Z')
  await shop.card('tok_ok')
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'CANCEL_SCHEDULED', 'END')
  const ended = await shop.subscription(subscriptionId)
  assert.deepEqual([ended.status, ended.endedAt], ['ENDED', '2027-01-01T00:00:00Z'])
  assert.deepEqual(await statuses(shop), ['PAID', 'VOID'])
})

async function statuses(shop: Merchant): Promise<string[]> {
  return (await shop.invoices()).map(({ status }) => status)
}
