import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  planId = await world.plan({ name: 'Pro' })
})
after(() => world?.close())

async function paid(type: 'MERCHANT' | 'TEST_MERCHANT' = 'MERCHANT') {
  const shop = await world.merchant({ type })
  await shop.subscribe(planId)
  await world.work()
  const [invoice = {}] = await shop.invoices()
  return { shop, invoiceId: String(invoice.invoiceId) }
}

const notesOf = async ({ shop }: Awaited<ReturnType<typeof paid>>): Promise<Json[]> =>
  (await shop.invoices()).flatMap(({ creditNotes = [] }) => creditNotes)

test('concurrently settled refunds get numbers without gaps, in one series per organization and kind of merchant', async () => {
  const shops = await Promise.all([paid(), paid(), paid(), paid('TEST_MERCHANT')])
  const orders = shops.flatMap(one => [100, 200].map(amount => ({ ...one, amount })))
  await Promise.all(orders.map(({ shop, invoiceId, amount }) => shop.refund(invoiceId, { amount })))
  const other = await world.openAnother()
  await Promise.all([world.work(), other.jobs.refunds.runOnce(), other.jobs.refunds.runOnce()])
  await world.work()
  const notes = (await Promise.all(shops.map(notesOf))).flat()
  assert.deepEqual(notes.map(({ number }) => number).sort(), [
    ...[1, 2, 3, 4, 5, 6].map(n => `C-2026-00000${n}`),
    ...[1, 2].map(n => `T-C-2026-00000${n}`),
  ])
  assert.equal(new Set(notes.map(({ refundId }) => refundId)).size, 8)
  const [first] = shops
  assert.deepEqual((await notesOf(first as never)).map(({ amount }) => amount).sort(), [100, 200])
})

test('a refund that fails has no credit note', async () => {
  const shop = await world.merchant({ type: 'MERCHANT', card: 'tok_refund_fails' })
  await shop.subscribe(planId)
  await world.work()
  const [invoice = {}] = await shop.invoices()
  await shop.refund(invoice.invoiceId, { amount: 100 })
  await world.work()
  const [after = {}] = await shop.invoices()
  assert.deepEqual([after.refunds[0].status, after.creditNotes], ['FAILED', undefined])
})

test('a credit note is never edited or deleted', async () => {
  const one = await paid()
  await one.shop.refund(one.invoiceId, { amount: 100 })
  await world.work()
  const { sql } = world.app.ports.db
  await assert.rejects(async () => sql`update credit_notes set amount = 1`, /never edited/)
  await assert.rejects(async () => sql`delete from credit_notes`, /never edited/)
})
