import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createWorld, type World } from '../../../test/support/world.ts'
import type { CreateCharge } from '../gateway/gateway.ts'
import { type CollectPorts, collectCharges } from './collect.ts'

let world: World
let planId: string
before(async () => {
  world = await createWorld()
  planId = await world.plan()
})
after(() => world?.close())

/** Subscribes one merchant per card, without charging. */
async function subscribeSeveral(cards: readonly string[]): Promise<{ businessId: string; subscriptionId: string }[]> {
  // Adding a card settles open charges, so all cards come first.
  const merchants = []
  for (const card of cards) merchants.push(await world.merchant({ card }))
  const subscribed = []
  for (const { businessId, subscribePending } of merchants) {
    const { subscriptionId } = await subscribePending(planId)
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

test('charges settled in one batch have the outcomes of their own cards', async () => {
  const merchants = await subscribeSeveral(['tok_ok', 'tok_insufficient_funds', 'tok_stolen', 'tok_timeout_then_ok'])
  await world.work()
  assert.deepEqual(await statusesOf(merchants), ['PAID', 'VOID', 'VOID', 'PAID'])
})

test('a charge that cannot be settled is quarantined, and other charges of the batch are paid', async () => {
  const merchants = await subscribeSeveral(['tok_ok', 'tok_ok', 'tok_ok'])
  const [, bad] = merchants
  assert.ok(bad)
  const { sql } = world.app.ports.db
  // Only a bug could book the charge before it succeeds.
  await sql`
    insert into ledger_transactions
      (ledger_transaction_id, kind, source_id, invoice_id, business_id, organization_id, currency, booked_at,
        share_basis_points, live, gateway, organization, operator, business_credit)
    select gen_random_uuid(), 'CHARGE', charge_id, invoice_id, business_id, ${world.organizationId}, currency, started_at, 0,
      false, amount, -amount, 0, 0
    from charges where subscription_id = ${bad.subscriptionId}`
  await world.work()
  assert.deepEqual(await statusesOf(merchants), ['PAID', 'OPEN', 'PAID'])
  const quarantined = await sql<{ subscriptionId: string; failures: number }[]>`
    select subscription_id as "subscriptionId", failures from charges where failures > 0`
  assert.deepEqual([...quarantined], [{ subscriptionId: bad.subscriptionId, failures: 1 }])
})

/** A gateway that holds the charges of one merchant until `release`. */
function holding(businessId: string | undefined): { ports: CollectPorts; release(): void } {
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const { promise, resolve } = Promise.withResolvers<void>()
  const createCharge = async (request: CreateCharge) => {
    if (request.metadata.businessId === businessId) await promise
    return await sandbox.createCharge(request)
  }
  return { ports: { ...ports, gateways: { sandbox: { ...sandbox, createCharge } } }, release: resolve }
}

test('a charge that hangs at its gateway delays no later charge', async () => {
  const hung = await subscribeSeveral(['tok_ok'])
  const { ports, release } = holding(hung[0]?.businessId)
  let later: { businessId: string }[] = []
  let looks = 0
  const moment = async () => {
    if (later.length === 0) later = await subscribeSeveral(['tok_ok'])
    const [status] = await statusesOf(later)
    if (status === 'PAID' || ++looks === 500) release()
  }
  await collectCharges(ports, { step: { mayContinue: () => true, pause: moment } })
  assert.ok(looks < 500, 'the one after it was not paid while the first hung')
  assert.deepEqual(await statusesOf([...hung, ...later]), ['PAID', 'PAID'])
})

test('a run that must stop claims no more charges', async () => {
  const first = await subscribeSeveral(['tok_ok'])
  const { ports, release } = holding(first[0]?.businessId)
  let later: { businessId: string }[] = []
  const moment = async () => {
    later = await subscribeSeveral(['tok_ok'])
    release()
  }
  assert.equal(await collectCharges(ports, { step: { mayContinue: () => false, pause: moment } }), 1)
  assert.deepEqual(await statusesOf([...first, ...later]), ['PAID', 'OPEN'])
  await world.work()
})

test('a charge interrupted by a crash after the payment is booked 15 seconds later', async () => {
  const [merchant] = await subscribeSeveral(['tok_ok'])
  assert.ok(merchant)
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const confirmCharge: typeof sandbox.confirmCharge = async request => {
    await sandbox.confirmCharge(request)
    // As after a crash, nothing more is written.
    throw Object.assign(new Error('crashed'), { code: 'CONNECTION_CLOSED' })
  }
  await assert.rejects(collectCharges({ ...ports, gateways: { sandbox: { ...sandbox, confirmCharge } } }), /crashed/)
  const crashedAt = Date.now()
  const at = (ms: number) => ({ ...ports, clock: { now: () => new Date(crashedAt + ms) } })
  assert.equal(await collectCharges(at(10_000)), 0)
  assert.equal(await collectCharges(at(15_000)), 1)
  assert.deepEqual(await statusesOf([merchant]), ['PAID'])
})

test('a charge stays claimed while its gateway is slow', async () => {
  const hung = await subscribeSeveral(['tok_ok'])
  const { ports, release } = holding(hung[0]?.businessId)
  const startedAt = Date.now()
  let elapsed = 0
  const clock = { now: () => new Date(startedAt + elapsed) }
  mock.timers.enable({ apis: ['setInterval'] })
  const collected = collectCharges({ ...ports, clock })
  try {
    while (elapsed < 45_000) {
      while ((await leaseOf(hung[0]?.businessId)) < startedAt + elapsed + 15_000) await setTimeout(10)
      assert.equal(await collectCharges({ ...world.app.ports, clock }), 0)
      elapsed += 5_000
      mock.timers.tick(5_000)
    }
  } finally {
    mock.timers.reset()
    release()
  }
  assert.equal(await collected, 1)
  assert.deepEqual(await statusesOf(hung), ['PAID'])
})

async function leaseOf(businessId: string | undefined): Promise<number> {
  const [row] = await world.app.ports.db.sql<{ nextPollAt: Date }[]>`
    select next_poll_at as "nextPollAt" from charges where business_id = ${businessId ?? ''} and leased`
  return row?.nextPollAt.getTime() ?? 0
}

test('after a crash the charge object is looked up by its key and not created again', async () => {
  const [merchant] = await subscribeSeveral(['tok_ok'])
  assert.ok(merchant)
  const { ports } = world.app
  const { sandbox } = ports.gateways
  const made: string[] = []
  const createCharge: typeof sandbox.createCharge = async request => {
    made.push((await sandbox.createCharge(request)) && request.key)
    throw Object.assign(new Error('crashed'), { code: 'CONNECTION_CLOSED' })
  }
  const crashing = { ...ports, gateways: { sandbox: { ...sandbox, createCharge } } }
  await assert.rejects(collectCharges(crashing), /crashed/)
  assert.equal(made.length, 1)
  // A gateway forgets its idempotency keys after a day. The second run must not depend on them.
  const later = { now: () => new Date(Date.now() + 15_000) }
  assert.equal(await collectCharges({ ...crashing, clock: later }), 1)
  assert.equal(made.length, 1)
  assert.deepEqual(await statusesOf([merchant]), ['PAID'])
})
