import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { v7 } from 'uuid'
import { isRejection } from '../../core/rejection.ts'
import { revokeApproval, saveApproval } from '../../merchants/approvals/store.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import type { Tokens } from './issue.ts'
import { revokeGrantsOfBusiness } from './store.ts'
import {
  ADDRESS,
  makeApp,
  makeAssertion,
  makeDevice,
  makeDeviceAssertion,
  openWorld,
  startProcess,
} from './world.fixture.ts'

const world = await openWorld()
const process = startProcess(world)
const exchange = (assertion: string) => exchangeAssertion(process, { assertion, address: ADDRESS })

async function messageOf(assertion: string): Promise<string> {
  const rejection = await exchange(assertion)
  assert.ok(isRejection(rejection))
  assert.equal(rejection.rejected, 'INVALID_ASSERTION')
  return rejection.developerMessage
}

function tokensOf(result: Awaited<ReturnType<typeof exchange>>): Tokens {
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result
}

test('custom claims limit a token to a business that approved the app, and to its store and device', async () => {
  const [app, device] = [await makeApp(world), await makeDevice(world)]
  const { businessId, storeId, deviceId } = device
  const location = { 'service.biz': businessId, 'service.str': storeId, 'service.did': `urn:tid:${deviceId}` }
  const approval = { businessId, appId: app.appId, rights: ['READ'] as const, approvedAt: new Date() }
  assert.match(
    await messageOf(await makeAssertion(app, { claims: location })),
    /service\.biz names a business that has not approved/,
  )
  await saveApproval(world.sql, approval)
  const cases: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ 'service.biz': businessId }, { 'service.biz': businessId }],
    [
      { 'service.biz': businessId, 'service.str': storeId },
      { 'service.biz': businessId, 'service.str': storeId },
    ],
    [{ 'service.biz': businessId, 'service.did': `urn:tid:${deviceId}` }, location],
    [location, location],
    [{ 'service.org': app.organizationId, 'service.ist': `urn:aid:${app.appId}` }, {}],
  ]
  for (const [claims, expected] of cases) {
    const { accessToken, refreshToken } = tokensOf(await exchange(await makeAssertion(app, { claims })))
    const narrowed = (token: string) =>
      Object.fromEntries(Object.entries(decodeJwt(token)).filter(([claim]) => /service\.(biz|str|did)/.test(claim)))
    assert.deepEqual(narrowed(accessToken), expected)
    const refreshed = await exchangeRefreshToken(process, refreshToken)
    assert.ok(!isRejection(refreshed))
    assert.deepEqual(narrowed(refreshed.accessToken), expected)
  }
  const { accessToken } = tokensOf(await exchange(await makeAssertion(app, { claims: location })))
  await revokeApproval(world.sql, { businessId, appId: app.appId, now: new Date() })
  assert.ok(isRejection(await exchange(await makeAssertion(app, { claims: location }))))
  assert.ok(accessToken)
})

test('a custom claim without a right, or without a meaning, is rejected with the name of the field', async () => {
  const [app, device, other] = [await makeApp(world), await makeDevice(world), await makeDevice(world)]
  const { businessId } = device
  await saveApproval(world.sql, { businessId, appId: app.appId, rights: ['READ'], approvedAt: new Date() })
  const wrong: [string, Record<string, unknown>][] = [
    ['service.biz', { 'service.biz': other.businessId }],
    ['service.biz', { 'service.biz': v7() }],
    ['service.biz', { 'service.biz': 7 }],
    ['service.biz', { 'service.biz': 'x' }],
    ['service.str', { 'service.str': device.storeId }],
    ['service.str', { 'service.biz': businessId, 'service.str': other.storeId }],
    [
      'service.str',
      { 'service.biz': businessId, 'service.did': `urn:tid:${device.deviceId}`, 'service.str': other.storeId },
    ],
    ['service.did', { 'service.biz': businessId, 'service.did': device.deviceId }],
    ['service.did', { 'service.biz': businessId, 'service.did': `urn:tid:${other.deviceId}` }],
    ['service.did', { 'service.did': `urn:tid:${device.deviceId}` }],
    ['service.org', { 'service.org': v7() }],
    ['service.uid', { 'service.uid': v7() }],
    ['service.ist', { 'service.ist': `urn:aid:${v7()}` }],
    ['service.gid', { 'service.gid': v7() }],
    ['service.new', { 'service.new': true }],
  ]
  for (const [claim, claims] of wrong) {
    assert.ok((await messageOf(await makeAssertion(app, { claims }))).startsWith(`assertion: ${claim} `), claim)
  }
  for (const claims of [
    { 'service.biz': other.businessId },
    { 'service.str': other.storeId },
    { 'service.org': v7() },
  ]) {
    const [claim = ''] = Object.keys(claims)
    assert.ok((await messageOf(await makeDeviceAssertion(device, { claims }))).startsWith(`assertion: ${claim} `))
  }
  tokensOf(await exchange(await makeDeviceAssertion(device, { claims: { 'service.biz': businessId } })))
})

test('a revocation during the issue of a limited token leaves no live grant', async () => {
  const [app, { businessId }] = [await makeApp(world), await makeDevice(world)]
  const { appId } = app
  await saveApproval(world.sql, { businessId, appId, rights: ['READ'], approvedAt: new Date() })
  const assertions = await Promise.all(
    Array.from({ length: 8 }, () => makeAssertion(app, { claims: { 'service.biz': businessId } })),
  )
  const revoke = process.db.transaction(async ({ sql }) => {
    const now = new Date()
    await revokeApproval(sql, { businessId, appId, now })
    await revokeGrantsOfBusiness(sql, { businessId, appId, now })
  })
  await Promise.all([...assertions.map(assertion => exchange(assertion)), revoke])
  const live = await world.sql`
    select 1 from grants where app_id = ${appId} and business_id = ${businessId} and revoked_at is null`
  assert.equal(live.length, 0)
})
