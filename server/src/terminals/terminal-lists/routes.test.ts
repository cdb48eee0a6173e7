import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { activatedTerminal, installApp, terminalToken } from '../../../test/support/terminals.ts'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
let app: string
let developer: string
let installed: { readonly businessId: string; readonly deviceId: string }
let bare: { readonly businessId: string; readonly deviceId: string }
let own: { readonly businessId: string; readonly deviceId: string }
before(async () => {
  world = await createWorld()
  app = await tokenOf(world, world.credentials)
  const { organizationId } = world
  developer = (await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')).token
  const { businessId, storeId } = await shop()
  const till = await activatedTerminal(world, businessId, storeId)
  const { packageName } = await world.call('GET', `/apps/${world.appId}`)
  await installApp(world, await terminalToken(world, till), packageName)
  installed = { businessId, deviceId: till.deviceId }
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId })
  bare = await withTerminal(await shop(), 'P400-4711')
  own = await withTerminal(await shop({ type: 'TEST_MERCHANT', organizationId }), 'T-1')
})
after(() => world?.close())

async function shop(more: Json = {}): Promise<{ businessId: string; storeId: string }> {
  const made = { legalName: 'Corner Shop', emailAddress: 'a@shop.example', country: 'US', type: 'MERCHANT', ...more }
  const { businessId } = await world.call('POST', '/businesses', made)
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Main Street' })
  return { businessId, storeId }
}

async function withTerminal({ businessId, storeId }: { businessId: string; storeId: string }, serialNumber: string) {
  const path = `/businesses/${businessId}/stores/${storeId}/devices`
  const { deviceId } = await world.call('POST', path, { name: 'Till', serialNumber })
  return { businessId, deviceId }
}

async function idsOf(bearer: string, query = ''): Promise<string[]> {
  const { status, body, text } = await world.ask(bearer, 'GET', `/terminals${query}`)
  assert.equal(status, 200, text)
  return body.terminals.map(({ deviceId }: Json) => deviceId)
}

test('the operator finds a terminal by serial number, name and id, and filters by state and merchant', async () => {
  assert.deepEqual(await idsOf(OPERATOR_KEY), [own.deviceId, bare.deviceId, installed.deviceId])
  for (const q of ['P400-4711', 'p400', '4711', bare.deviceId]) {
    assert.deepEqual(await idsOf(OPERATOR_KEY, `?q=${q}`), [bare.deviceId], q)
  }
  assert.deepEqual(await idsOf(OPERATOR_KEY, '?q=4712'), [])
  assert.deepEqual(await idsOf(OPERATOR_KEY, '?status=ACTIVE'), [installed.deviceId])
  assert.deepEqual(await idsOf(OPERATOR_KEY, '?merchantType=TEST_MERCHANT'), [own.deviceId])
  assert.deepEqual(await idsOf(OPERATOR_KEY, `?businessId=${bare.businessId}`), [bare.deviceId])
  const { body } = await world.ask(OPERATOR_KEY, 'GET', '/terminals?q=4711')
  const { businessName, storeName, status, serialNumber } = body.terminals[0]
  assert.deepEqual([businessName, storeName, status, serialNumber], ['Corner Shop', 'Main Street', 'NEW', 'P400-4711'])
})

test('an app sees the terminals with its installation, and its developer also sees the terminals of own test merchants', async () => {
  assert.deepEqual(await idsOf(app), [installed.deviceId])
  assert.deepEqual(await idsOf(developer), [own.deviceId, installed.deviceId])
  assert.deepEqual(await idsOf(developer, `?appId=${world.appId}`), [installed.deviceId])
  assert.deepEqual(await idsOf(await tokenWithin(world, world.credentials, installed.businessId)), [installed.deviceId])
  const other = await world.developer()
  const workspace = { kind: 'DEVELOPER', organizationId: other.organizationId } as const
  const { token: stranger } = await newPerson(world, workspace, 'ADMIN')
  assert.deepEqual(await idsOf(stranger), [])
  assert.deepEqual(await idsOf(await tokenOf(world, other)), [])
  assert.equal((await world.ask(stranger, 'GET', `/terminals?appId=${world.appId}`)).status, 404)
  assert.equal((await world.ask(stranger, 'GET', `/terminals?businessId=${installed.businessId}`)).status, 403)
  assert.equal((await world.ask(stranger, 'GET', `/terminals?organizationId=${world.organizationId}`)).status, 403)
})

test('a merchant sees its own terminals, and the list continues after the cursor', async () => {
  const { token } = await newPerson(world, { kind: 'MERCHANT', businessId: bare.businessId }, 'OWNER')
  assert.deepEqual(await idsOf(token), [bare.deviceId])
  assert.equal((await world.ask(token, 'GET', `/terminals?businessId=${own.businessId}`)).status, 403)
  const { body } = await world.ask(OPERATOR_KEY, 'GET', '/terminals?limit=2&q=till')
  const { search } = new URL(body.links[0].href)
  assert.deepEqual(await idsOf(OPERATOR_KEY, search), [installed.deviceId])
})

test('wrong values are rejected with the name of the field', async () => {
  for (const query of ['limit=0', 'after=1', 'appId=1', 'businessId=1', 'storeId=1', 'status=OPEN', 'q=...']) {
    const { status, body } = await world.ask(OPERATOR_KEY, 'GET', `/terminals?${query}`)
    assert.deepEqual([status, body.fields?.[0]?.path], [400, query.split('=')[0]], query)
  }
})
