import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressRate, addressRateOn, daysToAsk, withAnswer } from './address-rate.ts'

const answer = (validFrom: string, rate: number): AddressRate => ({
  ...{ validFrom, rate },
  jurisdictions: [{ name: 'New York', rate }],
})
const NOON = new Date('2026-02-28T12:00:00Z')

test('a look-up asks for today and tomorrow, except days with an answer', () => {
  assert.deepEqual(daysToAsk(undefined, NOON), ['2026-02-28', '2026-03-01'])
  assert.deepEqual(daysToAsk('2026-02-27', NOON), ['2026-02-28', '2026-03-01'])
  assert.deepEqual(daysToAsk('2026-02-28', NOON), ['2026-03-01'])
  assert.deepEqual(daysToAsk('2026-03-01', NOON), [])
})

test('an answer for tomorrow applies from tomorrow, and the first answer applies to earlier days', () => {
  const rates = withAnswer([answer('2026-02-28', 40_000)], answer('2026-03-01', 50_000), NOON)
  for (const [day, rate] of [
    ['2026-02-01', 40_000],
    ['2026-02-28', 40_000],
    ['2026-03-01', 50_000],
    ['2027-01-01', 50_000],
  ] as const) {
    assert.equal(addressRateOn(rates, day)?.rate, rate, day)
  }
  assert.equal(addressRateOn([], '2026-02-28'), undefined)
})

test('an unchanged rate keeps its first day, a second answer for a day replaces the first, and past rates are dropped', () => {
  const current = [answer('2026-01-10', 40_000)]
  assert.deepEqual(withAnswer(current, answer('2026-03-01', 40_000), NOON), current)
  const planned = withAnswer(current, answer('2026-03-01', 50_000), NOON)
  assert.deepEqual(withAnswer(planned, answer('2026-03-01', 60_000), NOON), [...current, answer('2026-03-01', 60_000)])
  const later = withAnswer(planned, answer('2026-03-02', 50_000), new Date('2026-03-01T00:00:00Z'))
  assert.deepEqual(later, [answer('2026-03-01', 50_000)])
})
