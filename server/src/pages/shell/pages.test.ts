import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function developerOf(organizationId: string) {
  return visiting(world, (await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')).token)
}

async function newOrganization(): Promise<string> {
  const made = await world.call('POST', '/organizations', { name: 'Hillside', email: 'd@hill.example' })
  return made.organizationId
}

test('search finds by name, id and number, only in the organization or business of the session', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [invoice = {}] = await shop.invoices()
  const { organizationId } = await world.call('GET', `/apps/${world.appId}`)
  const [own, other] = [await developerOf(organizationId), await developerOf(await newOrganization())]
  const merchant = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  const another = await world.merchant()
  const stranger = await newPerson(world, { kind: 'MERCHANT', businessId: another.businessId }, 'OWNER')
  for (const q of [subscriptionId, invoice.number, invoice.invoiceId]) {
    const found = async (visitor: ReturnType<typeof visiting>) => (await visitor.get(`/search?q=${q}`)).text
    assert.match(await found(own), new RegExp(`/subscriptions/${subscriptionId}`), q)
    assert.match(await found(visiting(world, merchant.token)), /href="\/my\/(subscriptions|invoices)\/[0-9a-f]/, q)
    for (const visitor of [other, visiting(world, stranger.token)]) {
      assert.match(await found(visitor), /Nothing found/, q)
    }
  }
})

test('an operator finds a terminal by its serial number, and a developer finds only the merchants of own apps', async () => {
  const shop = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { doingBusinessAs: 'Quayside Deli' })
  await shop.subscribe(await world.plan())
  const stores = `/businesses/${shop.businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Quay' })
  const device = { name: 'Counter', serialNumber: 'QD-0042' }
  const { deviceId } = await world.call('POST', `${stores}/${storeId}/devices`, device)
  const olga = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, olga)
  const found = await visiting(world, olga.token).get('/search?q=QD-0042')
  const below = await visiting(world, olga.token).get('/search?q=upcom')
  assert.match(below.text, /href="\/ops\/money\/upcoming"/, 'a page without a line in the sidebar')
  assert.match(found.text, new RegExp(`href="/ops/terminals/${String(deviceId).replace('urn:tid:', '')}"`))
  const { organizationId } = await world.call('GET', `/apps/${world.appId}`)
  const own = await (await developerOf(organizationId)).get('/search?q=quayside')
  assert.match(own.text, new RegExp(`href="/dev/merchants/${shop.businessId}"`))
  const other = await (await developerOf(await newOrganization())).get('/search?q=quayside')
  assert.match(other.text, /Nothing found/)
})

test('punctuation, a long text and markup find nothing and cause no error', async () => {
  const visitor = await developerOf(await newOrganization())
  for (const q of ['%20', '---', '%00', 'x'.repeat(200), '%3Cscript%3E', 'العربية']) {
    const { status, text } = await visitor.get(`/search?q=${encodeURI(decodeURI(q))}`)
    assert.ok(status === 200 || (status === 400 && q === '%00'), `${q}: ${status}`)
    assert.doesNotMatch(text, /<script>/)
  }
})

test('the Live or Test setting of a developer is remembered, and a merchant has none', async () => {
  const visitor = await developerOf(await newOrganization())
  const home = await visitor.get('/dev')
  assert.match(home.text, /value="test" aria-pressed="true"/)
  assert.match(home.words, /Needs attention: nothing Nothing needs your attention\./)
  const { status, location } = await visitor.send('/dev', { mode: 'live', next: '/dev/apps' }, '/mode')
  assert.deepEqual([status, location], [303, '/dev/apps'])
  const away = await visitor.send('/dev', { mode: 'live', next: '//evil.example' }, '/mode')
  assert.equal(away.location, '/my')
  const shop = await world.merchant()
  const merchant = visiting(
    world,
    (await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')).token,
  )
  const page = await merchant.get('/my/subscriptions')
  assert.doesNotMatch(page.text, /action="\/mode"/)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
  assert.equal((await merchant.post('/mode', { csrf, mode: 'test' })).status, 404)
})
