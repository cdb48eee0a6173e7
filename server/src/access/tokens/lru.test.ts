import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLru } from './lru.ts'

test('the least recently read entry is evicted', () => {
  const lru = createLru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  assert.equal(lru.get('a'), 1)
  lru.set('c', 3)
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c')], [1, undefined, 3])
})

test('replacing an entry uses no more memory', () => {
  const lru = createLru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  lru.set('a', 3)
  assert.deepEqual([lru.get('a'), lru.get('b')], [3, 2])
})

test('expired entries are removed, and the others stay', () => {
  const lru = createLru<number>(3)
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    lru.set(key, value)
  lru.drop(value => value < 3)
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c')], [undefined, undefined, 3])
})
