import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryOwedAt } from './refund.ts'

test('a refund of owed money is retried after 1, 3 and 7 days', () => {
  const now = new Date('2026-01-01T00:00:00Z')
  const days = [1, 2, 3, 4, 5].map(failed => retryOwedAt(failed, now)?.toISOString().slice(0, 10))
  assert.deepEqual(days, ['2026-01-02', '2026-01-04', '2026-01-08', undefined, undefined])
})
