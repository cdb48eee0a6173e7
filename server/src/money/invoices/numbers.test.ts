import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-12-30T12:00:00Z' })
})
after(() => world?.close())

test('invoice numbers have no gaps and follow the order of issue, in separate series per year and for test merchants', async () => {
  const { appId } = await world.developer()
  const planId = await world.plan({ interval: 'DAY' }, appId)
  const types = ['MERCHANT', 'TEST_MERCHANT', 'MERCHANT', 'TEST_MERCHANT', 'MERCHANT'] as const
  const shops = await Promise.all(types.map(type => world.merchant({ type })))
  await Promise.all(
    shops.map(({ businessId }) => world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })),
  )
  for (const day of ['2026-12-31', '2027-01-01', '2027-01-02']) {
    await Promise.all([world.work(), world.work()])
    world.clock.set(`${day}T12:00:00Z`)
  }
  await Promise.all([world.work(), world.work()])
  const days = (...each: string[]) => each.map(day => `${day}T12:00:00Z`)
  const [thirtieth, thirtyFirst, first, second] = days('2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02')
  const real = await numbered(shops.filter((_, n) => types[n] === 'MERCHANT'))
  assert.deepEqual(real, {
    '2026': [1, 2, 3, 4, 5, 6].map(n => [n, n <= 3 ? thirtieth : thirtyFirst]),
    '2027': [1, 2, 3, 4, 5, 6].map(n => [n, n <= 3 ? first : second]),
  })
  assert.deepEqual(await numbered(shops.filter((_, n) => types[n] === 'TEST_MERCHANT')), {
    'T-2026': [1, 2, 3, 4].map(n => [n, n <= 2 ? thirtieth : thirtyFirst]),
    'T-2027': [1, 2, 3, 4].map(n => [n, n <= 2 ? first : second]),
  })
})

test('an issued invoice changes only by payment, refund and closing', async () => {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const { sql } = world.app.ports.db
  for (const edit of [
    "lines = '[]'",
    'amount = amount + 1',
    "number = number || 'x'",
    'credit_applied = 1',
    "currency = 'EUR'",
    'business_id = subscription_id',
    'period_end = period_start',
    'created_at = updated_at',
  ]) {
    await assert.rejects(
      async () => sql.unsafe(`update invoices set ${edit}`),
      /never edited: update is rejected/,
      edit,
    )
  }
  await assert.rejects(async () => sql`delete from invoices`, /never edited/)
  await assert.rejects(async () => sql`truncate invoices cascade`, /never edited/)
  await shop.refund(invoice?.invoiceId, { amount: 100 })
  const [refunded] = await shop.invoices()
  const { amountRefunded, refunds, creditNotes, updatedAt } = refunded ?? {}
  assert.equal(amountRefunded, 100)
  assert.deepEqual(refunded, { ...invoice, amountRefunded, refunds, creditNotes, updatedAt })
})

/** Times of issue by series, in the order of the numbers. */
async function numbered(shops: readonly Merchant[]): Promise<Record<string, [number, string][]>> {
  const series: Record<string, [number, string][]> = {}
  for (const { number, createdAt } of (await Promise.all(shops.map(shop => shop.invoices()))).flat()) {
    const [, name = '', n = ''] = /^(.*)-(\d+)$/.exec(number) ?? []
    series[name] = [...(series[name] ?? []), [Number(n), createdAt]]
  }
  for (const numbers of Object.values(series)) numbers.sort(([one], [other]) => one - other)
  return series
}
