import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, newDeveloper, OPERATOR, openTenants, type Tenants } from '../../../test/support/tenants.ts'
import type { Principal } from '../../core/principal.ts'
import { findApproval, findApprovals } from './store.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

test('an approval grants READ by default and is active until it is revoked', async () => {
  const { app, appId, uuid } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const path = `/businesses/${businessId}/approvals`
  const read = () => tenants.call(app, 'GET', `/businesses/${businessId}`)
  assert.equal((await read()).status, 403)

  const approval = { appId, businessId, rights: ['READ'], approvedAt: '2026-03-01T10:00:00Z' }
  const given = await tenants.call(OPERATOR, 'POST', path, { appId: appId.replace(uuid, uuid.toUpperCase()) })
  assert.deepEqual(given, { status: 201, body: approval })
  assert.deepEqual((await tenants.call(OPERATOR, 'GET', path)).body, { list: [approval], start: 0, total: 1, count: 1 })
  assert.equal((await read()).status, 200)

  const revoked = await tenants.call(OPERATOR, 'DELETE', `${path}/${appId}`)
  assert.deepEqual(revoked, { status: 204, body: undefined })
  assert.equal((await read()).status, 403)
  assert.equal((await tenants.call(OPERATOR, 'GET', path)).body.total, 0)
  assert.equal((await tenants.call(OPERATOR, 'DELETE', `${path}/${appId}`)).body.code, 'RESOURCE_NOT_FOUND')
})

test('a repeated approval replaces the rights and lifts a revocation', async () => {
  const { appId, uuid } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const path = `/businesses/${businessId}/approvals`
  const give = (rights?: string[]) => tenants.call(OPERATOR, 'POST', path, { appId, ...(rights && { rights }) })
  const rightsNow = async () => (await findApproval(tenants.db.sql, businessId, uuid))?.rights
  assert.equal((await give(['SUBSCRIBE', 'READ', 'READ'])).status, 201)
  assert.deepEqual(await rightsNow(), ['READ', 'SUBSCRIBE'])
  assert.equal((await give()).status, 200)
  assert.deepEqual(await rightsNow(), ['READ'])
  await tenants.call(OPERATOR, 'DELETE', `${path}/${appId}`)
  assert.equal(await rightsNow(), undefined)
  assert.equal((await give(['SUBSCRIBE'])).status, 201)
  assert.deepEqual(await rightsNow(), ['SUBSCRIBE'])
})

test('concurrent approvals create one approval', async () => {
  const { appId } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const path = `/businesses/${businessId}/approvals`
  const give = () => tenants.call(OPERATOR, 'POST', path, { appId })
  const row = { table: 'businesses', column: 'business_id', id: businessId } as const
  const answers = await tenants.atOnce(row, [give, give, give])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201])
  assert.equal((await tenants.call(OPERATOR, 'GET', path)).body.total, 1)
})

const rejected: [string, (appId: string) => unknown][] = [
  ['no body', () => undefined],
  ['no app', () => ({ rights: ['READ'] })],
  ['an id that is no URN', appId => ({ appId: appId.slice(8) })],
  ['no rights in the list', appId => ({ appId, rights: [] })],
  ['a right that there is none of', appId => ({ appId, rights: ['READ', 'OWN'] })],
  ['rights that are not a list', appId => ({ appId, rights: 'READ' })],
]
for (const [name, bodyOf] of rejected) {
  test(`an approval with ${name} is rejected with 400`, async () => {
    const { appId } = await newDeveloper(tenants)
    const path = `/businesses/${await newBusiness(tenants)}/approvals`
    assert.equal((await tenants.call(OPERATOR, 'POST', path, bodyOf(appId))).status, 400)
  })
}

test('an approval needs an existing app and business', async () => {
  const { appId } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const noApp = await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, {
    appId: `urn:aid:${UNKNOWN}`,
  })
  assert.equal(noApp.body.code, 'APPLICATION_NOT_FOUND')
  const noBusiness = await tenants.call(OPERATOR, 'POST', `/businesses/${UNKNOWN}/approvals`, { appId })
  assert.equal(noBusiness.body.code, 'BUSINESS_NOT_FOUND')
})

test('a merchant approves for its own business, a developer for its own test merchants, and an app for none', async () => {
  const { app, developer, appId, organizationId } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const merchant: Principal = { kind: 'merchant', role: 'OWNER', userId: 'u', businessId }
  const testMerchant = await newBusiness(tenants, { organizationId })
  const other = (await newDeveloper(tenants)).organizationId
  const foreign = await newBusiness(tenants, { organizationId: other })
  const give = async (as: Principal, id: string) =>
    (await tenants.call(as, 'POST', `/businesses/${id}/approvals`, { appId })).status
  assert.equal(await give(merchant, businessId), 201)
  assert.equal(await give(merchant, testMerchant), 403)
  assert.equal(await give(developer, testMerchant), 201)
  assert.equal(await give(developer, businessId), 403)
  assert.equal(await give(developer, foreign), 403)
  assert.equal(await give(developer, UNKNOWN), 403)
  assert.equal(await give(app, businessId), 403)
  assert.equal(await give({ ...app, businessId } as Principal, businessId), 403)
})

test("revoking one app's approval keeps the approvals of other apps and businesses", async () => {
  const [one, two] = [await newDeveloper(tenants), await newDeveloper(tenants)]
  const [here, there] = [await newBusiness(tenants), await newBusiness(tenants)]
  for (const businessId of [here, there]) {
    for (const { appId } of [one, two]) {
      await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId })
    }
  }
  await tenants.call(OPERATOR, 'DELETE', `/businesses/${here}/approvals/${one.appId}`)
  const approvedBy = async (businessId: string) =>
    (await findApprovals(tenants.db.sql, businessId)).map(({ appId }) => appId)
  assert.deepEqual(await approvedBy(here), [two.uuid])
  assert.deepEqual(await approvedBy(there), [one.uuid, two.uuid])
})
