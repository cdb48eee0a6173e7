import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPayable, stepOf, usableCredit } from './credit.ts'
import { CURRENCIES } from './money.ts'

test('an amount payable by card is at least the minimum charge and a multiple of its step', () => {
  const cases: [number, string, boolean][] = [
    [49, 'USD', false],
    [50, 'USD', true],
    [30, 'GBP', true],
    [49, 'JPY', false],
    [17_499, 'HUF', false],
    [13_482, 'KWD', false],
    [13_480, 'KWD', true],
    [1_000_050, 'MGA', false],
    [1_000_100, 'MGA', true],
    [0, 'USD', false],
  ]
  for (const [amount, currency, payable] of cases) {
    assert.equal(isPayable(amount, currency), payable, `${amount} ${currency}`)
  }
})

test('less credit is used if more credit would leave an amount that no card can pay', () => {
  const cases: [credit: number, price: number, currency: string, used: number][] = [
    [1_550, 1_560, 'USD', 1_510],
    [1_560, 1_560, 'USD', 1_560],
    [2_000, 1_560, 'USD', 1_560],
    [100, 1_560, 'USD', 100],
    [0, 1_560, 'USD', 0],
    [-300, 1_560, 'USD', 0],
    [6_518, 20_000, 'KWD', 6_510],
    [19_999, 20_000, 'KWD', 19_500],
    // The price itself is what no card can be charged: all of it or nothing of it.
    [20, 30, 'USD', 0],
    [30, 30, 'USD', 30],
    // Credit also covers the last digit that the gateway cannot charge.
    [3_000, 5_124, 'KWD', 2_994],
  ]
  for (const [credit, price, currency, used] of cases) {
    assert.equal(usableCredit(credit, price, currency), used, `${credit} off ${price} ${currency}`)
  }
})

test('credit never leaves an amount that no card can pay, and is used as far as possible', () => {
  const amounts = fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 1, max: 99_999_999 }))
  const credits = fc.oneof(fc.integer({ min: -500, max: 30_000 }), fc.integer({ min: 0, max: 99_999_999 }))
  fc.assert(
    fc.property(credits, amounts, fc.constantFrom(...CURRENCIES.keys()), (credit, price, currency) => {
      const used = usableCredit(credit, price, currency)
      assert.ok(Number.isSafeInteger(used) && used >= 0 && used <= Math.max(0, Math.min(credit, price)))
      const left = price - used
      assert.ok(used === 0 || left === 0 || isPayable(left, currency), 'what is left can be paid')
      if (credit >= price) assert.equal(left, 0)
      const step = stepOf(currency)
      for (let more = used + 1; more <= Math.min(credit, price, used + step); more++) {
        assert.ok(price - more > 0 && !isPayable(price - more, currency), 'none of it is kept back without a reason')
      }
    }),
    { numRuns: 2_000 },
  )
})

test('each minimum charge is a multiple of its step', () => {
  for (const currency of CURRENCIES.keys()) {
    const left = 99_999_900 - usableCredit(99_999_899, 99_999_900, currency)
    assert.ok(isPayable(left, currency), currency)
    assert.ok(left < 99_999_900, `${currency}: credit can be used`)
  }
})
