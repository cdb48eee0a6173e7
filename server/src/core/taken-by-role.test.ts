import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from './principal.ts'
import { type Operation, RIGHTS } from './rights.ts'
import { isTakenByRole } from './taken-by-role.ts'

const OPERATIONS = Object.keys(RIGHTS) as Operation[]
const operator = (role: 'ADMIN' | 'VIEWER' | 'MFA_REQUIRED') => ({ kind: 'operator', name: 'o', role }) as const
const developer = (role: 'ADMIN' | 'MEMBER' | 'VIEWER') =>
  ({ kind: 'developer', userId: 'u', organizationId: 'org', role }) as const
const merchant = (role: 'OWNER' | 'MANAGER' | 'VIEWER' | 'CLERK') =>
  ({ kind: 'merchant', userId: 'u', businessId: 'biz', role }) as const

const taken = (principal: Principal) => OPERATIONS.filter(operation => isTakenByRole(principal, operation))
const left = (principal: Principal) => OPERATIONS.filter(operation => !isTakenByRole(principal, operation))

test('the strongest roles and apps keep every right, and so does a terminal with a signed-in manager', () => {
  const callers: Principal[] = [
    operator('ADMIN'),
    developer('ADMIN'),
    merchant('OWNER'),
    { kind: 'app', appId: 'app', organizationId: 'org', grantId: 'g' },
    terminal('MANAGER'),
  ]
  for (const caller of callers) assert.deepEqual(taken(caller), [])
})

test('at a terminal neither a clerk nor an anonymous user can buy', () => {
  const buying = ['change', 'restore', 'cancel', 'subscribe'].map(act => `subscriptions.${act}`)
  for (const caller of [terminal('CLERK'), terminal()]) {
    assert.deepEqual(taken(caller).sort(), [...buying, 'terminal.approve', 'terminal.purchase'].sort())
  }
})

test("a token for a terminal's user can neither use webhooks nor cancel, and a clerk's token cannot buy", () => {
  const appOf = (role: 'MANAGER' | 'CLERK') =>
    ({
      kind: 'app',
      ...{ appId: 'app', organizationId: 'org', grantId: 'g', businessId: 'biz' },
      user: { businessUserId: 'ann', role },
    }) as const
  const never = ['deliveries.read', 'deliveries.redeliver', 'hooks.manage', 'hooks.read', 'subscriptions.cancel']
  assert.deepEqual(taken(appOf('MANAGER')).sort(), never)
  const buying = ['change', 'restore', 'subscribe'].map(change => `subscriptions.${change}`)
  const atTerminal = ['terminal.approve', 'terminal.purchase']
  assert.deepEqual(taken(appOf('CLERK')).sort(), [...never, ...buying, 'purchases.ask', ...atTerminal].sort())
})

test('a member of an organization can do everything but people, keys, refunds, tax rates and seller data', () => {
  assert.deepEqual(taken(developer('MEMBER')).sort(), [
    'invoices.refund',
    'keys.manage',
    'organizations.manage',
    'people.manage',
    'tax.manage',
  ])
})

test('a manager of a business can do everything but people', () => {
  assert.deepEqual(taken(merchant('MANAGER')), ['people.manage'])
})

test('a viewer can read, and manage the viewer’s own account', () => {
  for (const viewer of [operator('VIEWER'), developer('VIEWER'), merchant('VIEWER')]) {
    const reading = OPERATIONS.filter(operation => operation.endsWith('.read'))
    assert.deepEqual(left(viewer).sort(), ['account.manage', 'public', ...reading].sort())
    assert.ok(reading.length > 10)
  }
})

test('a clerk can read, and write orders', () => {
  const clerk = merchant('CLERK')
  assert.equal(isTakenByRole(clerk, 'orders.open'), false)
  assert.equal(isTakenByRole(clerk, 'orders.write'), false)
  assert.equal(isTakenByRole(clerk, 'subscriptions.read'), false)
  for (const operation of ['subscribe', 'change', 'cancel', 'restore'] as const) {
    assert.ok(isTakenByRole(clerk, `subscriptions.${operation}`))
  }
})

test('an operator without a verified second factor can only manage the operator’s own account', () => {
  assert.deepEqual(left(operator('MFA_REQUIRED')).sort(), ['account.manage', 'public'])
})

function terminal(role?: 'MANAGER' | 'CLERK'): Principal {
  const at = { kind: 'terminal', businessId: 'biz', storeId: 'store', deviceId: 'd' } as const
  return role === undefined ? at : { ...at, user: { businessUserId: 'ann', role, sessionId: 's' } }
}
