import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type World } from '../../../test/support/world.ts'
import { quarantineCharge } from '../charges/store.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

async function subscribed(token: string) {
  const shop = await world.merchant({ card: token })
  const { subscriptionId } = await shop.subscribe(await world.plan())
  return { shop, subscriptionId }
}

const charges = async (query = ''): Promise<Json[]> => (await world.call('GET', `/operations/charges${query}`)).list
const subscriptionsOf = (list: readonly Json[]) => list.map(({ subscriptionId }) => subscriptionId)

test('charges without an outcome are listed by state, without settled charges', async () => {
  await subscribed('tok_ok')
  const pending = await subscribed('tok_pending')
  const action = await subscribed('tok_action_required')
  assert.deepEqual(subscriptionsOf(await charges()), [pending.subscriptionId, action.subscriptionId])
  assert.deepEqual(subscriptionsOf(await charges('?state=WAITING')), [pending.subscriptionId, action.subscriptionId])
  assert.deepEqual(await charges('?state=UNKNOWN'), [])
  assert.deepEqual(await charges('?state=STUCK'), [])
  const [first] = await charges('?count=1')
  assert.partialDeepStrictEqual(first, {
    ...{ subscriptionId: pending.subscriptionId, status: 'PENDING', amount: 500, currency: 'USD' },
    ...{ startedAt: '2026-01-10T12:00:00Z', waitsUntil: '2026-01-13T12:00:00Z' },
  })
  const page = await world.call('GET', '/operations/charges?count=1')
  assert.equal(page.next, first?.chargeId)
  assert.deepEqual(subscriptionsOf(await charges(`?count=1&after=${page.next}`)), [action.subscriptionId])
})

test('a charge that no process polls for five minutes is stuck, and so is a quarantined charge', async () => {
  const shop = await world.merchant()
  const planId = await world.plan()
  const { subscriptionId } = await shop.subscribePending(planId)
  const mine = async () => (await charges('?state=STUCK')).filter(charge => charge.subscriptionId === subscriptionId)
  assert.deepEqual(subscriptionsOf((await charges('?state=IN_FLIGHT')).slice(-1)), [subscriptionId])
  assert.deepEqual(await mine(), [])
  const [charge] = await world.app.ports.db.sql<{ chargeId: string }[]>`
    select charge_id as "chargeId" from charges where subscription_id = ${subscriptionId}`
  const rowId = charge?.chargeId ?? ''
  const now = world.clock.now()
  await quarantineCharge(world.app.ports.db.sql, { chargeId: rowId, error: new Error('no such thing'), now })
  const [failures, lastError, retryAt] = [1, 'Error: no such thing', '2026-01-10T12:01:00Z']
  assert.partialDeepStrictEqual(await mine(), [
    { chargeId: rowId, nextPollAt: retryAt, quarantined: { failures, lastError } },
  ])
  assert.deepEqual((await world.call('GET', '/operations/quarantined')).list, [
    { kind: 'charge', rowId, failures, lastError, retryAt },
  ])
  world.clock.set('2026-01-10T12:05:01Z')
  assert.deepEqual(subscriptionsOf(await mine()), [subscriptionId])
  await world.work()
  assert.deepEqual(await mine(), [])
})

test('the operator polls a charge now: once for several calls, with one audit entry, and a settled charge stays as it is', async () => {
  const [first = {}] = await charges('?state=WAITING')
  const { chargeId, businessId, businessName, gateway } = first
  const mine = async () => (await charges()).find(charge => charge.chargeId === chargeId)
  assert.deepEqual(
    [businessName, gateway],
    [(await world.call('GET', `/businesses/${businessId}`)).legalName, 'sandbox'],
  )
  await world.work()
  const waiting = await mine()
  assert.ok(waiting?.nextPollAt > world.clock.now().toISOString())
  const path = `/operations/charges/${chargeId}/poll`
  const polled = await Promise.all([world.call('POST', path, undefined, 202), world.call('POST', path, undefined, 202)])
  for (const one of polled) assert.equal(one.nextPollAt, '2026-01-10T12:05:01Z')
  const { entries } = await world.call('GET', `/audit?kind=CHARGE&resourceId=${chargeId}`)
  assert.deepEqual(
    entries.map((entry: Json) => [entry.operation, 'action_url' in entry.after]),
    [['charges.poll', false]],
  )
  await world.work()
  assert.equal((await mine())?.pollCount, waiting?.pollCount + 1)
  await world.app.ports.db.sql`update charges set leased = true where charge_id = ${chargeId}`
  const claimed = await mine()
  assert.equal((await world.call('POST', path, undefined, 202)).nextPollAt, claimed?.nextPollAt, 'a claimed charge')
  await subscribed('tok_ok')
  const settled = (await world.call('GET', '/charges?status=SUCCEEDED')).charges[0]
  const same = await world.call('POST', `/operations/charges/${settled.chargeId}/poll`, undefined, 202)
  assert.deepEqual([same.status, same.nextPollAt], ['SUCCEEDED', undefined])
  const none = '018f0000-0000-7000-8000-000000000000'
  assert.equal((await world.call('POST', `/operations/charges/${none}/poll`, undefined, 404)).code, 'CHARGE_NOT_FOUND')
})

test('a refund without an outcome is listed, and stuck when no process polls the refund', async () => {
  const { shop } = await subscribed('tok_ok')
  const [invoice] = await shop.invoices()
  const path = `/businesses/${shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
  const { refundId } = await world.call('POST', path, { amount: 100, reason: 'Late' })
  const { list } = await world.call('GET', '/operations/refunds')
  assert.partialDeepStrictEqual(list, [{ refundId, amount: 100, reason: 'Late', origin: 'API' }])
  assert.deepEqual((await world.call('GET', '/operations/refunds?state=STUCK')).list, [])
  world.clock.set('2026-01-10T12:20:00Z')
  assert.equal((await world.call('GET', '/operations/refunds?state=STUCK')).list[0].refundId, refundId)
  await world.work()
  assert.deepEqual((await world.call('GET', '/operations/refunds')).list, [])
})
