import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { addDays } from '../../core/calendar.ts'
import { MAX_OPEN_PURCHASES, PURCHASE_KEPT_DAYS } from '../../core/purchase.ts'

const START = new Date('2026-03-01T10:00:00Z')

let world: World
before(async () => {
  world = await createWorld({ at: START.toISOString() })
})
afterEach(() => world.clock.set(START))
after(() => world?.close())

/** An app without SUBSCRIBE, within one merchant. */
async function newAsking(developer = world.credentials) {
  const { businessId } = await world.merchant()
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: developer.appId, rights: ['READ'] })
  const token = await tokenWithin(world, developer, businessId)
  const path = `/apps/${developer.appId}/subscriptions`
  return {
    businessId,
    token,
    open: (planId: string) => world.ask(token, 'POST', path, { body: { businessId, planId } }),
  }
}

const statusOf = async (purchaseId: string) => {
  const [row] = await world.app.ports.db.sql<{ status: string }[]>`
    select status from purchases where purchase_id = ${purchaseId}`
  return row?.status
}

test('an app has a limited number of open purchases for a business, also with concurrent requests', async () => {
  const [asking, other] = [await newAsking(), await newAsking()]
  const planId = await world.plan()
  const answers = await Promise.all(Array.from({ length: MAX_OPEN_PURCHASES + 4 }, () => asking.open(planId)))
  const opened = answers.filter(({ status }) => status === 202)
  const rejected = answers.filter(({ status }) => status === 409)
  assert.deepEqual([opened.length, rejected.length], [MAX_OPEN_PURCHASES, 4])
  for (const { body } of rejected) assert.equal(body.code, 'TOO_MANY_PURCHASES')
  assert.equal((await other.open(planId)).status, 202)
  await world.app.ports.db.sql`
    update purchases set status = 'CANCELLED', ended_at = ${START} where purchase_id = ${opened[0]?.body.purchaseId}`
  assert.equal((await asking.open(planId)).status, 202)
  assert.equal((await asking.open(planId)).status, 409)
  // An expired purchase does not count, even before the job has written it.
  world.clock.set(new Date('2026-03-01T10:30:00Z'))
  assert.equal((await asking.open(planId)).status, 202)
})

test('purchases of one app do not count towards the limit of another app', async () => {
  const asking = await newAsking()
  const planId = await world.plan()
  for (let i = 0; i < MAX_OPEN_PURCHASES; i++) assert.equal((await asking.open(planId)).status, 202)
  const developer = await world.developer('Another')
  const approval = { appId: developer.appId, rights: ['READ'] }
  await world.call('POST', `/businesses/${asking.businessId}/approvals`, approval)
  const token = await tokenWithin(world, developer, asking.businessId)
  const body = { businessId: asking.businessId, planId: await world.plan({}, developer.appId) }
  assert.equal((await world.ask(token, 'POST', `/apps/${developer.appId}/subscriptions`, { body })).status, 202)
})

test('an uncompleted purchase is deleted days after its end, and completed and open purchases are kept', async () => {
  const { open } = await newAsking()
  const planId = await world.plan()
  const ids = await Promise.all(Array.from({ length: 4 }, async () => (await open(planId)).body.purchaseId))
  const [cancelled, completed, expired, later] = ids
  const { sql } = world.app.ports.db
  const { subscriptionId } = await (await world.merchant()).subscribe(planId)
  await sql`update purchases set status = 'CANCELLED', ended_at = ${START} where purchase_id = ${cancelled}`
  await sql`
    update purchases set status = 'COMPLETED', ended_at = ${START}, subscription_id = ${subscriptionId}
    where purchase_id = ${completed}`
  const { purchases, oldPurchases } = world.app.jobs
  const kept = addDays(START, PURCHASE_KEPT_DAYS)
  world.clock.set(kept)
  await sql`update purchases set expires_at = ${addDays(kept, 1)} where purchase_id = ${later}`
  await purchases.runOnce()
  await oldPurchases.runOnce()
  assert.deepEqual(await Promise.all(ids.map(statusOf)), ['CANCELLED', 'COMPLETED', 'EXPIRED', 'OPEN'])
  world.clock.set(new Date(kept.getTime() + 1))
  assert.ok((await oldPurchases.runOnce()) >= 1)
  assert.deepEqual(await Promise.all(ids.map(statusOf)), [undefined, 'COMPLETED', 'EXPIRED', 'OPEN'])
  world.clock.set(new Date(kept.getTime() + 30 * 60_000 + 1))
  assert.ok((await oldPurchases.runOnce()) >= 1)
  assert.equal(await oldPurchases.runOnce(), 0)
  assert.deepEqual([await statusOf(expired), await statusOf(later)], [undefined, 'OPEN'])
})
