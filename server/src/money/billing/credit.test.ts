import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilWaiting } from '../../../test/support/waiting.ts'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { lockCredits } from '../credits/store.ts'
import { lockDue } from '../subscriptions/store.ts'
import { advance } from './advance.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

const planOf = (value: number, definition: object = {}) =>
  world.plan({ amounts: [{ country: 'US', currency: 'USD', value }], ...definition })

/** A merchant with 1,000 of credit and two daily subscriptions of 700. */
async function withCredit(): Promise<Merchant> {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await planOf(1_000, { interval: 'YEAR' }))
  for (const _ of [1, 2]) await shop.subscribe(await planOf(700, { interval: 'DAY' }))
  const free = { planId: await planOf(0), when: 'NOW' }
  await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, free)
  return shop
}

test('two renewals in one transaction share the credit of their business', async () => {
  const shop = await withCredit()
  const now = new Date('2026-01-02T00:00:00Z')
  world.clock.set(now)
  const { ports } = world.app
  await ports.db.transaction(async tx => {
    const due = (await lockDue(tx.sql, { now, limit: 100 })).filter(({ businessId }) => businessId === shop.businessId)
    assert.equal(due.length, 2)
    await advance(tx, ports, due, now)
  })
  const issued = (await shop.invoices()).slice(3).map(({ creditApplied, amount }) => [creditApplied, amount])
  assert.deepEqual(issued, [
    [700, 0],
    [300, 400],
  ])
})

test('a credit balance stays locked until the transaction that draws on it ends', async () => {
  const { businessId } = await withCredit()
  const holder = { businessId, organizationId: world.organizationId, currency: 'USD' }
  const { db } = world.app.ports
  const order: string[] = []
  let second: Promise<unknown> = Promise.resolve()
  await db.transaction(async first => {
    await lockCredits(first.sql, [holder])
    second = db.transaction(async ({ sql }) => {
      await lockCredits(sql, [holder])
      order.push('second')
    })
    await untilWaiting(first.sql, 1)
    order.push('first')
  })
  await second
  assert.deepEqual(order, ['first', 'second'])
})

test('a pending refund reduces the credit of a plan change', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await planOf(1_000))
  const [invoice] = await shop.invoices()
  await world.call('POST', `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`, { amount: 400 })
  const body = { planId: await planOf(0), when: 'NOW' }
  const preview = await world.call('POST', `/apps/${world.appId}/subscriptions/${subscriptionId}/preview`, body, 200)
  assert.equal(preview.creditGranted, 600)
})
