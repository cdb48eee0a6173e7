import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-03-01T00:00:00Z' })
  // An opt-in type: only hooks that name it receive it, unlike the hook of the scenarios.
  await world.call('POST', '/hooks', {
    ...{ applicationId: world.appId, deliveryUrl: 'http://127.0.0.1:9/trials', secret: 'secret' },
    eventTypes: ['APPLICATION_SUBSCRIPTION_TRIAL_ENDING'],
  })
})
after(() => world?.close())

test('three days before the end of a trial TRIAL_ENDING is emitted once', async () => {
  const shop = await world.merchant({ at: '2026-01-20T00:00:00Z' })
  await shop.subscribe(await world.plan({ trialPeriodDays: 14 }))
  await shop.until('2026-01-30T23:59:59Z')
  await shop.expectEvents('START')
  await shop.until('2026-02-02T00:00:00Z')
  await shop.expectEvents('TRIAL_ENDING')
  await shop.until('2026-02-03T00:00:00Z')
  await shop.expectEvents('PHASE_CHANGE', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedFrom(shop), ['2026-02-03T00:00:00Z'])
})

test('TRIAL_ENDING is emitted at the start of a trial of three days, and never for a shorter or cancelled trial', async () => {
  const three = await world.merchant({ at: '2026-01-20T00:00:00Z' })
  await three.subscribe(await world.plan({ trialPeriodDays: 3 }))
  await three.expectEvents('START', 'TRIAL_ENDING')
  await three.until('2026-01-23T00:00:00Z')
  await three.expectEvents('PHASE_CHANGE', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedFrom(three), ['2026-01-23T00:00:00Z'])
  const short = await world.merchant({ at: '2026-01-20T00:00:00Z' })
  await short.subscribe(await world.plan({ trialPeriodDays: 2 }))
  await short.until('2026-01-22T00:00:00Z')
  await short.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedFrom(short), ['2026-01-22T00:00:00Z'])
  const cancelled = await world.merchant({ at: '2026-01-20T00:00:00Z' })
  const { subscriptionId } = await cancelled.subscribe(await world.plan({ trialPeriodDays: 14 }))
  await cancelled.cancel(subscriptionId)
  await cancelled.until('2026-03-01T00:00:00Z')
  await cancelled.expectEvents('START', 'END')
  assert.deepEqual(await billedFrom(cancelled), [])
})

test('in real time the background job emits TRIAL_ENDING, and two workers emit it once', async () => {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan({ trialPeriodDays: 7 }))
  world.clock.set('2026-03-05T12:00:00Z')
  await Promise.all([world.work(), world.work()])
  await world.work()
  await shop.expectEvents('START', 'TRIAL_ENDING')
  assert.deepEqual(await billedFrom(shop), [])
  assert.equal((await world.call('GET', '/healthz')).status, 'ok')
})

test('another plan does not grant a second trial', async () => {
  const once = await world.plan({ trialPeriodDays: 14, trialEligibility: 'ONCE_PER_BUSINESS' })
  const other = await world.plan()
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(once)
  await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId: other, when: 'NOW' })
  await shop.cancel(subscriptionId)
  assert.equal((await shop.subscribe(once)).phase, 'FULL')
  await shop.expectEvents('START', 'PLAN_CHANGE', 'END', 'START', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedFrom(shop), ['2026-03-05T12:00:00Z'])
})

test('a trial counts for every plan of the trial, with any changes', async () => {
  const [a, b, c] = [await givenOnce('A'), await givenOnce('B'), await givenOnce('C')]
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(a)
  for (const planId of [b, c, a]) await change(subscriptionId, planId)
  await shop.cancel(subscriptionId)
  for (const planId of [a, b, c]) assert.equal((await shop.subscribe(planId)).phase, 'FULL')
  const another = await world.merchant()
  assert.equal((await another.subscribe(b)).phase, 'TRIAL')
})

/** The starts of the periods that have an invoice. */
async function billedFrom(shop: Merchant): Promise<string[]> {
  return (await shop.invoices()).filter(({ status }) => status === 'PAID').map(({ periodStart }) => periodStart)
}

async function givenOnce(name: string): Promise<string> {
  return world.plan({ name, trialPeriodDays: 14, trialEligibility: 'ONCE_PER_BUSINESS' })
}

function change(subscriptionId: string, planId: string, when = 'NOW') {
  return world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId, when })
}
