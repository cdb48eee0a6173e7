import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import {
  activatedTerminal,
  addTerminal,
  askForToken,
  installApp,
  newTerminalKey,
  signInAt,
  type Terminal,
} from '../../../test/support/terminals.ts'
import { type Answer, createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
let packageName: string
before(async () => {
  world = await createWorld()
  packageName = (await world.call('GET', `/apps/${world.appId}`)).packageName
})
after(() => world?.close())

const UNKNOWN = 'urn:tid:018f0000-0000-7000-8000-000000000000'

const close = (businessId: string, deviceId: string, bearer = OPERATOR_KEY): Promise<Answer> =>
  world.ask(bearer, 'DELETE', `/businesses/${businessId}/devices/${deviceId}`)
const newShop = async () => (await world.merchant()).businessId

async function statusOf({ businessId, deviceId }: Pick<Terminal, 'businessId' | 'deviceId'>): Promise<string> {
  const { stores } = await world.call('GET', `/businesses/${businessId}`)
  return stores.flatMap((store: Json) => store.devices).find((device: Json) => device.deviceId === deviceId).status
}

test('closing a terminal ends its key, its tokens, its sessions and its unconfirmed purchases in every process', async () => {
  const other = await world.openAnother()
  const terminal = await activatedTerminal(world, await newShop())
  const { accessToken, refreshToken } = (await askForToken(world, terminal)).body
  const { headers } = await signInAt(world, terminal, accessToken)
  await installApp(world, accessToken, packageName)
  await world.call('POST', `/businesses/${terminal.businessId}/approvals`, { appId: world.appId })
  const of = (what: string) => `/terminal/apps/${packageName}/${what}`
  const user = (await world.ask(accessToken, 'POST', of('token'), { headers })).body.accessToken
  const opened = await world.ask(accessToken, 'POST', of('purchases'), {
    headers,
    body: { planId: await world.plan() },
  })
  assert.equal(opened.status, 201, opened.text)
  const read = (bearer: string, app = world.app) =>
    world.ask(bearer, 'GET', `/businesses/${terminal.businessId}`, { app }).then(({ status }) => status)
  const all = async () => [
    await read(accessToken),
    await read(user),
    await read(accessToken, other),
    await read(user, other),
  ]
  assert.deepEqual(await all(), [200, 200, 200, 200])

  assert.equal((await close(terminal.businessId, terminal.deviceId)).status, 204)
  await other.jobs.revocations.runOnce()
  assert.deepEqual(await all(), [401, 401, 401, 401])
  assert.equal((await askForToken(world, terminal)).status, 401)
  const refresh = new URLSearchParams({ grantType: 'REFRESH_TOKEN', refreshToken }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await world.ask(null, 'POST', '/token', { headers: type, body: refresh })).status, 401)
  assert.equal(
    (await world.call('GET', `/apps/${world.appId}/purchases/${opened.body.purchaseId}`)).status,
    'CANCELLED',
  )
  assert.equal(await statusOf(terminal), 'CLOSED')
  assert.equal((await close(terminal.businessId, terminal.deviceId)).status, 204)
  const { entries } = await world.call('GET', `/audit?kind=DEVICE&resourceId=${terminal.deviceId}`)
  assert.partialDeepStrictEqual(entries[0], {
    operation: 'businesses.write',
    method: 'DELETE',
    after: { status: 'CLOSED' },
  })
})

test('subscriptions of a closed terminal continue and can move to another terminal, and new ones are rejected', async () => {
  const { businessId } = await world.merchant()
  const [old, next] = [await activatedTerminal(world, businessId), await activatedTerminal(world, businessId)]
  const planId = await world.plan({ scope: 'DEVICE' })
  const buy = async (expected?: number) => {
    const body = { businessId, planId, storeId: old.storeId, deviceId: old.deviceId }
    return world.call('POST', `/apps/${world.appId}/subscriptions`, body, expected)
  }
  const { subscriptionId } = await buy()
  await close(businessId, old.deviceId)
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  assert.equal((await world.call('GET', path)).status, 'ACTIVE')
  assert.equal((await buy(404)).code, 'DEVICE_NOT_FOUND')
  const moved = await world.call('PATCH', path, { deviceId: next.deviceId })
  assert.deepEqual([moved.status, moved.deviceId], ['ACTIVE', next.deviceId])
  assert.equal((await world.call('PATCH', path, { deviceId: old.deviceId }, 404)).code, 'DEVICE_NOT_FOUND')
  const order = { storeId: old.storeId, deviceId: old.deviceId, amount: 100, currency: 'USD' }
  assert.equal((await world.call('POST', `/businesses/${businessId}/orders`, order, 404)).code, 'DEVICE_NOT_FOUND')
})

test('a code of a closed terminal is invalid, and the terminal cannot get another code', async () => {
  const businessId = await newShop()
  const { deviceId, activationCode } = await addTerminal(world, businessId)
  await close(businessId, deviceId)
  const { publicKey } = newTerminalKey()
  const answer = await world.ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey } })
  assert.equal(answer.body.code, 'ACTIVATION_CODE_INVALID')
  const path = `/businesses/${businessId}/devices/${deviceId}/activation-code`
  assert.equal((await world.call('POST', path, undefined, 404)).code, 'DEVICE_NOT_FOUND')
})

test('a terminal that is activated and closed at once ends up closed, without a key', async () => {
  for (let round = 0; round < 5; round++) {
    const businessId = await newShop()
    const { deviceId, activationCode } = await addTerminal(world, businessId)
    const { publicKey } = newTerminalKey()
    const [activated, closed] = await Promise.all([
      world.ask(null, 'POST', '/devices/activate', { body: { activationCode, publicKey } }),
      close(businessId, deviceId),
    ])
    assert.ok([201, 409].includes(activated.status))
    assert.equal(closed.status, 204)
    assert.equal(await statusOf({ businessId, deviceId }), 'CLOSED')
    const keys = await world.app.ports.db.sql`
      select 1 from device_keys where device_id = ${deviceId.slice('urn:tid:'.length)} and revoked_at is null`
    assert.equal(keys.length, 0)
  }
})

test('only a caller with the right to change the business closes its terminals, and no others', async () => {
  const businessId = await newShop()
  const terminal = await activatedTerminal(world, businessId)
  const person = async (id: string, role: 'MANAGER' | 'VIEWER') =>
    (await newPerson(world, { kind: 'MERCHANT', businessId: id }, role)).token
  const [manager, viewer] = [await person(businessId, 'MANAGER'), await person(businessId, 'VIEWER')]
  const elsewhere = await newShop()
  const stranger = await person(elsewhere, 'MANAGER')
  for (const bearer of [viewer, stranger, (await askForToken(world, terminal)).body.accessToken]) {
    assert.equal((await close(businessId, terminal.deviceId, bearer)).status, 403)
  }
  for (const id of [terminal.deviceId, UNKNOWN]) {
    assert.equal((await close(elsewhere, id, stranger)).body.code, 'DEVICE_NOT_FOUND')
  }
  assert.equal((await close(businessId, 'nonsense', manager)).status, 400)
  assert.equal(await statusOf(terminal), 'ACTIVE')
  assert.equal((await close(businessId, terminal.deviceId, manager)).status, 204)
})
