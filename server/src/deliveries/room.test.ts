import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRoom } from './room.ts'

const timeout = { kind: 'failed', reason: 'timeout' } as const
const answered = { kind: 'answered', httpStatus: 500 } as const

test('what is under way takes room, of its hook and in all', () => {
  const room = createRoom({ inAll: 4, perHook: 3 })
  room.take('a')
  room.take('a')
  assert.equal(room.free, 2)
  assert.deepEqual(room.rooms(), new Map([['a', 1]]))
  room.give('a')
  room.give('a')
  assert.equal(room.free, 4)
  assert.deepEqual(room.rooms(), new Map())
})

test('a hook that times out gets half the room each time, never none; each answer gives one back', () => {
  const room = createRoom({ inAll: 100, perHook: 32 })
  const widths = () => room.rooms().get('a')
  const seen = [1, 2, 3, 4, 5, 6].map(() => {
    room.learn('a', timeout)
    return widths()
  })
  assert.deepEqual(seen, [16, 8, 4, 2, 1, 1])
  room.learn('a', answered)
  assert.equal(widths(), 2)
  for (let answers = 0; answers < 30; answers++) room.learn('a', answered)
  assert.deepEqual(room.rooms(), new Map())
})

test('a refusal costs no time, and no room', () => {
  const room = createRoom({ inAll: 100, perHook: 32 })
  room.learn('a', { kind: 'failed', reason: 'refused' })
  assert.deepEqual(room.rooms(), new Map())
})
