import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailKey, passwordProblem } from './user.ts'

const isRejected = (password: string) =>
  passwordProblem('password', password, ['ann@corner.example', 'Ann Baker']) !== null

test('common passwords are rejected', () => {
  const worn = [
    'short',
    'aaaaaaaaaaaa',
    'abababababab',
    '123456789012',
    '210987654321',
    'password1234',
    'P@ssw0rd!!!!',
    'qwertyuiopas',
  ]
  for (const password of [...worn, 'ANN@corner.example', 'passwordpassword', 'tillhook2026', 'welcome12345']) {
    assert.ok(isRejected(password), password)
  }
})

test('a long password is accepted in any script', () => {
  const fine = [
    'correct horse battery',
    'ein kleiner Satz',
    '正しい馬の電池とホチキスの針',
    'x7#kQ2!mP9$w',
    'my password is long enough',
  ]
  for (const password of fine) assert.equal(isRejected(password), false, password)
})

test('length counts characters as people see them', () => {
  assert.ok(isRejected('🐴🔋🐴🔋🦊🐝'))
})

test('two spellings of a mailbox are one address', () => {
  assert.equal(emailKey('Ann@Corner.Example'), emailKey('ann@corner.example'))
  assert.notEqual(emailKey('ann@corner.example'), emailKey('anne@corner.example'))
})
