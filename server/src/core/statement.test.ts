import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfMonth, MONTH_PATTERN, monthOf, monthStatus, startOfMonth } from './statement.ts'

test('a month is closed an hour after its end, to the millisecond', () => {
  const status = (now: string) => monthStatus('2026-01', { live: true, now: new Date(now) })
  assert.equal(status('2026-01-15T00:00:00Z'), 'OPEN')
  assert.equal(status('2026-02-01T00:59:59.999Z'), 'OPEN')
  assert.equal(status('2026-02-01T01:00:00Z'), 'CLOSED')
})

test('a month of test merchants never closes, because a test clock may be in any month', () => {
  assert.equal(monthStatus('2026-01', { live: false, now: new Date('2030-01-01T00:00:00Z') }), 'OPEN')
})

test('months are in UTC, and December is followed by January of the next year', () => {
  assert.equal(monthOf(new Date('2026-01-31T23:59:59Z')), '2026-01')
  assert.equal(startOfMonth('2026-12').toISOString(), '2026-12-01T00:00:00.000Z')
  assert.equal(endOfMonth('2026-12').toISOString(), '2027-01-01T00:00:00.000Z')
  assert.equal(endOfMonth('2024-02').toISOString(), '2024-03-01T00:00:00.000Z')
})

test('malformed months do not match', () => {
  const pattern = new RegExp(MONTH_PATTERN)
  for (const text of ['2026-13', '2026-00', '2026-1', '0000-01', '0999-01', '12026-01', '2026-01-01', '2026', '']) {
    assert.equal(pattern.test(text), false, text)
  }
})
