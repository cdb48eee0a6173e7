import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import { countsAgree, countsThatDisagree } from './counts.fixture.ts'
import { foldCounts } from './counts.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

const sql = () => world.app.ports.db.sql
const changes = async () => (await sql()`select change from subscription_count_changes`).length

async function agree(): Promise<void> {
  assert.deepEqual(await countsThatDisagree(sql()), [])
  assert.equal(await countsAgree(sql()), true)
}

async function foldAll(): Promise<void> {
  while ((await foldCounts(sql())) > 0);
  assert.equal(await changes(), 0)
}

/** The totals of the list, which come from the counts. */
async function totals(): Promise<{ active: number; ended: number; all: number }> {
  const total = async (status: string) =>
    (await world.call('GET', `/apps/${world.appId}/subscriptions?status=${status}&count=1`)).total
  return { active: await total('ACTIVE'), ended: await total('ENDED'), all: await total('ALL') }
}

const merchants = (count: number, options?: Parameters<World['merchant']>[0]) =>
  Promise.all(Array.from({ length: count }, () => world.merchant(options)))

test('the totals are right after concurrent subscribes, cancels and folds', async () => {
  const plans = [await world.plan({ trialPeriodDays: 14 }), await world.plan()]
  const subscribeAndCancel = async (merchant: Merchant, index: number): Promise<Json[]> => {
    const made = await Promise.all(plans.map(planId => merchant.subscribe(planId)))
    if (index % 2 === 0) await merchant.cancel(made[0]?.subscriptionId)
    return made
  }
  const before = await totals()
  const work = (await merchants(16)).map(subscribeAndCancel)
  const folds = Promise.all([1, 2, 3, 4].map(() => foldCounts(sql())))
  await Promise.all([...work, folds])
  await agree()
  const expected = { active: before.active + 24, ended: before.ended + 8, all: before.all + 32 }
  assert.deepEqual(await totals(), expected)
  await Promise.all([1, 2, 3].map(() => foldCounts(sql())))
  await foldAll()
  await agree()
  assert.deepEqual(await totals(), expected)
})

test('the totals include a billing run that ends many subscriptions in one batch', async () => {
  const planId = await world.plan({ gracePeriodDays: 0 })
  world.clock.set('2026-02-01T00:00:00Z')
  const made = await Promise.all((await merchants(5, { card: 'tok_fail_after_1' })).map(one => one.subscribe(planId)))
  await world.work()
  const before = await totals()
  world.clock.set('2026-03-02T00:00:00Z')
  const runs = async () => {
    await Promise.all([world.work(), foldCounts(sql()), world.work()])
  }
  await runs()
  await agree()
  const states = await Promise.all(
    made.map(({ subscriptionId }) => world.call('GET', `/apps/${world.appId}/subscriptions/${subscriptionId}`)),
  )
  assert.deepEqual(new Set(states.map(({ endReason }) => endReason)), new Set(['NON_PAYMENT']))
  const after = await totals()
  assert.ok(after.ended >= before.ended + 5)
  assert.equal(after.all, before.all)
  await foldAll()
  await agree()
})

test('a change that is rolled back does not count', async () => {
  const { db } = world.app.ports
  await foldAll()
  const before = await totals()
  const undo = new Error('undo')
  const rolledBack = db.transaction(async tx => {
    await tx.sql`
      update subscriptions set status = 'ENDED', ended_at = created_at, end_reason = 'OPERATOR', next_action_at = null,
        cancel_at = null, next_retry_at = null
      where status = 'ACTIVE'`
    throw undo
  })
  await assert.rejects(rolledBack, undo)
  assert.deepEqual(await totals(), before)
  await agree()
})

test('an uncommitted change is counted by the next fold', async () => {
  const { db } = world.app.ports
  await foldAll()
  await db.transaction(async tx => {
    const [row] = await tx.sql`
      update subscriptions set created_at = created_at + interval '1 day'
      where subscription_id = (select min(subscription_id::text)::uuid from subscriptions) returning subscription_id`
    assert.ok(row)
    assert.equal(await foldCounts(db.sql), 0)
  })
  await agree()
  assert.equal(await foldCounts(db.sql), 2)
  await agree()
})

test('every statement that changes subscriptions changes the counts, including created_at, plan and deletion', async () => {
  const { db } = world.app.ports
  const planId = await world.plan({ trialPeriodDays: 14 })
  const merchant = await world.merchant({ card: 'none' })
  const { subscriptionId } = await merchant.subscribe(planId)
  const other = await world.plan({ trialPeriodDays: 14 })
  await db.sql`update subscriptions set plan_id = ${other} where subscription_id = ${subscriptionId}`
  await agree()
  const listed = async (plan: string) =>
    (await world.call('GET', `/apps/${world.appId}/subscriptions?planId=${plan}`)).total
  assert.deepEqual([await listed(planId), await listed(other)], [0, 1])
  await foldAll()
  await db.sql`delete from subscriptions where subscription_id = ${subscriptionId}`
  await agree()
  assert.deepEqual([await listed(planId), await listed(other)], [0, 0])
  const before = await changes()
  await db.sql`update subscriptions set updated_at = updated_at + interval '1 second'`
  assert.equal(await changes(), before, 'what no list is ordered or filtered by is not noted')
})
