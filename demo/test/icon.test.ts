import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawIcon } from '../src/icon.ts'

test('the icon is a square PNG well below the limit', () => {
  const icon = Buffer.from(drawIcon())
  assert.equal(icon.subarray(1, 4).toString(), 'PNG')
  assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [128, 128])
  assert.ok(icon.length < 64 * 1024)
})
