import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-11-01T00:00:00Z' })
})
after(() => world?.close())

test('after 35 days of downtime each missed period is billed once, in order', async () => {
  const plan = await world.plan({ interval: 'WEEK' })
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(plan)
  world.clock.set('2026-12-06T00:00:00Z')
  await world.work()
  await shop.expectEvents('START', ...Array(6).fill('PAYMENT_SUCCESS'))
  const weeks = ['2026-11-01', '2026-11-08', '2026-11-15', '2026-11-22', '2026-11-29', '2026-12-06', '2026-12-13']
  const starts = weeks.map(day => `${day}T00:00:00Z`)
  assert.deepEqual(
    (await shop.invoices()).map(({ periodStart, periodEnd, status, amount, amountPaid }) => [
      ...[periodStart, periodEnd],
      ...[status, amount, amountPaid],
    ]),
    starts.slice(1).map((end, n) => [starts[n], end, 'PAID', 500, 500]),
  )
  assert.equal((await shop.subscription(subscriptionId)).nextChargeAt, '2026-12-13T00:00:00Z')
  await world.work()
  await shop.expectEvents()
})

test('two workers at once bill a period once', async () => {
  const plan = await world.plan({ interval: 'DAY' })
  const shops = await Promise.all(Array.from({ length: 10 }, () => world.merchant()))
  for (const shop of shops) await shop.subscribe(plan)
  world.clock.set(new Date(world.clock.now().getTime() + 3 * 86_400_000))
  await Promise.all([world.work(), world.work(), world.work()])
  await world.work()
  for (const shop of shops) {
    await shop.expectEvents('START', ...Array(4).fill('PAYMENT_SUCCESS'))
    assert.equal((await shop.invoices()).length, 4)
  }
})
