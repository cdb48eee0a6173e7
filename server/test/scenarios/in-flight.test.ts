import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Gateway } from '../../src/money/gateway/gateway.ts'
import { listCharges } from '../support/sandbox-bench.ts'
import { createWorld, type Merchant, type World } from '../support/world.ts'

let world: World
let sandbox: Gateway
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  sandbox = world.app.ports.gateways.sandbox
})
after(() => world?.close())
afterEach(() => putInPlace(sandbox))

for (const [when, holds] of [
  ['on its way to the gateway', 'before'],
  ['taken, and its answer on the way back', 'after'],
] as const) {
  test(`cancelled while its first charge is in progress, ${when}: the subscription ends now, and a payment is booked and refunded`, async () => {
    const { isThere, goOn } = holdConfirmation(holds)
    const planId = await world.plan()
    const shop = await world.merchant()
    const { subscriptionId } = await shop.subscribePending(planId)
    const collecting = world.app.jobs.charges.runOnce()
    await isThere
    const ended = await shop.cancel(subscriptionId)
    assert.deepEqual([ended.status, ended.endReason], ['ENDED', 'NOT_STARTED'])
    await shop.expectEvents()
    goOn()
    await collecting
    await world.work()
    await shop.expectEvents('PAYMENT_SUCCESS', 'REFUND_SUCCESS')
    assert.deepEqual(
      (await shop.invoices()).map(invoice => [
        ...[invoice.status, invoice.amountPaid, invoice.amountRefunded],
        ...invoice.attempts.map(({ outcome }: { outcome: string }) => outcome),
      ]),
      [['PAID', 500, 500, 'SUCCEEDED']],
    )
    assert.deepEqual(await booksOf(shop), [[500, 500]])
  })
}

test('a plan cannot change while the outcome of a charge is unknown, and can afterwards', async () => {
  const planOf = (name: string, value: number) =>
    world.plan({ name, amounts: [{ country: 'US', currency: 'USD', value }] })
  const [basic, pro] = [await planOf('Basic', 100), await planOf('Pro', 3_100)]
  const shop = await world.merchant({ at: '2026-01-01T00:00:00Z' })
  loseAnswers()
  const { subscriptionId } = await shop.subscribe(basic)
  assert.deepEqual(await billedOf(shop), [['OPEN', 100, 0, 0, 'UNKNOWN']])
  const change = (when: string, status: number) =>
    world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId: pro, when }, status)
  for (const when of ['NOW', 'PERIOD_END']) assert.equal((await change(when, 409)).code, 'CHARGE_IN_PROGRESS')
  await shop.expectEvents()
  putInPlace(sandbox)
  // The charge is polled in real time. Half of January's 31 days are left, of 1.00.
  world.clock.set('2026-01-01T12:00:00Z')
  await shop.until('2026-01-16T12:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  await change('NOW', 200)
  await world.work()
  await shop.expectEvents('PLAN_CHANGE', 'PAYMENT_SUCCESS')
  assert.deepEqual(await billedOf(shop), [
    ['PAID', 100, 100, 0, 'SUCCEEDED'],
    ['PAID', 3_050, 3_050, 50, 'SUCCEEDED'],
  ])
  assert.deepEqual(await booksOf(shop), [
    [100, 0],
    [3_050, 0],
  ])
})

/** The gateway carries attempts out, and no answer arrives. */
function loseAnswers(): void {
  const lost = { kind: 'unknown', reason: 'timeout' } as const
  putInPlace({
    ...sandbox,
    confirmCharge: async request => {
      await sandbox.confirmCharge(request)
      return lost
    },
    findConfirmation: async () => lost,
  })
}

/** Holds the first confirmation until `letGo`. Later confirmations pass. */
function holdConfirmation(holds: 'before' | 'after'): { isThere: Promise<void>; goOn: () => void } {
  const [there, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stand = async () => {
    there.resolve()
    await released.promise
  }
  putInPlace({
    ...sandbox,
    confirmCharge: async request => {
      if (holds === 'before') await stand()
      const outcome = await sandbox.confirmCharge(request)
      if (holds === 'after') await stand()
      return outcome
    },
  })
  return { isThere: there.promise, goOn: released.resolve }
}

function putInPlace(gateway: Gateway): void {
  Object.assign(world.app.ports.gateways, { sandbox: gateway })
}

/** Status, amount, paid amount, credit and attempts of each invoice. */
async function billedOf(shop: Merchant): Promise<unknown[][]> {
  return (await shop.invoices()).map(({ status, amount, amountPaid, creditApplied, attempts }) => [
    ...[status, amount, amountPaid, creditApplied],
    ...attempts.map(({ outcome }: { outcome: string }) => outcome),
  ])
}

async function booksOf({ businessId }: Merchant): Promise<number[][]> {
  const charges = await listCharges(world.app.ports.db.sql)
  return charges.filter(charge => charge.businessId === businessId).map(({ charged, refunded }) => [charged, refunded])
}
