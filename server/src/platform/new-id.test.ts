import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOfId, UUID_PATTERN } from '../core/id.ts'
import { openIds } from './new-id.ts'

const MANY = 5_000

test('ids are UUIDv7 of their millisecond, all different, each later than the one before', () => {
  const newId = openIds(() => 1_700_000_000_000)
  const ids = Array.from({ length: MANY }, newId)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, MANY)
  for (const id of ids) {
    assert.match(id, new RegExp(UUID_PATTERN))
    assert.match(id, /^.{14}7.{4}[89ab]/)
    assert.equal(instantOfId(id).getTime(), 1_700_000_000_000)
  }
})

test('a clock that is set back by seconds creates no id earlier than the last id', () => {
  let nowMs = 1_700_000_000_000
  const newId = openIds(() => nowMs)
  const before = newId()
  nowMs -= 5_000
  assert.ok(newId() > before)
  nowMs += 120_000
  const after = newId()
  assert.ok(after > before)
  assert.equal(instantOfId(after).getTime(), nowMs)
})

test('after one id from a clock that was far ahead, ids have the right time again, are unique, and increase', () => {
  const rightMs = 1_700_000_000_000
  for (const aheadMs of [5_001, 60_000, 30 * 86_400_000]) {
    let nowMs = rightMs
    const newId = openIds(() => nowMs)
    const before = Array.from({ length: MANY }, newId)
    nowMs += aheadMs
    const wrong = newId()
    assert.equal(instantOfId(wrong).getTime(), nowMs)
    nowMs = rightMs
    const after = Array.from({ length: MANY }, newId)
    assert.ok(after.every(id => instantOfId(id).getTime() === rightMs))
    assert.deepEqual(after, after.toSorted())
    assert.equal(new Set([...before, wrong, ...after]).size, 2 * MANY + 1)
  }
})

test('ids of two generators that were opened at the same instant differ', () => {
  const [one, other] = [openIds(() => 1), openIds(() => 1)]
  const ids = Array.from({ length: MANY }, () => [one(), other()]).flat()
  assert.equal(new Set(ids).size, 2 * MANY)
})
