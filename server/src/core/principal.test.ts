import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Principal, principalName } from './principal.ts'

const app = { kind: 'app', appId: 'a', organizationId: 'o', grantId: 'g' } as const
const of = { ...app, businessId: 'b' }
const user = { ...of, storeId: 's', deviceId: 'd', user: { businessUserId: 'u', role: 'CLERK' } } as const
const dev = { kind: 'developer', userId: 'u', organizationId: 'o', role: 'ADMIN' } as const
const ann = { kind: 'merchant', userId: 'u', businessId: 'b', role: 'OWNER' } as const

test('a caller has the same identifier with every token and session, and other callers have other identifiers', () => {
  const same: [Principal, Principal][] = [
    [app, { ...app, grantId: 'h' }],
    [user, { ...user, grantId: 'h' }],
    [dev, { ...dev, role: 'VIEWER', sessionId: 'x', membershipId: 'm' }],
  ]
  for (const [one, again] of same) assert.equal(principalName(one), principalName(again))
  const callers: Principal[] = [
    ...[{ kind: 'anonymous' } as const, { kind: 'operator', name: 'u', role: 'ADMIN' } as const],
    ...[app, { ...app, appId: 'A' }, of, { ...of, businessId: 'B' }],
    ...[user, { ...user, user: { ...user.user, businessUserId: 'U' } }, { ...user, deviceId: 'D' }],
    ...[dev, { ...dev, organizationId: 'O' }, ann, { ...ann, businessId: 'B' }],
    { kind: 'terminal', businessId: 'b', storeId: 's', deviceId: 'd' },
  ]
  assert.equal(new Set(callers.map(principalName)).size, callers.length)
  assert.equal(principalName(user), 'app:a:b:u:d')
  assert.equal(principalName(dev), 'developer:u:o')
})
