import { assert } from './assert.ts'

const SECOND_MS = 1_000

/**
 * The unused share, to the second, of what a period was paid with: value × seconds left ÷ seconds of the period. Minor units.
 * Rounded down, always: a credit is never above what was paid, so that no change, nor any row of changes, makes money; the
 * fraction of one minor unit that is lost stays with the organization. Integers only; the product is taken as a BigInt,
 * since a large amount over a year may pass 2^53. Before the period nothing is used, after it everything is.
 * Source: decisions 6, Change now.
 */
export function unusedShare(value: number, period: { readonly start: Date; readonly end: Date }, at: Date): number {
  assert(Number.isSafeInteger(value) && value >= 0, `unusedShare: ${value} is no amount`)
  const total = secondsBetween(period.start, period.end)
  assert(total > 0, 'unusedShare: a period is not empty')
  const left = Math.min(total, Math.max(0, secondsBetween(at, period.end)))
  return Number((BigInt(value) * BigInt(left)) / BigInt(total))
}

/** Instants that bill are whole seconds (decisions 1); of any other, the second that has begun counts as used. */
function secondsBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / SECOND_MS)
}
