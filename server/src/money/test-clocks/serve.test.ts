import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, type World } from '../../../test/support/world.ts'
import { reconcile } from '../billing/reconcile.ts'
import { settle } from '../gateway/sandbox/payments.ts'

const [NOW, DAY_1, DAY_3] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-04T00:00:00Z']

let world: World
before(async () => {
  world = await createWorld({ at: '2026-06-15T12:00:00Z' })
})
after(() => world?.close())

/** Two days in, the charge of the first day still waits for the bank, and a working card was added. The trial is over. */
async function waiting(): Promise<{ shop: Merchant; testClockId: string }> {
  const shop = await world.merchant({ at: NOW, card: 'tok_pending' })
  await shop.subscribe(await world.plan({ interval: 'DAY', trialPeriodDays: 1 }))
  await shop.until(DAY_3)
  await shop.card('tok_ok')
  const { list } = await world.call('GET', `/test-clocks?businessId=${shop.businessId}`)
  assert.deepEqual([list[0].status, list[0].now], ['READY', DAY_3])
  return { shop, testClockId: list[0].testClockId }
}

async function bankPays({ businessId }: Merchant): Promise<void> {
  const { db, gateways } = world.app.ports
  const [row] = await db.sql<{ gatewayChargeId: string; key: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId", c.charge_id as key
    from charges as c join charge_objects as o using (invoice_id) where c.business_id = ${businessId}`
  assert.ok(row)
  await settle({ db, clock: world.clock }, { ...row, outcome: { kind: 'succeeded' } })
  await reconcile(world.app.ports, gateways.sandbox, row.gatewayChargeId)
}

/** Runs the background jobs until nothing is due. */
async function stand(): Promise<void> {
  while ((await world.app.jobs.standingTestClocks.runOnce()) > 0) await world.work()
}

const billed = async (shop: Merchant) =>
  (await shop.invoices()).map(({ periodStart, status, createdAt }: Json) => [periodStart, status, createdAt])

test("a subscription that becomes due on a READY clock is advanced at the clock's time", async () => {
  const { shop, testClockId } = await waiting()
  const before = await world.call('GET', `/test-clocks/${testClockId}`)
  await bankPays(shop)
  await stand()
  assert.deepEqual(await billed(shop), [
    [DAY_1, 'PAID', DAY_1],
    ['2026-01-03T00:00:00Z', 'PAID', DAY_3],
    [DAY_3, 'PAID', DAY_3],
  ])
  assert.deepEqual(await world.call('GET', `/test-clocks/${testClockId}`), before)
  await shop.expectEvents('START', 'PHASE_CHANGE', ...Array(3).fill('PAYMENT_SUCCESS'))
})

test('two processes and an advance bill a due subscription once', async () => {
  const { shop } = await waiting()
  const another = await world.openAnother()
  await bankPays(shop)
  const runs = [world.app, another].map(({ jobs }) => jobs.standingTestClocks.runOnce())
  await Promise.all([...runs, shop.until('2026-01-05T00:00:00Z')])
  await stand()
  assert.deepEqual(
    (await billed(shop)).map(([periodStart, status]) => [periodStart, status]),
    [DAY_1, '2026-01-03T00:00:00Z', DAY_3, '2026-01-05T00:00:00Z'].map(at => [at, 'PAID']),
  )
})

test('a subscription that cannot be written is quarantined, and subscriptions of other clocks are billed', async () => {
  const [broken, whole] = [await waiting(), await waiting()]
  for (const { shop } of [broken, whole]) await bankPays(shop)
  const { sql } = world.app.ports.db
  await sql.unsafe(`
    create function break() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
    create trigger breaks before update of period_index on subscriptions for each row
      when (old.business_id = '${broken.shop.businessId}') execute function break()`)
  await stand().finally(() => sql.unsafe('drop trigger breaks on subscriptions'))
  assert.deepEqual([(await billed(broken.shop)).length, (await billed(whole.shop)).length], [1, 3])
  world.clock.set(new Date(world.clock.now().getTime() + 2 * 60_000))
  await stand()
  assert.equal((await billed(broken.shop)).length, 3)
})
