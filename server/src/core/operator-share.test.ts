import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { operatorShare, WHOLE_BASIS_POINTS } from './operator-share.ts'

const amounts = fc.nat(Number.MAX_SAFE_INTEGER)
const shares = fc.nat(WHOLE_BASIS_POINTS)

const cases: [amount: number, basisPoints: number, share: number][] = [
  [500, 2_000, 100],
  [499, 2_000, 100], // 99.8
  [2, 2_000, 0], // 0.4
  [3, 2_000, 1], // 0.6
  [1, 5_000, 1], // 0.5: a half is rounded up
  [3, 5_000, 2], // 1.5
  [1_000, 1_250, 125],
  [1_250, 1, 0], // 0.125
  [0, 2_000, 0],
  [500, 0, 0],
  [500, 10_000, 500],
  [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER],
]
for (const [amount, basisPoints, share] of cases) {
  test(`${basisPoints / 100} % of ${amount} is ${share}`, () => assert.equal(operatorShare(amount, basisPoints), share))
}

test('a share is never negative, never exceeds the amount, and differs from the exact share by at most half a minor unit', () => {
  fc.assert(
    fc.property(amounts, shares, (amount, basisPoints) => {
      const share = operatorShare(amount, basisPoints)
      assert.ok(share >= 0 && share <= amount)
      const offBy = BigInt(share) * 10_000n - BigInt(amount) * BigInt(basisPoints)
      assert.ok(offBy > -5_000n && offBy <= 5_000n)
    }),
  )
})

test('the share is monotonic, and grows by at most the difference', () => {
  fc.assert(
    fc.property(fc.nat(1e12), fc.nat(1e12), shares, (amount, more, basisPoints) => {
      const grown = operatorShare(amount + more, basisPoints) - operatorShare(amount, basisPoints)
      assert.ok(grown >= 0 && grown <= more)
    }),
  )
})

test('a malformed amount or share is a bug', () => {
  for (const [amount, basisPoints] of [
    [-1, 2_000],
    [0.5, 2_000],
    [2 ** 53, 2_000],
    [1, -1],
    [1, 10_001],
    [1, 0.5],
    [1, Number.NaN],
  ] as const) {
    assert.throws(() => operatorShare(amount, basisPoints))
  }
})
