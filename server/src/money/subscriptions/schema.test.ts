import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { findRecords } from './pages.ts'
import { recordToJson, subscriptionToJson } from './schema.ts'
import { findSubscription } from './store.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

test('the record of a list and the row of a decision have the same JSON in every state', async () => {
  const { businessId } = await world.merchant({ card: 'none' })
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Corner' })
  const device = { name: 'Till', serialNumber: 'T-1' }
  const { deviceId } = await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const planId = await world.plan({ trialPeriodDays: 14, scope: 'DEVICE' })
  const path = `/apps/${world.appId}/subscriptions`
  const made = await world.call('POST', path, { businessId, planId, deviceId })
  const { sql } = world.app.ports.db
  const states = {
    'in trial': sql`phase = phase`,
    'to be cancelled': sql`cancel_at = '2026-01-05T06:07:08.900Z'`,
    'about to change its plan': sql`pending_plan_id = plan_id, pending_amount = 700`,
    'past due': sql`
      cancel_at = null, trial_ending_at = null, phase = 'FULL', anchor_at = created_at, period_index = 0, payment_status = 'PAST_DUE', first_declined_at = '2026-01-16T00:00:00Z',
      grace_end_at = '2026-01-23T00:00:00Z', next_retry_at = '2026-01-17T10:20:30.4Z'`,
    free: sql`
      amount = 0, payment_status = 'CURRENT', first_declined_at = null, grace_end_at = null, next_retry_at = null`,
    ended: sql`
      status = 'ENDED', pending_plan_id = null, pending_amount = null, ended_at = '2026-01-18T01:02:03Z', end_reason = 'NON_PAYMENT', next_action_at = null,
      store_id = null, device_id = null`,
  }
  for (const [name, change] of Object.entries(states)) {
    await sql`update subscriptions set ${change} where subscription_id = ${made.subscriptionId}`
    const [whole, record] = [
      await findSubscription(sql, made.subscriptionId),
      (await findRecords(sql, [made.subscriptionId])).get(made.subscriptionId),
    ]
    assert.ok(whole && record)
    assert.deepEqual(recordToJson(record), subscriptionToJson(whole), name)
  }
})
