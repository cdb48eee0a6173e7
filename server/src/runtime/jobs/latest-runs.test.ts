import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLatestRuns } from './latest-runs.ts'

test('the latest run of each job is listed by name, including failed runs, and its result is passed on', async () => {
  let now = new Date('2026-03-01T10:00:00Z')
  const runs = createLatestRuns({ now: () => now })
  assert.equal(await runs.observe('renewals', async () => 7), 7)
  await assert.rejects(
    runs.observe('charges', async () => Promise.reject(new Error('away'))),
    /away/,
  )
  const later = new Date('2026-03-01T10:00:01Z')
  now = later
  await runs.observe('renewals', async () => 0)
  assert.deepEqual(runs.list(), [
    { job: 'charges', endedAt: new Date('2026-03-01T10:00:00Z'), isFailed: true },
    { job: 'renewals', endedAt: later, isFailed: false },
  ])
})
