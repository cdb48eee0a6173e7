import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './links.ts'

test('a path of our own is kept, with its query', () => {
  for (const path of ['/', '/a', '/a/b?c=d&e=%2F%2Fevil.example', '/a?next=https://evil.example', '/a:b@c']) {
    assert.equal(ownPath(path), path)
  }
  assert.equal(ownPath('/a/../b'), '/b')
})

test('an address that a browser could take for another site is rejected', () => {
  for (const text of [
    ...['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example', 'evil'],
    ...['/\t/evil.example', '/\n/evil.example', '/a\\b', '/é', ' /a', '', 'javascript:alert(1)', '?a', '#a'],
    ...['/.//evil.example', '/a/..//evil.example', '/./%2e//evil.example', `/${'a'.repeat(8_000)}`, '/a\0', '/a b'],
  ]) {
    assert.equal(ownPath(text), null, JSON.stringify(text))
  }
  assert.equal(ownPath(undefined), null)
})
