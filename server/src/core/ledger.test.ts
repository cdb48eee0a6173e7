import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  amountOf,
  bookCharge,
  bookChargeback,
  bookCredit,
  bookCreditUse,
  bookRefund,
  bookReturnedChargeback,
  entriesOfFee,
  type LedgerTransaction,
} from './ledger.ts'
import { MAX_AMOUNT } from './money.ts'

const BOOKING = {
  ledgerTransactionId: 'transaction',
  sourceId: 'source',
  invoiceId: 'invoice',
  businessId: 'business',
  organizationId: 'organization',
  currency: 'USD',
  amount: 500,
  bookedAt: new Date('2026-01-01T00:00:00Z'),
  shareBasisPoints: 2_000,
}

test('a charge is held by the gateway, and shared between operator and organization', () => {
  assert.deepEqual(bookCharge(BOOKING).entries, [
    { account: 'GATEWAY', amount: 500 },
    { account: 'ORGANIZATION', ownerId: 'organization', amount: -400 },
    { account: 'OPERATOR', amount: -100 },
  ])
})

test('the fee of a charge reduces the money at the gateway and is borne by one party', () => {
  const fee = { organizationId: 'organization', amount: 45 }
  const gateway = { account: 'GATEWAY', amount: -45 }
  assert.deepEqual(entriesOfFee({ ...fee, payer: 'OPERATOR' }), [{ account: 'OPERATOR', amount: 45 }, gateway])
  const organization = { account: 'ORGANIZATION', ownerId: 'organization', amount: 45 }
  assert.deepEqual(entriesOfFee({ ...fee, payer: 'ORGANIZATION' }), [organization, gateway])
  assert.throws(() => entriesOfFee({ ...fee, amount: 0, payer: 'OPERATOR' }))
})

test('charge and refund together leave every account at zero', () => {
  const [charge, refund] = [bookCharge(BOOKING), bookRefund({ ...BOOKING, goneBefore: 0 })]
  for (const [i, entry] of charge.entries.entries()) {
    assert.equal(refund.entries[i]?.account, entry.account)
    assert.equal(entry.amount + (refund.entries[i]?.amount ?? 0), 0)
  }
})

test('credit moves from the organization to the business, and back when used', () => {
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

/** A charge, its share, and the parts of its complete return. */
const refundedCharges = fc
  .tuple(fc.integer({ min: 1, max: MAX_AMOUNT }), fc.nat(10_000), fc.array(fc.integer({ min: 1, max: 99_999_999 })))
  .map(([amount, shareBasisPoints, wanted]) => {
    const parts: number[] = []
    let left = amount
    for (const part of [...wanted, amount]) {
      const taken = Math.min(part, left)
      if (taken > 0) parts.push(taken)
      left -= taken
    }
    return { amount, shareBasisPoints, parts }
  })

test('a charge returned in any parts leaves every account at zero, and no part is negative for a party', () => {
  fc.assert(
    fc.property(refundedCharges, ({ amount, shareBasisPoints, parts }) => {
      const booked = [bookCharge({ ...BOOKING, amount, shareBasisPoints })]
      let goneBefore = 0
      for (const [n, part] of parts.entries()) {
        const goes = { ...BOOKING, amount: part, shareBasisPoints, goneBefore }
        booked.push(n % 2 === 0 ? bookRefund(goes) : bookChargeback(goes))
        goneBefore += part
      }
      for (const { entries } of booked) assert.equal(sum(entries), 0)
      for (const { entries } of booked.slice(1)) {
        assert.ok(entries.every(entry => (entry.account === 'GATEWAY' ? entry.amount < 0 : entry.amount >= 0)))
      }
      for (const account of ['GATEWAY', 'ORGANIZATION', 'OPERATOR']) assert.equal(sumOf(booked, account), 0, account)
    }),
  )
})

test('a reversed chargeback leaves every account as before, with any other returns in between', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), fc.nat(10_000), fc.nat(), (amount, shareBasisPoints, n) => {
      const part = 1 + (n % amount)
      const of = { ...BOOKING, shareBasisPoints }
      const booked = [
        bookCharge({ ...of, amount }),
        bookChargeback({ ...of, amount: part, goneBefore: 0 }),
        bookRefund({ ...of, amount, goneBefore: part }),
        bookReturnedChargeback({ ...of, amount: part, goneBefore: amount + part }),
      ]
      for (const account of ['GATEWAY', 'ORGANIZATION', 'OPERATOR']) assert.equal(sumOf(booked, account), 0, account)
    }),
  )
})

test('a transaction has its source and share', () => {
  const { amount: _, ...rest } = BOOKING
  const { entries: __, ...charge } = bookCharge(BOOKING)
  assert.deepEqual(charge, { ...rest, kind: 'CHARGE' })
  const { entries: ___, ...refund } = bookRefund({ ...BOOKING, goneBefore: 0 })
  assert.deepEqual(refund, { ...rest, kind: 'REFUND' })
})

function sumOf(booked: readonly LedgerTransaction[], account: string): number {
  return sum(booked.flatMap(({ entries }) => entries.filter(entry => entry.account === account)))
}

function sum(entries: LedgerTransaction['entries']): number {
  return entries.reduce((all, { amount }) => all + amount, 0)
}

test('the tax of a charge is booked separately, and the share is a share of the net amount', () => {
  const taxBasis = { tax: 80, gross: 500, held: 0 }
  assert.deepEqual(bookCharge({ ...BOOKING, taxBasis }).entries, [
    { account: 'GATEWAY', amount: 500 },
    { account: 'ORGANIZATION', ownerId: 'organization', amount: -336 },
    { account: 'OPERATOR', amount: -84 },
    { account: 'TAX', ownerId: 'organization', amount: -80 },
  ])
})

test('property: refunds, chargebacks and credit of a taxed invoice that return everything return its tax and its share, to the minor unit', () => {
  const parts = fc.array(
    fc.tuple(fc.constantFrom('refund', 'chargeback', 'credit'), fc.integer({ min: 1, max: 400_000 })),
  )
  fc.assert(
    fc.property(
      fc.tuple(fc.integer({ min: 2, max: 1_000_000 }), fc.nat(100), fc.nat(99), fc.nat(10_000), parts),
      ([gross, taxPercent, creditPercent, shareBasisPoints, wanted]) => {
        const tax = Math.floor((gross * taxPercent) / 200)
        const creditApplied = Math.floor((gross * creditPercent) / 100)
        const cash = gross - creditApplied
        const of = { ...BOOKING, shareBasisPoints }
        const booked = [
          bookCreditUse({ ...of, amount: creditApplied, taxBasis: { tax, gross, held: 0 } }),
          bookCharge({ ...of, amount: cash, taxBasis: { tax, gross, held: creditApplied } }),
        ]
        const charged = { gross: cash, tax: -amountOf(booked[1] as LedgerTransaction, 'TAX') }
        let [held, goneBefore] = [gross, 0]
        for (const [kind, asked] of [...wanted, ['refund', gross], ['credit', gross]] as const) {
          const taxBasis = { tax, gross, held }
          const amount = Math.min(asked, kind === 'credit' ? held : cash - goneBefore, held)
          if (amount <= 0) continue
          if (kind === 'credit') booked.push(bookCredit({ ...of, amount, taxBasis }))
          else {
            const back = { ...of, amount, goneBefore, charged, taxBasis }
            booked.push(kind === 'refund' ? bookRefund(back) : bookChargeback(back))
            goneBefore += amount
          }
          held -= amount
        }
        assert.equal(held, 0)
        assert.equal(
          booked.reduce((sum, one) => sum + amountOf(one, 'TAX'), 0),
          0,
        )
        const share = booked.reduce((sum, one) => sum - amountOf(one, 'OPERATOR'), 0)
        assert.ok(share >= 0)
        if (goneBefore === cash) assert.equal(share, 0)
        for (const { entries } of booked)
          assert.equal(
            entries.reduce((sum, { amount }) => sum + amount, 0),
            0,
          )
      },
    ),
  )
})
