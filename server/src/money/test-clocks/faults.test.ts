import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import { beginAdvance, drive, driveUndriven } from './advance.ts'

const NOW = '2026-01-01T00:00:00Z'
const DAY_MS = 86_400_000

let world: World
let daily: string
before(async () => {
  world = await createWorld({ at: '2026-06-15T12:00:00Z' })
  daily = await world.plan({ interval: 'DAY' })
})
after(() => world?.close())

/** A merchant with a daily subscription and an ADVANCING clock that has no driver yet. */
async function underWay(to: string) {
  const shop = await world.merchant({ at: NOW })
  const { subscriptionId } = await shop.subscribe(daily)
  const testClockId = await clockOf(shop)
  assert.equal(await beginAdvance(world.app.ports, { testClockId, to: new Date(to) }), null)
  return { shop, subscriptionId: subscriptionId as string, testClockId }
}

async function clockOf({ businessId }: Merchant): Promise<string> {
  return (await world.call('GET', `/test-clocks?businessId=${businessId}`)).list[0].testClockId
}

const read = (testClockId: string) => world.call('GET', `/test-clocks/${testClockId}`)
const later = (ms: number) => new Date(world.clock.now().getTime() + ms)
const invoicesOf = async (shop: Merchant, subscriptionId: string) =>
  (await shop.invoices()).filter(invoice => invoice.subscriptionId === subscriptionId).length

/** Makes every change of this column fail, like a bug. Returns the repair. */
async function breakRow(
  table: 'subscriptions' | 'businesses',
  column: string,
  id: string,
): Promise<() => Promise<unknown>> {
  const { sql } = world.app.ports.db
  await sql.unsafe(`
    create or replace function break() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger breaks before update of ${table === 'subscriptions' ? 'period_index' : 'clock_now'} on ${table} for each row when (old.${column} = '${id}') execute function break()`)
  return () => sql.unsafe(`drop trigger breaks on ${table}`)
}

async function isFree(testClockId: string): Promise<boolean> {
  const [row] = await world.app.ports.db.sql<{ leasedUntil: Date | null }[]>`
    select leased_until as "leasedUntil" from test_clocks where test_clock_id = ${testClockId}`
  assert.ok(row)
  return row.leasedUntil === null || row.leasedUntil <= world.clock.now()
}

test('a subscription that cannot be written is quarantined, and its clock still finishes', async () => {
  const { shop, subscriptionId: broken, testClockId } = await underWay('2026-01-04T00:00:00Z')
  const other = (await shop.subscribe(await world.plan({ interval: 'DAY' }))).subscriptionId
  const mend = await breakRow('subscriptions', 'subscription_id', broken)
  world.clock.tick(5)
  const arrived = await drive(world.app.ports, { testClockId, deadline: later(30_000) }).finally(mend)
  world.clock.tick(0)
  assert.equal(arrived, true)
  assert.deepEqual([await invoicesOf(shop, broken), await invoicesOf(shop, other)], [1, 4])
  const { list } = await world.call('GET', '/operations/quarantined')
  assert.deepEqual(
    list.map(({ kind, rowId }: Json) => [kind, rowId]),
    [['subscription', broken]],
  )
  world.clock.set(later(2 * 60_000))
  await shop.until('2026-01-05T00:00:00Z')
  assert.deepEqual([await invoicesOf(shop, broken), await invoicesOf(shop, other)], [5, 5])
})

test('a failing clock does not stop other clocks, and the run ends when all clocks are done', async () => {
  const failing = await underWay('2026-01-02T00:00:00Z')
  const { testClockId } = await underWay('2036-01-01T00:00:00Z')
  const mend = await breakRow('businesses', 'business_id', failing.shop.businessId)
  world.clock.tick(5)
  await assert.rejects(driveUndriven(world.app.ports), /broken/).finally(mend)
  world.clock.tick(0)
  assert.ok(await isFree(testClockId))
  assert.ok(Date.parse((await read(testClockId)).now) >= Date.parse(NOW) + DAY_MS)
  await world.call('POST', `/test-clocks/${testClockId}/freeze`, undefined, 200)
  world.clock.set(later(60_000))
  assert.equal(await driveUndriven(world.app.ports), 1)
  assert.equal((await read(failing.testClockId)).status, 'READY')
})

test('a stopping service releases an advancing clock for the next service', async () => {
  const { testClockId } = await underWay('2026-01-08T00:00:00Z')
  let looks = 0
  assert.equal(await world.app.jobs.testClocks.runOnce(() => ++looks > 2), 1)
  assert.equal((await read(testClockId)).status, 'ADVANCING')
  assert.ok(await isFree(testClockId))
  assert.equal(await (await world.openAnother()).jobs.testClocks.runOnce(), 1)
  assert.equal((await read(testClockId)).status, 'READY')
})
