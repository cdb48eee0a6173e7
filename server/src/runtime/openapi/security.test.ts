import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorize, type Facts } from '../../core/authorize.ts'
import type { Principal } from '../../core/principal.ts'
import { type Operation, RIGHTS, type Subject } from '../../core/rights.ts'
import type { AnyRoute } from '../../platform/http/route.ts'
import { isOpen, SECURITY_SCHEMES, securityOf } from './security.ts'

const PERSON = { userId: 'ann', sessionId: 'session', membershipId: 'membership' }
const APP = { kind: 'app', appId: 'app', organizationId: 'maker', grantId: 'grant' } as const
const MANAGER = { businessUserId: 'kim', role: 'MANAGER', sessionId: 'session' } as const

/** The holders of each kind of token, with the strongest role. */
const HOLDERS: Readonly<Record<string, readonly Principal[]>> = {
  accessToken: [APP, { ...APP, businessId: 'shop' }],
  terminalToken: [{ kind: 'terminal', businessId: 'shop', storeId: 'store', deviceId: 'till', user: MANAGER }],
  portalSession: [
    { kind: 'merchant', businessId: 'shop', role: 'OWNER', ...PERSON },
    { kind: 'developer', organizationId: 'maker', role: 'ADMIN', ...PERSON },
    { kind: 'operator', name: 'ann', role: 'ADMIN', ...PERSON },
  ],
  operatorKey: [{ kind: 'operator', name: 'operator', role: 'ADMIN' }],
}

/** Subjects that belong to the holders. The facts grant everything. */
const SUBJECTS: readonly Subject[] = [
  {},
  { appId: 'app' },
  { appId: 'app', businessId: 'shop' },
  { businessId: 'shop', storeId: 'store' },
  { organizationId: 'maker' },
]
const FACTS: Facts = {
  app: { organizationId: 'maker' },
  business: { organizationId: 'maker', type: 'TEST_MERCHANT' },
  isRelated: true,
  approvedRights: ['READ', 'SUBSCRIBE'],
}

const routeOf = (operation: Operation) => ({ name: 'any', operation }) as AnyRoute
const schemesOf = (route: AnyRoute) => securityOf(route).flatMap(one => Object.keys(one))

for (const operation of (Object.keys(RIGHTS) as Operation[]).filter(one => one !== 'public')) {
  test(`${operation} declares exactly the kinds of token that can have the right`, () => {
    const isLetIn = (holder: Principal) =>
      SUBJECTS.some(subject => authorize(holder, operation, subject, FACTS) === 'granted')
    const letIn = Object.entries(HOLDERS).filter(([, holders]) => holders.some(isLetIn))
    assert.deepEqual(schemesOf(routeOf(operation)).sort(), letIn.map(([scheme]) => scheme).sort())
  })
}

test('an operation with an alternative right adds the callers of that right', () => {
  const route = { ...routeOf('terminal.read'), orElse: 'users.read' } as AnyRoute
  assert.deepEqual(schemesOf(route).sort(), ['operatorKey', 'portalSession', 'terminalToken'])
})

test('a public operation needs no token, and only the code grant accepts one', () => {
  assert.deepEqual(securityOf(routeOf('public')), [])
  const security = securityOf({ ...routeOf('public'), name: 'issueToken' })
  assert.deepEqual(security, [{}, { selfSignedToken: [] }])
  assert.ok(isOpen(security) && isOpen([]) && !isOpen([{ accessToken: [] }]))
  assert.deepEqual([...Object.keys(HOLDERS), 'selfSignedToken'].sort(), Object.keys(SECURITY_SCHEMES).sort())
})
