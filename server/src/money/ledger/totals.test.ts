import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'
import { bookCharge, bookRefund } from '../../core/ledger.ts'
import { totalsThatDisagree } from './books.fixture.ts'
import { insertLedgerTransactions } from './store.ts'
import { foldTotals } from './totals.ts'

let world: World
let invoice: { invoiceId: string; businessId: string; organizationId: string }
before(async () => {
  world = await createWorld()
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  const [found] = await shop.invoices()
  invoice = { ...(found as Json), businessId: shop.businessId, organizationId: world.organizationId } as typeof invoice
})
after(() => world?.close())

function booking(amount: number, bookedAt = new Date('2026-01-31T23:59:59Z')) {
  const { invoiceId, businessId, organizationId } = invoice
  const ids = { ledgerTransactionId: v7(), sourceId: v7(), invoiceId, businessId, organizationId }
  return { ...ids, currency: 'USD', amount, bookedAt, shareBasisPoints: 2_000 }
}

test('totals plus changes equal the sums of the entries, with concurrent bookings and folds', async () => {
  const { db } = world.app.ports
  const months = ['2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z', '2026-02-28T12:00:00Z']
  const book = (n: number) => {
    const at = new Date(months[n % months.length] ?? '')
    const [charge, refund] = [bookCharge(booking(n * 7, at)), bookRefund({ ...booking(n, at), goneBefore: 0 })]
    return db.transaction(tx => insertLedgerTransactions(tx.sql, [charge, refund]))
  }
  const disagreements: object[] = []
  const watch = async () => disagreements.push(...(await totalsThatDisagree(db.sql)))
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 6 === 5 ? foldTotals(db.sql) : n % 6 === 4 ? watch() : book(n + 1))),
  )
  while ((await foldTotals(db.sql)) > 0);
  await watch()
  assert.deepEqual(disagreements, [])
  const [left] = await db.sql<{ notes: number; totals: number }[]>`
    select (select count(*) from ledger_total_changes) as notes, (select count(*) from ledger_totals) as totals`
  assert.equal(left?.notes, 0)
  assert.ok((left?.totals ?? 0) >= 4)
})

test('a rolled-back booking leaves nothing in the totals', async () => {
  const { db } = world.app.ports
  const failed = db.transaction(async tx => {
    await insertLedgerTransactions(tx.sql, [bookCharge(booking(500))])
    throw new Error('after all not')
  })
  await assert.rejects(failed, /after all not/)
  assert.deepEqual(await totalsThatDisagree(db.sql), [])
})

test('the ledger rejects a transaction whose entries do not sum to zero', async () => {
  const { sql } = world.app.ports.db
  const crooked = bookCharge(booking(500))
  const bent = { ...crooked, entries: crooked.entries.slice(0, 2) }
  await assert.rejects(insertLedgerTransactions(sql, [bent]), /sum_to_zero/)
  await assert.rejects(insertLedgerTransactions(sql, [bookCharge(booking(1)), bent]), /sum_to_zero/)
  const [, organization] = crooked.entries
  const more = { ...crooked, entries: [...crooked.entries, organization] }
  await assert.rejects(insertLedgerTransactions(sql, [more as typeof crooked]), /sum_to_zero/)
  const [row] = await sql`select 1 from ledger_transactions where source_id = ${crooked.sourceId}`
  assert.equal(row, undefined)
})

test('a booking of an unknown invoice is rejected', async () => {
  const { sql } = world.app.ports.db
  const strange = { ...bookCharge(booking(500)), invoiceId: v7() }
  await assert.rejects(insertLedgerTransactions(sql, [bookCharge(booking(1)), strange]), /invoice_id_fkey/)
  const [row] = await sql`select 1 from ledger_transactions where source_id = ${strange.sourceId}`
  assert.equal(row, undefined)
})

test('a charge is booked once', async () => {
  const { sql } = world.app.ports.db
  const { sourceId } = booking(1)
  await insertLedgerTransactions(sql, [bookCharge({ ...booking(500), sourceId })])
  await assert.rejects(insertLedgerTransactions(sql, [bookCharge({ ...booking(500), sourceId })]), /source_once/)
})

test('the ledger rejects update, delete and truncate', async () => {
  const { sql } = world.app.ports.db
  await assert.rejects(async () => sql`update ledger_transactions set live = true`, /append-only/)
  await assert.rejects(async () => sql`delete from ledger_transactions`, /append-only/)
  await assert.rejects(async () => sql`truncate ledger_transactions cascade`, /append-only/)
})

test('only charges and their refunds have a share', async () => {
  const { sql } = world.app.ports.db
  const { shareBasisPoints: _, ...withoutShare } = bookCharge(booking(500))
  await assert.rejects(insertLedgerTransactions(sql, [withoutShare]), /ledger_transactions_share/)
})
