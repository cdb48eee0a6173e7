import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createVault, parseMasterKey, VaultError } from './vault.ts'

const key = randomBytes(32)
const vault = createVault(key)

test('a sealed text or byte string opens again, also when empty', () => {
  for (const plain of ['', 'a secret', 'Grüße 🔑', 'x'.repeat(100_000)]) {
    assert.equal(vault.openText('hook', vault.seal('hook', plain)), plain)
  }
  const bytes = randomBytes(1000)
  assert.deepEqual(vault.open('hook', vault.seal('hook', bytes)), bytes)
})

test('another vault with the same master key opens the secret', () => {
  assert.equal(createVault(Buffer.from(key)).openText('hook', vault.seal('hook', 'a secret')), 'a secret')
})

test('the same secret sealed twice has two ciphertexts, and neither contains the secret', () => {
  const sealed = [vault.seal('hook', 'a secret'), vault.seal('hook', 'a secret')] as const
  assert.notDeepEqual(sealed[0], sealed[1])
  assert.equal(sealed[0].includes('secret'), false)
})

test('another purpose, another key, and every altered or missing byte are rejected', () => {
  const sealed = vault.seal('hook', 'a secret')
  const rejected = (open: () => unknown) =>
    assert.throws(open, error => error instanceof VaultError && !error.message.includes('a secret'))
  rejected(() => vault.open('idempotency', sealed))
  rejected(() => createVault(randomBytes(32)).open('hook', sealed))
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    rejected(() => vault.open('hook', altered))
    rejected(() => vault.open('hook', sealed.subarray(0, at)))
  }
  rejected(() => vault.open('hook', Buffer.concat([sealed, Buffer.from([0])])))
})

test('a master key is hexadecimal or base64, and nothing else', () => {
  assert.deepEqual(parseMasterKey(key.toString('hex')), key)
  assert.deepEqual(parseMasterKey(` ${key.toString('hex').toUpperCase()}\n`), key)
  assert.deepEqual(parseMasterKey(key.toString('base64')), key)
  assert.deepEqual(parseMasterKey(key.toString('base64url')), key)
  for (const text of [
    '',
    'password',
    key.toString('hex').slice(2),
    randomBytes(31).toString('base64'),
    `${'a'.repeat(43)}*`,
  ]) {
    assert.throws(() => parseMasterKey(text), VaultError)
  }
  assert.throws(() => createVault(randomBytes(16)), VaultError)
})

test('a MAC is the same for the same bytes, purpose and key, and is not a plain hash', () => {
  const [once, again] = [vault.mark('body', 'a secret'), vault.mark('body', Buffer.from('a secret'))]
  assert.deepEqual(once, again)
  assert.notDeepEqual(vault.mark('body', 'another'), once)
  assert.notDeepEqual(vault.mark('other', 'a secret'), once)
  assert.notDeepEqual(createVault(randomBytes(32)).mark('body', 'a secret'), once)
})
