import assert from 'node:assert/strict'
import { createPublicKey, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, UnsecuredJWT } from 'jose'
import { v7 } from 'uuid'
import { newKeyPair } from '../../../test/support/key-pairs.ts'
import { lockApp, revokeKey, saveApp } from '../../catalog/apps/store.ts'
import { isRejection } from '../../core/rejection.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import type { Tokens } from './issue.ts'
import { purgeTokens } from './purge.ts'
import { revokeAppKey } from './revoke-app-key.ts'
import { grantEachOnce } from './store.ts'
import {
  ADDRESS,
  addKey,
  BASE_URL,
  makeApp,
  makeAssertion,
  openWorld,
  startProcess,
  type TestApp,
  type World,
  waitForLockOn,
} from './world.fixture.ts'

const world = await openWorld()
const process = startProcess(world)

const exchange = (assertion: string, by = process, address = ADDRESS) => exchangeAssertion(by, { assertion, address })

async function messageOf(assertion: string): Promise<string> {
  const rejection = await exchange(assertion)
  assert.ok(isRejection(rejection))
  assert.equal(rejection.rejected, 'INVALID_ASSERTION')
  assert.equal(rejection.oauthError, 'invalid_grant')
  return rejection.developerMessage
}

function tokensOf(result: Awaited<ReturnType<typeof exchange>>): Tokens {
  assert.ok(!isRejection(result), JSON.stringify(result))
  return result
}

test('an assertion is exchanged for an access token with the claims of decisions 2', async () => {
  const app = await makeApp(world)
  const { accessToken, refreshToken } = tokensOf(await exchange(await makeAssertion(app)))
  const { gid, ...claims } = renamed(decodeJwt(accessToken))
  assert.equal(decodeProtectedHeader(accessToken).alg, 'RS256')
  assert.match(String(decodeProtectedHeader(accessToken).kid), /^[\w-]{43}$/)
  const issuedAt = Math.floor(process.clock.now().getTime() / 1000)
  assert.deepEqual(
    { ...claims, jti: '' },
    {
      iss: BASE_URL,
      sub: `urn:aid:${app.appId}`,
      aud: `urn:aid:${app.appId}`,
      iat: issuedAt,
      exp: issuedAt + 86_400,
      jti: '',
      'service.org': app.organizationId,
    },
  )
  const [grant] = await grantsOf(world, app.appId)
  assert.equal(grant?.grantId, gid)
  assert.match(refreshToken, /^[\w-]{43}$/)
})

test('the refresh token is stored only as a hash', async () => {
  const app = await makeApp(world)
  const { refreshToken } = tokensOf(await exchange(await makeAssertion(app)))
  const [grant] = await grantsOf(world, app.appId)
  assert.ok(grant)
  assert.equal(grant.hash.length, 32)
  assert.ok(!grant.hash.toString('latin1').includes(refreshToken))
  assert.ok(!grant.hash.equals(Buffer.from(refreshToken, 'base64url')))
})

test('an assertion presented twice is rejected the second time, naming jti', async () => {
  const app = await makeApp(world)
  const assertion = await makeAssertion(app)
  tokensOf(await exchange(assertion))
  assert.match(await messageOf(assertion), /jti was used before/)
})

test('an assertion presented many times at once, in two processes, yields one token', async () => {
  const app = await makeApp(world)
  const assertion = await makeAssertion(app)
  const other = startProcess(world)
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, index) => exchange(assertion, index % 2 ? process : other)),
  )
  assert.equal(results.filter(result => !isRejection(result)).length, 1)
  assert.equal((await grantsOf(world, app.appId)).length, 1)
})

test('two apps may use the same jti', async () => {
  const jti = randomUUID()
  const [one, two] = [await makeApp(world), await makeApp(world)]
  tokensOf(await exchange(await makeAssertion(one, { claims: { jti } })))
  tokensOf(await exchange(await makeAssertion(two, { claims: { jti } })))
})

test('a jti is accepted again once no assertion with it can be valid, purged or not', async () => {
  const later = startProcess(world)
  const app = await makeApp(world)
  const jti = randomUUID()
  tokensOf(await exchange(await makeAssertion(app, { claims: { jti } })))
  later.clock.set(new Date(process.clock.now().getTime() + 25 * 3_600_000))
  const again = await makeAssertion(app, { claims: { jti }, at: later.clock.now() })
  tokensOf(await exchange(again, later))
  assert.ok(isRejection(await exchange(again, later)))
})

test('without kid every key of the app is tried', async () => {
  const app = await makeApp(world)
  const second = await addKey(world, app.appId, 'second')
  tokensOf(await exchange(await makeAssertion(app)))
  tokensOf(await exchange(await makeAssertion({ ...app, privateKey: second })))
  assert.deepEqual((await grantsOf(world, app.appId)).map(grant => grant.kid).sort(), ['first', 'second'])
})

test('with kid only that key is tried', async () => {
  const app = await makeApp(world)
  const second = await addKey(world, app.appId, 'second')
  tokensOf(await exchange(await makeAssertion(app, { header: { kid: 'first' } })))
  tokensOf(await exchange(await makeAssertion({ ...app, privateKey: second }, { header: { kid: 'second' } })))
  assert.match(await messageOf(await makeAssertion(app, { header: { kid: 'second' } })), /signature/)
  assert.match(await messageOf(await makeAssertion(app, { header: { kid: 'third' } })), /signature/)
})

test('an unknown app, a disabled app and a wrong signature get the same response', async () => {
  const app = await makeApp(world)
  const disabled = await makeApp(world)
  await disable(disabled.appId)
  const stranger = newKeyPair().privateKey
  const unknown = await messageOf(await makeAssertion({ appId: v7(), privateKey: app.privateKey }))
  assert.equal(await messageOf(await makeAssertion(disabled)), unknown)
  assert.equal(await messageOf(await makeAssertion(app, { key: stranger })), unknown)
  assert.match(unknown, /signature/)
})

test('another app of the same organization cannot sign for this one', async () => {
  const [app, other] = [await makeApp(world), await makeApp(world)]
  assert.match(await messageOf(await makeAssertion(app, { key: other.privateKey })), /signature/)
})

test('alg none is rejected before any key is tried', async () => {
  const app = await makeApp(world)
  const subject = `urn:aid:${app.appId}`
  const unsecured = new UnsecuredJWT({ sub: subject, iss: subject, aud: BASE_URL, jti: randomUUID() })
    .setIssuedAt()
    .setExpirationTime('8m')
    .encode()
  assert.match(await messageOf(unsecured), /alg/)
})

test('an HS256 signature with the public key as the secret is rejected', async () => {
  const app = await makeApp(world)
  const pem = createPublicKey(app.privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const forged = await makeAssertion(app, { header: { alg: 'HS256' }, key: new TextEncoder().encode(pem) })
  assert.match(await messageOf(forged), /alg/)
})

test('RS384 with the right key is rejected', async () => {
  const app = await makeApp(world)
  assert.match(await messageOf(await makeAssertion(app, { header: { alg: 'RS384' } })), /alg/)
})

for (const [how, change] of [
  ['has a space', (signature: string) => `${signature.slice(0, 9)} ${signature.slice(9)}`],
  ['has a character of plain base64', (signature: string) => `${signature}+`],
  ['is shorter', (signature: string) => signature.slice(0, -4)],
  ['is empty', () => ''],
] as const) {
  test(`a signature that ${how} is rejected`, async () => {
    const signed = await makeAssertion(await makeApp(world))
    const until = signed.lastIndexOf('.') + 1
    assert.match(await messageOf(signed.slice(0, until) + change(signed.slice(until))), /^assertion: /)
    tokensOf(await exchange(signed))
  })
}

test('a claim set changed after signing is rejected', async () => {
  const app = await makeApp(world)
  const [header, , signature] = (await makeAssertion(app)).split('.')
  const [, claims] = (await makeAssertion(app)).split('.')
  assert.match(await messageOf(`${header}.${claims}.${signature}`), /signature/)
})

for (const text of [
  '',
  '.',
  '..',
  'a.b.c',
  'e30.e30.',
  'e30.W10.AA',
  `${'a'.repeat(9_000)}.b.c`,
  'a.b.c.d.e',
  '\u0000',
]) {
  test(`text that is not a JWT is rejected: ${JSON.stringify(text.slice(0, 20))}`, async () => {
    await messageOf(text)
  })
}

test('a key revoked after it was read and before the grant is written yields no token', async () => {
  const app = await makeApp(world)
  const assertion = await makeAssertion(app)
  let exchanged: ReturnType<typeof exchange> | undefined
  await startProcess(world).db.transaction(async ({ sql }) => {
    await revokeKey(sql, app.appId, app.kid, new Date())
    exchanged = exchange(assertion)
    await waitForLockOn(world, 'app_keys')
  })
  assert.ok(exchanged && isRejection(await exchanged))
  assert.deepEqual([...(await grantsOf(world, app.appId))], [])
})

test('a grant written while its key is being revoked is revoked with it', async () => {
  const app = await makeApp(world)
  let revoked: ReturnType<typeof revokeAppKey> | undefined
  await process.db.transaction(async ({ sql }) => {
    const grant = useOf(app)
    assert.deepEqual(await grantEachOnce(sql, [grant]), new Map([[grant.grantId, 'granted']]))
    revoked = revokeAppKey(startProcess(world), { appId: app.appId, kid: app.kid })
    await waitForLockOn(world, 'app_keys')
  })
  assert.equal(await revoked, null)
  assert.deepEqual(
    (await grantsOf(world, app.appId)).map(grant => grant.revokedAt === null),
    [false],
  )
})

test('assertions and the revocation of their key at once leave no live grant', async () => {
  const app = await makeApp(world)
  const assertions = await Promise.all(Array.from({ length: 6 }, () => makeAssertion(app)))
  await Promise.all([
    ...assertions.map(assertion => exchange(assertion)),
    revokeAppKey(startProcess(world), { appId: app.appId, kid: app.kid }),
  ])
  const grants = await grantsOf(world, app.appId)
  assert.deepEqual(
    grants.filter(grant => grant.revokedAt === null),
    [],
  )
})

test('expired uses of assertions are purged in batches, and the others stay', async () => {
  const app = await makeApp(world)
  const old = new Date(process.clock.now().getTime() - 1)
  await world.sql`
    insert into assertion_uses (issuer_id, jti, expires_at)
    select ${app.appId}, n::text, ${old} from generate_series(1, 1200) n`
  tokensOf(await exchange(await makeAssertion(app)))
  const batches = [await purgeTokens(process), await purgeTokens(process), await purgeTokens(process)]
  assert.deepEqual(batches, [1_000, 200, 0])
  const left = await world.sql`select jti from assertion_uses where issuer_id = ${app.appId}`
  assert.equal(left.length, 1)
})

function renamed({ 'service.gid': gid, ...claims }: Record<string, unknown>) {
  return { gid, ...claims }
}

async function disable(appId: string): Promise<void> {
  const app = await lockApp(world.sql, appId)
  assert.ok(app)
  await saveApp(world.sql, { ...app, status: 'DISABLED', disabledBy: 'OPERATOR' })
}

function grantsOf({ sql }: World, appId: string) {
  return sql<{ grantId: string; kid: string; hash: Buffer; revokedAt: Date | null }[]>`
    select grant_id as "grantId", kid, refresh_token_hash as hash, revoked_at as "revokedAt"
    from grants where app_id = ${appId}`
}

test('grants written by one statement have separate outcomes', async () => {
  const [app, other, revoked] = [await makeApp(world), await makeApp(world), await makeApp(world)]
  await revokeAppKey(startProcess(world), { appId: revoked.appId, kid: revoked.kid })
  const first = useOf(app)
  const repeated = { ...useOf(app), jti: first.jti }
  const ofOther = { ...useOf(other), jti: first.jti }
  const over = useOf(revoked)
  const outcomes = await grantEachOnce(world.sql, [repeated, over, first, ofOther])
  assert.deepEqual(
    [first, repeated, ofOther, over].map(({ grantId }) => outcomes.get(grantId)),
    ['granted', 'used before', 'granted', 'key is over'],
  )
  assert.deepEqual([...(await grantEachOnce(world.sql, [{ ...first, grantId: v7() }])).values()], ['used before'])
  assert.equal((await grantsOf(world, app.appId)).length, 1)
})

test('statements with the same assertions in another order do not deadlock', async () => {
  const apps = await Promise.all(Array.from({ length: 8 }, () => makeApp(world)))
  const jtis = apps.map(() => v7())
  const uses = () =>
    apps.map((app, index) => ({ ...useOf(app), jti: jtis[index] ?? '', refreshTokenHash: randomBytes(32) }))
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, index) => {
      const these = index % 2 === 0 ? uses() : uses().reverse()
      return grantEachOnce(startProcess(world).db.sql, these)
    }),
  )
  const granted = all.flatMap(outcomes => [...outcomes.values()]).filter(outcome => outcome === 'granted')
  assert.equal(granted.length, apps.length)
})

test('a cached key verifies assertions, and a failed verification reads the keys again', async () => {
  const one = startProcess(world)
  const app = await makeApp(world)
  assert.ok(!isRejection(await exchange(await makeAssertion(app), one)))
  const { appId } = app
  const added = { appId, privateKey: await addKey(world, appId, 'second') }
  assert.ok(!isRejection(await exchange(await makeAssertion(added), one)))
  await revokeAppKey(startProcess(world), { appId, kid: app.kid })
  assert.ok(isRejection(await exchange(await makeAssertion(app), one)))
  assert.ok(!isRejection(await exchange(await makeAssertion(added), one)))
})

function useOf({ appId, kid }: TestApp) {
  const now = new Date()
  const expiresAt = new Date(now.getTime() + 60_000)
  return { grantId: v7(), appId, kid, refreshTokenHash: randomBytes(32), jti: v7(), expiresAt, now }
}

test('the use of a key is saved with its address with the first token, and at most once an hour', async () => {
  const serving = startProcess(world)
  const app = await makeApp(world)
  const usedAt = async () => {
    const [row] = await world.sql<{ usedAt: Date | null; usedFrom: string | null }[]>`
      select last_used_at as "usedAt", last_used_from as "usedFrom" from app_keys
      where app_id = ${app.appId} and kid = ${app.kid}`
    return [row?.usedAt?.getTime(), row?.usedFrom ?? undefined]
  }
  assert.deepEqual(await usedAt(), [undefined, undefined])
  const first = serving.clock.now().getTime()
  const useAfter = async (minutes: number, by = serving) => {
    by.clock.set(new Date(first + minutes * 60_000))
    const claims = { iat: Math.floor(first / 1000) + minutes * 60, exp: Math.floor(first / 1000) + minutes * 60 + 600 }
    tokensOf(await exchange(await makeAssertion(app, { claims }), by, `192.0.2.${minutes}`))
    return usedAt()
  }
  assert.deepEqual(await useAfter(0), [first, '192.0.2.0'])
  assert.deepEqual(await useAfter(59), [first, '192.0.2.0'])
  assert.deepEqual(await useAfter(59, startProcess(world)), [first, '192.0.2.0'], 'another process')
  assert.deepEqual(await useAfter(61), [first + 61 * 60_000, '192.0.2.61'])
})
