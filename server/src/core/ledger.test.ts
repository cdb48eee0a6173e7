import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookCharge, bookCredit, bookCreditUse, bookRefund } from './ledger.ts'

const BOOKING = {
  ledgerTransactionId: 'transaction',
  sourceId: 'source',
  invoiceId: 'invoice',
  businessId: 'business',
  organizationId: 'organization',
  currency: 'USD',
  amount: 500,
  bookedAt: new Date('2026-01-01T00:00:00Z'),
}

test('money taken lies at the gateway and is owed to the organization', () => {
  assert.deepEqual(bookCharge(BOOKING).entries, [
    { account: 'GATEWAY', amount: 500 },
    { account: 'ORGANIZATION', ownerId: 'organization', amount: -500 },
  ])
})

test('a refund is the reverse of its charge: together they leave nothing on any account', () => {
  const [charge, refund] = [bookCharge(BOOKING), bookRefund(BOOKING)]
  for (const [i, entry] of charge.entries.entries()) {
    assert.equal(refund.entries[i]?.account, entry.account)
    assert.equal(entry.amount + (refund.entries[i]?.amount ?? 0), 0)
  }
})

test('credit is owed to the business and no longer to the organization; used, it is the other way round', () => {
  assert.deepEqual(bookCredit(BOOKING).entries, [
    { account: 'ORGANIZATION', ownerId: 'organization', amount: 500 },
    { account: 'BUSINESS_CREDIT', ownerId: 'business', amount: -500 },
  ])
  assert.deepEqual(bookCreditUse(BOOKING).entries, [
    { account: 'ORGANIZATION', ownerId: 'organization', amount: -500 },
    { account: 'BUSINESS_CREDIT', ownerId: 'business', amount: 500 },
  ])
  assert.deepEqual([bookCredit(BOOKING).kind, bookCreditUse(BOOKING).kind], ['CREDIT', 'CREDIT_USE'])
})

test('the entries of a transaction sum to zero', () => {
  for (const amount of [1, 500, 99_999_999]) {
    for (const { entries } of [bookCharge({ ...BOOKING, amount }), bookRefund({ ...BOOKING, amount })]) {
      assert.equal(
        entries.reduce((sum, entry) => sum + entry.amount, 0),
        0,
      )
    }
  }
})

test('a transaction says what it books', () => {
  const { organizationId: _, amount: __, ...rest } = BOOKING
  const { entries: ___, ...charge } = bookCharge(BOOKING)
  assert.deepEqual(charge, { ...rest, kind: 'CHARGE' })
  assert.equal(bookRefund(BOOKING).kind, 'REFUND')
})
