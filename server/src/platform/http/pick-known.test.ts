import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { pickKnown } from './body.ts'

const line = Type.Object({ name: Type.String(), note: Type.Optional(Type.Unknown()) })
const schema = Type.Object({
  id: Type.String(),
  lines: Type.Optional(Type.Array(line)),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  card: Type.Optional(
    Type.Union([Type.Object({ token: Type.String() }), Type.Object({ number: Type.String(), of: line }), Type.Null()]),
  ),
  open: Type.Optional(Type.Object({})),
})

test('fields that the schema does not name are removed, at any depth', () => {
  const sent = {
    id: 'a',
    hookId: 'b',
    lines: [{ name: 'c', price: 1 }],
    card: { number: '4', of: { name: 'd', x: 1 }, y: 2 },
  }
  const taken = { id: 'a', lines: [{ name: 'c' }], card: { number: '4', of: { name: 'd' } } }
  assert.deepEqual(pickKnown(schema, sent), taken)
  assert.equal(sent.hookId, 'b', 'the body itself is not touched')
})

test('fields below an open schema stay', () => {
  const sent = { id: 'a', lines: [{ name: 'c', note: { any: [1] } }], labels: { x: 'y' }, card: null, open: { z: 1 } }
  assert.deepEqual(pickKnown(schema, sent), sent)
})

test('field names such as __proto__ have no special meaning', () => {
  const sent = JSON.parse('{"id":"a","__proto__":{"lines":[]},"constructor":1,"toString":2}')
  assert.deepEqual(Object.entries(pickKnown(schema, sent) as object), [['id', 'a']])
})
