import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { PersonRole } from '../../core/membership.ts'
import { type Visitor, visiting } from '../merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const LIST = '/dev/test-merchants'
let packages = 0

async function developer(role: PersonRole = 'ADMIN', organizationId?: string) {
  const own =
    organizationId ??
    (await world.call('POST', '/organizations', { name: 'Lakeside', email: 'dev@lake.example' })).organizationId
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: own }, role)
  return { organizationId: own as string, ...visiting(world, person.token) }
}

async function newMerchant(ann: Pick<Visitor, 'send'>, fields = { name: 'Test café', country: 'US' }): Promise<string> {
  const made = await ann.send(LIST, fields)
  assert.equal(made.status, 303, made.words)
  assert.match(made.location, /^\/dev\/test-merchants\/[0-9a-f-]{36}\?done=created$/)
  return made.location.replace(/\?.*/, '')
}

async function newPlan(organizationId: string, plan: object = {}) {
  packages++
  const made = await world.call('POST', '/apps', {
    organizationId,
    name: 'Planner',
    packageName: `com.example.tm${packages}`,
  })
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const definition = { name: 'Pro', amounts, interval: 'MONTH', scope: 'BUSINESS', ...plan }
  const release = await world.call('POST', `/apps/${made.appId}/releases`, { version: '1', plans: [definition] })
  await world.call('POST', `/apps/${made.appId}/releases/${release.releaseId}/approve`, {}, 200)
  return release.plans[0].planId as string
}

/** Presses a button while the world's background work runs. */
async function pressed(ann: Pick<Visitor, 'send'>, path: string, fields: Record<string, string>) {
  const answer = ann.send(path, fields)
  let isDone = false
  void answer.finally(() => {
    isDone = true
  })
  for (let turns = 0; turns < 1_000 && !isDone; turns++) await world.work()
  return answer
}

test('a test merchant is made in one press, subscribes, and pays for months on its clock', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  const at = await newMerchant(ann)
  const { words } = await ann.get(at)
  assert.match(words, /Test card ok/)
  assert.match(words, /No live subscription/)
  const subscribed = await pressed(ann, at, { planId })
  assert.equal(subscribed.location, `${at}?done=subscribed`, subscribed.words)
  assert.match((await ann.get(at)).words, /Planner, Pro Active \$5\.00 on/)
  for (const by of ['day', 'week', 'month', 'renewal']) {
    const moved = await pressed(ann, at, { by })
    assert.equal(moved.location, `${at}?done=advanced`, moved.words)
  }
  const { list: invoices } = await world.call('GET', `/businesses/${at.slice(LIST.length + 1)}/invoices`)
  assert.deepEqual(
    invoices.map(({ status, amount }: { status: string; amount: number }) => [status, amount]),
    Array(3).fill(['PAID', 500]),
  )
  const card = await ann.send(at, { token: 'tok_insufficient_funds' })
  assert.equal(card.location, `${at}?done=card`)
  await pressed(ann, at, { by: 'renewal' })
  const { words: after, text } = await ann.get(at)
  assert.match(after, /Past due Next attempt/)

  const one = /href="(\/dev\/apps\/[^"]+\/subscriptions\/[^"]+)"/.exec(text)?.[1] ?? assert.fail('the subscription')
  const shown = await ann.get(one)
  assert.match(shown.words, /Test café Past due Pro .* Details Plan Pro Price \$5\.00/)
  assert.match(shown.words, /Invoices, newest first/)
  const list = one.replace(/\/[^/]+$/, '')
  assert.match((await ann.get(list)).words, /1 in all, oldest first .*Test café Pro Past due/)
  assert.match((await ann.get(`${list}?status=ENDED`)).words, /No subscriptions/)
  const eve = await developer()
  for (const url of [list, one]) assert.equal((await eve.get(url)).status, 404, url)
  const own = await newPlan(eve.organizationId)
  assert.ok(own)
  const foreignApp = (await world.call('GET', `/apps?organizationId=${eve.organizationId}`)).apps[0].appId
  const mixed = `/dev/apps/${foreignApp.slice('urn:aid:'.length)}/subscriptions/${one.split('/').at(-1)}`
  assert.equal((await eve.get(mixed)).status, 404)
})

test('plans of stores and terminals are sold to the merchant’s own terminal', async () => {
  const ann = await developer()
  const plans = [
    await newPlan(ann.organizationId, { scope: 'STORE' }),
    await newPlan(ann.organizationId, { scope: 'DEVICE' }),
  ]
  const at = await newMerchant(ann)
  for (const planId of plans) {
    const { location, words } = await pressed(ann, at, { planId })
    assert.equal(location, `${at}?done=subscribed`, words)
  }
})

test('wrong input is named, a declined card and a second subscription are explained, and nothing else happens', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  for (const [fields, problem] of [
    [{ name: '', country: 'US' }, /Enter a name/],
    [{ name: 'Café', country: 'U' }, /Enter two letters/],
    [{ name: 'Café', country: 'ZZ' }, /country/i],
  ] as const) {
    const answer = await ann.send(LIST, fields)
    assert.equal(answer.status, 400, JSON.stringify(fields))
    assert.match(answer.words, problem)
  }
  assert.match((await ann.get(LIST)).words, /No test merchants yet/)
  const at = await newMerchant(ann, { name: '<script>alert(1)</script> مقهى', country: 'us' })
  assert.doesNotMatch((await ann.get(LIST)).text, /<script>alert/)
  await ann.send(at, { token: 'tok_stolen' })
  const declined = await pressed(ann, at, { planId })
  assert.equal(declined.status, 409)
  assert.match(declined.words, /declined/i)
  await ann.send(at, { token: 'tok_ok' })
  assert.equal((await pressed(ann, at, { planId })).status, 303)
  const twice = await pressed(ann, at, { planId })
  assert.equal(twice.status, 409)
  assert.match(twice.words, /still live/)
  assert.equal((await ann.send(at, { by: 'year' })).status, 400)
})

test('another organization gets 404 for the merchant, a live merchant is none, and a viewer has no button', async () => {
  const ann = await developer()
  const planId = await newPlan(ann.organizationId)
  const at = await newMerchant(ann)
  const eve = await developer()
  const hers = await newMerchant(eve)
  assert.equal((await eve.get(at)).status, 404)
  const foreign = await eve.send(hers, { planId })
  assert.equal(foreign.status, 409)
  assert.match(foreign.words, /None of your apps sells this plan/)
  const { businessId } = await world.merchant()
  assert.equal((await ann.get(`${LIST}/${businessId}`)).status, 404)
  const vic = await developer('VIEWER', ann.organizationId)
  assert.doesNotMatch((await vic.get(LIST)).text, /Create a test merchant</)
  assert.doesNotMatch((await vic.get(at)).text, /Use this card|Move the clock|>Subscribe</)
})
