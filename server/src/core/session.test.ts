import assert from 'node:assert/strict'
import { test } from 'node:test'
import { principalOf, sessionExpiresAt } from './session.ts'

const at = (hours: number) => new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000)
const membership = { membershipId: 'm', userId: 'u', createdAt: at(0) }

test('a session ends after an idle time, and at the latest after its maximum lifetime', () => {
  const ends = (kind: 'OPERATOR' | 'MERCHANT', usedAt: Date) => sessionExpiresAt(kind, { createdAt: at(0), usedAt })
  assert.deepEqual(ends('OPERATOR', at(3)), at(4))
  assert.deepEqual(ends('OPERATOR', at(11.5)), at(12))
  assert.deepEqual(ends('MERCHANT', at(3)), at(15))
  assert.deepEqual(ends('MERCHANT', at(14 * 24 - 1)), at(14 * 24))
})

test('an operator needs a second factor in the session; others need none', () => {
  const operator = { ...membership, workspace: { kind: 'OPERATOR' }, role: 'ADMIN' } as const
  const merchant = { ...membership, workspace: { kind: 'MERCHANT', businessId: 'b' }, role: 'OWNER' } as const
  const roleOf = (one: typeof operator | typeof merchant, isMfaVerified: boolean) =>
    principalOf(one, { sessionId: 's', isMfaVerified }).role
  assert.deepEqual([roleOf(operator, false), roleOf(operator, true)], ['MFA_REQUIRED', 'ADMIN'])
  assert.deepEqual([roleOf(merchant, false), roleOf(merchant, true)], ['OWNER', 'OWNER'])
})

test('a principal has the person of its session and the workspace', () => {
  const developer = { ...membership, workspace: { kind: 'DEVELOPER', organizationId: 'o' }, role: 'MEMBER' } as const
  assert.deepEqual(principalOf(developer, { sessionId: 's', isMfaVerified: false }), {
    ...{ kind: 'developer', organizationId: 'o', role: 'MEMBER' },
    ...{ userId: 'u', sessionId: 's', membershipId: 'm' },
  })
})
