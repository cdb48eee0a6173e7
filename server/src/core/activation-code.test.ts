import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activationCodeOf, hashActivationCode } from './activation-code.ts'

test('eighty bits are written as four groups of four characters', () => {
  assert.equal(activationCodeOf(new Uint8Array(10)), '0000-0000-0000-0000')
  assert.equal(activationCodeOf(new Uint8Array(10).fill(255)), 'ZZZZ-ZZZZ-ZZZZ-ZZZZ')
  assert.equal(activationCodeOf(Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 2)), '0000-0001-0000-0002')
})

test('a code typed in any usual way has the same hash', () => {
  const hash = hashActivationCode('A0B1-C2D3-E4F5-G6H1')
  for (const typed of ['a0b1c2d3e4f5g6h1', ' AOBI C2D3 E4F5 G6HL ', 'a0-b1-c2-d3-e4-f5-g6-h1']) {
    assert.deepEqual(hashActivationCode(typed), hash)
  }
  assert.notDeepEqual(hashActivationCode('A0B1-C2D3-E4F5-G6H2'), hash)
})
