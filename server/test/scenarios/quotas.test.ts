import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newDeveloper, OPERATOR, openTenants, type Tenants } from '../support/tenants.ts'
import { MULTIPART, multipart, packageOf, RELEASE } from '../support/upload.ts'

const MIB = 1_024 * 1_024
let tenants: Tenants
before(async () => {
  const quotas = { apps: 3, releases: 4, packageBytes: MIB, testMerchants: 2, testClockYears: 50 }
  tenants = await openTenants({ quotas, requireHttps: true })
})
after(() => tenants[Symbol.asyncDispose]())

const newApp = (organizationId: string, n: number) => ({
  organizationId,
  name: 'Till',
  packageName: `com.quota.a${Date.now()}x${n}`,
})

test('an organization that creates many apps concurrently gets its quota, and another organization is not affected', async () => {
  const { developer, organizationId } = await newDeveloper(tenants)
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) => tenants.call(developer, 'POST', '/apps', newApp(organizationId, n))),
  )
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409])
  const over = made.find(({ status }) => status === 409)
  assert.equal(over?.body.code, 'QUOTA_EXCEEDED')
  assert.match(over?.body.developerMessage, /TILLHOOK_MAX_APPS/)
  const other = await newDeveloper(tenants)
  assert.equal((await tenants.call(other.developer, 'POST', '/apps', newApp(other.organizationId, 9))).status, 201)
})

test("test merchants have a quota, and the operator's merchants have none", async () => {
  const { developer, organizationId } = await newDeveloper(tenants)
  const shop = { legalName: 'Cafe', emailAddress: 'cafe@example.com', country: 'US' }
  const make = (as: Parameters<Tenants['call']>[0], body: object) => tenants.call(as, 'POST', '/businesses', body)
  const mine = { ...shop, type: 'TEST_MERCHANT', organizationId }
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push((await make(developer, mine)).status)
  assert.deepEqual(statuses, [201, 201, 409])
  for (let n = 0; n < 3; n++) assert.equal((await make(OPERATOR, { ...shop, type: 'MERCHANT' })).status, 201)
})

test('releases have a quota', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const submit = () => tenants.call(developer, 'POST', `/apps/${appId}/releases`, { version: '1.0', plans: [] })
  const statuses = []
  for (let n = 0; n < 5; n++) statuses.push((await submit()).status)
  assert.deepEqual(statuses, [201, 201, 201, 201, 409])
})

test('all apps of an organization share its quota of package bytes, also concurrently, and a rejected release frees its bytes', async () => {
  const { developer, organizationId, appId } = await newDeveloper(tenants)
  const { body: second } = await tenants.call(developer, 'POST', '/apps', newApp(organizationId, 5))
  const body = multipart([RELEASE, packageOf(Buffer.alloc(MIB * 0.6))])
  const upload = (id: string) => tenants.call(developer, 'POST', `/apps/${id}/releases`, body, MULTIPART)
  const made = await tenants.atOnce({ table: 'organizations', column: 'organization_id', id: organizationId }, [
    () => upload(appId),
    () => upload(second.appId),
  ])
  assert.deepEqual(made.map(({ status }) => status).sort(), [201, 409])
  assert.equal(made.find(({ status }) => status === 409)?.body.code, 'QUOTA_EXCEEDED')
  const { appId: owner, releaseId } = made.find(({ status }) => status === 201)?.body ?? {}
  const chunks = () => tenants.db.sql`select 1 from package_chunks where release_id = ${releaseId}`
  assert.ok((await chunks()).length > 0)
  const path = `/apps/${owner}/releases/${releaseId}`
  assert.equal((await tenants.call(OPERATOR, 'POST', `${path}/reject`, { reason: 'No icon.' })).status, 200)
  assert.equal((await chunks()).length, 0)
  const gone = await tenants.call(developer, 'GET', `${path}/package`)
  assert.deepEqual([gone.status, gone.body.code], [404, 'RESOURCE_NOT_FOUND'])
  assert.equal((await upload(appId)).status, 201)
})

test('where https is required, callback URLs must be https', async () => {
  const { developer, appId } = await newDeveloper(tenants)
  const change = (callbackUrls: string[]) => tenants.call(developer, 'PATCH', `/apps/${appId}`, { callbackUrls })
  const { status, body } = await change(['http://app.example/back'])
  assert.deepEqual([status, body.fields[0].path], [400, 'callbackUrls[0]'])
  assert.equal((await change(['https://app.example/back'])).status, 200)
})
