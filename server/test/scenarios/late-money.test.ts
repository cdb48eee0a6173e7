import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import { settle } from '../../src/money/gateway/sandbox/payments.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import { createWorld, type Json, type Merchant, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
})
after(() => world?.close())

test('a success after the end is PAID, emitted and refunded automatically', async () => {
  world.clock.set('2026-01-01T00:00:00Z')
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  await shop.cancel(subscriptionId)
  await bankSays(shop, { kind: 'succeeded' })
  await passTo('2026-01-02T00:00:00Z')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.deepEqual([invoice?.status, invoice?.amountPaid, invoice?.amountRefunded], ['PAID', 500, 500])
  await ledgerIsEmpty(shop)
})

test('a pending charge counts as declined after three days, and a later payment still counts', async () => {
  world.clock.set('2026-02-01T00:00:00Z')
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  await shop.expectEvents('START', 'PHASE_CHANGE')
  await passTo('2026-02-04T00:00:10Z')
  await shop.expectEvents('PAYMENT_FAIL')
  await shop.cancel(subscriptionId)
  await bankSays(shop, { kind: 'succeeded' })
  await passTo('2026-02-05T00:00:00Z')
  await shop.expectEvents('END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  await ledgerIsEmpty(shop)
})

test('a pending charge is not declined after three days while the gateway is unreachable', async () => {
  const { gateways } = world.app.ports
  const { sandbox } = gateways
  world.clock.set('2026-01-20T00:00:00Z')
  const terms = { gracePeriodDays: 0 }
  const [paid, waiting] = [await world.merchant({ card: 'tok_pending' }), await world.merchant({ card: 'tok_pending' })]
  const subscriptions = [await paid.subscribeAfterTrial(terms), await waiting.subscribeAfterTrial(terms)]
  await passTo('2026-01-21T20:00:00Z')
  const away = async () => ({ kind: 'unknown', reason: 'unreachable' }) as const
  Object.assign(gateways, { sandbox: { ...sandbox, findConfirmation: away, confirmCharge: away } })
  try {
    await bankSays(paid, { kind: 'succeeded' })
    await passTo('2026-01-23T00:00:10Z')
    await passTo('2026-01-24T00:00:10Z')
    for (const shop of [paid, waiting]) {
      await shop.expectEvents('START', 'PHASE_CHANGE')
      assert.equal((await shop.invoices())[0]?.attempts[0].outcome, 'PENDING')
    }
  } finally {
    Object.assign(gateways, { sandbox })
  }
  await passTo('2026-01-24T01:00:00Z')
  await paid.expectEvents('PAYMENT_SUCCESS')
  await waiting.expectEvents('PAYMENT_FAIL', 'END')
  assert.deepEqual(
    await Promise.all(
      [paid, waiting].map(async (shop, n) => (await shop.subscription(subscriptions[n]?.subscriptionId)).status),
    ),
    ['ACTIVE', 'ENDED'],
  )
  assert.deepEqual(
    (await paid.invoices()).map(({ status, amountPaid, amountRefunded }) => [status, amountPaid, amountRefunded]),
    [['PAID', 500, 0]],
  )
})

test('a charge that is polled for three days is declined, and a payment weeks later still counts', async () => {
  world.clock.set('2026-05-01T00:00:00Z')
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  let looks = 0
  for (let at = await nextLook(shop); at < new Date('2026-05-04T00:20:00Z'); at = await nextLook(shop)) {
    world.clock.set(at)
    looks += await world.app.jobs.charges.runOnce()
  }
  assert.ok(looks > 400, `${looks} looks`)
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  await shop.cancel(subscriptionId)
  await passTo('2026-05-24T00:00:00Z')
  await bankSays(shop, { kind: 'succeeded' })
  await passTo('2026-05-25T00:00:00Z')
  await shop.expectEvents('END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  await ledgerIsEmpty(shop)
})

test('a charge that was given up is polled for weeks, even after an outage of days', async () => {
  world.clock.set('2026-09-01T00:00:00Z')
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  // An outage leaves one poll every ten minutes.
  await world.app.ports.db.sql`update charges set poll_count = 1000 where business_id = ${shop.businessId}`
  await passTo('2026-09-04T00:10:10Z')
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_FAIL')
  await shop.cancel(subscriptionId)
  await passTo('2026-09-20T00:00:00Z')
  await bankSays(shop, { kind: 'succeeded' })
  await passTo('2026-09-21T00:00:00Z')
  await shop.expectEvents('END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
})

test('a period that opens and ends in one catch-up leaves no open invoice', async () => {
  world.clock.set('2026-03-01T00:00:00Z')
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan({ interval: 'DAY' }))
  await shop.card('tok_stolen')
  await passTo('2026-03-02T00:00:05Z')
  await passTo('2026-03-03T00:00:10Z')
  assert.equal((await shop.subscription(subscriptionId)).endReason, 'NON_PAYMENT')
  assert.deepEqual(
    (await shop.invoices()).map(({ status }) => status),
    ['PAID', 'UNCOLLECTIBLE', 'UNCOLLECTIBLE'],
  )
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'END')
})

test('a retry and the scheduled end in one catch-up: nothing is sent after the end', async () => {
  world.clock.set('2026-04-01T00:00:00Z')
  const shop = await world.merchant()
  const plan = await world.plan({ interval: 'WEEK', cancelPolicy: 'BILLING' })
  const { subscriptionId } = await shop.subscribe(plan)
  await shop.card('tok_insufficient_funds')
  // Declined ten hours late, so that grace outlives the period.
  await passTo('2026-04-08T10:00:00Z')
  await shop.cancel(subscriptionId)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PAYMENT_FAIL', 'CANCEL_SCHEDULED')
  // The service is down during the retries and the end of the period.
  await passTo('2026-06-02T00:00:00Z')
  await shop.expectEvents('END')
  assert.deepEqual(
    (await shop.invoices()).map(({ status, attempts }) => [status, attempts.length]),
    [
      ['PAID', 1],
      ['VOID', 1],
    ],
  )
})

test('a late payment refunded at the gateway is neither retried nor shown as owed', async () => {
  world.clock.set('2026-07-01T00:00:00Z')
  const { shop, gatewayChargeId } = await paidAfterTheEnd()
  await refundThere(gatewayChargeId, 500)
  for (const day of ['02', '03', '05', '12']) await passTo(`2026-07-${day}T12:00:00Z`)
  await shop.expectEvents('START', 'PHASE_CHANGE', 'END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.equal(invoice?.amountRefunded, 500)
  assert.deepEqual(statusesOf(invoice), ['FAILED', 'FAILED', 'SUCCEEDED'])
  assert.deepEqual((await world.call('GET', '/reconciliations')).owedRefunds, [])
  await ledgerIsEmpty(shop)
})

test('the part of a late payment refunded at the gateway is no longer owed', async () => {
  world.clock.set('2026-08-01T00:00:00Z')
  const { shop, gatewayChargeId } = await paidAfterTheEnd()
  await refundThere(gatewayChargeId, 200)
  for (const day of ['02', '03', '05', '12']) await passTo(`2026-08-${day}T12:00:00Z`)
  await shop.expectEvents('START', 'PHASE_CHANGE', 'END', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'REFUND_SUCCESS')
  const [invoice] = await shop.invoices()
  assert.equal(invoice?.amountRefunded, 500)
  assert.deepEqual((await world.call('GET', '/reconciliations')).owedRefunds, [])
})

/** A payment after the end whose refund is not sent yet. */
async function paidAfterTheEnd(): Promise<{ shop: Merchant; gatewayChargeId: string }> {
  const shop = await world.merchant({ card: 'tok_pending' })
  const { subscriptionId } = await shop.subscribeAfterTrial()
  await shop.cancel(subscriptionId)
  const gatewayChargeId = await bankSays(shop, { kind: 'succeeded' })
  world.clock.set(await nextLook(shop))
  await world.app.jobs.charges.runOnce()
  return { shop, gatewayChargeId }
}

test("a period that ends while the bank decides is billed after the bank's decision", async () => {
  const shop = await world.merchant({ card: 'tok_pending' })
  await shop.subscribeAfterTrial({ interval: 'DAY' })
  await world.work()
  world.clock.set(new Date(world.clock.now().getTime() + 86_400_000))
  const { renewals } = world.app.jobs
  assert.ok((await renewals.runOnce()) > 0)
  assert.equal(await renewals.runOnce(), 0)
  assert.equal((await shop.invoices()).length, 1)
  await bankSays(shop, { kind: 'succeeded' })
  await world.work()
  assert.deepEqual(
    (await shop.invoices()).map(({ status }) => status),
    ['PAID', 'OPEN'],
  )
  await shop.expectEvents('START', 'PHASE_CHANGE', 'PAYMENT_SUCCESS')
})

/** A refund at the gateway before ours, with its event after our own refund has failed. */
async function refundThere(gatewayChargeId: string, amount: number): Promise<void> {
  const { db, gateways } = world.app.ports
  await refundAtGateway({ db, clock: world.clock }, { gatewayChargeId, id: randomUUID(), amount })
  await world.work()
  await reconcile(world.app.ports, gateways.sandbox, gatewayChargeId)
}

const statusesOf = (invoice?: Json) => invoice?.refunds.map(({ status }: Json) => status)

async function passTo(at: string): Promise<void> {
  world.clock.set(at)
  await world.work()
}

/** The next poll of the merchant's charge. */
async function nextLook({ businessId }: Merchant): Promise<Date> {
  const [row] = await world.app.ports.db.sql<{ nextPollAt: Date }[]>`
    select next_poll_at as "nextPollAt" from charges where business_id = ${businessId}`
  assert.ok(row)
  return row.nextPollAt
}

async function bankSays(shop: Merchant, outcome: { kind: 'succeeded' }): Promise<string> {
  const { db } = world.app.ports
  const [row] = await db.sql<{ gatewayChargeId: string; key: string }[]>`
    select o.gateway_charge_id as "gatewayChargeId", c.charge_id as key
    from charges as c join charge_objects as o using (invoice_id) where c.business_id = ${shop.businessId}`
  assert.ok(row)
  await settle({ db, clock: world.clock }, { ...row, outcome })
  return row.gatewayChargeId
}

/** The payment was returned: every account is at zero, and bookings exist. */
async function ledgerIsEmpty(shop: Merchant): Promise<void> {
  const [sums] = await world.app.ports.db.sql`
    select count(*) as count, sum(gateway)::bigint as gateway, sum(operator)::bigint as operator,
      sum(organization)::bigint as organization
    from ledger_transactions where business_id = ${shop.businessId}`
  assert.deepEqual(sums, { count: 2, gateway: 0, operator: 0, organization: 0 })
}
