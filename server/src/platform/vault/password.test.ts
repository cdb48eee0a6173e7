import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isOutdated, verifyPassword } from './password.ts'

const PASSWORD = 'correct horse battery'
const hashed = await hashPassword(PASSWORD)

test('only the right password matches the hash', async () => {
  assert.ok(await verifyPassword(PASSWORD, hashed))
  for (const wrong of ['', 'correct horse batter', `${PASSWORD} `, PASSWORD.toUpperCase(), hashed]) {
    assert.equal(await verifyPassword(wrong, hashed), false)
  }
})

test('the hash is a salted Argon2id hash in PHC format and does not contain the password', async () => {
  assert.match(hashed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(await hashPassword(PASSWORD), hashed)
  assert.ok(!hashed.includes('horse'))
})

test('a password typed with composed or combining characters is the same password', async () => {
  const composed = await hashPassword('Gr\u00fc\u00dfe an alle')
  assert.ok(await verifyPassword('Gru\u0308\u00dfe an alle', composed))
  assert.equal(await verifyPassword('Gruesse an alle', composed), false)
})

test('a missing hash and a malformed hash match no password', async () => {
  const malformed = ['', 'plain', '$argon2i$v=19$m=19456,t=2,p=1$YWFhYWFhYWE$YWFhYWFhYWFhYWFhYWFhYWFhYWE', `${hashed}$`]
  for (const hash of [null, ...malformed]) assert.equal(await verifyPassword(PASSWORD, hash), false)
})

test('a hash of another program with other costs is verified, and a cheaper hash is outdated', async () => {
  // The first is of the reference implementation’s own tests (test.c, Argon2id, version 0x13), the second alike with m=2^8.
  const stronger = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const weaker = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  for (const hash of [stronger, weaker]) assert.ok(await verifyPassword('password', hash), hash)
  assert.equal(await verifyPassword('passwords', stronger), false)
  assert.deepEqual([hashed, stronger, weaker, 'plain'].map(isOutdated), [false, false, true, true])
})
