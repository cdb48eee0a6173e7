import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { INVARIANT_CHECK_NAMES, INVARIANT_CHECKS } from '../../src/money/invariant-checks/checks.ts'
import { until } from '../start/program.ts'
import { assertDelivered, countUnfinished } from './books.ts'
import { makeMerchant, makePlatform, type Platform, subscribe } from './platform.ts'
import { openStand, type Stand } from './stand.ts'

const HOUR_MS = 3_600_000
/** Rounds of a daily plan. Retries come 6, 12 and 24 hours after a decline, so rounds have renewals and retries. */
const GROUPS_AT = [0, 4, 8, 12].map(hours => hours * HOUR_MS)
const FIRST_ROUND_AT = 22 * HOUR_MS
/** All rounds fall within a day, since idempotency keys are kept for a day. */
const ROUND_MS = 3 * HOUR_MS
const ROUNDS = 5
/** After every grace period and lease. */
const REST_MS = 72 * HOUR_MS
const [EARLIEST_MS, LATEST_MS] = [20, 300]
const BETTER = 700
const CHARGED_WITHIN_MS = 120_000

let stand: Stand
before(async () => {
  stand = await openStand()
})
after(() => stand?.close())

test('after kills during renewals, retries, refunds and plan changes our books match the gateway’s', async t => {
  await stand.startAhead(0)
  const { client } = stand
  const platform = await makePlatform(client, stand.inbox)
  const better = await makeBetterPlan(platform)
  const steady: { businessId: string; subscriptionId: string }[] = []
  for (const aheadMs of GROUPS_AT) {
    await stand.send({ aheadMs })
    for (const token of ['tok_ok', 'tok_ok', 'tok_fail_after_1', 'tok_timeout_then_ok']) {
      const businessId = await makeMerchant(client, token)
      const { subscriptionId } = await subscribe(client, platform, businessId)
      if (token === 'tok_ok') steady.push({ businessId, subscriptionId })
    }
  }
  await stand.settle()

  const work: Promise<unknown>[] = []
  const underWay = (one: Promise<unknown>) => {
    // Awaited at the end; catches rejections when the test fails earlier.
    one.catch(() => {})
    work.push(one)
  }
  const lives: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await stand.program().kill()
    await stand.startAhead(FIRST_ROUND_AT + round * ROUND_MS)
    const one = steady[round]
    assert.ok(one)
    underWay(refundFirst(one.businessId))
    underWay(changePlan(platform, one.subscriptionId, better))
    underWay(makeMerchant(client).then(businessId => subscribe(client, platform, businessId)))
    const lifeMs = Math.round(EARLIEST_MS + Math.random() * (LATEST_MS - EARLIEST_MS))
    lives.push(lifeMs)
    await wait(lifeMs)
  }
  await stand.program().kill()
  t.diagnostic(`killed after ${lives.join(', ')} ms`)
  await stand.startAhead(FIRST_ROUND_AT + ROUNDS * ROUND_MS)
  await Promise.all(work)
  // Grace periods run from the declines, so every decline must have happened.
  await until(stand.program(), 'has charged what was due', CHARGED_WITHIN_MS, async () => {
    const { charges, subscriptionsDue } = await countUnfinished(stand)
    return charges + subscriptionsDue === 0 || undefined
  })
  await stand.send({ aheadMs: REST_MS })
  await stand.settle()

  for (const name of INVARIANT_CHECK_NAMES) {
    const found = await INVARIANT_CHECKS[name].find(stand.db.sql, {
      limit: 20,
      now: stand.now(),
      overdueMs: 5 * 60_000,
    })
    assert.deepEqual([...found], [], name)
  }
  await assertDelivered(stand.db.sql, stand.inbox)
  const [row] = await stand.db.sql<{ renewed: number; declined: number; changed: number; refunded: number }[]>`
    select
      (select count(*) from invoices where status = 'PAID' and period_index > 0) as renewed,
      (select count(*) from notifications where event_type = 'APPLICATION_SUBSCRIPTION_PAYMENT_FAIL') as declined,
      (select count(*) from subscriptions where plan_id = ${better}) as changed,
      (select count(*) from refunds where status = 'SUCCEEDED') as refunded`
  assert.ok(row)
  assert.deepEqual([row.changed, row.refunded], [ROUNDS, ROUNDS])
  assert.ok(row.renewed >= steady.length, `${row.renewed} renewals`)
  assert.ok(row.declined >= 2 * GROUPS_AT.length, `${row.declined} declines`)
})

async function makeBetterPlan({ appId }: Platform): Promise<string> {
  const amounts = [{ country: 'US', currency: 'USD', value: BETTER }]
  const plans = [{ name: 'Better', amounts, interval: 'DAY', scope: 'BUSINESS' }]
  const release = await stand.client.post(`/apps/${appId}/releases`, { version: '2.0', plans })
  await stand.client.post(`/apps/${appId}/releases/${release.releaseId}/approve`, {})
  return release.plans[0].planId
}

async function refundFirst(businessId: string): Promise<void> {
  const { list } = await stand.client.get(`/businesses/${businessId}/invoices`)
  await stand.client.post(`/businesses/${businessId}/invoices/${list[0].invoiceId}/refunds`, { amount: 100 })
}

/**
 * Repeats a request until the plan has changed: a charge in progress rejects the request temporarily, and after a lost response the plan has
 * changed already.
 */
async function changePlan({ appId }: Platform, subscriptionId: string, planId: string): Promise<void> {
  const path = `/apps/${appId}/subscriptions/${subscriptionId}`
  for (let asked = 0; asked < 3_000; asked++) {
    const received = await stand.client.send('PATCH', path, { body: { planId, when: 'NOW' } }).catch(() => null)
    if (received?.status === 200 || received?.body.code === 'SAME_PLAN') return
    const isLater = received === null || received.status === 503 || received.body.code === 'CHARGE_IN_PROGRESS'
    assert.ok(isLater, JSON.stringify(received?.body))
    await wait(20)
  }
  assert.fail('the plan was never changed')
}
