import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('a trial that ends on 31 January bills on 28 February and 31 March, counted from the anchor', async () => {
  const plan = await world.plan({ trialPeriodDays: 14 })
  const shop = await world.merchant({ at: '2026-01-17T09:30:00Z' })
  const { subscriptionId, phase, trialEndAt } = await shop.subscribe(plan)
  assert.equal(phase, 'TRIAL')
  assert.equal(trialEndAt, '2026-01-31T09:30:00Z')
  await shop.expectEvents('START')
  await shop.until('2026-01-31T09:30:00Z')
  await shop.expectEvents('PHASE_CHANGE', 'PAYMENT_SUCCESS')
  await shop.until('2026-03-31T09:30:00Z')
  await shop.expectEvents('PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  assert.deepEqual(await periods(shop), [
    ['2026-01-31T09:30:00Z', '2026-02-28T09:30:00Z', 500, 'PAID'],
    ['2026-02-28T09:30:00Z', '2026-03-31T09:30:00Z', 500, 'PAID'],
    ['2026-03-31T09:30:00Z', '2026-04-30T09:30:00Z', 500, 'PAID'],
  ])
  const subscription = await shop.subscription(subscriptionId)
  assert.equal(subscription.phase, 'FULL')
  assert.equal(subscription.nextChargeAt, '2026-04-30T09:30:00Z')
})

for (const [year, lastOfFebruary] of [
  ['2027', '28'],
  ['2028', '29'],
] as const) {
  test(`billing day 31 becomes the last day in February of ${year}, and the 31st again afterwards`, async () => {
    const plan = await world.plan()
    const shop = await world.merchant({ at: `${year}-01-31T00:00:00Z` })
    await shop.subscribe(plan)
    await shop.until(`${year}-05-01T00:00:00Z`)
    await shop.expectEvents('START', ...Array(4).fill('PAYMENT_SUCCESS'))
    const days = ['01-31', `02-${lastOfFebruary}`, '03-31', '04-30', '05-31'].map(day => `${year}-${day}T00:00:00Z`)
    assert.deepEqual(
      await periods(shop),
      days.slice(1).map((end, n) => [days[n], end, 500, 'PAID']),
    )
  })
}

test('a daily plan bills every 24 hours, once', async () => {
  const plan = await world.plan({ interval: 'DAY' })
  const shop = await world.merchant({ at: '2026-06-01T12:00:00Z' })
  await shop.subscribe(plan)
  await shop.until('2026-06-11T11:59:59Z')
  await shop.expectEvents('START', ...Array(10).fill('PAYMENT_SUCCESS'))
  const noons = Array.from({ length: 11 }, (_, n) => `2026-06-${String(n + 1).padStart(2, '0')}T12:00:00Z`)
  assert.deepEqual(
    await periods(shop),
    noons.slice(1).map((end, n) => [noons[n], end, 500, 'PAID']),
  )
})

test('a free plan runs its periods without an invoice or a charge', async () => {
  const plan = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z', card: 'none' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.until('2026-04-01T00:00:00Z')
  await shop.expectEvents('START')
  assert.deepEqual(await shop.invoices(), [])
  assert.equal((await shop.subscription(subscriptionId)).currentPeriodStart, '2026-03-31T00:00:00Z')
})

async function periods(shop: { invoices(): Promise<Record<string, unknown>[]> }) {
  return (await shop.invoices()).map(({ periodStart, periodEnd, amount, status }) => [
    periodStart,
    periodEnd,
    amount,
    status,
  ])
}
