import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Method, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let token: string
let immediate: string
let billing: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T10:20:30Z' })
  token = await tokenOf(world, world.credentials)
  immediate = await world.plan()
  billing = await world.plan({ cancelPolicy: 'BILLING' })
})
after(() => world?.close())

const one = (id: string, appId = world.appId) => `/apps/${appId}/subscriptions/${id}`

async function ask(bearer: string, method: Method, path: string) {
  const { status, body } = await world.ask(bearer, method, path)
  return { status, code: body.code, body }
}

async function subscribed(planId: string) {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(planId)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  return { shop, id: subscriptionId as string }
}

test('an app cancels its own subscription, which ends at once, and once, with policy IMMEDIATE', async () => {
  const { shop, id } = await subscribed(immediate)
  const { status, body } = await ask(token, 'DELETE', one(id))
  assert.equal(status, 200)
  assert.deepEqual(
    [body.status, body.endReason, body.endedAt, body.nextChargeAt],
    ['ENDED', 'CANCELLED', '2026-01-31T10:20:30Z', undefined],
  )
  assert.equal((await ask(token, 'DELETE', one(id))).code, 'ALREADY_ENDED')
  await shop.expectEvents('END')
})

test('with policy BILLING a cancellation is scheduled, and a second cancellation changes and emits nothing', async () => {
  const { shop, id } = await subscribed(billing)
  const { body } = await ask(token, 'DELETE', one(id))
  assert.deepEqual([body.status, body.cancelAt, body.nextChargeAt], ['ACTIVE', '2026-02-28T10:20:30Z', undefined])
  assert.deepEqual(await ask(token, 'DELETE', one(id)), { status: 200, code: undefined, body })
  await shop.expectEvents('CANCEL_SCHEDULED')
})

test('restore undoes a scheduled cancellation, and is rejected without one or after the end', async () => {
  const { shop, id } = await subscribed(billing)
  const before = await shop.subscription(id)
  const restore = () => ask(OPERATOR_KEY, 'POST', `${one(id)}/restore`)
  assert.deepEqual([(await restore()).status, (await restore()).code], [409, 'NOT_SCHEDULED_TO_CANCEL'])
  await shop.cancel(id)
  assert.deepEqual((await restore()).body, before)
  await shop.expectEvents('CANCEL_SCHEDULED', 'RESTORED')
  await world.call('POST', `${one(id)}/end`, undefined, 200)
  assert.equal((await restore()).status, 409)
})

test('only the operator ends a subscription at once with any cancel policy', async () => {
  const { shop, id } = await subscribed(billing)
  const within = await tokenWithin(world, world.credentials, shop.businessId)
  for (const bearer of [token, within]) {
    assert.equal((await ask(bearer, 'POST', `${one(id)}/end`)).code, 'FORBIDDEN')
  }
  await shop.cancel(id)
  const { body } = await ask(OPERATOR_KEY, 'POST', `${one(id)}/end`)
  assert.deepEqual([body.status, body.endReason, body.cancelAt], ['ENDED', 'OPERATOR', undefined])
  assert.equal((await ask(OPERATOR_KEY, 'POST', `${one(id)}/end`)).code, 'ALREADY_ENDED')
  await shop.expectEvents('CANCEL_SCHEDULED', 'END')
})

test('the merchant restores; an app restores only with SUBSCRIBE, and otherwise requests a restore', async () => {
  const { shop, id } = await subscribed(billing)
  await shop.cancel(id)
  const within = await tokenWithin(world, world.credentials, shop.businessId)
  assert.equal((await ask(token, 'POST', `${one(id)}/restore`)).code, 'FORBIDDEN')
  assert.equal((await ask(within, 'POST', `${one(id)}/restore`)).status, 202)
  assert.ok((await shop.subscription(id)).cancelAt)
  const approval = { appId: world.appId, rights: ['READ', 'SUBSCRIBE'] }
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, approval)
  assert.equal((await ask(within, 'POST', `${one(id)}/restore`)).status, 200)
})

test('another app’s subscription, a subscription below another app’s path and an unknown one are not found in the same way', async () => {
  const { shop, id } = await subscribed(immediate)
  const other = await world.developer()
  const foreign = await tokenOf(world, other)
  const unknown = await ask(foreign, 'DELETE', one(UNKNOWN, other.appId))
  assert.deepEqual([unknown.status, unknown.code], [404, 'SUBSCRIPTION_NOT_FOUND'])
  const { requestId: _, ...same } = unknown.body
  for (const path of [one(id, other.appId), one(id.toUpperCase(), other.appId)]) {
    const { requestId: __, ...body } = (await ask(foreign, 'DELETE', path)).body
    assert.deepEqual(body, same)
  }
  assert.equal((await ask(foreign, 'DELETE', one(id))).code, 'APPLICATION_NOT_FOUND')
  for (const verb of ['restore', 'end']) {
    assert.equal((await ask(OPERATOR_KEY, 'POST', `${one(id, other.appId)}/${verb}`)).code, 'SUBSCRIPTION_NOT_FOUND')
  }
  assert.equal((await shop.subscription(id)).status, 'ACTIVE')
})

test('a token within one business cancels its subscriptions and finds no others', async () => {
  const [{ id, shop }, other] = [await subscribed(immediate), await subscribed(immediate)]
  const within = await tokenWithin(world, world.credentials, shop.businessId)
  assert.equal((await ask(within, 'DELETE', one(other.id))).code, 'SUBSCRIPTION_NOT_FOUND')
  assert.equal((await ask(within, 'DELETE', one(id))).body.status, 'ENDED')
})

test('a cancel with a JSON type and without a body succeeds, also with an id in capitals', async () => {
  const { id } = await subscribed(immediate)
  const headers = { 'content-type': 'application/json' }
  const { status } = await world.ask(token, 'DELETE', one(id.toUpperCase()), { headers })
  assert.equal(status, 200)
})

test('concurrent cancel, restore and end return the new record, and END is emitted once', async () => {
  const { shop, id } = await subscribed(billing)
  await shop.cancel(id)
  const answers = await Promise.all([
    ask(OPERATOR_KEY, 'POST', `${one(id)}/end`),
    ask(OPERATOR_KEY, 'POST', `${one(id)}/restore`),
    ask(OPERATOR_KEY, 'POST', `${one(id)}/end`),
    ask(OPERATOR_KEY, 'DELETE', one(id)),
  ])
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  assert.equal((await shop.subscription(id)).status, 'ENDED')
  const rows = await world.app.ports.db.sql`
    select 1 from notifications where resource_id = ${id} and event_type = 'APPLICATION_SUBSCRIPTION_END'`
  assert.equal(rows.length, 1)
})
