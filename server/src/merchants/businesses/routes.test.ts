import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, newDeveloper, OPERATOR, openTenants, type Tenants } from '../../../test/support/tenants.ts'
import { hashActivationCode } from '../../core/activation-code.ts'
import type { Principal } from '../../core/principal.ts'
import { findBusiness, findBusinessesForBilling, findDevice, findStore, lockBusiness, setClock } from './store.ts'

let tenants: Tenants
before(async () => {
  tenants = await openTenants()
})
after(() => tenants[Symbol.asyncDispose]())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'
const NEW = { legalName: 'Corner Shop Inc.', emailAddress: 'owner@corner.example', country: 'US', type: 'MERCHANT' }
const TIMES = { createdAt: '2026-03-01T10:00:00Z', updatedAt: '2026-03-01T10:00:00Z' }

async function newStore(businessId: string): Promise<string> {
  return (await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/stores`, { displayName: 'Main' })).body
    .storeId
}

async function newDevice(businessId: string, storeId: string) {
  const path = `/businesses/${businessId}/stores/${storeId}/devices`
  return (await tenants.call(OPERATOR, 'POST', path, { name: 'Till 1', serialNumber: 'S-1' })).body
}

test('a business needs only a country and a contact', async () => {
  const made = await tenants.call(OPERATOR, 'POST', '/businesses', NEW)
  assert.equal(made.status, 201)
  const { businessId, id, ...rest } = made.body
  assert.equal(id, businessId)
  const defaults = {
    doingBusinessAs: NEW.legalName,
    timezone: 'UTC',
    status: 'ACTIVE',
    stores: [],
    language: 'en',
    mailsOff: [],
  }
  assert.deepEqual(rest, { ...NEW, ...defaults, ...TIMES })
  assert.deepEqual((await tenants.call(OPERATOR, 'GET', `/businesses/${businessId}`)).body, made.body)
})

test('every field of a business is stored and returned unchanged', async () => {
  const given = {
    ...NEW,
    doingBusinessAs: 'The Corner',
    phone: { ituCountryCode: '1', areaCode: '212', localPhoneNumber: '5550100' },
    address: { line1: '1 Main St', city: 'New York', territory: 'NY', postalCode: '10001', countryCode: 'US' },
    timezone: 'America/New_York',
  }
  const phone = { ...given.phone, unknown: 1 }
  const made = await tenants.call(OPERATOR, 'POST', '/businesses', { ...given, phone })
  assert.partialDeepStrictEqual(made, { status: 201, body: given })
  assert.deepEqual(made.body.phone, given.phone)
})

const rejected: [string, Record<string, unknown>][] = [
  ['legalName', { legalName: undefined }],
  ['legalName', { legalName: 'n'.repeat(256) }],
  ['emailAddress', { emailAddress: 'corner' }],
  ['country', { country: 'us' }],
  ['country', { country: 'XX' }],
  ['country', { country: null }],
  ['type', { type: 'SHOP' }],
  ['doingBusinessAs', { doingBusinessAs: '' }],
  ['organizationId', { organizationId: 'acme' }],
  ['organizationId', { organizationId: UNKNOWN }],
  ['timezone', { timezone: 'Mars/Base' }],
  ['timezone', { timezone: '+02:00' }],
  ['phone', { phone: '212 5550100' }],
  ['phone.areaCode', { phone: { areaCode: 212 } }],
  ['address.countryCode', { address: { countryCode: 'usa' } }],
  ['address.line1', { address: { line1: 'l'.repeat(256) } }],
]
for (const [path, change] of rejected) {
  test(`a plan is rejected, naming ${path}: ${JSON.stringify(change).slice(0, 60)}`, async () => {
    const answer = await tenants.call(OPERATOR, 'POST', '/businesses', { ...NEW, ...change })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.fields[0].path, path)
  })
}

test('a developer creates test merchants only for its own organization', async () => {
  const { developer, app, organizationId } = await newDeveloper(tenants)
  const other = await newDeveloper(tenants)
  const testMerchant = { ...NEW, type: 'TEST_MERCHANT' }
  const made = await tenants.call(developer, 'POST', '/businesses', testMerchant)
  assert.partialDeepStrictEqual(made, { status: 201, body: { type: 'TEST_MERCHANT', organizationId } })
  const forOther = { ...testMerchant, organizationId: other.organizationId }
  assert.equal((await tenants.call(developer, 'POST', '/businesses', forOther)).body.code, 'FORBIDDEN')
  assert.equal((await tenants.call(developer, 'POST', '/businesses', NEW)).status, 400)
  assert.equal((await tenants.call(app, 'POST', '/businesses', testMerchant)).body.code, 'FORBIDDEN')
  const nobodys = { ...testMerchant, organizationId: UNKNOWN }
  assert.equal((await tenants.call(OPERATOR, 'POST', '/businesses', nobodys)).body.code, 'ORGANIZATION_NOT_FOUND')

  const path = `/businesses/${made.body.businessId}/stores`
  assert.equal((await tenants.call(developer, 'POST', path, { displayName: 'Main' })).status, 201)
  assert.equal((await tenants.call(other.developer, 'POST', path, { displayName: 'Main' })).body.code, 'FORBIDDEN')
})

test('a PATCH changes only the given fields', async () => {
  const businessId = await newBusiness(tenants)
  const before = (await tenants.call(OPERATOR, 'GET', `/businesses/${businessId}`)).body
  const changes = { legalName: 'Corner Shop Ltd.', country: 'GB', address: { city: 'London' } }
  const unknown = { type: 'TEST_MERCHANT', businessId: UNKNOWN }
  const changed = await tenants.call(OPERATOR, 'PATCH', `/businesses/${businessId}`, { ...changes, ...unknown })
  assert.deepEqual(changed, { status: 200, body: { ...before, ...changes } })
  for (const wrong of [{ country: 'XX' }, { legalName: '' }, { phone: null }]) {
    assert.equal((await tenants.call(OPERATOR, 'PATCH', `/businesses/${businessId}`, wrong)).status, 400)
  }
  assert.equal(
    (await tenants.call(OPERATOR, 'PATCH', `/businesses/${UNKNOWN}`, changes)).body.code,
    'BUSINESS_NOT_FOUND',
  )
})

test('a terminal gets its code once, and is listed in its store', async () => {
  const businessId = await newBusiness(tenants)
  const storeId = await newStore(businessId)
  const made = await newDevice(businessId, storeId)
  const { deviceId, activationCode, ...rest } = made
  assert.match(deviceId, /^urn:tid:/)
  assert.match(activationCode, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const fields = { name: 'Till 1', serialNumber: 'S-1', status: 'NEW', ...TIMES }
  assert.deepEqual(rest, { ...fields, businessId, storeId, activationExpiresAt: '2026-03-01T10:15:00Z' })

  const { stores } = (await tenants.call(OPERATOR, 'GET', `/businesses/${businessId}`)).body
  const devices = [{ deviceId, ...fields }]
  assert.deepEqual(stores, [{ storeId, displayName: 'Main', status: 'ACTIVE', devices, ...TIMES }])
  const [row] = await tenants.db.sql<{ hash: Buffer; row: string }[]>`
    select activation_code_hash as hash, d::text as row from devices as d where device_id = ${deviceId.slice(8)}`
  assert.deepEqual(row?.hash, hashActivationCode(activationCode))
  assert.ok(!row?.row.includes(activationCode.slice(0, 9)))
})

test('a store or device without an existing parent is rejected', async () => {
  const businessId = await newBusiness(tenants)
  const otherStore = await newStore(await newBusiness(tenants))
  const device = { name: 'Till 1', serialNumber: 'S-1' }
  for (const storeId of [otherStore, UNKNOWN]) {
    const path = `/businesses/${businessId}/stores/${storeId}/devices`
    assert.equal((await tenants.call(OPERATOR, 'POST', path, device)).body.code, 'STORE_NOT_FOUND')
  }
  const none = await tenants.call(OPERATOR, 'POST', `/businesses/${UNKNOWN}/stores`, { displayName: 'Main' })
  assert.equal(none.body.code, 'BUSINESS_NOT_FOUND')
  for (const body of [undefined, {}, { displayName: '' }, { displayName: 1 }, { displayName: 'd'.repeat(256) }]) {
    assert.equal((await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/stores`, body)).status, 400)
  }
  const path = `/businesses/${businessId}/stores/${await newStore(businessId)}/devices`
  for (const body of [undefined, { name: 'Till' }, { ...device, serialNumber: 's'.repeat(256) }]) {
    assert.equal((await tenants.call(OPERATOR, 'POST', path, body)).status, 400)
  }
})

test('a business is found by its terminal, for callers that may read the business', async () => {
  const { app, uuid } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const { deviceId } = await newDevice(businessId, await newStore(businessId))
  const path = `/businesses?storeDeviceId=${deviceId}`
  assert.partialDeepStrictEqual(await tenants.call(OPERATOR, 'GET', path), { status: 200, body: { businessId } })
  assert.equal((await tenants.call(app, 'GET', path)).body.code, 'FORBIDDEN')
  await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId: `urn:aid:${uuid}` })
  assert.partialDeepStrictEqual(await tenants.call(app, 'GET', path), { status: 200, body: { businessId } })
  const none = await tenants.call(OPERATOR, 'GET', `/businesses?storeDeviceId=urn:tid:${UNKNOWN}`)
  assert.deepEqual([none.status, none.body.code], [404, 'BUSINESS_NOT_FOUND'])
  assert.equal((await tenants.call(OPERATOR, 'GET', '/businesses?storeDeviceId=1')).status, 400)
  assert.equal((await tenants.call(OPERATOR, 'GET', '/businesses')).status, 400)
})

test('an app reads related businesses, and does not learn whether others exist', async () => {
  const { app, developer } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  for (const id of [businessId, UNKNOWN]) {
    const answer = await tenants.call(app, 'GET', `/businesses/${id}`)
    assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'])
    assert.equal((await tenants.call(developer, 'GET', `/businesses/${id}`)).body.code, 'FORBIDDEN')
    assert.equal((await tenants.call(null, 'GET', `/businesses/${id}`)).status, 401)
  }
  assert.equal((await tenants.call(OPERATOR, 'GET', `/businesses/${UNKNOWN}`)).body.code, 'BUSINESS_NOT_FOUND')
  const bound = { ...app, businessId } as Principal
  assert.equal((await tenants.call(bound, 'GET', `/businesses/${businessId.toUpperCase()}`)).status, 200)
  assert.equal((await tenants.call(bound, 'GET', `/businesses/${await newBusiness(tenants)}`)).status, 403)
})

test('only the operator sees the organization of a test merchant, apps and merchants do not', async () => {
  const { app, appId, organizationId } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants, { organizationId })
  await tenants.call(OPERATOR, 'POST', `/businesses/${businessId}/approvals`, { appId })
  const read = async (caller: Principal) => (await tenants.call(caller, 'GET', `/businesses/${businessId}`)).body
  const { organizationId: owner, language, mailsOff, ...rest } = await read(OPERATOR)
  assert.equal(owner, organizationId)
  assert.deepEqual(await read(app), rest)
  assert.deepEqual(await read({ ...app, businessId } as Principal), rest)
  const own = await read({ kind: 'merchant', role: 'OWNER', userId: UNKNOWN, businessId })
  assert.deepEqual(own, { ...rest, language, mailsOff })
})

test('a token of a store or terminal sees only that store or terminal', async () => {
  const { app } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants)
  const [storeId, other] = [await newStore(businessId), await newStore(businessId)]
  const device = await newDevice(businessId, storeId)
  await newDevice(businessId, storeId)
  await newDevice(businessId, other)
  const seen = async (caller: Principal) => {
    const { stores } = (await tenants.call(caller, 'GET', `/businesses/${businessId}`)).body
    return stores.map((store: { storeId: string; devices: unknown[] }) => [store.storeId, store.devices.length])
  }
  const deviceId = device.deviceId.slice(8)
  assert.deepEqual(await seen({ ...app, businessId } as Principal), [
    [storeId, 2],
    [other, 1],
  ])
  assert.deepEqual(await seen({ ...app, businessId, storeId } as Principal), [[storeId, 2]])
  assert.deepEqual(await seen({ kind: 'terminal', businessId, storeId, deviceId }), [[storeId, 1]])
})

test('a test clock is set, moved and removed, and an edit of the business keeps the clock', async () => {
  const { organizationId } = await newDeveloper(tenants)
  const businessId = await newBusiness(tenants, { organizationId })
  const real = await newBusiness(tenants)
  const { sql } = tenants.db
  const clock = { testClockId: UNKNOWN, now: new Date('2027-01-01T00:00:00Z') }
  await setClock(sql, businessId, clock)
  await tenants.call(OPERATOR, 'PATCH', `/businesses/${businessId}`, { legalName: 'New' })
  assert.deepEqual((await findBusiness(sql, businessId))?.clock, clock)
  const found = await findBusinessesForBilling(sql, [businessId, real, UNKNOWN])
  assert.deepEqual(found.get(businessId), { businessId, organizationId, type: 'TEST_MERCHANT', country: 'US', clock })
  assert.deepEqual(found.get(real), { businessId: real, type: 'MERCHANT', country: 'US' })
  assert.equal(found.size, 2)
  await setClock(sql, businessId, null)
  assert.ok(!('clock' in ((await tenants.db.transaction(tx => lockBusiness(tx.sql, businessId))) ?? {})))
  await assert.rejects(setClock(sql, real, clock), /businesses_clock_of_test_merchants/)
})

test('a store or terminal is found only in its own business', async () => {
  const { sql } = tenants.db
  const businessId = await newBusiness(tenants)
  const stranger = await newBusiness(tenants)
  const storeId = await newStore(businessId)
  const deviceId = (await newDevice(businessId, storeId)).deviceId.slice(8)
  assert.equal((await findStore(sql, businessId, storeId))?.displayName, 'Main')
  assert.equal((await findDevice(sql, businessId, deviceId))?.storeId, storeId)
  assert.equal(await findStore(sql, stranger, storeId), null)
  assert.equal(await findDevice(sql, stranger, deviceId), null)
})
