import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  newBusiness,
  newDeveloper,
  newPlans,
  OPERATOR,
  openTenants,
  type Tenants,
  writeSubscription,
} from '../../../test/support/tenants.ts'
import type { Principal } from '../../core/principal.ts'
import { isRejection } from '../../core/rejection.ts'
import type { Operation, Subject } from '../../core/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Authorizer } from '../../platform/http/ports.ts'
import { createAuthorizer } from './authorize.ts'

let tenants: Tenants
let authorizer: Authorizer
before(async () => {
  tenants = await openTenants()
  authorizer = createAuthorizer({ db: tenants.db })
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

async function outcome(as: Principal, operation: Operation, subject: Subject): Promise<string> {
  const right = await authorizer.authorize(as, operation, subject)
  return isRejection(right) ? right.rejected : right
}

async function approve(businessId: string, appId: string, rights = ['READ']): Promise<void> {
  await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId, rights })
}

test('an app on its own subject is granted without a query', async () => {
  const noDb: Db = {
    get sql(): never {
      throw new Error('a query')
    },
    transaction: () => Promise.reject(new Error('a transaction')),
  }
  const app: Principal = { kind: 'app', appId: 'a', organizationId: 'o', grantId: 'g' }
  const withoutDb = createAuthorizer({ db: noDb })
  assert.equal(await withoutDb.authorize(app, 'plans.read', { appId: 'a' }), 'granted')
  assert.equal(await withoutDb.authorize({ ...app, businessId: 'b' }, 'subscriptions.read', { appId: 'a' }), 'granted')
})

test('a caller without a token is rejected', async () => {
  assert.equal(await outcome({ kind: 'anonymous' }, 'plans.read', { appId: UNKNOWN }), 'INVALID_ACCESS_TOKEN')
  assert.equal(await outcome({ kind: 'anonymous' }, 'public', {}), 'granted')
})

test("another app's resource and an unknown one are not distinguishable for apps and developers, and the operator gets not found", async () => {
  const mine = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  for (const caller of [mine.app, mine.developer]) {
    for (const appId of [other.uuid, UNKNOWN]) {
      assert.equal(await outcome(caller, 'plans.read', { appId }), 'APPLICATION_NOT_FOUND')
    }
    assert.equal(await outcome(caller, 'plans.read', { appId: mine.uuid }), 'granted')
  }
  assert.equal(await outcome(OPERATOR, 'plans.read', { appId: other.uuid }), 'granted')
  assert.equal(await outcome(OPERATOR, 'plans.read', { appId: UNKNOWN }), 'APPLICATION_NOT_FOUND')
})

test('a business is related by an active approval, or by a live or ended subscription', async () => {
  const { app, appId, uuid, organizationId } = await newDeveloper(tenants)
  const stranger = await newDeveloper(tenants)
  const [approved, revoked, live, ended, none] = await Promise.all([1, 2, 3, 4, 5].map(() => newBusiness(tenants)))
  assert.ok(approved && revoked && live && ended && none)
  await approve(approved, appId)
  await approve(revoked, appId)
  await tenants.call(OPERATOR, 'DELETE', `/businesses/${revoked}/approvals/${appId}`)
  const [planId = ''] = await newPlans(tenants, appId)
  const of = { appId: uuid, organizationId, planId }
  await writeSubscription(tenants.db.sql, { ...of, businessId: live, status: 'ACTIVE' })
  await writeSubscription(tenants.db.sql, { ...of, businessId: ended, status: 'ENDED' })

  const expected = { [approved]: 'granted', [live]: 'granted', [ended]: 'granted', [revoked]: 'FORBIDDEN' }
  for (const businessId of [approved, revoked, live, ended, none, UNKNOWN]) {
    const right = expected[businessId] ?? 'FORBIDDEN'
    assert.equal(await outcome(app, 'businesses.read', { businessId }), right)
    assert.equal(await outcome(app, 'subscriptions.read', { appId: uuid, businessId }), right)
    assert.equal(await outcome(stranger.app, 'businesses.read', { businessId }), 'FORBIDDEN')
  }
})

test('an app subscribes for a business only within its token and with the right SUBSCRIBE', async () => {
  const { app, appId, uuid } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const bound = { ...app, businessId } as Principal
  const subscribe = (as: Principal, id = businessId) =>
    outcome(as, 'subscriptions.subscribe', { appId: uuid, businessId: id })
  assert.equal(await subscribe(bound), 'FORBIDDEN')
  await approve(businessId, appId)
  assert.equal(await subscribe(bound), 'FORBIDDEN')
  await approve(businessId, appId, ['READ', 'SUBSCRIBE'])
  assert.equal(await subscribe(bound), 'granted')
  assert.equal(await outcome(bound, 'subscriptions.restore', { appId: uuid }), 'granted')
  assert.equal(await subscribe(app), 'FORBIDDEN')
  assert.equal(await subscribe(bound, await newBusiness(tenants)), 'FORBIDDEN')
})

test("a developer reads the parts of a business that concern the organization's apps", async () => {
  const mine = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const invoices = (as: Principal, subject: Subject = { businessId }) => outcome(as, 'invoices.read', subject)
  assert.equal(await invoices(mine.developer), 'FORBIDDEN')
  await approve(businessId, mine.appId)
  assert.equal(await invoices(mine.developer), 'granted')
  assert.equal(await invoices(mine.developer, { businessId, appId: mine.uuid }), 'granted')
  assert.equal(await invoices(mine.developer, { businessId, appId: other.uuid }), 'APPLICATION_NOT_FOUND')
  assert.equal(await invoices(other.developer), 'FORBIDDEN')
})

test('the operator gets not found for an unknown business', async () => {
  assert.equal(await outcome(OPERATOR, 'businesses.read', { businessId: UNKNOWN }), 'BUSINESS_NOT_FOUND')
  assert.equal(await outcome(OPERATOR, 'businesses.read', { businessId: await newBusiness(tenants) }), 'granted')
})
