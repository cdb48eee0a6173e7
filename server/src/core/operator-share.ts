import { assert } from './assert.ts'

/** 100 %: a basis point is a hundredth of a percent. */
export const WHOLE_BASIS_POINTS = 10_000

/** The operator's part of an amount in minor units, half a unit rounded up. At most the amount, and monotonic in the amount. */
export function operatorShare(amount: number, basisPoints: number): number {
  assert(Number.isSafeInteger(amount) && amount >= 0, `operatorShare: ${amount} is not an amount`)
  const isShare = Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= WHOLE_BASIS_POINTS
  assert(isShare, `operatorShare: ${basisPoints} are not basis points`)
  const whole = BigInt(WHOLE_BASIS_POINTS)
  return Number((BigInt(amount) * BigInt(basisPoints) + whole / 2n) / whole)
}
