import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../support/world.ts'

/** Decisions 4: "retiring makes it INACTIVE: no new subscribers, those who have it keep it". */

let world: World
before(async () => {
  world = await createWorld()
})
after(() => world?.close())

const NEW_YEAR = '2026-01-01T00:00:00Z'

test('a subscriber keeps a retired plan at its price, through renewal, recovery and restore', async () => {
  const planId = await planOf(500, { cancelPolicy: 'BILLING' })
  const shop = await world.merchant({ at: NEW_YEAR })
  const { subscriptionId } = await shop.subscribe(planId)
  await retire(planId)
  await planOf(900, { cancelPolicy: 'BILLING' })
  const late = await world.merchant({ at: NEW_YEAR })
  assert.equal((await late.subscribe(planId, 409)).code, 'PLAN_RETIRED')
  await late.expectEvents()
  await shop.until('2026-01-20T00:00:00Z')
  await shop.cancel(subscriptionId)
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  assert.equal((await world.call('POST', `${path}/restore`, {}, 200)).cancelAt, undefined)
  await shop.card('tok_insufficient_funds')
  await shop.until('2026-02-01T00:00:00Z')
  await shop.card('tok_ok')
  await shop.until('2026-03-01T00:00:00Z')
  await shop.expectEvents(
    ...['START', 'PAYMENT_SUCCESS', 'CANCEL_SCHEDULED', 'RESTORED'],
    ...['PAYMENT_FAIL', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS'],
  )
  assert.deepEqual(await billedOf(shop), [
    ['2026-01-01T00:00:00Z', planId, 500, 'PAID'],
    ['2026-02-01T00:00:00Z', planId, 500, 'PAID'],
    ['2026-03-01T00:00:00Z', planId, 500, 'PAID'],
  ])
})

test('a trial of a plan retired in the meantime ends as agreed, and its price is charged', async () => {
  const planId = await planOf(700, { trialPeriodDays: 14 })
  const shop = await world.merchant({ at: NEW_YEAR })
  await shop.subscribe(planId)
  await retire(planId)
  await shop.until('2026-02-15T00:00:00Z')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedOf(shop), [
    ['2026-01-15T00:00:00Z', planId, 700, 'PAID'],
    ['2026-02-15T00:00:00Z', planId, 700, 'PAID'],
  ])
})

test('no subscriber can return to a retired plan, by subscribing or by a change', async () => {
  const [planId, other] = [await planOf(500), await planOf(100)]
  const shop = await world.merchant({ at: NEW_YEAR })
  const { subscriptionId } = await shop.subscribe(planId)
  await retire(planId)
  const path = `/apps/${world.appId}/subscriptions/${subscriptionId}`
  await world.call('PATCH', path, { planId: other, when: 'NOW' })
  assert.equal((await world.call('PATCH', path, { planId, when: 'NOW' }, 409)).code, 'PLAN_RETIRED')
  await shop.cancel(subscriptionId)
  assert.equal((await shop.subscribe(planId, 409)).code, 'PLAN_RETIRED')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'END')
  assert.deepEqual(await billedOf(shop), [
    [NEW_YEAR, planId, 500, 'PAID'],
    [NEW_YEAR, other, 0, 'PAID'],
  ])
})

const planOf = (value: number, definition: Json = {}) =>
  world.plan({ amounts: [{ country: 'US', currency: 'USD', value }], ...definition })

const retire = (planId: string) => world.call('POST', `/apps/${world.appId}/plans/${planId}/retire`, undefined, 200)

async function billedOf(shop: Merchant): Promise<unknown[][]> {
  return (await shop.invoices()).map(({ periodStart, planId, amount, status }) => [periodStart, planId, amount, status])
}
