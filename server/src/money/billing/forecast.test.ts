import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { findSubscription } from '../subscriptions/store.ts'
import { forecastNext } from './forecast.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

const planOf = (value: number, more = {}) =>
  world.plan({ amounts: [{ country: 'US', currency: 'USD', value }], trialEligibility: 'ALWAYS', ...more })

/** A merchant with 20.00 of credit: 30.00 for a month, minus 10.00 for the new plan. */
async function shopWithCredit(): Promise<{ shop: Merchant; first: string }> {
  const shop = await world.merchant()
  const { subscriptionId: first } = await shop.subscribe(await planOf(3_000))
  const path = `/apps/${world.appId}/subscriptions/${first}`
  await world.call('PATCH', path, { planId: await planOf(1_000), when: 'NOW' })
  return { shop, first }
}

/** The next charges of subscriptions that are forecast together. */
async function nextOf(...subscriptionIds: string[]): Promise<(number | undefined)[]> {
  const { sql } = world.app.ports.db
  const subscriptions = await Promise.all(subscriptionIds.map(id => findSubscription(sql, id)))
  const shown = subscriptions.filter(subscription => subscription !== null)
  return (await forecastNext(sql, shown, world.clock.now())).map(({ nextCharge }) => nextCharge?.amount)
}

test('the second subscription uses the credit that the first leaves, on every page of results', async () => {
  const { shop, first } = await shopWithCredit()
  world.clock.set(new Date(world.clock.now().getTime() + 3_600_000))
  const { subscriptionId: second } = await shop.subscribe(await planOf(1_500, { trialPeriodDays: 31 }))
  const { subscriptionId: third } = await shop.subscribe(await planOf(700, { trialPeriodDays: 40 }))
  assert.deepEqual(await nextOf(first, second, third), [undefined, 500, 700])
  assert.deepEqual(await nextOf(third, second), [700, 500])
  assert.deepEqual(await nextOf(second), [500])
})

test("a plan with a shorter interval uses the credit in order of time, and other merchants' subscriptions use none", async () => {
  const { shop, first } = await shopWithCredit()
  const { subscriptionId: weekly } = await shop.subscribe(await planOf(600, { interval: 'WEEK', trialPeriodDays: 7 }))
  // Four weeks use all of the credit: 6.00, 6.00, 6.00 and 2.00.
  assert.deepEqual(await nextOf(first, weekly), [1_000, undefined])
  const other = await world.merchant()
  const { subscriptionId } = await other.subscribe(await planOf(900))
  assert.deepEqual(await nextOf(subscriptionId), [900])
})
