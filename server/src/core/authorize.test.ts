import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorize, type Facts, type Verdict } from './authorize.ts'
import type { Principal } from './principal.ts'
import { type Column, type Operation, RIGHTS, type Right, type Subject } from './rights.ts'

const person = { userId: 'u', sessionId: 's', membershipId: 'm' }

const callers: Record<Column, Principal> = {
  app: { kind: 'app', appId: 'app', organizationId: 'org', grantId: 'g' },
  appOfBusiness: {
    kind: 'app',
    appId: 'app',
    organizationId: 'org',
    grantId: 'g',
    businessId: 'biz',
    storeId: 'store',
  },
  merchant: { kind: 'merchant', businessId: 'biz', role: 'OWNER', ...person },
  terminal: {
    ...{ kind: 'terminal', businessId: 'biz', storeId: 'store', deviceId: 'd' },
    user: { businessUserId: 'u', role: 'MANAGER', sessionId: 's' },
  },
  developer: { kind: 'developer', organizationId: 'org', role: 'ADMIN', ...person },
  operator: { kind: 'operator', name: 'o', role: 'ADMIN', ...person },
}

interface World {
  readonly app: Facts['app']
  readonly business: Facts['business']
  readonly isRelated: boolean
  readonly approvedRights: NonNullable<Facts['approvedRights']>
}

/** Every fact that favours the callers above. */
const best: World = {
  app: { organizationId: 'org' },
  business: { organizationId: 'org', type: 'TEST_MERCHANT' },
  isRelated: true,
  approvedRights: ['READ', 'SUBSCRIBE'],
}
/** An app and a business of strangers. */
const strangers: World = {
  app: { organizationId: 'other' },
  business: { type: 'MERCHANT' },
  isRelated: false,
  approvedRights: [],
}
const nothing: World = { app: null, business: null, isRelated: false, approvedRights: [] }

const own: Subject = { appId: 'app', businessId: 'biz', storeId: 'store' }
const foreign: Subject = { appId: 'app2', businessId: 'biz2', storeId: 'store2' }
const foreignBusiness: Subject = { appId: 'app', businessId: 'biz2', storeId: 'store2' }
const foreignStore: Subject = { appId: 'app', businessId: 'biz', storeId: 'store2' }

interface Row {
  readonly own: Verdict
  readonly foreign: Verdict
  /** The caller's app, if any, and an unrelated business. */
  readonly foreignBusiness: Verdict
  readonly foreignStore: Verdict
  /** A subject without ids. */
  readonly unnamed: Verdict
}

const no: Row = row('forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden')
const EXPECTED: Record<Right, Row> = {
  none: no,
  public: row('granted', 'granted', 'granted', 'granted', 'granted'),
  all: row('granted', 'granted', 'granted', 'granted', 'granted'),
  'own app': row('granted', 'hidden app', 'forbidden', 'granted', 'granted'),
  'own app, own business': row('granted', 'hidden app', 'forbidden', 'forbidden', 'granted'),
  'related business': row('granted', 'hidden app', 'forbidden', 'granted', 'forbidden'),
  'approving business': row('granted', 'hidden app', 'forbidden', 'granted', 'forbidden'),
  'with SUBSCRIBE': row('granted', 'hidden app', 'forbidden', 'forbidden', 'granted'),
  'own business': row('granted', 'forbidden', 'forbidden', 'granted', 'forbidden'),
  'own store': row('granted', 'forbidden', 'forbidden', 'forbidden', 'forbidden'),
  'own terminal': row('granted', 'granted', 'granted', 'granted', 'granted'),
  'own organization': row('granted', 'hidden app', 'forbidden', 'granted', 'forbidden'),
  'own test merchants': row('granted', 'hidden app', 'forbidden', 'granted', 'forbidden'),
  'own account': row('granted', 'granted', 'granted', 'granted', 'granted'),
}

for (const operation of Object.keys(RIGHTS) as Operation[]) {
  for (const column of Object.keys(callers) as Column[]) {
    const right = RIGHTS[operation][column]
    test(`${operation} by ${column} is "${right}"`, () => {
      const expected = EXPECTED[right]
      const principal = callers[column]
      const facts = (world: World, isOwnApp: boolean) => ({ ...world, app: isOwnApp ? best.app : world.app })
      assert.equal(verdict(principal, operation, own, best), expected.own)
      assert.equal(verdict(principal, operation, foreign, strangers), expected.foreign)
      assert.equal(verdict(principal, operation, foreignBusiness, facts(strangers, true)), expected.foreignBusiness)
      // Decisions 3: a terminal sees and touches "only that business (store, device)"; a merchant has all stores.
      const isBound = right === 'own business' && column === 'terminal'
      assert.equal(verdict(principal, operation, foreignStore, best), isBound ? 'forbidden' : expected.foreignStore)
      assert.equal(verdict(principal, operation, {}, best), expected.unnamed)
    })

    test(`${operation} by ${column} does not reveal whether the resource exists`, () => {
      const real = verdict(callers[column], operation, foreign, strangers)
      const missing = verdict(callers[column], operation, foreign, nothing)
      const seesAll = right === 'all' && operation !== 'public'
      assert.equal(missing, seesAll ? 'hidden app' : real)
    })
  }

  test(`${operation} needs a token unless it is public`, () => {
    const expected = operation === 'public' ? 'granted' : 'unauthenticated'
    assert.equal(verdict({ kind: 'anonymous' }, operation, own, best), expected)
  })
}

test('an app on its own resources needs no query', () => {
  for (const operation of ['plans.read', 'subscriptions.read', 'hooks.manage'] as const) {
    assert.equal(authorize(callers.app, operation, { appId: 'app' }, {}), 'granted')
    assert.equal(authorize(callers.appOfBusiness, operation, { appId: 'app', businessId: 'biz' }, {}), 'granted')
  }
})

test('the operator gets not found for an unknown business', () => {
  assert.equal(verdict(callers.operator, 'businesses.read', { businessId: 'biz2' }, nothing), 'unknown business')
})

test('a key, a token or a terminal is not a person and has no account', () => {
  const nobodies: Principal[] = [
    { kind: 'operator', name: 'operator', role: 'ADMIN' },
    { kind: 'merchant', userId: 'u', businessId: 'biz', role: 'MANAGER', storeId: 'store', deviceId: 'd' },
    callers.app,
    callers.terminal,
  ]
  for (const nobody of nobodies) assert.equal(verdict(nobody, 'account.manage', {}, best), 'forbidden')
})

test('READ alone does not let an app subscribe', () => {
  const world: World = { ...best, approvedRights: ['READ'] }
  assert.equal(verdict(callers.appOfBusiness, 'subscriptions.subscribe', own, world), 'forbidden')
})

const notMine: [string, Facts['business']][] = [
  ['a merchant', { type: 'MERCHANT' }],
  ["the operator's test merchant", { type: 'TEST_MERCHANT' }],
  ["another organization's test merchant", { organizationId: 'other', type: 'TEST_MERCHANT' }],
  ['one that does not exist', null],
]
for (const [name, business] of notMine) {
  test(`a developer does not manage ${name}, related or not`, () => {
    const world: World = { ...best, business: business ?? null }
    assert.equal(verdict(callers.developer, 'approvals.manage', { businessId: 'biz' }, world), 'forbidden')
  })
}

test('a developer creates apps and test merchants only for its own organization', () => {
  for (const operation of ['apps.manage', 'businesses.create'] as const) {
    assert.equal(verdict(callers.developer, operation, { organizationId: 'org' }, nothing), 'granted')
    assert.equal(verdict(callers.developer, operation, { organizationId: 'org2' }, nothing), 'forbidden')
  }
})

test('a developer reads its own test merchant before any relation to its apps', () => {
  const world: World = { ...best, isRelated: false }
  assert.equal(verdict(callers.developer, 'invoices.read', { businessId: 'biz' }, world), 'granted')
})

/** Provides each fact on request, and each only once. */
function verdict(principal: Principal, operation: Operation, subject: Subject, world: World): Verdict {
  let facts: Facts = {}
  for (let asked = 0; asked <= 4; asked++) {
    const result = authorize(principal, operation, subject, facts)
    if (typeof result === 'string') return result
    assert.ok(!(result.ask in facts), `asked twice for ${result.ask}`)
    facts = { ...facts, [result.ask]: world[result.ask] }
  }
  return assert.fail('asked for more facts than there are')
}

function row(own: Verdict, foreign: Verdict, foreignBusiness: Verdict, foreignStore: Verdict, unnamed: Verdict): Row {
  return { own, foreign, foreignBusiness, foreignStore, unnamed }
}
