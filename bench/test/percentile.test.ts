import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile } from '../src/percentile.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Three significant digits. */
function assertClose(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) <= expected / 1_000 + 0.001, `${found} is not ${expected}`)
}

test('the p99 of a hundred values is the second largest, whatever their order', () => {
  assertClose(percentile(upTo(100).reverse(), 0.99), 99)
  assertClose(percentile(upTo(100), 0.5), 50)
  assertClose(percentile([100, 9, 20], 1), 100)
})

test('microseconds and minutes keep three significant digits', () => {
  assertClose(percentile([0.123], 0.5), 0.123)
  assertClose(percentile([123_456], 0.5), 123_456)
})

test('an empty list has no percentile and no median', () => {
  assert.ok(Number.isNaN(percentile([], 0.5)))
  assert.ok(Number.isNaN(median([])))
})

test('the median of an even count is the mean of the two in the middle', () => {
  assert.equal(median([10, 1, 2, 4]), 3)
  assert.equal(median([5, 1, 100]), 5)
})
