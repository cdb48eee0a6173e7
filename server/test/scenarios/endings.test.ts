import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

test('a cancellation in the trial ends the subscription now, and nothing is charged', async () => {
  const plan = await world.plan({ trialPeriodDays: 14, cancelPolicy: 'BILLING' })
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  const ended = await shop.cancel(subscriptionId)
  assert.deepEqual([ended.status, ended.endReason], ['ENDED', 'CANCELLED'])
  await shop.until('2026-06-01T00:00:00Z')
  await shop.expectEvents('START', 'END')
  assert.deepEqual(await shop.invoices(), [])
})

test('policy BILLING: cancelled, restored and cancelled again, a subscription ends with the paid period', async () => {
  const plan = await world.plan({ cancelPolicy: 'BILLING' })
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  assert.equal((await shop.cancel(subscriptionId)).cancelAt, '2026-02-28T00:00:00Z')
  assert.equal((await shop.cancel(subscriptionId)).cancelAt, '2026-02-28T00:00:00Z')
  const restored = await world.call('POST', `/apps/${world.appId}/subscriptions/${subscriptionId}/restore`, {}, 200)
  assert.equal(restored.cancelAt, undefined)
  await world.call('POST', `/apps/${world.appId}/subscriptions/${subscriptionId}/restore`, {}, 409)
  await shop.cancel(subscriptionId)
  await shop.until('2026-04-01T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'CANCEL_SCHEDULED', 'RESTORED', 'CANCEL_SCHEDULED', 'END')
  const ended = await shop.subscription(subscriptionId)
  assert.deepEqual([ended.status, ended.endedAt], ['ENDED', '2026-02-28T00:00:00Z'])
  assert.deepEqual(
    (await shop.invoices()).map(({ periodEnd, status }) => [periodEnd, status]),
    [['2026-02-28T00:00:00Z', 'PAID']],
  )
  await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`, undefined, 409)
})

test('if two requests cancel concurrently, one ends the subscription, the other finds the subscription ended, and END is emitted once', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(plan)
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  const both = await Promise.all(
    [1, 2].map(() =>
      world.call('DELETE', path).then(
        () => 200,
        () => 409,
      ),
    ),
  )
  assert.deepEqual(both.sort(), [200, 409])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'END')
  // An immediate end returns nothing and bills nothing more.
  await shop.until('2026-06-01T00:00:00Z')
  await shop.expectEvents()
  assert.deepEqual(
    (await shop.invoices()).map(({ status, amountPaid, amountRefunded }) => [status, amountPaid, amountRefunded]),
    [['PAID', 500, 0]],
  )
})

test('a cancellation before the first charge is sent sends nothing and makes the invoice void', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribePending(plan)
  await shop.cancel(subscriptionId)
  await world.work()
  await shop.expectEvents()
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.attempts], ['VOID', []])
})

test('refunds: a part, the rest, then no more', async () => {
  const plan = await world.plan()
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  await shop.subscribe(plan)
  const [invoice] = await shop.invoices()
  await shop.refund(invoice?.invoiceId, { amount: 501 }, 409)
  await shop.refund(invoice?.invoiceId, { amount: 0 }, 400)
  await shop.refund(invoice?.invoiceId, { amount: 200, reason: 'a bad week' })
  await shop.refund(invoice?.invoiceId, {})
  await shop.refund(invoice?.invoiceId, { amount: 1 }, 409)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
  const [after] = await shop.invoices()
  assert.deepEqual([after?.status, after?.amountPaid, after?.amountRefunded], ['PAID', 500, 500])
  assert.deepEqual(
    after?.refunds.map((refund: { amount: number; status: string }) => [refund.amount, refund.status]),
    [
      [200, 'SUCCEEDED'],
      [300, 'SUCCEEDED'],
    ],
  )
})
