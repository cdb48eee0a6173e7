import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2027-04-01T00:00:00Z' })
})
after(() => world?.close())

test('after a stop a pending plan applies at its own instant, and each missed period is billed with it, credit first', async () => {
  const [dear, cheap, weekly] = await Promise.all(
    [
      { value: 3_000, interval: 'MONTH' },
      { value: 1_000, interval: 'MONTH' },
      { value: 600, interval: 'WEEK' },
    ].map(({ value, interval }) => world.plan({ interval, amounts: [{ country: 'US', currency: 'USD', value }] })),
  )
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(dear ?? '')
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  await world.call('PATCH', path, { planId: cheap, when: 'NOW' })
  await world.call('PATCH', path, { planId: weekly, when: 'PERIOD_END' })
  world.clock.set('2027-05-21T12:00:00Z')
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PLAN_CHANGE')
  assert.deepEqual(
    (await shop.invoices()).map(({ periodStart, amount, creditApplied, status }) => [
      ...[periodStart.slice(0, 10), amount, creditApplied, status],
    ]),
    [
      ['2027-04-01', 3_000, 0, 'PAID'],
      ['2027-04-01', 0, 1_000, 'PAID'],
      ['2027-05-01', 0, 600, 'PAID'],
      ['2027-05-08', 0, 600, 'PAID'],
      ['2027-05-15', 0, 600, 'PAID'],
    ],
  )
  world.clock.set('2027-05-22T00:00:00Z')
  await world.work()
  await shop.expectEvents('PAYMENT_SUCCESS')
  const last = (await shop.invoices()).at(-1)
  assert.deepEqual([last?.amount, last?.creditApplied], [400, 200])
})
