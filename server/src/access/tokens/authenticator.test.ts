import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt, SignJWT } from 'jose'
import { v7 } from 'uuid'
import { lockApp, saveApp } from '../../catalog/apps/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { ensureOperatorKey } from '../operator-keys/ensure-operator-key.ts'
import { signAccessToken } from './access-token.ts'
import { createAuthenticator } from './authenticator.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { refreshRevocations } from './revocations.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { revokeToken } from './revoke-token.ts'
import {
  ADDRESS,
  BASE_URL,
  makeApp,
  makeAssertion,
  makeDevice,
  openWorld,
  startProcess,
  type TestApp,
  waitForLockOn,
} from './world.fixture.ts'

const OPERATOR_KEY = 'tillhook_op_of-this-test'

const world = await openWorld()

async function startServing() {
  const process = startProcess(world)
  const operatorKey = await ensureOperatorKey(process, OPERATOR_KEY)
  const { authenticate } = createAuthenticator({ ...process, operatorKey })
  const isAccepted = async (token: string) => !isRejection(await authenticate(`Bearer ${token}`))
  return { ...process, authenticate, isAccepted }
}

async function tokensFor(app: TestApp) {
  const tokens = await exchangeAssertion(startProcess(world), { assertion: await makeAssertion(app), address: ADDRESS })
  assert.ok(!isRejection(tokens))
  return tokens
}

async function setStatus(appId: string, status: 'ACTIVE' | 'DISABLED'): Promise<void> {
  const app = await lockApp(world.sql, appId)
  assert.ok(app)
  const { disabledBy: _, ...enabled } = app
  await saveApp(
    world.sql,
    status === 'ACTIVE' ? { ...enabled, status } : { ...enabled, status, disabledBy: 'OPERATOR' },
  )
}

/** Twenty minutes of looks: a revocation is remembered for some ten. */
async function passUntilForgotten(serving: Awaited<ReturnType<typeof startServing>>): Promise<void> {
  for (let minute = 0; minute < 20; minute++) {
    await refreshRevocations(serving)
    serving.clock.set(new Date(serving.clock.now().getTime() + 60_000))
  }
}

test('an access token identifies its app, organization and grant', async () => {
  const app = await makeApp(world)
  const { accessToken } = await tokensFor(app)
  const { authenticate } = await startServing()
  const principal = {
    kind: 'app',
    appId: app.appId,
    organizationId: app.organizationId,
    grantId: decodeJwt(accessToken)['service.gid'],
  }
  assert.deepEqual(await authenticate(`Bearer ${accessToken}`), principal)
  assert.deepEqual(await authenticate(`Bearer ${accessToken}`), principal)
})

test('the scheme is case-insensitive', async () => {
  const { accessToken } = await tokensFor(await makeApp(world))
  const { authenticate } = await startServing()
  for (const scheme of ['Bearer', 'BEARER', 'bearer', 'bEaReR', 'Bearer ']) {
    assert.ok(!isRejection(await authenticate(`${scheme} ${accessToken}`)), scheme)
  }
})

test('the principal has the business, store and device of the token', async () => {
  const app = await makeApp(world)
  const serving = await startServing()
  const { accessToken } = await tokensFor(app)
  const grantId = String(decodeJwt(accessToken)['service.gid'])
  const { deviceId, businessId, storeId } = await makeDevice(world)
  const location = { businessId, storeId, deviceId }
  const businessUserId = v7()
  await world.sql`
    insert into business_users (
      business_user_id, business_id, user_id, name, role, status, passcode_hash, created_at, updated_at)
    values (${businessUserId}, ${businessId}, 'kim', 'Kim', 'CLERK', 'ACTIVE', 'x', ${new Date()}, ${new Date()})`
  const issuedAtSeconds = Math.floor(Date.now() / 1000)
  const token = await signAccessToken(
    {
      ...location,
      appId: app.appId,
      organizationId: app.organizationId,
      grantId,
      jti: v7(),
      issuedAtSeconds,
      expiresAtSeconds: issuedAtSeconds + 60,
      userId: businessUserId,
      issuedTo: 'urn:aid:x',
    },
    await serving.signingKeys.current(),
    BASE_URL,
  )
  assert.deepEqual(await serving.authenticate(`Bearer ${token}`), {
    kind: 'app',
    appId: app.appId,
    organizationId: app.organizationId,
    grantId,
    ...location,
    user: { businessUserId, role: 'CLERK' },
  })
  const claims = decodeJwt(token)
  assert.deepEqual(
    ['biz', 'str', 'did', 'uid', 'ist'].map(name => claims[`service.${name}`]),
    [location.businessId, location.storeId, `urn:tid:${location.deviceId}`, businessUserId, 'urn:aid:x'],
  )
})

test('only the exact operator key is accepted', async () => {
  const { authenticate, isAccepted } = await startServing()
  assert.deepEqual(await authenticate(`Bearer ${OPERATOR_KEY}`), { kind: 'operator', role: 'ADMIN', name: 'operator' })
  for (const near of [`${OPERATOR_KEY}x`, OPERATOR_KEY.slice(0, -1), OPERATOR_KEY.toUpperCase()]) {
    assert.equal(await isAccepted(near), false)
  }
})

test('a malformed bearer token is rejected with INVALID_ACCESS_TOKEN', async () => {
  const { accessToken } = await tokensFor(await makeApp(world))
  const { authenticate } = await startServing()
  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    accessToken,
    `Basic ${accessToken}`,
    `Bearer${accessToken}`,
    `Bearer ${accessToken} ${accessToken}`,
    `Bearer ${accessToken}, Bearer x`,
    `Bearer ${accessToken}\u0000`,
    'Bearer ..',
    'Bearer a.b.c',
    'Bearer e30.e30.e30',
    `Bearer ${randomBytes(6_000).toString('base64')}`,
    `Bearer ${accessToken.slice(0, -4)}AAAA`,
    'Bearer ünïcode',
  ]
  for (const header of headers) {
    const rejection = await authenticate(header)
    assert.ok(isRejection(rejection), header)
    assert.equal(rejection.rejected, 'INVALID_ACCESS_TOKEN')
    assert.ok(!rejection.developerMessage.includes(accessToken))
  }
})

test("an app's own assertion is not an access token", async () => {
  const app = await makeApp(world)
  const { isAccepted, signingKeys } = await startServing()
  const { kid } = await signingKeys.current()
  assert.equal(await isAccepted(await makeAssertion(app)), false)
  assert.equal(await isAccepted(await makeAssertion(app, { header: { kid }, claims: { iss: BASE_URL } })), false)
})

test('a token of our key with another base URL, typ or alg is rejected', async () => {
  const app = await makeApp(world)
  const { isAccepted, signingKeys } = await startServing()
  const key = await signingKeys.current()
  const { accessToken } = await tokensFor(app)
  const claims = decodeJwt(accessToken)
  const signed = (iss: string, typ = 'JWT') =>
    new SignJWT({ ...claims, iss }).setProtectedHeader({ alg: 'RS256', typ, kid: key.kid }).sign(key.privateKey)
  assert.equal(await isAccepted(await signed(BASE_URL)), true)
  assert.equal(await isAccepted(await signed('https://elsewhere.test')), false)
  assert.equal(await isAccepted(await signed(BASE_URL, 'subscriptions+jwt')), false)
  const [jwk] = await signingKeys.published()
  const forged = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
    .sign(new TextEncoder().encode(JSON.stringify(jwk)))
  assert.equal(await isAccepted(await forged), false)
})

test('a token expires after 86400 seconds, cached or not', async () => {
  const { accessToken } = await tokensFor(await makeApp(world))
  const [known, fresh] = [await startServing(), await startServing()]
  assert.equal(await known.isAccepted(accessToken), true)
  const expiresAtMs = Number(decodeJwt(accessToken).exp) * 1000
  for (const { clock, isAccepted } of [known, fresh]) {
    clock.set(new Date(expiresAtMs - 1))
    assert.equal(await isAccepted(accessToken), true)
    clock.set(new Date(expiresAtMs))
    assert.equal(await isAccepted(accessToken), false)
  }
})

test('revoking a refresh token ends its access tokens at once here, and in other processes after one poll', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const [here, there] = [await startServing(), await startServing()]
  assert.ok((await here.isAccepted(accessToken)) && (await there.isAccepted(accessToken)))
  await revokeToken(here, refreshToken)
  assert.equal(await here.isAccepted(accessToken), false)
  assert.equal(await refreshRevocations(there), 1)
  assert.equal(await there.isAccepted(accessToken), false)
  assert.equal(await refreshRevocations(there), 0)
})

test('revoking an access token ends its grant', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const here = await startServing()
  await revokeToken(here, accessToken)
  assert.equal(await here.isAccepted(accessToken), false)
  await revokeToken(here, refreshToken)
  await revokeToken(here, 'unknown')
})

test('revoking a key ends only the tokens that were issued for its assertions', async () => {
  const app = await makeApp(world)
  const [ended, other] = [await tokensFor(app), await tokensFor(await makeApp(world))]
  const [here, there] = [await startServing(), await startServing()]
  assert.ok((await there.isAccepted(ended.accessToken)) && (await there.isAccepted(other.accessToken)))
  assert.equal(await revokeAppKey(here, { appId: app.appId, kid: app.kid }), null)
  const again = await revokeAppKey(here, { appId: app.appId, kid: app.kid })
  assert.equal(again?.rejected, 'KEY_NOT_FOUND')
  assert.equal(await here.isAccepted(ended.accessToken), false)
  await refreshRevocations(there)
  assert.equal(await there.isAccepted(ended.accessToken), false)
  assert.equal(await there.isAccepted(other.accessToken), true)
})

test('tokens of a disabled app are rejected after one poll, and accepted again when the app is enabled', async () => {
  const app = await makeApp(world)
  const { accessToken } = await tokensFor(app)
  const [known, fresh] = [await startServing(), await startServing()]
  assert.equal(await known.isAccepted(accessToken), true)
  await setStatus(app.appId, 'DISABLED')
  await refreshRevocations(known)
  assert.equal(await known.isAccepted(accessToken), false)
  assert.equal(await fresh.isAccepted(accessToken), false)
  await setStatus(app.appId, 'ACTIVE')
  await refreshRevocations(known)
  assert.equal(await known.isAccepted(accessToken), true)
})

test('a process that never saw a token rejects it if it was revoked before', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  await revokeToken(await startServing(), refreshToken)
  assert.equal(await (await startServing()).isAccepted(accessToken), false)
})

test('a revocation by a process whose clock is 5 s behind is seen', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const [here, behind] = [await startServing(), await startServing()]
  assert.equal(await here.isAccepted(accessToken), true)
  await refreshRevocations(here)
  behind.clock.set(new Date(here.clock.now().getTime() - 5_000))
  await revokeToken(behind, refreshToken)
  await refreshRevocations(here)
  assert.equal(await here.isAccepted(accessToken), false)
})

test('a revocation that is committed minutes after its instant is seen by the next poll', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const [here, there] = [await startServing(), await startServing()]
  assert.equal(await there.isAccepted(accessToken), true)
  await here.db.transaction(async tx => {
    await revokeToken({ ...here, db: tx }, refreshToken)
    // The commit is late; the other process has looked each half minute meanwhile.
    for (let look = 0; look < 8; look++) {
      there.clock.set(new Date(there.clock.now().getTime() + 30_000))
      await refreshRevocations(there)
    }
    assert.equal(await there.isAccepted(accessToken), true)
  })
  await refreshRevocations(there)
  assert.equal(await there.isAccepted(accessToken), false)
})

test('a process handles a revocation once, although several polls read it', async () => {
  const { refreshToken } = await tokensFor(await makeApp(world))
  const [here, there] = [await startServing(), await startServing()]
  await revokeToken(here, refreshToken)
  const added: number[] = []
  for (let minute = 0; minute < 20; minute++) {
    added.push(await refreshRevocations(there))
    there.clock.set(new Date(there.clock.now().getTime() + 60_000))
  }
  assert.ok((added[0] ?? 0) > 0)
  assert.deepEqual(added.slice(1), Array(19).fill(0))
})

test('a revocation during an hour without polls is seen by the next poll', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const [here, there] = [await startServing(), await startServing()]
  await refreshRevocations(there)
  assert.equal(await there.isAccepted(accessToken), true)
  await revokeToken(here, refreshToken)
  there.clock.set(new Date(there.clock.now().getTime() + 3_600_000))
  await refreshRevocations(there)
  assert.equal(await there.isAccepted(accessToken), false)
})

test('a revoked token does not return from the cache after the revocation is forgotten', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const here = await startServing()
  assert.equal(await here.isAccepted(accessToken), true)
  await revokeToken(here, refreshToken)
  await passUntilForgotten(here)
  assert.equal(await here.isAccepted(accessToken), false)
})

test('a token that is revoked during its lookup is rejected, then and later', async () => {
  const { accessToken, refreshToken } = await tokensFor(await makeApp(world))
  const here = await startServing()
  let accepted: Promise<boolean> | undefined
  await startProcess(world).db.transaction(async ({ sql }) => {
    // The grant is read and found live; the app's row has to wait.
    await sql`lock table apps in access exclusive mode`
    accepted = here.isAccepted(accessToken)
    await waitForLockOn(world, 'apps')
    await revokeToken(here, refreshToken)
  })
  assert.equal(await accepted, false)
  await passUntilForgotten(here)
  assert.equal(await here.isAccepted(accessToken), false)
})
