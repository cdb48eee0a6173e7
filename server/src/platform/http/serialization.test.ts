import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { forSerializer } from './schemas.ts'
import { AppUrn, Text, Timestamp, Uuid } from './wire.ts'

test('only strings without characters to escape are marked for the serializer, at any depth', () => {
  const answer = Type.Object({
    id: Uuid,
    name: Text(255),
    link: Type.Optional(Type.String()),
    words: Type.Enum(['ACTIVE', 'PAST_DUE']),
    quoted: Type.Enum(['a"b']),
    numbers: Type.Enum([1, 2]),
    list: Type.Array(Type.Object({ appId: Type.Optional(AppUrn), at: Timestamp, note: Type.String() })),
  })
  const marked: string[] = []
  JSON.stringify(forSerializer(answer), (key, value) => {
    if (value?.format === 'unsafe') marked.push(key)
    return value
  })
  assert.deepEqual(marked, ['id', 'words', 'appId', 'at'])
})

test('the serializer does not change the schemas of the contract', () => {
  const answer = Type.Object({ id: Uuid })
  const before = JSON.stringify(answer)
  forSerializer(answer)
  assert.equal(JSON.stringify(answer), before)
  assert.deepEqual(JSON.parse(JSON.stringify(forSerializer(answer))).required, ['id'])
})
