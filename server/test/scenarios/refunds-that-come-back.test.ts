import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import { createWorld, type Merchant, type World } from '../support/world.ts'

/**
 * A merchant leaves a plan of 31.00 in mid-period, gets credit for the unused half, and a refund at the gateway as
 * well: the credit is taken back. Days later the bank returns the refund, for instance because the card was closed.
 */

let world: World
let basic: string
let pro: string
let free: string
before(async () => {
  world = await createWorld()
  const planOf = (name: string, value: number) =>
    world.plan({ name, amounts: [{ country: 'US', currency: 'USD', value }] })
  basic = await planOf('Basic', 100)
  pro = await planOf('Pro', 3_100)
  free = await planOf('Free', 0)
})
after(() => world?.close())

test('credit returns when its refund is returned, once, with repeated reports', async () => {
  const shop = await changedInMidJanuary(free)
  assert.equal(await credit(shop), 1_550)
  const chargeId = await firstChargeOf(shop)
  const refund = await refundThere(shop, chargeId, 3_100)
  assert.deepEqual([await credit(shop), await refundedOf(shop)], [0, 3_100])
  await booksAgree(shop)
  await comesBack(chargeId, refund)
  await Promise.all([compare(chargeId), compare(chargeId)])
  await compare(chargeId)
  assert.deepEqual([await credit(shop), await refundedOf(shop)], [1_550, 0])
  const [invoice] = await shop.invoices()
  assert.equal(invoice?.refunds[0].status, 'FAILED')
  await booksAgree(shop)
  // The events stay emitted: no event takes them back.
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'REFUND_SUCCESS')
})

test('if the credit was spent, a returned refund lifts the balance from below zero and pays the next period', async () => {
  const shop = await changedInMidJanuary(basic)
  const chargeId = await firstChargeOf(shop)
  const refund = await refundThere(shop, chargeId, 3_100)
  assert.equal(await credit(shop), -100)
  await shop.until('2026-02-16T12:00:00Z')
  await comesBack(chargeId, refund)
  await compare(chargeId)
  assert.equal(await credit(shop), 1_450)
  await booksAgree(shop)
  await shop.until('2026-03-16T12:00:00Z')
  const [, , cash, covered] = await shop.invoices()
  assert.deepEqual(
    [cash, covered].map(invoice => [invoice?.status, invoice?.creditApplied, invoice?.amountPaid]),
    [
      ['PAID', 0, 100],
      ['PAID', 100, 0],
    ],
  )
  assert.equal(await credit(shop), 1_350)
  await booksAgree(shop)
})

test('if the bank returns one of two refunds, the other refund keeps its credit, and a third refund takes the returned credit again', async () => {
  const shop = await changedInMidJanuary(free)
  const chargeId = await firstChargeOf(shop)
  const first = await refundThere(shop, chargeId, 2_000)
  assert.equal(await credit(shop), 1_100)
  await refundThere(shop, chargeId, 1_000)
  assert.equal(await credit(shop), 100)
  await comesBack(chargeId, first)
  await compare(chargeId)
  // 10.00 of the 15.50 that were not credited are returned.
  assert.deepEqual([await credit(shop), await refundedOf(shop)], [1_550, 1_000])
  await booksAgree(shop)
  await refundThere(shop, chargeId, 2_100)
  assert.deepEqual([await credit(shop), await refundedOf(shop)], [0, 3_100])
  await booksAgree(shop)
})

test('a returned refund and a new refund at the gateway are applied together', async () => {
  const { shop, chargeId, invoiceId } = await paidInJanuary()
  await shop.refund(invoiceId, { amount: 200 })
  await comesBack(chargeId, await refundOf(shop))
  // The whole payment, which is more than the first refund leaves.
  await refundAtGateway(world.app.ports, { gatewayChargeId: chargeId, id: randomUUID(), amount: 3_100 })
  await Promise.all([compare(chargeId), compare(chargeId)])
  await compare(chargeId)
  assert.deepEqual(await standing(shop), { amountRefunded: 3_100, refunds: [200, 'FAILED', 3_100, 'SUCCEEDED'] })
  await booksAgree(shop)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
})

test('our refund of money that was returned before any report is booked, and so is the return', async () => {
  const { shop, chargeId, invoiceId } = await paidInJanuary()
  // Ordered and not sent yet when the gateway refunds everything and the bank returns it.
  await world.call('POST', `/businesses/${shop.businessId}/invoices/${invoiceId}/refunds`, { amount: 200 })
  await comesBack(chargeId, await refundThere(shop, chargeId, 3_100))
  await world.work()
  assert.deepEqual(await standing(shop), { amountRefunded: 200, refunds: [200, 'SUCCEEDED', 3_100, 'FAILED'] })
  const quarantined = await world.app.ports.db.sql`select refund_id from refunds where failures > 0`
  assert.deepEqual([...quarantined], [])
  await booksAgree(shop)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
})

test("another merchant's credit of the same organization is unchanged", async () => {
  const [shop, neighbour] = [await changedInMidJanuary(free), await changedInMidJanuary(free)]
  const chargeId = await firstChargeOf(shop)
  const refund = await refundThere(shop, chargeId, 3_100)
  await comesBack(chargeId, refund)
  await compare(chargeId)
  await compare(await firstChargeOf(neighbour))
  assert.deepEqual([await credit(shop), await credit(neighbour)], [1_550, 1_550])
  await booksAgree(neighbour)
  for (const checker of ['creditMatches', 'moneyMatches', 'refundsWithinPaid', 'gatewayMatches', 'totalsMatch']) {
    const { checks } = await world.call('GET', `/operations/checks?check=${checker}`)
    assert.deepEqual([checks[0].status, checks[0].violations], ['PASSED', []], checker)
  }
})

// Last, because the books of this database no longer match the sandbox's.
test('a refund that cannot be applied delays no other and is retried', async () => {
  const { shop, chargeId, invoiceId } = await paidInJanuary()
  await shop.refund(invoiceId, { amount: 200 })
  const { sandbox } = world.app.ports.gateways
  // Newest first, as gateways list refunds. The gateway reports more refunds than payments.
  const lying: typeof sandbox = {
    ...sandbox,
    findMoney: async id => {
      const money = await sandbox.findMoney(id)
      const made = (gatewayRefundId: string, amount: number) =>
        ({ gatewayRefundId, amount, outcome: { kind: 'succeeded' } }) as const
      return money && { ...money, refunds: [made('too much', 9_999), made('fits', 100), ...money.refunds] }
    },
  }
  await assert.rejects(reconcile(world.app.ports, lying, chargeId), /invoices_refunded/)
  assert.deepEqual(await standing(shop), { amountRefunded: 300, refunds: [200, 'SUCCEEDED', 100, 'SUCCEEDED'] })
  await booksAgree(shop)
})

async function paidInJanuary() {
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  await shop.subscribe(pro)
  const [invoice] = await shop.invoices()
  return { shop, chargeId: await firstChargeOf(shop), invoiceId: invoice?.invoiceId }
}

async function standing(shop: Merchant) {
  const [invoice] = await shop.invoices()
  const refunds = invoice?.refunds.flatMap(({ amount, status }: { amount: number; status: string }) => [amount, status])
  return { amountRefunded: invoice?.amountRefunded, refunds }
}

async function refundOf(shop: Merchant): Promise<string> {
  return (await shop.invoices())[0]?.refunds[0].refundId
}

async function changedInMidJanuary(planId: string): Promise<Merchant> {
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(pro)
  await shop.until('2026-01-16T12:00:00Z')
  await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId, when: 'NOW' })
  return shop
}

/** A refund at the gateway, found by comparing the books. */
async function refundThere(shop: Merchant, gatewayChargeId: string, amount: number): Promise<string> {
  const { db, clock } = world.app.ports
  const id = randomUUID()
  const before = await refundedOf(shop)
  assert.equal((await refundAtGateway({ db, clock }, { gatewayChargeId, id, amount })).kind, 'succeeded')
  await compare(gatewayChargeId)
  assert.equal((await refundedOf(shop)) - before, amount)
  return id
}

/** The bank returns a refund days later. */
async function comesBack(gatewayChargeId: string, refund: string): Promise<void> {
  const rows = await world.app.ports.db.sql`
    update sandbox_refunds set outcome = '{"kind": "failed", "code": "expired_or_canceled_card"}'
    where gateway_charge_id = ${gatewayChargeId} and key like ${`%${refund}`} returning key`
  assert.equal(rows.length, 1)
}

async function compare(gatewayChargeId: string): Promise<void> {
  await reconcile(world.app.ports, world.app.ports.gateways.sandbox, gatewayChargeId)
}

async function firstChargeOf(shop: Merchant): Promise<string> {
  const [invoice] = await shop.invoices()
  const [row] = await world.app.ports.db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  assert.ok(row)
  return row.id
}

async function refundedOf(shop: Merchant): Promise<number> {
  return (await shop.invoices())[0]?.amountRefunded
}

async function credit({ businessId }: Merchant): Promise<number> {
  const [row] = await world.app.ports.db.sql<{ balance: number }[]>`
    select balance from credit_balances where business_id = ${businessId}`
  return row?.balance ?? 0
}

/** Ledger and credit balance match, and the charges match the invoices. */
async function booksAgree(shop: Merchant): Promise<void> {
  const [sums] = await world.app.ports.db.sql<{ cash: number; credit: number }[]>`
    select sum(gateway)::bigint as cash, -sum(business_credit)::bigint as credit
    from ledger_transactions where business_id = ${shop.businessId}`
  const invoices = await shop.invoices()
  const cash = invoices.reduce((sum, { amountPaid, amountRefunded }) => sum + amountPaid - amountRefunded, 0)
  assert.deepEqual(sums, { cash, credit: await credit(shop) })
}
