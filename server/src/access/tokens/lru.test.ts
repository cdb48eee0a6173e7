import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLru } from './lru.ts'

test('what was not read for longest makes room', () => {
  const lru = createLru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  assert.equal(lru.get('a'), 1)
  lru.set('c', 3)
  assert.deepEqual([lru.get('a'), lru.get('b'), lru.get('c')], [1, undefined, 3])
})

test('setting again replaces, and takes no more room', () => {
  const lru = createLru<number>(2)
  lru.set('a', 1)
  lru.set('b', 2)
  lru.set('a', 3)
  assert.deepEqual([lru.get('a'), lru.get('b')], [3, 2])
})

test('what is over is dropped, the rest stays', () => {
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
