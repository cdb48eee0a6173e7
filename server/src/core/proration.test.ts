import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { begin, happen, PLAN, paidFor, pass, type Run } from '../../test/support/pure-billing.ts'
import { creditGivenTwice, unusedShare, valueLeft } from './credit.ts'
import { MAX_AMOUNT } from './money.ts'
import type { Plan } from './plan.ts'
import { isRejection } from './rejection.ts'

const JANUARY = { start: new Date('2026-01-01T00:00:00Z'), end: new Date('2026-02-01T00:00:00Z') }

/** Value, instant and remaining share. January has 2,678,400 seconds. */
const SHARES: [number, string, number][] = [
  [500, '2026-01-01T00:00:00Z', 500],
  [500, '2026-01-01T00:00:01Z', 499],
  [500, '2026-01-16T12:00:00Z', 250],
  [3_100, '2026-01-11T00:00:00Z', 2_100],
  [500, '2026-01-31T23:59:59Z', 0],
  [99_999_999, '2026-01-31T23:59:59Z', 37],
  [500, '2026-02-01T00:00:00Z', 0],
  [500, '2026-03-01T00:00:00Z', 0],
  [500, '2025-12-31T00:00:00Z', 500],
  [0, '2026-01-16T12:00:00Z', 0],
]
for (const [value, at, expected] of SHARES) {
  test(`${expected} of the ${value} paid for January is unused at ${at}`, () => {
    assert.equal(unusedShare(value, JANUARY, new Date(at)), expected)
  })
}

const values = fc.integer({ min: 0, max: MAX_AMOUNT })
const lengths = fc.integer({ min: 1, max: 366 * 86_400 })
const permilles = fc.integer({ min: -100, max: 1_100 })

function at(seconds: number): Date {
  return new Date(JANUARY.start.getTime() + seconds * 1_000)
}

test('a credit is never negative, never exceeds the payment, is less than a unit below the exact share, and never grows with time', () => {
  fc.assert(
    fc.property(values, lengths, permilles, fc.nat(100_000), (value, length, permille, later) => {
      const period = { start: at(0), end: at(length) }
      const second = Math.floor((length * permille) / 1_000)
      const credit = unusedShare(value, period, at(second))
      assert.ok(credit >= 0 && credit <= value)
      const left = BigInt(Math.min(length, Math.max(0, length - second)))
      const lost = BigInt(value) * left - BigInt(credit) * BigInt(length)
      assert.ok(lost >= 0n && lost < BigInt(length), 'rounded down')
      assert.ok(unusedShare(value, period, at(second + later)) <= credit)
    }),
    { numRuns: 20_000 },
  )
})

test('a product above 2^53 is exact', () => {
  const year = { start: at(0), end: at(31_622_400) }
  assert.equal(unusedShare(9_007_199_254_740_991, year, at(1)), 9_007_198_969_904_948)
})

test('a plan change and its reverse at the same instant sum to zero', () => {
  const terms = fc.record({ from: values, to: values, seconds: fc.nat(27 * 86_400) })
  fc.assert(
    fc.property(terms, ({ from, to, seconds }) => {
      const [there, back] = [planOf('there', to), planOf('plan', from)]
      const run = begin({ amount: from })
      pass(run, at(seconds), 'succeeded')
      const left = unusedShare(from, JANUARY, at(seconds))
      const paidBefore = paid(run)
      assert.ok(change(run, there, seconds))
      assert.ok(change(run, back, seconds))
      // The same plan began anew for the rest of the period, paid with credit and cash.
      const spent = paid(run) - paidBefore
      assert.equal(left + spent, from + (run.state.credit ?? 0))
    }),
    { numRuns: 2_000 },
  )
})

const PAID = { amountPaid: 700, creditApplied: 300, amountRefunded: 0, amountChargedBack: 0 }

test('a change credits a share of the paid and applied amount, less completed and pending returns', () => {
  assert.equal(valueLeft({ ...PAID, amountRefunded: 200, pendingRefunds: 50 }), 750)
  assert.equal(valueLeft({ ...PAID, amountRefunded: 200, amountChargedBack: 500, pendingRefunds: 0 }), 300)
})

function planOf(planId: string, value: number): Plan {
  return { ...PLAN, planId, amounts: [{ country: 'US', currency: 'USD', value }] }
}

/** Changes at once, and the difference is paid at once. */
function change(run: Run, plan: Plan, seconds: number): boolean {
  const trigger = { kind: 'planChanged', plan, when: 'NOW', hasPaymentMethod: true, ...paidFor(run) } as const
  const changed = happen(run, trigger, at(seconds))
  pass(run, at(seconds), 'succeeded')
  return !isRejection(changed)
}

function paid({ charges }: Run): number {
  return charges.reduce((sum, { amount }) => sum + amount, 0)
}

test('a refund in cash reduces the credit only as far as the rest of the cash is below the credit', () => {
  const twice = (amountRefunded: number) => creditGivenTwice(400, { ...PAID, amountRefunded })
  assert.deepEqual([0, 600, 601, 700].map(twice), [0, 0, 1, 100])
  assert.equal(creditGivenTwice(400, { ...PAID, creditApplied: 0, amountRefunded: 700 }), 400)
  assert.equal(creditGivenTwice(400, { ...PAID, amountRefunded: 100, amountChargedBack: 600 }), 100)
})
