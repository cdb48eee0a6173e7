import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  planId = await world.plan({ gracePeriodDays: 7 })
})
after(() => world?.close())

const goTo = async (at: string) => {
  world.clock.set(at)
  await world.work()
}
const setApp = (status: 'ACTIVE' | 'DISABLED') => world.call('PATCH', `/apps/${world.appId}`, { status })
const paid = async (merchant: Merchant) =>
  (await merchant.invoices()).map(({ periodStart, periodEnd, status }) => [periodStart, periodEnd, status])
const show = async (merchant: Merchant, id: string) => {
  const { status, paymentStatus, currentPeriodEnd } = await merchant.subscription(id)
  return [status, paymentStatus, currentPeriodEnd]
}
/** The app's own checks of the books find nothing. */
async function isSound(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.filter(({ status }: { status: string }) => status !== 'PASSED'),
    [],
  )
}

test('an app disabled by the operator charges nothing, and the time is free after it is enabled', async () => {
  await goTo('2026-01-01T00:00:00Z')
  const [ann, bob, eve] = [await world.merchant(), await world.merchant(), await world.merchant()]
  const ofAnn = await ann.subscribe(planId)
  const ofBob = await bob.subscribe(await world.plan({ trialPeriodDays: 60, gracePeriodDays: 7 }))
  await goTo('2026-01-20T00:00:00Z')
  const ofEve = await eve.subscribe(planId)
  // Her renewal is declined on 20 February; grace would end on the 27th.
  await eve.card('tok_insufficient_funds')
  await goTo('2026-02-01T00:00:00Z')
  await goTo('2026-02-20T00:00:00Z')
  assert.deepEqual(await show(eve, ofEve.subscriptionId), ['ACTIVE', 'PAST_DUE', '2026-03-20T00:00:00Z'])
  await ann.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  await goTo('2026-02-22T00:00:00Z')
  await setApp('DISABLED')

  const countAttempts = async () => (await eve.invoices())[0]?.attempts.length
  const before = await countAttempts()
  for (const day of ['2026-02-28', '2026-03-05', '2026-03-25']) await goTo(`${day}T00:00:00Z`)
  await eve.card('tok_ok')
  await world.work()
  await ann.expectEvents()
  assert.equal((await paid(ann)).length, 2, 'no renewal in March')
  assert.equal((await paid(bob)).length, 0, 'the trial did not end')
  assert.equal(await countAttempts(), before, 'neither a retry nor the new card is charged')
  assert.deepEqual((await show(eve, ofEve.subscriptionId)).slice(0, 2), ['ACTIVE', 'PAST_DUE'], 'no grace runs')
  await isSound()
  const now = { planId: await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 900 }] }), when: 'NOW' }
  const path = `/apps/${world.appId}/subscriptions/${ofAnn.subscriptionId}`
  assert.equal((await world.call('PATCH', path, now, 409)).code, 'APPLICATION_DISABLED')
  assert.equal((await world.call('POST', `${path}/preview`, now, 409)).code, 'APPLICATION_DISABLED')

  await goTo('2026-04-10T00:00:00Z')
  await setApp('ACTIVE')
  await goTo('2026-04-10T00:00:01Z')
  assert.deepEqual((await paid(ann)).at(-1), ['2026-04-10T00:00:01Z', '2026-05-10T00:00:01Z', 'PAID'])
  assert.equal((await paid(ann)).length, 3, 'one period, not those of the hold')
  assert.deepEqual(await paid(bob), [['2026-04-10T00:00:01Z', '2026-05-10T00:00:01Z', 'PAID']])
  assert.deepEqual(await show(eve, ofEve.subscriptionId), ['ACTIVE', 'CURRENT', '2026-05-10T00:00:01Z'])
  await isSound()
  await goTo('2026-05-10T00:00:01Z')
  assert.deepEqual((await paid(ann)).at(-1), ['2026-05-10T00:00:01Z', '2026-06-10T00:00:01Z', 'PAID'])
  assert.equal((await show(bob, ofBob.subscriptionId))[0], 'ACTIVE')
  await isSound()
})

test('subscriptions of an enabled app continue in batches, each once, also after a crash between two batches', async () => {
  await goTo('2026-06-15T00:00:00Z')
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(planId)
  const { sql } = world.app.ports.db
  await setApp('DISABLED')
  await goTo('2026-08-01T00:00:00Z')
  await setApp('ACTIVE')
  // As a process leaves it that died after a batch which ended with this subscription.
  await sql`update apps set resumed_to = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where held_since is not null`
  await world.app.jobs.renewals.runOnce()
  const [{ held } = { held: 1 }] = await sql<{ held: number }[]>`
    select count(*)::int as held from apps where held_since is not null or resumed_to is not null`
  assert.equal(held, 0)
  await world.work()
  const invoices = await paid(shop)
  assert.equal(new Set(invoices.map(([start]) => start)).size, invoices.length)
  assert.equal((await shop.subscription(subscriptionId)).status, 'ACTIVE')
  await isSound()
})

test('an app disabled by its developer only stops new sales', async () => {
  await goTo('2026-09-01T00:00:00Z')
  const shop = await world.merchant()
  await shop.subscribe(planId)
  const { sql } = world.app.ports.db
  await sql`update apps set status = 'DISABLED', disabled_by = 'DEVELOPER' where app_id = ${world.appId.split(':').at(-1) ?? ''}`
  await goTo('2026-10-01T00:00:00Z')
  assert.deepEqual((await paid(shop)).length, 2)
  await setApp('ACTIVE')
})

test('subscriptions of other apps are charged as usual', async () => {
  await goTo('2026-11-01T00:00:00Z')
  const other = await world.developer('Other')
  const shop = await world.merchant()
  const otherPlan = await world.plan({}, other.appId)
  const body = { businessId: shop.businessId, planId: otherPlan }
  await world.call('POST', `/apps/${other.appId}/subscriptions`, body)
  await setApp('DISABLED')
  await goTo('2026-12-01T00:00:00Z')
  assert.equal((await paid(shop)).length, 2)
  await setApp('ACTIVE')
  await world.work()
  await isSound()
})
