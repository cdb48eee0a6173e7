import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { v7 } from 'uuid'
import { isRejection } from '../../core/rejection.ts'
import { createAuthenticator } from './authenticator.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import type { Tokens } from './issue.ts'
import {
  ADDRESS,
  BASE_URL,
  makeApp,
  makeAssertion,
  makeDevice,
  makeDeviceAssertion,
  openWorld,
  startProcess,
  type TestDevice,
} from './world.fixture.ts'

const world = await openWorld()
const process = startProcess(world)

const exchange = (assertion: string) => exchangeAssertion(process, { assertion, address: ADDRESS })

async function tokensFor(device: TestDevice): Promise<Tokens> {
  const tokens = await exchange(await makeDeviceAssertion(device))
  assert.ok(!isRejection(tokens), JSON.stringify(tokens))
  return tokens
}

async function messageOf(assertion: string): Promise<string> {
  const rejection = await exchange(assertion)
  assert.ok(isRejection(rejection))
  assert.equal(rejection.rejected, 'INVALID_ASSERTION')
  return rejection.developerMessage
}

const CLOSE = {
  device: ({ deviceId }: TestDevice) => world.sql`update devices set status = 'CLOSED' where device_id = ${deviceId}`,
  store: ({ storeId }: TestDevice) => world.sql`update stores set status = 'CLOSED' where store_id = ${storeId}`,
  business: ({ businessId }: TestDevice) =>
    world.sql`update businesses set status = 'CLOSED' where business_id = ${businessId}`,
}

test('a terminal’s assertion is exchanged for a token with its business, store and device', async () => {
  const device = await makeDevice(world)
  const { accessToken } = await tokensFor(device)
  const { iat, exp, jti, 'service.gid': gid, ...claims } = decodeJwt(accessToken)
  assert.equal(Number(exp) - Number(iat), 86_400)
  assert.ok(jti && gid)
  const urn = `urn:tid:${device.deviceId}`
  assert.deepEqual(claims, {
    ...{ iss: BASE_URL, sub: urn, aud: urn },
    ...{ 'service.biz': device.businessId, 'service.str': device.storeId, 'service.did': urn },
  })
  const { authenticate } = createAuthenticator({ ...process, operatorKey: { verify: () => false } })
  const { businessId, storeId, deviceId } = device
  const terminal = { kind: 'terminal', businessId, storeId, deviceId }
  assert.deepEqual(await authenticate(`Bearer ${accessToken}`), terminal)
})

test('a terminal’s assertion presented many times at once, in two processes, yields one token', async () => {
  const assertion = await makeDeviceAssertion(await makeDevice(world))
  const other = startProcess(world)
  const results = await Promise.all(
    Array.from({ length: 6 }, (_, n) => exchangeAssertion(n % 2 ? process : other, { assertion, address: ADDRESS })),
  )
  assert.equal(results.filter(result => !isRejection(result)).length, 1)
  assert.match(await messageOf(assertion), /jti was used before/)
})

test('an app and a terminal, and two terminals, may use the same jti', async () => {
  const claims = { jti: randomUUID() }
  const [app, one, two] = [await makeApp(world), await makeDevice(world), await makeDevice(world)]
  for (const assertion of [
    makeAssertion(app, { claims }),
    makeDeviceAssertion(one, { claims }),
    makeDeviceAssertion(two, { claims }),
  ]) {
    assert.ok(!isRejection(await exchange(await assertion)))
  }
})

test('an unknown terminal, another’s key, an app’s key and a replaced key get the same response', async () => {
  const [device, other, app] = [await makeDevice(world), await makeDevice(world), await makeApp(world)]
  const unknown = await messageOf(await makeDeviceAssertion({ ...device, deviceId: v7() }))
  assert.equal(await messageOf(await makeDeviceAssertion({ ...device, privateKey: other.privateKey })), unknown)
  assert.equal(await messageOf(await makeDeviceAssertion({ ...device, privateKey: app.privateKey })), unknown)
  assert.equal(await messageOf(await makeAssertion({ ...app, privateKey: device.privateKey })), unknown)
  // An app's id identifies no terminal, and the reverse.
  assert.equal(await messageOf(await makeAssertion({ appId: device.deviceId, privateKey: device.privateKey })), unknown)
  await world.sql`update device_keys set revoked_at = ${new Date()} where device_id = ${device.deviceId}`
  assert.equal(await messageOf(await makeDeviceAssertion(device)), unknown)
})

for (const [name, close] of Object.entries(CLOSE)) {
  test(`a closed ${name} gets no token, and its tokens end where they were not cached`, async () => {
    const device = await makeDevice(world)
    const { accessToken, refreshToken } = await tokensFor(device)
    await close(device)
    assert.match(await messageOf(await makeDeviceAssertion(device)), /signature/)
    assert.ok(isRejection(await exchangeRefreshToken(process, refreshToken)))
    const { authenticate } = createAuthenticator({ ...startProcess(world), operatorKey: { verify: () => false } })
    assert.ok(isRejection(await authenticate(`Bearer ${accessToken}`)))
  })
}

test('a terminal’s refresh token returns tokens of the same location, and stays the same', async () => {
  const device = await makeDevice(world)
  const { refreshToken } = await tokensFor(device)
  const tokens = await exchangeRefreshToken(process, refreshToken)
  assert.ok(!isRejection(tokens))
  assert.equal(tokens.refreshToken, refreshToken)
  const claims = decodeJwt(tokens.accessToken)
  assert.deepEqual(
    [claims.sub, claims['service.str'], claims['service.org']],
    [`urn:tid:${device.deviceId}`, device.storeId, undefined],
  )
})

test('a terminal counts as seen when it requests a token, and once a minute while it calls', async () => {
  const serving = startProcess(world)
  const device = await makeDevice(world)
  const { accessToken } = await tokensFor(device)
  const { authenticate } = createAuthenticator({ ...serving, operatorKey: { verify: () => false } })
  const seenAt = async () => {
    const [row] = await world.sql<{ seen: Date; isUnchanged: boolean }[]>`
      select last_seen_at as seen, updated_at = created_at as "isUnchanged" from devices
      where device_id = ${device.deviceId}`
    assert.ok(row?.isUnchanged)
    return row.seen.getTime()
  }
  const first = await seenAt()
  const later = (seconds: number) => serving.clock.set(new Date(first + seconds * 1000))
  later(59)
  await authenticate(`Bearer ${accessToken}`)
  assert.equal(await seenAt(), first)
  later(130)
  await authenticate(`Bearer ${accessToken}`)
  assert.equal(await seenAt(), first + 130_000)
  later(180)
  await authenticate(`Bearer ${accessToken}`)
  assert.equal(await seenAt(), first + 130_000)
})
