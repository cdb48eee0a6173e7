import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, pass } from '../../test/support/pure-billing.ts'
import { invoiceNumber, periodOf, seriesOf } from './invoice.ts'

test('a series belongs to the UTC year of issue, and test merchants have their own series', () => {
  assert.equal(seriesOf('MERCHANT', new Date('2026-12-31T23:59:59Z')), '2026')
  assert.equal(seriesOf('MERCHANT', new Date('2027-01-01T00:00:00Z')), '2027')
  assert.equal(seriesOf('TEST_MERCHANT', new Date('2026-06-01T00:00:00Z')), 'T-2026')
})

test('the numbers of a series sort in order and never collide above a million', () => {
  assert.equal(invoiceNumber('2026', 1), '2026-000001')
  assert.equal(invoiceNumber('T-2026', 999_999), 'T-2026-999999')
  assert.equal(invoiceNumber('2026', 1_000_000), '2026-1000000')
})

test('a period begins at the end of the previous period', () => {
  const anchor = new Date('2026-01-31T10:00:00Z')
  const quarterly = { interval: 'MONTH', intervalCount: 3 } as const
  for (let n = 0; n < 24; n++) {
    assert.deepEqual(periodOf(anchor, quarterly, n).end, periodOf(anchor, quarterly, n + 1).start)
  }
})

test('each period has an invoice with the price of its start and one line over the period', () => {
  const run = begin({ at: '2026-01-31T10:00:00Z' })
  pass(run, '2026-06-01T00:00:00Z', 'succeeded')
  const invoices = [...run.invoices.values()]
  assert.deepEqual(
    invoices.map(({ periodIndex }) => periodIndex),
    [0, 1, 2, 3, 4],
  )
  for (const { amount, lines, periodStart, periodEnd, createdAt } of invoices) {
    assert.deepEqual(lines, [{ kind: 'PLAN', description: 'Loyalty', amount: 500, periodStart, periodEnd }])
    assert.equal(amount, 500)
    assert.deepEqual(createdAt, periodStart)
  }
})
