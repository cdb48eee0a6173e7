import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../test/support/world.ts'
import type { CreateCharge } from '../gateway/gateway.ts'
import { collectCharges } from './collect.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld()
  planId = await world.plan()
})
after(() => world?.close())

/** Subscribed, and not yet charged. */
async function subscribeSeveral(cards: readonly string[]): Promise<{ businessId: string; subscriptionId: string }[]> {
  // Saving a card settles what is due: it comes before all that is to wait.
  const merchants = []
  for (const card of cards) merchants.push(await world.merchant({ card }))
  const subscribed = []
  for (const { businessId } of merchants) {
    const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId, planId })
    subscribed.push({ businessId, subscriptionId })
  }
  return subscribed
}

async function statusesOf(businessIds: readonly { businessId: string }[]): Promise<string[]> {
  const statuses = []
  for (const { businessId } of businessIds) {
    const { list } = await world.call('GET', `/businesses/${businessId}/invoices`)
    statuses.push(...list.map((invoice: { status: string }) => invoice.status))
  }
  return statuses
}

test('charges settled together come out each as its own card says', async () => {
  const merchants = await subscribeSeveral(['tok_ok', 'tok_insufficient_funds', 'tok_stolen', 'tok_timeout_then_ok'])
  await world.work()
  assert.deepEqual(await statusesOf(merchants), ['PAID', 'OPEN', 'UNCOLLECTIBLE', 'PAID'])
})

test('a charge that cannot be settled stands aside, and those settled with it are paid', async () => {
  const merchants = await subscribeSeveral(['tok_ok', 'tok_ok', 'tok_ok'])
  const [, bad] = merchants
  assert.ok(bad)
  const { sql } = world.app.ports.db
  // As only a bug could do: the charge is booked before it is made.
  await sql`
    insert into ledger_transactions
      (ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
        share_basis_points, live, gateway, organization, operator, business_credit)
    select gen_random_uuid(), 'CHARGE', charge_id, invoice_id, business_id, ${world.organizationId}, currency, started_at, 0,
      false, amount, -amount, 0, 0
    from charges where subscription_id = ${bad.subscriptionId}`
  await world.work()
  assert.deepEqual(await statusesOf(merchants), ['PAID', 'OPEN', 'PAID'])
  const aside = await sql<{ kind: string; subscriptionId: string }[]>`
    select s.kind, c.subscription_id as "subscriptionId" from set_aside as s join charges as c on c.charge_id = s.row_id`
  assert.deepEqual([...aside], [{ kind: 'charge', subscriptionId: bad.subscriptionId }])
})

test('a charge that hangs at its gateway holds up none that comes after it', async () => {
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const hung = await subscribeSeveral(['tok_ok'])
  const released = Promise.withResolvers<void>()
  const gateway = {
    ...sandbox,
    createCharge: async (request: CreateCharge) => {
      if (request.metadata.businessId === hung[0]?.businessId) await released.promise
      return await sandbox.createCharge(request)
    },
  }
  let after: { businessId: string }[] = []
  let looks = 0
  const moment = async () => {
    if (after.length === 0) after = await subscribeSeveral(['tok_ok'])
    const [status] = await statusesOf(after)
    if (status === 'PAID' || ++looks === 500) released.resolve()
  }
  await collectCharges({ ...ports, gateways: { sandbox: gateway } }, { step: { mayHurry: () => true, moment } })
  assert.ok(looks < 500, 'the one after it was not paid while the first hung')
  assert.deepEqual(await statusesOf([...hung, ...after]), ['PAID', 'PAID'])
})

test('a run that may not go on takes up nothing that comes meanwhile', async () => {
  const merchants = await subscribeSeveral(['tok_ok'])
  let later: typeof merchants = []
  const moment = async () => {
    later = await subscribeSeveral(['tok_ok'])
  }
  assert.equal(await collectCharges(world.app.ports, { step: { mayHurry: () => false, moment } }), 1)
  assert.deepEqual(await statusesOf([...merchants, ...later]), ['PAID', ...later.map(() => 'OPEN')])
  await world.work()
})
