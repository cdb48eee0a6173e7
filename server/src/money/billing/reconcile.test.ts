import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { refundAtGateway } from '../../../test/support/sandbox-bench.ts'
import { createWorld, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { reconcile } from './reconcile.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

interface Paid {
  readonly shop: Merchant
  readonly invoiceId: string
  readonly gatewayChargeId: string
}

async function paid(): Promise<Paid> {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  const [object] = await world.app.ports.db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  return { shop, invoiceId: invoice?.invoiceId, gatewayChargeId: object?.id ?? '' }
}

/** The sandbox, with an event between the reading of our books and of the sandbox's. */
function sandboxAfter(happens: () => Promise<unknown>): Gateway {
  const { sandbox } = world.app.ports.gateways
  return {
    ...sandbox,
    findMoney: async gatewayChargeId => {
      await happens()
      return await sandbox.findMoney(gatewayChargeId)
    },
  }
}

test('a refund that is requested and made during a comparison is booked once', async () => {
  const { shop, invoiceId, gatewayChargeId } = await paid()
  const gateway = sandboxAfter(() => shop.refund(invoiceId, { amount: 100 }))
  const { discrepancies } = await reconcile(world.app.ports, gateway, gatewayChargeId)
  assert.deepEqual(discrepancies, [])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.amountRefunded, invoice?.refunds.length], [100, 1])
})

test('a refund at the gateway and a concurrent refund request are two refunds', async () => {
  const { shop, invoiceId, gatewayChargeId } = await paid()
  const { db, clock } = world.app.ports
  const gateway = sandboxAfter(async () => {
    await refundAtGateway({ db, clock }, { gatewayChargeId, id: randomUUID(), amount: 100 })
    const path = `/businesses/${shop.businessId}/invoices/${invoiceId}/refunds`
    await world.ask(OPERATOR_KEY, 'POST', path, { body: { amount: 100 } })
  })
  await reconcile(world.app.ports, gateway, gatewayChargeId)
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
  assert.equal((await shop.invoices())[0]?.amountRefunded, 200)
})
