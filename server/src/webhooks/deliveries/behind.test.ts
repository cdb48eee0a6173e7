import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBehind } from './behind.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const roomFor = (FIRST: number) => ({ FIRST, RETRY: 0, REPLAY: 0 })
const first = (hookId: string, many: number, recordedAt = NOW) =>
  Array.from({ length: many }, () => ({ hookId, lane: 'FIRST' as const, recordedAt }))
const allowed = (FIRST: number) => ({
  rooms: new Map([['a', roomFor(FIRST)]]),
  roomOfOthers: roomFor(8),
  limit: 250,
  lateBefore: new Date(NOW.getTime() - 1),
})

test('a hook is behind once a claim takes all that it has room for, until one takes less', () => {
  const behind = createBehind()
  assert.equal(behind.learn(first('a', 4), allowed(4)), false)
  assert.equal(behind.has('a'), true)
  assert.equal(behind.learn(first('b', 7), allowed(0)), false)
  assert.deepEqual([behind.has('a'), behind.has('b')], [true, false])
  behind.learn(first('a', 3), allowed(4))
  assert.equal(behind.has('a'), false)
})

test('a claim that was full in all says of no hook that nothing is left', () => {
  const behind = createBehind()
  behind.learn(first('a', 3), { ...allowed(4), limit: 3 })
  assert.equal(behind.has('a'), true)
})

test('what is left for a hook that is behind asks for no claim; for any other it does', () => {
  const behind = createBehind()
  behind.add('a')
  assert.deepEqual([behind.left(['a', 'a']), behind.left(['a', 'b']), behind.left([])], [false, true, false])
})

test('what is left while a claim reads the queue is looked for once more', () => {
  const behind = createBehind()
  behind.add('a')
  behind.begins()
  assert.equal(behind.left(['a']), false)
  assert.equal(behind.learn([], allowed(4)), true)
  assert.equal(behind.has('a'), true)
  behind.begins()
  assert.equal(behind.learn([], allowed(4)), false)
  assert.equal(behind.has('a'), false)
})

test('a hook is late while it is behind by seconds, until it has caught up', () => {
  const behind = createBehind()
  const before = new Date(NOW.getTime() - 2)
  behind.learn(first('a', 3, before), allowed(4))
  assert.equal(behind.late.has('a'), false)
  behind.learn(first('a', 4), allowed(4))
  assert.deepEqual([behind.has('a'), behind.late.has('a')], [true, false])
  behind.learn([...first('a', 1, before), ...first('a', 3)], allowed(4))
  assert.equal(behind.late.has('a'), true)
  behind.learn(first('a', 4), allowed(4))
  behind.learn([], allowed(0))
  assert.equal(behind.late.has('a'), true)
  behind.learn(first('a', 3), allowed(4))
  assert.deepEqual([behind.has('a'), behind.late.has('a')], [false, false])
})
