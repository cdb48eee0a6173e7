import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { lockApp, saveApp } from '../../catalog/apps/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import { purgeTokens } from './purge.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { revokeToken } from './revoke-token.ts'
import { ADDRESS, makeApp, makeAssertion, openWorld, startProcess, type TestApp } from './world.fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const world = await openWorld()

async function grantFor(app: TestApp, process = startProcess(world)) {
  const tokens = await exchangeAssertion(process, { assertion: await makeAssertion(app), address: ADDRESS })
  assert.ok(!isRejection(tokens))
  return { process, ...tokens }
}

async function assertEnded(process: ReturnType<typeof startProcess>, refreshToken: string): Promise<void> {
  const rejection = await exchangeRefreshToken(process, refreshToken)
  assert.ok(isRejection(rejection))
  assert.equal(rejection.rejected, 'INVALID_REFRESH_TOKEN')
  assert.equal(rejection.oauthError, 'invalid_grant')
}

test('a refresh token returns new access tokens of the same grant, any number of times', async () => {
  const { process, accessToken, refreshToken } = await grantFor(await makeApp(world))
  const jtis = new Set([decodeJwt(accessToken).jti])
  for (let n = 0; n < 5; n++) {
    const tokens = await exchangeRefreshToken(process, refreshToken)
    assert.ok(!isRejection(tokens))
    assert.equal(tokens.refreshToken, refreshToken)
    assert.equal(decodeJwt(tokens.accessToken)['service.gid'], decodeJwt(accessToken)['service.gid'])
    jtis.add(decodeJwt(tokens.accessToken).jti)
  }
  assert.equal(jtis.size, 6)
})

test('a refresh token used many times at once succeeds each time', async () => {
  const { process, refreshToken } = await grantFor(await makeApp(world))
  const results = await Promise.all(Array.from({ length: 10 }, () => exchangeRefreshToken(process, refreshToken)))
  assert.ok(results.every(result => !isRejection(result)))
})

test('a refresh token is valid for 90 idle days after each use', async () => {
  const { process, refreshToken } = await grantFor(await makeApp(world))
  const later = (ms: number) => process.clock.set(new Date(process.clock.now().getTime() + ms))
  for (let n = 0; n < 3; n++) {
    later(90 * DAY_MS)
    assert.ok(!isRejection(await exchangeRefreshToken(process, refreshToken)))
    // Within the hour the use is not recorded, and still counts.
    later(HOUR_MS / 2)
    assert.ok(!isRejection(await exchangeRefreshToken(process, refreshToken)))
  }
  later(90 * DAY_MS + 2 * HOUR_MS)
  await assertEnded(process, refreshToken)
})

test('an idle grant is purged only after its tokens have expired', async () => {
  const app = await makeApp(world)
  const { process } = await grantFor(app)
  const countGrants = async () => (await world.sql`select 1 from grants where app_id = ${app.appId}`).length
  const madeAt = process.clock.now().getTime()
  process.clock.set(new Date(madeAt + 91 * DAY_MS))
  await purgeTokens(process)
  assert.equal(await countGrants(), 1)
  process.clock.set(new Date(madeAt + 93 * DAY_MS))
  await purgeTokens(process)
  assert.equal(await countGrants(), 0)
})

test('an unknown or empty refresh token, and one with bytes that PostgreSQL cannot store, are rejected', async () => {
  const process = startProcess(world)
  for (const token of ['', 'unknown', '\u0000', '\ud800', 'x'.repeat(10_000)]) await assertEnded(process, token)
})

test('an access token is not a refresh token', async () => {
  const { process, accessToken } = await grantFor(await makeApp(world))
  await assertEnded(process, accessToken)
})

test('revoking a refresh token ends it, and no other token of the app', async () => {
  const app = await makeApp(world)
  const { process, refreshToken } = await grantFor(app)
  const other = await grantFor(app)
  await revokeToken(process, refreshToken)
  await assertEnded(process, refreshToken)
  assert.ok(!isRejection(await exchangeRefreshToken(process, other.refreshToken)))
})

test('revoking a key ends its refresh tokens, and none of another app with the same kid', async () => {
  const app = await makeApp(world)
  const { process, refreshToken } = await grantFor(app)
  const other = await grantFor(await makeApp(world))
  assert.equal(await revokeAppKey(process, { appId: app.appId, kid: app.kid }), null)
  await assertEnded(process, refreshToken)
  assert.ok(!isRejection(await exchangeRefreshToken(process, other.refreshToken)))
})

test('an app that is disabled gets no token', async () => {
  const app = await makeApp(world)
  const { process, refreshToken } = await grantFor(app)
  const stored = await lockApp(world.sql, app.appId)
  assert.ok(stored)
  await saveApp(world.sql, { ...stored, status: 'DISABLED', disabledBy: 'OPERATOR' })
  await assertEnded(process, refreshToken)
})
