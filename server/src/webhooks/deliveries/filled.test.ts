import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hooksFilled } from './filled.ts'

const times = <Lane>(many: number, hookId: string, lane: Lane) => Array.from({ length: many }, () => ({ hookId, lane }))
const room = (FIRST: number, RETRY: number) => ({ FIRST, RETRY, REPLAY: 1 })

test('a hook is filled in a lane where all of its room was taken, or where it had none', () => {
  const claimed = [...times(4, 'a', 'FIRST' as const), ...times(1, 'a', 'RETRY' as const)]
  const rooms = new Map([
    ['a', room(4, 2)],
    ['b', room(0, 2)],
  ])
  const filled = hooksFilled(claimed, { rooms, roomOfOthers: room(8, 4) })
  assert.deepEqual(filled, { FIRST: new Set(['a', 'b']), RETRY: new Set(), REPLAY: new Set() })
})

test('one that nothing was known of is filled once it has taken what such a one may', () => {
  const claimed = [...times(8, 'new', 'FIRST' as const), ...times(7, 'other', 'FIRST' as const)]
  const filled = hooksFilled(claimed, { rooms: new Map(), roomOfOthers: room(8, 4) })
  assert.deepEqual(filled, { FIRST: new Set(['new']), RETRY: new Set(), REPLAY: new Set() })
})
