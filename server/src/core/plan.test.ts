import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAN } from '../../test/support/pure-billing.ts'
import { boundary } from './calendar.ts'
import { DEFAULT_GRACE_DAYS, INTERVALS, MAX_GRACE_DAYS, priceIn } from './plan.ts'

test('the price is the price of the country, and null if the plan is not sold there', () => {
  assert.deepEqual(priceIn(PLAN, 'US'), { country: 'US', currency: 'USD', value: 500 })
  assert.equal(priceIn(PLAN, 'FR'), null)
  assert.equal(priceIn(PLAN, 'us'), null)
})

test('a price of 0 is a price', () => {
  assert.equal(priceIn({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] }, 'US')?.value, 0)
})

test('the longest grace period is not longer than the shortest billing period', () => {
  const february = new Date('2026-02-01T00:00:00Z')
  for (const interval of INTERVALS) {
    const days = (boundary(february, { interval, intervalCount: 1 }, 1).getTime() - february.getTime()) / 86_400_000
    assert.ok(MAX_GRACE_DAYS[interval] <= days)
    assert.ok(DEFAULT_GRACE_DAYS[interval] <= MAX_GRACE_DAYS[interval])
  }
})
