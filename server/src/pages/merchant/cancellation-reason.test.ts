import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visiting, visitor } from './merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

async function subscribed(definition: object = {}) {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ ...definition }))
  const ann = await visitor(world, shop.businessId)
  const dora = visiting(
    world,
    (await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'VIEWER')).token,
  )
  const app = world.appId.split(':').at(-1)
  const asDeveloper = async () => (await dora.get(`/dev/apps/${app}/subscriptions/${subscriptionId}`)).words
  return { ann, path: `/my/subscriptions/${subscriptionId}`, asDeveloper }
}

test('the developer reads why a merchant cancelled, and the latest reason counts', async () => {
  const { ann, path, asDeveloper } = await subscribed({ cancelPolicy: 'BILLING' })
  const cancel = `${path}/cancel`
  const sent = await ann.send(cancel, { reason: 'MISSING_FEATURE', comment: 'No <b>tables</b> outside' })
  assert.equal(sent.location, `${path}?done=cancelled`)
  assert.match(await asDeveloper(), /Why Something is missing: “No &lt;b&gt;tables&lt;\/b&gt; outside”/)
  assert.equal((await ann.send(path, {}, `${path}/restore`)).status, 303)
  await ann.send(cancel, { reason: 'TOO_EXPENSIVE' })
  assert.match(await asDeveloper(), /Why Too expensive/)
})

test('a reason is optional, a comment alone is stored, and wrong values cancel nothing', async () => {
  const silent = await subscribed()
  await silent.ann.send(`${silent.path}/cancel`)
  assert.doesNotMatch(await silent.asDeveloper(), /Why/)
  const speaking = await subscribed()
  for (const wrong of [{ reason: 'BECAUSE' }, { comment: 'x'.repeat(501) }]) {
    assert.equal((await speaking.ann.send(`${speaking.path}/cancel`, wrong)).status, 400)
  }
  assert.doesNotMatch(await speaking.asDeveloper(), /Ended/)
  await speaking.ann.send(`${speaking.path}/cancel`, { comment: 'We close the shop' })
  assert.match(await speaking.asDeveloper(), /Why Another reason: “We close the shop”/)
})

test('a merchant reads that nothing is charged while the operator has disabled the app', async () => {
  const { ann, path } = await subscribed()
  await world.call('PATCH', `/apps/${world.appId}`, { status: 'DISABLED' })
  assert.match((await ann.get(path)).words, /The platform has switched this app off Nothing is charged/)
  await world.call('PATCH', `/apps/${world.appId}`, { status: 'ACTIVE' })
  await world.work()
  assert.doesNotMatch((await ann.get(path)).words, /switched this app off/)
})
