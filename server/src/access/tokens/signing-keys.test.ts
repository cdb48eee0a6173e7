import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { isRejection } from '../../core/rejection.ts'
import { createAuthenticator } from './authenticator.ts'
import { exchangeAssertion } from './exchange-assertion.ts'
import { PUBLISHED_BEFORE_USE_MS, rotateOldSigningKey, rotateSigningKey } from './rotate-signing-key.ts'
import { createSigningKeys } from './signing-keys.ts'
import { ADDRESS, makeApp, makeAssertion, openWorld, type Process, startProcess } from './world.fixture.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const world = await openWorld()

const kidsOf = async ({ signingKeys }: Process) => (await signingKeys.published()).map(key => key.kid)
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const later = ({ clock }: Process, ms: number) => clock.set(new Date(clock.now().getTime() + ms))

test('processes that start at once create one key together', async () => {
  const processes = Array.from({ length: 4 }, () => startProcess(world))
  const pairs = await Promise.all(processes.map(({ signingKeys }) => signingKeys.current()))
  assert.equal(new Set(pairs.map(pair => pair.kid)).size, 1)
  assert.equal((await world.sql`select 1 from signing_keys`).length, 1)
})

test('the private key is not readable in the database', async () => {
  const [row] = await world.sql<{ sealed: Buffer; open: Record<string, unknown> }[]>`
    select private_jwk as sealed, public_jwk as open from signing_keys limit 1`
  assert.ok(row)
  assert.ok(!row.sealed.toString('latin1').includes('"d"'))
  assert.deepEqual(Object.keys(row.open).sort(), ['e', 'kty', 'n'])
})

test('the published keys verify a token for any client and contain no private part', async () => {
  const process = startProcess(world)
  const { accessToken } = await tokensIn(process)
  const keys = await process.signingKeys.published()
  const { payload } = await jwtVerify(accessToken, createLocalJWKSet({ keys: [...keys] }), {
    algorithms: ['RS256'],
    issuer: process.settings.baseUrl,
  })
  assert.ok(payload['service.org'])
  for (const key of keys) assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test('a new key is published, then signs, and the old key verifies until its last token expires', async () => {
  const [here, there] = [startProcess(world), startProcess(world)]
  const isGoodIn = async (process: Process, token: string) => {
    const operatorKey = { verify: () => false }
    const { authenticate } = createAuthenticator({ ...process, operatorKey })
    return !isRejection(await authenticate(`Bearer ${token}`))
  }
  const before = await tokensIn(here)
  const old = kidOf(before.accessToken)
  assert.equal((await tokensIn(there)).accessToken.length > 0, true)
  const next = await rotateSigningKey(here)
  assert.notEqual(next, old)

  for (const process of [here, there]) {
    later(process, PUBLISHED_BEFORE_USE_MS - MINUTE_MS)
    assert.deepEqual(await kidsOf(process), [old, next])
    assert.equal(kidOf((await tokensIn(process)).accessToken), old)
  }
  const last = await tokensIn(there)
  for (const process of [here, there]) {
    later(process, MINUTE_MS)
    assert.deepEqual(await kidsOf(process), [next, old])
    assert.equal(kidOf((await tokensIn(process)).accessToken), next)
  }
  later(here, 24 * HOUR_MS - 2 * MINUTE_MS)
  assert.equal(await isGoodIn(here, last.accessToken), true)
  later(here, 2 * HOUR_MS)
  assert.equal(await isGoodIn(here, last.accessToken), false)
  assert.deepEqual(await kidsOf(here), [next])
})

test('a process that does not know of a rotation accepts a token of the new key', async () => {
  const [here, there] = [startProcess(world), startProcess(world)]
  await there.signingKeys.current()
  await rotateSigningKey(here)
  later(here, PUBLISHED_BEFORE_USE_MS)
  const { accessToken } = await tokensIn(here)
  later(there, 30_000)
  const { authenticate } = createAuthenticator({ ...there, operatorKey: { verify: () => false } })
  assert.ok(!isRejection(await authenticate(`Bearer ${accessToken}`)))
})

test('two concurrent rotations are one', async () => {
  const start = new Date(Date.now() + 48 * HOUR_MS)
  const [here, there] = [startProcess(world, start), startProcess(world, start)]
  const kids = await Promise.all([rotateSigningKey(here), rotateSigningKey(there)])
  assert.equal(kids[0], kids[1])
})

test('a key is rotated automatically after 90 days, once for all processes, and not earlier', async () => {
  const start = new Date(Date.now() + 72 * HOUR_MS)
  const [here, there] = [startProcess(world, start), startProcess(world, start)]
  const old = await rotateSigningKey(here)
  later(here, PUBLISHED_BEFORE_USE_MS)
  later(here, 90 * 24 * HOUR_MS - PUBLISHED_BEFORE_USE_MS - MINUTE_MS)
  assert.equal(await rotateOldSigningKey(here), 0)
  assert.deepEqual(await kidsOf(here), [old])
  for (const process of [here, there]) process.clock.set(new Date(start.getTime() + 90 * 24 * HOUR_MS))
  await Promise.all([rotateOldSigningKey(here), rotateOldSigningKey(there)])
  const [signing, next, ...others] = await kidsOf(there)
  assert.deepEqual([signing, others], [old, []])
  assert.ok(next && next !== old)
  assert.equal(await rotateOldSigningKey(here), 0)
})

test('without a key nothing is rotated', async () => {
  const empty = await openWorld()
  assert.equal(await rotateOldSigningKey(startProcess(empty)), 0)
  assert.equal((await empty.sql`select 1 from signing_keys`).length, 0)
})

test('an invented key id is not looked up each time', async () => {
  const process = startProcess(world)
  let reads = 0
  const db = {
    ...process.db,
    get sql() {
      reads++
      return process.db.sql
    },
  }
  const signingKeys = createSigningKeys({ ...process, db })
  for (let n = 0; n < 50; n++) assert.equal(await signingKeys.findPublic(`made-up-${n}`), null)
  assert.equal(reads, 1)
})

async function tokensIn(process: Process) {
  const app = await makeApp(world)
  const assertion = await makeAssertion(app, { at: process.clock.now() })
  const tokens = await exchangeAssertion(process, { assertion, address: ADDRESS })
  assert.ok(!isRejection(tokens))
  return tokens
}
