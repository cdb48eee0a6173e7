import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRejection } from './rejection.ts'
import { parseSearch } from './search.ts'

const ID = '018f0000-0000-7000-8000-00000000000a'

test('an id is found with or without its URN, in any case', () => {
  for (const q of [ID, ` ${ID.toUpperCase()} `, `urn:aid:${ID}`, `urn:tid:${ID}`]) {
    assert.deepEqual(parseSearch(q), { id: ID })
  }
})

test('punctuation separates words, and no word contains an operator of text queries', () => {
  assert.deepEqual(parseSearch("Mario's  owner@mario.example"), { words: ['Mario', 's', 'owner', 'mario', 'example'] })
  assert.deepEqual(parseSearch("a' | !b:* & (c) <-> \\"), { words: ['a', 'b', 'c'] })
  assert.deepEqual(parseSearch('مقهى 咖啡'), { words: ['مقهى', '咖啡'] })
})

test('a search without words is rejected, and words after the tenth are ignored', () => {
  for (const q of ['', ' ', '.-@', '\\']) assert.ok(isRejection(parseSearch(q)), q)
  const parsed = parseSearch('a b c d e f g h i j k l')
  assert.equal('words' in parsed && parsed.words.length, 10)
})
