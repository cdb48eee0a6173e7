import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let basic: string
let pro: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  basic = await planOf(100)
  pro = await planOf(3_100)
})
after(() => world?.close())

const planOf = (value: number, definition: Json = {}, appId?: string) =>
  world.plan({ amounts: [{ country: 'US', currency: 'USD', value }], ...definition }, appId)
const one = (id: string, appId = world.appId) => `/apps/${appId}/subscriptions/${id}`

async function subscribed(planId: string, shop?: Merchant) {
  const merchant = shop ?? (await world.merchant())
  const { subscriptionId } = await merchant.subscribe(planId)
  return { shop: merchant, id: subscriptionId as string }
}

/** Previews a change, makes it, and expects the same status and code from both. */
async function ask(id: string, body: Json, bearer = OPERATOR_KEY, appId?: string) {
  const preview = await world.ask(bearer, 'POST', `${one(id, appId)}/preview`, { body })
  const done = await world.ask(bearer, 'PATCH', one(id, appId), { body })
  assert.deepEqual([preview.status, preview.body.code], [done.status, done.body.code])
  return done
}

async function rejected(id: string, body: Json, code: string) {
  const { body: answer } = await ask(id, body)
  assert.equal(answer.code, code, JSON.stringify(answer))
}

test('a preview stores and emits nothing, and can be repeated', async () => {
  const { shop, id } = await subscribed(basic)
  const before = await shop.subscription(id)
  const headers = { 'idempotency-key': 'the same' }
  const body = { planId: pro, when: 'NOW' }
  const first = await world.ask(OPERATOR_KEY, 'POST', `${one(id)}/preview`, { body, headers })
  assert.equal(first.body.amount, 3_000)
  const other = { planId: pro, when: 'PERIOD_END' }
  const second = await world.ask(OPERATOR_KEY, 'POST', `${one(id)}/preview`, { body: other, headers })
  assert.deepEqual([second.status, second.body.amount], [200, 3_100])
  assert.deepEqual(await shop.subscription(id), before)
  assert.equal((await shop.invoices()).length, 1)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a change and its preview have the same rejections', async () => {
  const { shop, id } = await subscribed(basic)
  const stranger = await world.developer()
  const foreign = await planOf(500, {}, stranger.appId)
  const change = (planId: string, when = 'NOW') => ({ planId, when })
  await rejected(id, change(basic), 'SAME_PLAN')
  await rejected(id, change(UNKNOWN), 'PLAN_NOT_FOUND')
  await rejected(id, change(foreign), 'PLAN_NOT_FOUND')
  await rejected(id, change(await planOf(500, { scope: 'STORE' })), 'PLAN_INCOMPATIBLE')
  const abroad = [{ country: 'JP', currency: 'JPY', value: 500 }]
  await rejected(id, change(await world.plan({ amounts: abroad })), 'PLAN_NOT_SOLD_IN_COUNTRY')
  const euro = [{ country: 'US', currency: 'EUR', value: 500 }]
  await rejected(id, change(await world.plan({ amounts: euro })), 'PLAN_INCOMPATIBLE')
  await subscribed(pro, shop)
  await rejected(id, change(pro), 'ALREADY_SUBSCRIBED')
  await rejected(id, change(pro, 'PERIOD_END'), 'ALREADY_SUBSCRIBED')
  await shop.cancel(id)
  await rejected(id, change(pro), 'ALREADY_ENDED')
})

test('a change from free to paid without a payment method is rejected and changes nothing', async () => {
  const shop = await world.merchant({ card: 'none' })
  const { id } = await subscribed(await planOf(0), shop)
  const before = await shop.subscription(id)
  await rejected(id, { planId: pro, when: 'NOW' }, 'PAYMENT_METHOD_REQUIRED')
  assert.deepEqual(await shop.subscription(id), before)
  await shop.expectEvents('START')
})

test('a body without a plan or time is 400 and names the field, and an unknown subscription is 404 before', async () => {
  const { id } = await subscribed(basic)
  const field = async (body: Json, of = id) => {
    const { status, body: response } = await world.ask(OPERATOR_KEY, 'PATCH', one(of), { body })
    return [status, response.code, response.fields?.[0]?.path]
  }
  assert.deepEqual(await field({}), [400, 'MISSING_PARAMETER', 'planId'])
  assert.deepEqual(await field({ when: 'NOW' }), [400, 'MISSING_PARAMETER', 'planId'])
  assert.deepEqual(await field({ planId: pro }), [400, 'MISSING_PARAMETER', 'when'])
  assert.deepEqual(await field({ planId: pro, when: 'LATER' }), [400, 'INVALID_PARAMETER', 'when'])
  assert.deepEqual(await field({ planId: 'pro', when: 'NOW' }), [400, 'INVALID_PARAMETER', 'planId'])
  assert.deepEqual(await field({}, UNKNOWN), [404, 'SUBSCRIPTION_NOT_FOUND', undefined])
})

test('a plan change needs the right to subscribe: an app needs SUBSCRIBE within its merchant', async () => {
  const { shop, id } = await subscribed(basic)
  const { shop: neighbour, id: foreign } = await subscribed(basic)
  const body = { planId: pro, when: 'PERIOD_END' }
  const approve = (businessId: string, rights: string[]) =>
    world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights })
  assert.equal((await ask(id, body, await tokenOf(world, world.credentials))).status, 403)
  await approve(shop.businessId, ['READ'])
  const token = await tokenWithin(world, world.credentials, shop.businessId)
  assert.equal((await ask(id, body, token)).status, 403)
  await approve(neighbour.businessId, ['READ', 'SUBSCRIBE'])
  const next = await tokenWithin(world, world.credentials, neighbour.businessId)
  assert.deepEqual((await ask(id, body, next)).body.code, 'SUBSCRIPTION_NOT_FOUND')
  assert.equal((await ask(foreign, body, next)).body.pendingPlanId, pro)
})

test("another developer's app does not learn whether the subscription exists", async () => {
  const { id } = await subscribed(basic)
  const stranger = await world.developer()
  const { body } = await ask(id, { planId: pro, when: 'NOW' }, OPERATOR_KEY, stranger.appId)
  assert.equal(body.code, 'SUBSCRIPTION_NOT_FOUND')
})

test('two concurrent changes are charged and emitted once, because the second finds the first applied', async () => {
  const { shop, id } = await subscribed(basic)
  const answers = await Promise.all(
    [1, 2].map(() => world.ask(OPERATOR_KEY, 'PATCH', one(id), { body: { planId: pro, when: 'NOW' } })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  await world.work()
  assert.equal((await shop.invoices()).length, 2)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PAYMENT_SUCCESS')
})

test('a pending plan blocks a second subscription to that plan', async () => {
  const { shop, id } = await subscribed(basic)
  await world.call('PATCH', one(id), { planId: pro, when: 'PERIOD_END' })
  await shop.subscribe(pro, 409)
  await world.call('PATCH', one(id), { planId: basic, when: 'PERIOD_END' })
  await shop.subscribe(pro)
})

test('a repeated change for the period’s end changes neither updatedAt nor the audit trail, also after the plan is retired', async () => {
  const next = await planOf(700)
  const { shop, id } = await subscribed(basic)
  const body = { planId: next, when: 'PERIOD_END' }
  const first = await ask(id, body)
  const trail = () => world.call('GET', `/audit?resourceId=${id}`)
  const { entries } = await trail()
  world.clock.set('2026-01-02T00:00:00Z')
  await world.call('POST', `/apps/${world.appId}/plans/${next}/retire`, undefined, 200)
  const again = await ask(id, body)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.deepEqual(await shop.subscription(id), first.body)
  assert.ok(entries.length > 0)
  assert.deepEqual((await trail()).entries, entries)
})

test('a concurrent change and refund never return the same money twice', async () => {
  for (let round = 0; round < 5; round++) {
    const { shop, id } = await subscribed(pro)
    const [invoice] = await shop.invoices()
    const free = await planOf(0)
    const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
    const [changed, refund] = await Promise.all([
      world.ask(OPERATOR_KEY, 'PATCH', one(id), { body: { planId: free, when: 'NOW' } }),
      world.ask(OPERATOR_KEY, 'POST', path, { body: {} }),
    ])
    assert.equal(changed.status, 200)
    await world.work()
    const [row] = await world.app.ports.db.sql<{ balance: number }[]>`
      select coalesce(sum(balance), 0)::bigint as balance from credit_balances where business_id = ${shop.businessId}`
    const given = (row?.balance ?? 0) + (refund.status === 201 ? 3_100 : 0)
    assert.equal(given, 3_100)
  }
})

test('renewals of one business use its credit one after the other, in one batch and with two workers', async () => {
  world.clock.set('2026-03-01T00:00:00Z')
  const shop = await world.merchant()
  const plans = await Promise.all([400, 400, 400].map(value => planOf(value, { interval: 'DAY' })))
  const { id } = await subscribed(await planOf(1_000, { interval: 'YEAR' }), shop)
  for (const planId of plans) await subscribed(planId, shop)
  await world.call('PATCH', one(id), { planId: await planOf(0), when: 'NOW' })
  world.clock.set('2026-03-02T00:00:00Z')
  await Promise.all([world.work(), world.work()])
  await world.work()
  const applied = (await shop.invoices()).slice(4).map(({ amount, creditApplied }) => [creditApplied, amount])
  assert.deepEqual(applied.sort(), [
    [200, 200],
    [400, 0],
    [400, 0],
  ])
  const [credit] = await world.app.ports.db.sql<{ balance: number }[]>`
    select balance from credit_balances where business_id = ${shop.businessId}`
  assert.equal(credit?.balance, 0)
})

test('credit belongs to one organization and pays no other developer’s app', async () => {
  const { shop, id } = await subscribed(pro)
  await world.call('PATCH', one(id), { planId: await planOf(0), when: 'NOW' })
  const stranger = await world.developer()
  const planId = await planOf(500, {}, stranger.appId)
  const body = { businessId: shop.businessId, planId }
  await world.call('POST', `/apps/${stranger.appId}/subscriptions`, body)
  const invoice = (await shop.invoices()).at(-1)
  assert.deepEqual([invoice?.creditApplied, invoice?.amount], [0, 500])
})
