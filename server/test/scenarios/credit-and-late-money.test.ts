import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import { settle } from '../../src/money/gateway/sandbox/payments.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import { createWorld, type Merchant, type World } from '../support/world.ts'

/** Half a month of a plan of 31.00 has become credit. Then refunds, disputes and returns of its payment cross. */

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())
beforeEach(() => world.clock.set('2027-01-01T00:00:00Z'))

const planOf = (value: number) => world.plan({ amounts: [{ country: 'US', currency: 'USD', value }] })

test('an upgrade that the bank pays after the end is refunded, and its credit returns, once each', async () => {
  const { shop, subscriptionId, first } = await paidForJanuary()
  await shop.card('tok_pending')
  await change(subscriptionId, await planOf(5_000))
  await world.work()
  assert.equal(await credit(shop), 0)
  await shop.cancel(subscriptionId)
  assert.equal(await credit(shop), 1_550)
  const [, upgrade] = await shop.invoices()
  assert.deepEqual([upgrade?.status, upgrade?.amount, upgrade?.creditApplied], ['VOID', 3_450, 1_550])
  await bankPays(upgrade?.invoiceId)
  await passTo('2027-01-17T12:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [, paid] = await shop.invoices()
  assert.deepEqual([paid?.status, paid?.amountPaid, paid?.amountRefunded], ['PAID', 3_450, 3_450])
  assert.equal(await credit(shop), 1_550)
  await shop.refund(paid?.invoiceId, {}, 409)
  await shop.refund(first, { amount: 1_551 }, 409)
  await shop.refund(first, {})
  await shop.expectEvents('REFUND_SUCCESS')
  await shop.card('tok_ok')
  await shop.subscribe(await planOf(2_000))
  const [, , next] = await shop.invoices()
  assert.deepEqual([next?.creditApplied, next?.amountPaid], [1_550, 450])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  await holds()
})

test('with a pending refund and a refund at the gateway the books hold at each step, and nothing is returned twice', async () => {
  const { shop, subscriptionId, first } = await paidForJanuary()
  await change(subscriptionId, await planOf(0))
  // Ordered, and not sent yet.
  await world.call('POST', `/businesses/${shop.businessId}/invoices/${first}/refunds`, { amount: 1_550 })
  await holds()
  await refundThere(first, 1_000)
  assert.equal(await credit(shop), 1_550)
  await holds()
  await world.work()
  // 25.50 of 31.00 are returned in cash, so 5.50 are left as credit.
  assert.equal(await credit(shop), 550)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.amountPaid, invoice?.amountRefunded], ['PAID', 3_100, 2_550])
  await holds()
})

/** Noon of 16 January: half of the month is left. */
async function paidForJanuary(): Promise<{ shop: Merchant; subscriptionId: string; first: string }> {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await planOf(3_100))
  const [invoice] = await shop.invoices()
  await passTo('2027-01-16T12:00:00Z')
  return { shop, subscriptionId, first: invoice?.invoiceId }
}

function change(subscriptionId: string, planId: string) {
  return world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId, when: 'NOW' })
}

async function passTo(at: string): Promise<void> {
  world.clock.set(at)
  await world.work()
}

/** The refund that was pending at the gateway succeeds. */
async function bankPays(invoiceId: string): Promise<void> {
  const { db } = world.app.ports
  const [pending] = await db.sql<{ gatewayChargeId: string; key: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId", c.charge_id as key
    from charges as c join charge_objects as o using (invoice_id) where invoice_id = ${invoiceId}`
  assert.ok(pending)
  await settle({ db, clock: world.clock }, { ...pending, outcome: { kind: 'succeeded' } })
}

/** A refund that is made at the gateway, with its event. */
async function refundThere(invoiceId: string, amount: number): Promise<void> {
  const { db, gateways } = world.app.ports
  const [object] = await db.sql<{ gatewayChargeId: string }[]>`
    select gateway_charge_id as "gatewayChargeId" from charge_objects where invoice_id = ${invoiceId}`
  assert.ok(object)
  await refundAtGateway({ db, clock: world.clock }, { ...object, id: randomUUID(), amount })
  await reconcile(world.app.ports, gateways.sandbox, object.gatewayChargeId)
}

async function credit({ businessId }: Merchant): Promise<number> {
  const { balances } = await world.call('GET', `/businesses/${businessId}/balance`)
  return balances[0]?.credit ?? 0
}

/** The invariant checks pass. Due work is excluded, because the scenario controls it. */
async function holds(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  for (const { checker, status, violations } of checks) {
    if (checker === 'nothingOverdue') continue
    assert.deepEqual([status, violations], ['PASSED', []], checker)
  }
}
