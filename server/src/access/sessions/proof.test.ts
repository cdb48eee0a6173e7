import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '../../core/user.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { isProof, makeProof } from './proof.ts'

const vault = createVault(Buffer.alloc(32, 1))
const now = new Date('2026-03-01T10:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const times = { createdAt: now, updatedAt: now }
const ann: User = { userId: 'ann', email: 'a', name: 'A', passwordHash: 'hash', status: 'ACTIVE', ...times }
const proof = makeProof(vault, ann, now)

test('a proof is valid for its user and password, for five minutes', () => {
  assert.ok(isProof(vault, proof, ann, now))
  assert.ok(isProof(vault, proof, ann, later(299_999)))
  assert.equal(isProof(vault, proof, ann, later(300_000)), false)
  assert.equal(isProof(vault, proof, ann, later(-1)), false)
  assert.equal(isProof(vault, proof, { ...ann, userId: 'bob' }, now), false)
  assert.equal(isProof(vault, proof, { ...ann, passwordHash: 'another' }, now), false)
  assert.equal(isProof(vault, proof, null, now), false)
})

test('an altered, foreign or otherwise sealed proof is invalid', () => {
  const elsewhere = makeProof(createVault(Buffer.alloc(32, 2)), ann, now)
  const other = vault.seal('mail', JSON.stringify({ userId: 'ann' })).toString('base64url')
  for (const wrong of ['', 'x', `${proof}AAAA`, proof.slice(0, -4), elsewhere, other]) {
    assert.equal(isProof(vault, wrong, ann, now), false)
  }
})
