import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { formOf, visitor } from './merchant.fixture.ts'

let world: World
let uuid: string
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
  uuid = world.appId.replace('urn:aid:', '')
})
after(() => world?.close())

async function approving(rights: readonly string[] = ['READ', 'SUBSCRIBE']) {
  const shop = await world.merchant()
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, { appId: world.appId, rights })
  return { shop, ann: await visitor(world, shop.businessId) }
}

const approvals = async (businessId: string) => (await world.call('GET', `/businesses/${businessId}/approvals`)).list

test('each app is listed with its developer, its rights in plain words, and the date of the approval', async () => {
  const { ann } = await approving()
  const { words } = await ann.get('/my/apps')
  assert.match(words, /Stories by Stories It may: See your subscriptions, invoices, orders and business details/)
  assert.match(words, /Subscribe you to its plans and change or restore your subscriptions; you will be charged/)
  assert.match(words, /Since 1 March 2026/)
  assert.doesNotMatch(words, /READ|SUBSCRIBE/)
  const { ann: bob } = await approving(['READ'])
  assert.doesNotMatch((await bob.get('/my/apps')).words, /you will be charged/)
})

test("ending an app's access needs a confirmation with its consequences, and is done once", async () => {
  const { ann, shop } = await approving()
  const path = `/my/apps/${uuid}/revoke`
  const asked = await ann.get(path)
  assert.match(asked.words, /End the access of Stories\?/)
  assert.match(asked.words, /Your subscriptions go on and are charged as before/)
  assert.equal((await approvals(shop.businessId)).length, 1)
  assert.equal((await ann.send(path)).location, '/my/apps?done=revoked')
  assert.equal((await approvals(shop.businessId)).length, 0)
  const after = await ann.get('/my/apps?done=revoked')
  assert.match(after.words, /Access ended .*No apps/)
  assert.equal((await ann.get(path)).status, 404)
})

test('an app without an approval of this business is not found, and approvals of other apps stay', async () => {
  const { shop } = await approving()
  const ann = await visitor(world, (await world.merchant()).businessId)
  assert.equal((await ann.get(`/my/apps/${uuid}/revoke`)).status, 404)
  const { ann: bob } = await approving()
  await bob.send(`/my/apps/${uuid}/revoke`)
  assert.equal((await approvals(shop.businessId)).length, 1)
  assert.equal((await ann.get('/my/apps/nonsense/revoke')).status, 400)
})

test('a viewer sees the apps and cannot end access', async () => {
  const { shop } = await approving()
  const vera = await visitor(world, shop.businessId, 'VIEWER')
  const { words, text } = await vera.get('/my/apps')
  assert.match(words, /Stories/)
  assert.doesNotMatch(text, /\/revoke/)
  assert.equal((await vera.get(`/my/apps/${uuid}/revoke`)).status, 403)
})

test('the catalogue lists the apps on sale in the country with prices, and leads to the purchase screen', async () => {
  const shop = await world.merchant()
  const ann = await visitor(world, shop.businessId)
  const [planId, perStore] = [await world.plan({ name: 'Basic' }), await world.plan({ name: 'Local', scope: 'STORE' })]
  assert.match((await ann.get('/my/apps')).text, /href="\/my\/apps\/find"/)
  const list = await ann.get('/my/apps/find')
  assert.match(list.words, /Stories by Stories Basic: \$5\.00 per month, per business/)
  assert.match((await ann.get('/my/apps/find?q=stor')).words, /See plans/)
  assert.match((await ann.get('/my/apps/find?q=nothing')).words, /No such app/)
  const path = `/my/apps/find/${uuid}`
  const offered = await ann.get(path)
  assert.match(offered.words, /Basic \$5\.00 per month, per business Choose/)
  const { csrf = '' } = formOf(offered.text)?.hidden ?? {}
  const begun = await ann.send(path, { planId })
  assert.match(begun.location, /^\/purchases\/[0-9a-f-]{36}$/)
  assert.match((await ann.get(begun.location)).words, /Basic/)
  await ann.send(begun.location, {}, `${begun.location}/buy`)
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.match((await ann.get(path)).words, /Basic Subscribed Details \$5\.00 per month, per business (?!Choose)/)
  const again = await ann.post(path, { csrf, planId })
  assert.deepEqual([again.status, /already a subscription to this plan/.test(again.words)], [409, true])
  const { storeId } = await world.call('POST', `/businesses/${shop.businessId}/stores`, { displayName: 'Mill Lane' })
  await world.plan({ name: 'Local and more', scope: 'STORE' })
  const { text } = await ann.get(path)
  assert.match(text, new RegExp(`<option value="${storeId}"[^>]*>Mill Lane`))
  const labels = [...text.matchAll(/<label class="label" for="([^"]+)">Store/g)].map(([, id = '']) => id)
  assert.equal(labels.length, 2)
  for (const id of labels) assert.equal(text.split(` id="${id}"`).length, 2, 'each label has a list of its own')
  const local = await ann.send(path, { planId: perStore, storeId })
  assert.match(local.location, /^\/purchases\//)
  await ann.send(local.location, {}, `${local.location}/buy`)
  await world.work()
  const after = (await ann.get(path)).text
  assert.doesNotMatch(after, new RegExp(`id="store-${perStore}"`), 'no store is left for the plan')
  assert.match(after, /<label class="label" for="store-[^"]+">Store/)
  const { storeId: foreign } = await world.call(
    ...(['POST', `/businesses/${(await world.merchant()).businessId}/stores`, { displayName: 'Elsewhere' }] as const),
  )
  assert.equal((await ann.send(path, { planId: perStore, storeId: foreign })).status, 404)
})

test('an app without a price in the country and a disabled app are not in the catalogue', async () => {
  const abroad = await world.merchant({ country: 'DE' })
  const ann = await visitor(world, abroad.businessId)
  assert.match((await ann.get('/my/apps/find')).words, /No apps yet/)
  assert.equal((await ann.get(`/my/apps/find/${uuid}`)).status, 404)
  const bob = await visitor(world, (await world.merchant()).businessId)
  const { csrf = '' } = formOf((await bob.get(`/my/apps/find/${uuid}`)).text)?.hidden ?? {}
  await world.call('PATCH', `/apps/${world.appId}`, { status: 'DISABLED' })
  assert.equal((await bob.get(`/my/apps/find/${uuid}`)).status, 404)
  const planId = '018f0000-0000-7000-8000-000000000000'
  assert.equal((await bob.post(`/my/apps/find/${uuid}`, { csrf, planId })).status, 404)
  await world.call('PATCH', `/apps/${world.appId}`, { status: 'ACTIVE' })
})
