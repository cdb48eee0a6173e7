import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, type Method, type World } from '../../../test/support/world.ts'
import { completePurchase } from './purchase.fixture.ts'

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world.close())

interface Scene {
  readonly merchant: Merchant
  readonly bearer: string
  ask(method: Method, path: string, body?: unknown): Promise<Json & { status: number }>
  confirm(purchaseId: string): Promise<unknown>
}

/** An app that the merchant approved with these rights. */
async function newScene(rights = ['READ']): Promise<Scene> {
  const merchant = await world.merchant()
  const { businessId } = merchant
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights })
  const bearer = await tokenWithin(world, world.credentials, businessId)
  const principal = { kind: 'merchant', role: 'OWNER', userId: businessId, businessId } as const
  return {
    merchant,
    bearer,
    ask: async (method, path, body) => {
      const { status, body: said } = await world.ask(bearer, method, `/apps/${world.appId}${path}`, { body })
      return { status, said }
    },
    confirm: purchaseId => completePurchase(world.app.ports, { purchaseId, by: { principal } }),
  }
}

test('without SUBSCRIBE an app gets a purchase for the merchant to confirm, and reads its outcome', async () => {
  const { merchant, ask, confirm } = await newScene()
  const body = { businessId: merchant.businessId, planId: await world.plan() }
  const { status, said } = await ask('POST', '/subscriptions', body)
  assert.deepEqual([status, said.status, said.kind], [202, 'OPEN', 'SUBSCRIBE'])
  assert.equal(said.url, `${world.app.ports.settings.baseUrl}/purchases/${said.purchaseId}`)
  const path = `/purchases/${said.purchaseId}`
  assert.deepEqual((await ask('GET', path)).said, said)
  assert.equal((await ask('GET', '/subscriptions')).said.total, 0)
  await confirm(said.purchaseId)
  await world.work()
  const { status: now, payment, url } = (await ask('GET', path)).said
  assert.deepEqual([now, payment, url], ['COMPLETED', { status: 'PAID' }, undefined])
  assert.equal((await ask('GET', '/subscriptions')).said.list[0].bundleId, said.purchaseId)
})

test('with SUBSCRIBE an app subscribes without a purchase', async () => {
  const { merchant, ask } = await newScene(['READ', 'SUBSCRIBE'])
  const { status } = await ask('POST', '/subscriptions', {
    businessId: merchant.businessId,
    planId: await world.plan(),
  })
  assert.equal(status, 201)
})

test('an app can request a plan change now and a restore, and no other change', async () => {
  const { merchant, ask, confirm } = await newScene()
  const { subscriptionId } = await merchant.subscribe(await world.plan({ cancelPolicy: 'BILLING' }))
  const path = `/subscriptions/${subscriptionId}`
  const planId = await world.plan()
  const changed = await ask('PATCH', path, { planId, when: 'NOW' })
  assert.deepEqual([changed.status, changed.said.kind, changed.said.subscriptionId], [202, 'REPLACE', subscriptionId])
  for (const body of [{ planId, when: 'PERIOD_END' }, { storeId: merchant.businessId }]) {
    assert.equal((await ask('PATCH', path, body)).said.code, 'FORBIDDEN')
  }
  assert.equal((await ask('POST', `${path}/preview`, { planId, when: 'NOW' })).said.code, 'FORBIDDEN')
  await merchant.cancel(subscriptionId)
  const restored = await ask('POST', `${path}/restore`)
  assert.deepEqual([restored.status, restored.said.kind], [202, 'RESTORE'])
  await confirm(restored.said.purchaseId)
  assert.equal((await merchant.subscription(subscriptionId)).cancelAt, undefined)
})

test('a repeated request creates one purchase, and an impossible purchase is rejected at once', async () => {
  const { merchant, bearer } = await newScene()
  const { businessId } = merchant
  const planId = await world.plan()
  const headers = { 'idempotency-key': 'ask-once' }
  const path = `/apps/${world.appId}/subscriptions`
  const ask = () => world.ask(bearer, 'POST', path, { headers, body: { businessId, planId } })
  const [first, again] = [await ask(), await ask()]
  assert.deepEqual([first.status, again.body], [202, first.body])
  await merchant.subscribe(planId)
  const taken = await world.ask(bearer, 'POST', path, { body: { businessId, planId } })
  assert.equal(taken.body.code, 'ALREADY_SUBSCRIBED')
})

test('an app creates purchases only for the merchant of its token', async () => {
  const [one, two] = [await newScene(), await newScene()]
  const planId = await world.plan()
  const other = await world.developer('Asking')
  const foreignPlan = await world.plan({}, other.appId)
  const { businessId } = one.merchant
  assert.equal(
    (await one.ask('POST', '/subscriptions', { businessId: two.merchant.businessId, planId })).said.code,
    'FORBIDDEN',
  )
  assert.equal(
    (await one.ask('POST', '/subscriptions', { businessId, planId: foreignPlan })).said.code,
    'PLAN_NOT_FOUND',
  )
  const app = await tokenOf(world, world.credentials)
  const path = `/apps/${world.appId}/subscriptions`
  assert.equal((await world.ask(app, 'POST', path, { body: { businessId, planId } })).body.code, 'FORBIDDEN')
  const { said } = await one.ask('POST', '/subscriptions', { businessId, planId })
  assert.equal((await two.ask('GET', `/purchases/${said.purchaseId}`)).said.code, 'PURCHASE_NOT_FOUND')
  const foreign = await world.ask(
    await tokenOf(world, other),
    'GET',
    `/apps/${other.appId}/purchases/${said.purchaseId}`,
  )
  assert.equal(foreign.body.code, 'PURCHASE_NOT_FOUND')
  assert.equal((await world.ask(app, 'GET', `/apps/${world.appId}/purchases/${said.purchaseId}`)).status, 200)
})
