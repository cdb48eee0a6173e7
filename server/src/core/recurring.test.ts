import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Interval } from './calendar.ts'
import { monthlyAmount, rateOf } from './recurring.ts'

test('a monthly amount is a twelfth of a year, of 52 weeks or of 365 days, rounded half up', () => {
  assert.equal(monthly(500, 'MONTH'), 500)
  assert.equal(monthly(12_000, 'YEAR'), 1_000)
  assert.equal(monthly(5, 'YEAR'), 0) // 0.417
  assert.equal(monthly(6, 'YEAR'), 1) // 0.5
  assert.equal(monthly(300, 'WEEK'), 1_300)
  assert.equal(monthly(100, 'WEEK'), 433) // 433.33
  assert.equal(monthly(100, 'DAY'), 3_042) // 3,041.67
  assert.equal(monthly(0, 'DAY'), 0)
  assert.equal(monthly(29_000_000_000_000, 'DAY'), 882_083_333_333_333)
})

test('a monthly amount is a third of a quarter and half of two months', () => {
  assert.equal(monthly(1_000, 'MONTH', 3), 333) // 333.33
  assert.equal(monthly(5, 'MONTH', 2), 3) // 2.5
  assert.equal(monthly(24_000, 'YEAR', 2), 1_000)
  assert.equal(monthly(300, 'WEEK', 2), 650)
})

test('a rate is in basis points, and absent without a base', () => {
  assert.equal(rateOf(1, 3), 3_333)
  assert.equal(rateOf(2, 3), 6_667)
  assert.equal(rateOf(1, 20_000), 1)
  assert.equal(rateOf(0, 7), 0)
  assert.equal(rateOf(7, 7), 10_000)
  assert.equal(rateOf(0, 0), undefined)
})

function monthly(sum: number, interval: Interval, intervalCount = 1): number {
  return monthlyAmount(sum, { interval, intervalCount })
}
