import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T10:20:30.400Z' })
  planId = await world.plan()
})
after(() => world?.close())

const path = (appId = world.appId) => `/apps/${appId}/subscriptions`

/** The operator's answer: status, code, and the field or message. */
async function subscribe(body: Json, appId?: string) {
  const { status, body: answer } = await world.ask(OPERATOR_KEY, 'POST', path(appId), { body })
  return { status, code: answer.code, field: answer.fields?.[0]?.path, answer }
}

async function rejected(body: Json, status: number, code: string, appId?: string) {
  const response = await subscribe(body, appId)
  assert.deepEqual([response.status, response.code], [status, code])
  return response
}

/** A merchant's store with a device. */
async function storeOf(businessId: string) {
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const device = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  return { storeId, deviceId }
}

test('a paid plan starts FULL at a whole second, its first period is charged, and START is emitted', async () => {
  const shop = await world.merchant()
  const { answer, status } = await subscribe({ businessId: shop.businessId, planId })
  assert.equal(status, 201)
  const { subscriptionId, bundleId, ...rest } = answer
  assert.notEqual(subscriptionId, bundleId)
  assert.deepEqual(rest, {
    appId: world.appId,
    businessId: shop.businessId,
    planId,
    phase: 'FULL',
    status: 'ACTIVE',
    startAt: '2026-01-31T00:00:00Z',
    createdAt: '2026-01-31T10:20:30Z',
    updatedAt: '2026-01-31T10:20:30Z',
    currentPeriodStart: '2026-01-31T10:20:30Z',
    currentPeriodEnd: '2026-02-28T10:20:30Z',
    nextChargeAt: '2026-02-28T10:20:30Z',
    paymentStatus: 'CURRENT',
  })
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
})

test('a plan with a trial needs no payment method, and nothing is charged', async () => {
  const trial = await world.plan({ trialPeriodDays: 14 })
  const shop = await world.merchant({ card: 'none' })
  const { answer } = await subscribe({ businessId: shop.businessId, planId: trial })
  assert.deepEqual([answer.phase, answer.trialEndAt], ['TRIAL', '2026-02-14T10:20:30Z'])
  await world.work()
  await shop.expectEvents('START')
  assert.deepEqual(await shop.invoices(), [])
})

test('a trial per business is granted once', async () => {
  const trial = await world.plan({ trialPeriodDays: 14, trialEligibility: 'ONCE_PER_BUSINESS' })
  const shop = await world.merchant()
  const first = await shop.subscribe(trial)
  await shop.cancel(first.subscriptionId)
  assert.deepEqual([first.phase, (await shop.subscribe(trial)).phase], ['TRIAL', 'FULL'])
})

test('a paid plan without trial needs a payment method, a free plan does not', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  await rejected({ businessId, planId }, 409, 'PAYMENT_METHOD_REQUIRED')
  const free = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
  const { status, answer } = await subscribe({ businessId, planId: free })
  assert.deepEqual([status, answer.phase, answer.nextChargeAt], [201, 'FULL', undefined])
})

test('a country without a price cannot subscribe, with or without a trial', async () => {
  const { businessId } = await world.merchant({ country: 'CA' })
  await rejected({ businessId, planId }, 409, 'PLAN_NOT_SOLD_IN_COUNTRY')
  await rejected({ businessId, planId: await world.plan({ trialPeriodDays: 1 }) }, 409, 'PLAN_NOT_SOLD_IN_COUNTRY')
})

test('a retired plan has no new subscribers and keeps its existing subscribers', async () => {
  const retired = await world.plan()
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(retired)
  await world.call('POST', `/apps/${world.appId}/plans/${retired}/retire`, {}, 200)
  const { businessId } = await world.merchant()
  await rejected({ businessId, planId: retired }, 409, 'PLAN_RETIRED')
  assert.equal((await shop.subscription(subscriptionId)).status, 'ACTIVE')
})

test('a second live subscription to the same plan is rejected, naming the first, until the first ends', async () => {
  const shop = await world.merchant()
  const body = { businessId: shop.businessId, planId }
  const { subscriptionId } = await shop.subscribe(planId)
  const { answer } = await rejected(body, 409, 'ALREADY_SUBSCRIBED')
  assert.ok(answer.developerMessage.includes(subscriptionId))
  assert.equal((await subscribe({ ...body, planId: await world.plan() })).status, 201)
  await shop.cancel(subscriptionId)
  assert.equal((await subscribe(body)).status, 201)
})

test('each store of a business has its own subscription to a store plan', async () => {
  const plan = await world.plan({ scope: 'STORE' })
  const { businessId } = await world.merchant()
  const [one, two] = [await storeOf(businessId), await storeOf(businessId)]
  const foreign = await storeOf((await world.merchant()).businessId)
  const body = { businessId, planId: plan }
  assert.equal((await rejected(body, 400, 'MISSING_PARAMETER')).field, 'storeId')
  await rejected({ ...body, storeId: UNKNOWN }, 404, 'STORE_NOT_FOUND')
  await rejected({ ...body, storeId: foreign.storeId }, 404, 'STORE_NOT_FOUND')
  const { status, answer } = await subscribe({ ...body, storeId: one.storeId.toUpperCase() })
  assert.deepEqual([status, answer.storeId, answer.deviceId], [201, one.storeId, undefined])
  await rejected({ ...body, storeId: one.storeId }, 409, 'ALREADY_SUBSCRIBED')
  assert.equal((await subscribe({ ...body, storeId: two.storeId })).status, 201)
})

test('each device of a business has its own subscription to a device plan, with the store of the device', async () => {
  const plan = await world.plan({ scope: 'DEVICE' })
  const { businessId } = await world.merchant()
  const [one, two] = [await storeOf(businessId), await storeOf(businessId)]
  const foreign = await storeOf((await world.merchant()).businessId)
  const body = { businessId, planId: plan }
  assert.equal((await rejected(body, 400, 'MISSING_PARAMETER')).field, 'deviceId')
  await rejected({ ...body, deviceId: `urn:tid:${UNKNOWN}` }, 404, 'DEVICE_NOT_FOUND')
  await rejected({ ...body, deviceId: foreign.deviceId }, 404, 'DEVICE_NOT_FOUND')
  const elsewhere = await rejected(
    { ...body, deviceId: one.deviceId, storeId: two.storeId },
    ...([400, 'INVALID_PARAMETER'] as const),
  )
  assert.equal(elsewhere.field, 'storeId')
  const { status, answer } = await subscribe({ ...body, deviceId: one.deviceId })
  assert.deepEqual([status, answer.storeId, answer.deviceId], [201, one.storeId, one.deviceId])
  await rejected({ ...body, ...one }, 409, 'ALREADY_SUBSCRIBED')
})

test('a plan of another app, an unapproved plan and an unknown plan are rejected in the same way', async () => {
  const { businessId } = await world.merchant()
  const other = await world.developer()
  const amounts = [{ country: 'US', currency: 'USD', value: 500 }]
  const plans = [{ name: 'Later', amounts, interval: 'MONTH', scope: 'BUSINESS' }]
  const release = await world.call('POST', `/apps/${world.appId}/releases`, { version: '99', plans })
  const ids = [await world.plan({}, other.appId), release.plans[0].planId, UNKNOWN]
  const said = []
  for (const id of ids) {
    const { answer } = await rejected({ businessId, planId: id }, 404, 'PLAN_NOT_FOUND')
    said.push(answer.developerMessage)
  }
  assert.equal(new Set(said).size, 1)
})

test('a disabled app gets no new subscribers and keeps its existing ones', async () => {
  const { appId } = await world.developer()
  const plan = await world.plan({}, appId)
  const [had, late] = [await world.merchant(), await world.merchant()]
  const { answer } = await subscribe({ businessId: had.businessId, planId: plan }, appId)
  await world.call('PATCH', `/apps/${appId}`, { status: 'DISABLED' })
  await rejected({ businessId: late.businessId, planId: plan }, 409, 'APPLICATION_DISABLED', appId)
  const kept = await world.call('GET', `${path(appId)}/${answer.subscriptionId}`)
  assert.equal(kept.status, 'ACTIVE')
})

test('an unknown app and an unknown business are not found', async () => {
  const { businessId } = await world.merchant()
  await rejected({ businessId, planId }, 404, 'APPLICATION_NOT_FOUND', `urn:aid:${UNKNOWN}`)
  await rejected({ businessId: UNKNOWN, planId }, 404, 'BUSINESS_NOT_FOUND')
})

test('the named payment method becomes the default, and a payment method of another business is not found', async () => {
  const shop = await world.merchant({ card: 'none' })
  const stranger = await world.merchant()
  const methods = `/businesses/${shop.businessId}/payment-methods`
  const good = await world.call('POST', methods, { gateway: 'sandbox', token: 'tok_ok' })
  await world.call('POST', methods, { gateway: 'sandbox', token: 'tok_stolen' })
  const [foreign] = (await world.call('GET', `/businesses/${stranger.businessId}/payment-methods`)).list
  const body = { businessId: shop.businessId, planId }
  for (const paymentMethodId of [foreign.paymentMethodId, UNKNOWN]) {
    await rejected({ ...body, paymentMethodId }, 404, 'PAYMENT_METHOD_NOT_FOUND')
  }
  assert.equal((await subscribe({ ...body, paymentMethodId: good.paymentMethodId })).status, 201)
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  const [first] = (await world.call('GET', methods)).list
  assert.equal(first.paymentMethodId, good.paymentMethodId)
})

test('a rejected subscribe changes no default and emits no event', async () => {
  const shop = await world.merchant({ country: 'CA' })
  const methods = `/businesses/${shop.businessId}/payment-methods`
  const [old] = (await world.call('GET', methods)).list
  await world.call('POST', methods, { gateway: 'sandbox', token: 'tok_ok' })
  const before = await world.call('GET', methods)
  const body = { businessId: shop.businessId, planId, paymentMethodId: old.paymentMethodId }
  await rejected(body, 409, 'PLAN_NOT_SOLD_IN_COUNTRY')
  assert.deepEqual(await world.call('GET', methods), before)
  await shop.expectEvents()
})

test('ten concurrent requests for one plan create one subscription, and START is emitted once', async () => {
  const shop = await world.merchant()
  const body = { businessId: shop.businessId, planId }
  const answers = await Promise.all(Array.from({ length: 10 }, () => subscribe(body)))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  assert.equal(answers.filter(({ code }) => code === 'ALREADY_SUBSCRIBED').length, 9)
  await world.work()
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  assert.equal((await shop.invoices()).length, 1)
})

test('an app subscribes only within a business that approved SUBSCRIBE', async () => {
  const shop = await world.merchant()
  const body = { businessId: shop.businessId, planId }
  const status = async (bearer: string) => (await world.ask(bearer, 'POST', path(), { body })).status
  assert.equal(await status(await tokenOf(world, world.credentials)), 403)
  const within = await tokenWithin(world, world.credentials, shop.businessId)
  assert.equal(await status(within), 202)
  const approvals = `/businesses/${shop.businessId}/approvals`
  await world.call('POST', approvals, { appId: world.appId, rights: ['READ'] })
  // The app asks the merchant (decisions 3) and subscribes to nothing.
  assert.equal(await status(within), 202)
  await world.call('POST', approvals, { appId: world.appId, rights: ['READ', 'SUBSCRIBE'] }, 200)
  const { businessId } = await world.merchant()
  assert.equal((await world.ask(within, 'POST', path(), { body: { businessId, planId } })).status, 403)
  assert.equal(await status(within), 201)
})
