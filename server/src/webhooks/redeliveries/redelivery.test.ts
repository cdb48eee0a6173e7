import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '../../core/id.ts'
import { percentOf, type Redelivery } from './redelivery.ts'

const [BEGIN, MIDDLE, END] = ['2026-01-01T00:00:00Z', '2026-01-01T12:00:00Z', '2026-01-02T00:00:00Z'] as const

function percentAt(reached: string, startAt: string, endAt: string): number {
  const job = {
    state: 'RUNNING',
    startAt: new Date(startAt),
    endAt: new Date(endAt),
    reachedId: firstIdAt(new Date(reached)),
  }
  return percentOf(job as unknown as Redelivery)
}

test('progress is the completed share of the range, and at most 99 until the end', () => {
  assert.deepEqual(
    [BEGIN, MIDDLE, END].map(reached => percentAt(reached, BEGIN, END)),
    [0, 50, 99],
  )
})

test('the progress of a range of one instant is a number', () => {
  assert.equal(percentAt(BEGIN, BEGIN, BEGIN), 0)
})
