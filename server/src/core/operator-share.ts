import { assert } from './assert.ts'

/** All of it: shares are hundredths of a percent, so that one of two decimals is an integer. */
export const WHOLE_BASIS_POINTS = 10_000

/**
 * The operator's part of an amount, in minor units: amount · share, a half of a minor unit rounded up. Never more than the
 * amount, never less for a larger amount, and exact: whatever is not the operator's is the organization's.
 */
export function operatorShare(amount: number, basisPoints: number): number {
  assert(Number.isSafeInteger(amount) && amount >= 0, `operatorShare: ${amount} is no amount`)
  const isShare = Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= WHOLE_BASIS_POINTS
  assert(isShare, `operatorShare: ${basisPoints} are no basis points`)
  const whole = BigInt(WHOLE_BASIS_POINTS)
  return Number((BigInt(amount) * BigInt(basisPoints) + whole / 2n) / whole)
}
