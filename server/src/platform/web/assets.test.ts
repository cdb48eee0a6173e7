import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ASSETS } from './assets.ts'

const BUDGET_BYTES = 20_000

test('all page scripts together stay within the size budget', () => {
  const scripts = ASSETS.filter(({ path }) => path.endsWith('.js'))
  assert.ok(scripts.length > 0)
  const bytes = scripts.reduce((sum, script) => sum + gzipSync(script.bytes).length, 0)
  assert.ok(bytes < BUDGET_BYTES, `${bytes} bytes compressed, of at most ${BUDGET_BYTES}`)
})
