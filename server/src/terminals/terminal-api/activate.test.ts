import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  activatedTerminal,
  addTerminal,
  askForToken,
  newTerminalKey,
  terminalToken,
} from '../../../test/support/terminals.ts'
import { type Answer, createWorld, type Json, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world.close())

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

function activate(activationCode: unknown, publicKey: unknown = newTerminalKey().publicKey): Promise<Answer> {
  return world.ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey } })
}

async function newMerchant(): Promise<string> {
  return (await world.merchant({ card: 'none' })).businessId
}

const renew = (businessId: string, deviceId: string, expected = 201): Promise<Json> =>
  world.call('POST', `/businesses/${businessId}/devices/${deviceId}/activation-code`, undefined, expected)

/** The device as the operator reads it. */
async function deviceOf(businessId: string, deviceId: string): Promise<Json> {
  const { stores } = await world.call('GET', `/businesses/${businessId}`)
  return stores.flatMap((store: Json) => store.devices).find((device: Json) => device.deviceId === deviceId)
}

test('an activation code, typed in any way, is exchanged for a key, and the key for a token', async () => {
  const businessId = await newMerchant()
  const { deviceId, storeId, activationCode } = await addTerminal(world, businessId)
  const { privateKey, publicKey } = newTerminalKey()
  const { status, body } = await activate(` ${activationCode.toLowerCase().replaceAll('-', ' ')}`, publicKey)
  assert.equal(status, 201)
  const { kid, ...rest } = body
  assert.deepEqual(rest, { deviceId, businessId, storeId, name: 'Till' })
  assert.equal((await deviceOf(businessId, deviceId)).status, 'ACTIVE')
  const token = await terminalToken(world, { businessId, storeId, deviceId, kid, privateKey })
  const read = await world.ask(token, 'GET', `/businesses/${businessId}`)
  assert.deepEqual([read.status, read.body.stores[0].devices[0].lastSeenAt], [200, '2026-03-01T10:00:00Z'])
})

test('a code works once, and used, unknown and expired codes get the same response', async () => {
  const businessId = await newMerchant()
  const { activationCode } = await addTerminal(world, businessId)
  assert.equal((await activate(activationCode)).status, 201)
  const used = await activate(activationCode)
  const unknown = await activate('0000-0000-0000-0000')
  const { activationCode: second } = await addTerminal(world, businessId)
  const start = world.clock.now()
  world.clock.set(new Date(start.getTime() + 15 * 60_000))
  const old = await activate(second)
  world.clock.set(start)
  // Later attempts would make earlier ones wait.
  await world.app.ports.db.sql`delete from throttles`
  for (const { status, body } of [used, unknown, old]) {
    assert.deepEqual([status, body.code], [409, 'ACTIVATION_CODE_INVALID'])
    assert.equal(body.developerMessage, used.body.developerMessage)
  }
  assert.equal((await activate(second)).status, 201)
})

test('if two processes get concurrent activations with one code, one wins', async () => {
  const { activationCode } = await addTerminal(world, await newMerchant())
  const other = await world.openAnother()
  const answers = await Promise.all(
    [world.app, other, world.app, other].map(app =>
      world.ask(null, 'POST', '/devices/activate', {
        body: { activationCode, publicKey: newTerminalKey().publicKey },
        app,
      }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('a code that is sent twice, also concurrently, counts as one attempt', async () => {
  const { sql } = world.app.ports.db
  const from = '10.3.3.3'
  const attemptsFrom = async () => {
    const rows = await sql<{ attempts: number }[]>`select attempts from throttles where kind = 'activation code'`
    return rows.reduce((sum, { attempts }) => sum + attempts, 0)
  }
  const send = (activationCode: string, key: string, publicKey: string) =>
    world.ask(null, 'POST', '/devices/activate', {
      ...{ body: { activationCode, publicKey }, headers: { 'idempotency-key': key }, from },
    })
  await sql`delete from throttles`
  for (const [code, counted] of [
    ['0000-0000-0000-0000', 1],
    [(await addTerminal(world, await newMerchant())).activationCode, 1],
  ] as const) {
    const { publicKey } = newTerminalKey()
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(code, `twice ${code}`, publicKey)))
    const [first] = answers.filter(({ body }) => body.code !== 'REQUEST_IN_PROGRESS')
    const again = await send(code, `twice ${code}`, publicKey)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first?.text, 'true'])
    assert.equal(await attemptsFrom(), counted, code)
  }
})

test('terminals with the same request id are each activated, and a repeat gets the first response', async () => {
  const businessId = await newMerchant()
  const send = (body: object) =>
    world.ask(null, 'POST', '/devices/activate', { body, headers: { 'service-request-id': '1' } })
  const bodies = await Promise.all(
    [1, 2].map(async () => {
      const { activationCode } = await addTerminal(world, businessId)
      return { activationCode, publicKey: newTerminalKey().publicKey }
    }),
  )
  const activated = await Promise.all(bodies.map(send))
  assert.deepEqual([activated[0]?.status, activated[1]?.status], [201, 201])
  assert.notEqual(activated[0]?.body.deviceId, activated[1]?.body.deviceId)
  for (const [n, body] of bodies.entries()) {
    const again = await send(body)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [activated[n]?.text, 'true'])
  }
})

test('guesses of codes are throttled by address, also for a right code, and other addresses are not', async () => {
  const { sql } = world.app.ports.db
  await sql`delete from throttles`
  const { activationCode } = await addTerminal(world, await newMerchant())
  const { publicKey } = newTerminalKey()
  const send = (code: string, from: string) =>
    world.ask(null, 'POST', '/devices/activate', { body: { activationCode: code, publicKey }, from })
  const network = '2001:db8:7:7::'
  const guesses: number[] = []
  for (let i = 0; i < 32; i++) {
    guesses.push((await send(`0000-0000-0000-${String(i).padStart(4, '0')}`, `${network}${i + 1}`)).status)
  }
  assert.deepEqual(guesses, [...Array(30).fill(409), 429, 429])
  assert.equal((await send(activationCode, `${network}ffff`)).status, 429)
  assert.equal((await send(activationCode, '2001:db8:7:8::1')).status, 201)
  await sql`delete from throttles`
})

test('a new activation ends the previous key and its tokens in every process', async () => {
  const businessId = await newMerchant()
  const other = await world.openAnother()
  const terminal = await activatedTerminal(world, businessId)
  const { accessToken, refreshToken } = (await askForToken(world, terminal)).body
  const read = async (app = world.app) =>
    (await world.ask(accessToken, 'GET', `/businesses/${businessId}`, { app })).status
  assert.deepEqual([await read(), await read(other)], [200, 200])

  const { activationCode } = await renew(businessId, terminal.deviceId)
  assert.equal(await read(), 200, 'a code that nobody used ends nothing')
  const { privateKey, publicKey } = newTerminalKey()
  const again = await activate(activationCode, publicKey)
  assert.equal(again.status, 201)
  await other.jobs.revocations.runOnce()
  assert.deepEqual([await read(), await read(other)], [401, 401])
  assert.equal((await askForToken(world, terminal)).status, 401)
  const form = new URLSearchParams({ grantType: 'REFRESH_TOKEN', refreshToken }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await world.ask(null, 'POST', '/token', { headers, body: form })).status, 401)
  assert.equal((await askForToken(world, { ...terminal, kid: again.body.kid, privateKey })).status, 200)
})

test('a new code replaces the previous code, and the same key may be registered again', async () => {
  const businessId = await newMerchant()
  const { deviceId, activationCode: first } = await addTerminal(world, businessId)
  const { activationCode: second, activationExpiresAt } = await renew(businessId, deviceId)
  assert.equal(activationExpiresAt, '2026-03-01T10:15:00Z')
  assert.equal((await activate(first)).status, 409)
  const { publicKey } = newTerminalKey()
  assert.equal((await activate(second, publicKey)).status, 201)
  const { activationCode: third } = await renew(businessId, deviceId)
  assert.equal((await activate(third, publicKey)).status, 201)
})

test('a code is issued for an open device of the business, and used for it', async () => {
  const [businessId, elsewhere] = [await newMerchant(), await newMerchant()]
  const { deviceId, storeId, activationCode } = await addTerminal(world, businessId)
  assert.equal((await renew(elsewhere, deviceId, 404)).code, 'DEVICE_NOT_FOUND')
  assert.equal((await renew(businessId, `urn:tid:${UNKNOWN}`, 404)).code, 'DEVICE_NOT_FOUND')
  const { sql } = world.app.ports.db
  await sql`update stores set status = 'CLOSED' where store_id = ${storeId}`
  assert.equal((await activate(activationCode)).status, 409)
  await sql`update devices set status = 'CLOSED' where device_id = ${deviceId.slice('urn:tid:'.length)}`
  assert.equal((await renew(businessId, deviceId, 404)).code, 'DEVICE_NOT_FOUND')
})

test('a malformed, private or weak key is rejected, and the code stays valid', async () => {
  const { activationCode } = await addTerminal(world, await newMerchant())
  const { privateKey } = newTerminalKey()
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  for (const publicKey of ['nope', pem, {}, privateKey.export({ format: 'jwk' }), 7, null, 'k'.repeat(20_000)]) {
    const { status, body } = await activate(activationCode, publicKey)
    assert.deepEqual([status, body.fields[0].path], [400, 'publicKey'])
    assert.ok(!JSON.stringify(body).includes(pem.slice(40, 90)))
  }
  for (const code of [undefined, null, '', 7, 'x'.repeat(65)]) {
    assert.equal((await activate(code)).status, 400)
  }
  assert.equal((await activate(activationCode)).status, 201)
})

test('only a caller with the right to write the business gets a code for its terminals', async () => {
  const businessId = await newMerchant()
  const terminal = await activatedTerminal(world, businessId)
  const path = `/businesses/${businessId}/devices/${terminal.deviceId}/activation-code`
  assert.equal((await world.ask(await terminalToken(world, terminal), 'POST', path)).status, 403)
})
