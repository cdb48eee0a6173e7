import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile } from '../src/percentile.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a percentile is a value that was measured, and that share of the values does not exceed it', () => {
  for (const count of [1, 2, 3, 99, 100, 101, 1_000]) {
    for (const share of [0, 0.01, 0.5, 0.9, 0.99, 1]) {
      const values = upTo(count)
      const found = percentile(values, share)
      assert.ok(values.includes(found))
      assert.ok(values.filter(value => value <= found).length >= share * count)
      assert.ok(values.filter(value => value < found).length < Math.max(share * count, 1))
    }
  }
})

test('the p99 of a hundred values is the second largest', () => {
  assert.equal(percentile(upTo(100), 0.99), 99)
  assert.equal(percentile(upTo(100), 0.5), 50)
})

test('values are compared as numbers, whatever their order', () => {
  assert.equal(percentile([100, 9, 20], 0.5), 20)
})

test('a percentile leaves what it was given as it was', () => {
  const values = [3, 1, 2]
  percentile(values, 0.5)
  assert.deepEqual(values, [3, 1, 2])
})

test('of nothing there is no percentile and no median', () => {
  assert.ok(Number.isNaN(percentile([], 0.5)))
  assert.ok(Number.isNaN(median([])))
})

test('the median of an even count is the mean of the two in the middle', () => {
  assert.equal(median([10, 1, 2, 4]), 3)
  assert.equal(median([5, 1, 100]), 5)
})
