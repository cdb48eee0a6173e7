import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { settleDispute } from '../../src/money/billing/dispute.ts'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import type { Gateway } from '../../src/money/gateway/gateway.ts'
import { disputeAtGateway, type SandboxDispute } from '../../src/money/gateway/sandbox/payments.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
})
after(() => world?.close())

interface Story {
  readonly shop: Merchant
  readonly appId: string
  readonly organizationId: string
  readonly subscriptionId: string
  readonly gatewayChargeId: string
}

/** A merchant that paid `amount` to a new developer, and another merchant that paid 10.00 to the same developer. */
async function paid(amount: number): Promise<Story> {
  const { appId, organizationId } = await world.developer()
  const planOf = (value: number) => world.plan({ amounts: [{ country: 'US', currency: 'USD', value }] }, appId)
  const buy = async (value: number) => {
    const shop = await world.merchant({ type: 'MERCHANT' })
    const body = { businessId: shop.businessId, planId: await planOf(value) }
    const { subscriptionId } = await world.call('POST', `/apps/${appId}/subscriptions`, body)
    await world.work()
    return { shop, subscriptionId }
  }
  await buy(1_000)
  const bought = await buy(amount)
  return { ...bought, appId, organizationId, gatewayChargeId: await chargeObjectOf(bought.shop) }
}

async function chargeObjectOf(shop: Merchant): Promise<string> {
  const [invoice] = await shop.invoices()
  const [object] = await world.app.ports.db.sql<{ id: string }[]>`
    select gateway_charge_id as id from charge_objects where invoice_id = ${invoice?.invoiceId}`
  assert.ok(object)
  return object.id
}

/** Applies the bank's decision and compares the books, twice at once, like an event and the daily comparison. */
async function disputed(
  { gatewayChargeId }: Story,
  amount: number,
  status: SandboxDispute['status'],
  disputeId = `dp of ${gatewayChargeId}`,
): Promise<Json[]> {
  const { db, clock } = world.app.ports
  await disputeAtGateway({ db, clock }, { gatewayChargeId, disputeId, amount, status })
  return await compare(gatewayChargeId)
}

async function compare(gatewayChargeId: string): Promise<Json[]> {
  const { ports } = world.app
  const one = () => reconcile(ports, ports.gateways.sandbox, gatewayChargeId)
  const found = await Promise.all([one(), one()])
  assert.ok(found.reduce((sum, { repaired }) => sum + repaired, 0) <= 1)
  assert.equal((await one()).repaired, 0)
  return [...(found[0]?.discrepancies ?? [])]
}

async function refundThere({ gatewayChargeId }: Story, amount: number): Promise<string> {
  const { db, clock } = world.app.ports
  const id = randomUUID()
  assert.equal((await refundAtGateway({ db, clock }, { gatewayChargeId, id, amount })).kind, 'succeeded')
  return id
}

/** The amounts of the invoice: paid, refunded, charged back. */
async function invoiceOf({ shop }: Story): Promise<number[]> {
  const [{ status, amountPaid, amountRefunded, amountChargedBack = 0 } = {}] = await shop.invoices()
  assert.equal(status, 'PAID')
  return [amountPaid, amountRefunded, amountChargedBack]
}

/** The developer's balance, with the other merchant's 10.00. */
async function balanceOf({ organizationId }: Story): Promise<Json> {
  const { balances } = await world.call('GET', `/organizations/${organizationId}/balance`)
  assert.equal(balances.length, 1)
  const { charged, refunded, chargedBack, share, credited, owed } = balances[0]
  assert.equal(owed, charged - refunded - chargedBack - share - credited)
  return { charged, refunded, chargedBack, share, owed }
}

/** All invariant checks of money pass. */
async function booksHold(): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  const broken = checks.filter(({ status }: Json) => status !== 'PASSED')
  assert.deepEqual(broken, [])
}

const NOTHING_GONE = { charged: 1_999, refunded: 0, chargedBack: 0, share: 400, owed: 1_599 }

test('an open dispute books nothing, a lost one returns the money and both shares, and a reversal restores them', async () => {
  const story = await paid(999)
  assert.deepEqual(await disputed(story, 999, 'open'), [
    { kind: 'DISPUTED', detail: "The payer's bank asks for it back. Send evidence." },
  ])
  assert.deepEqual(await balanceOf(story), NOTHING_GONE)

  const detail = "The payer's bank took back 999 USD. It is booked as charged back."
  assert.deepEqual(await disputed(story, 999, 'lost'), [{ kind: 'DISPUTE_LOST', detail }])
  assert.deepEqual(await invoiceOf(story), [999, 0, 999])
  assert.deepEqual(await balanceOf(story), { charged: 1_999, refunded: 0, chargedBack: 999, share: 200, owed: 800 })
  const merchant = await world.call('GET', `/businesses/${story.shop.businessId}/balance`)
  assert.partialDeepStrictEqual(merchant.balances, [{ charged: 999, refunded: 0, chargedBack: 999, credit: 0 }])
  const statement = await world.call('GET', `/organizations/${story.organizationId}/statements/2026-01`)
  assert.partialDeepStrictEqual(statement.list, [{ chargedBack: 999, net: 800, closing: 800 }])
  await booksHold()

  assert.deepEqual(await disputed(story, 999, 'won'), [])
  assert.deepEqual(await invoiceOf(story), [999, 0, 0])
  assert.deepEqual(await balanceOf(story), NOTHING_GONE)
  await booksHold()
})

test('each step of a dispute is emitted once, and a lost dispute ends the subscription and keeps the invoice PAID', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  const story = { shop, gatewayChargeId: await chargeObjectOf(shop) } as Story
  await disputed(story, 500, 'open')
  await shop.expectEvents('DISPUTE_OPENED')
  assert.partialDeepStrictEqual(await shop.subscription(subscriptionId), { status: 'ACTIVE' })
  await disputed(story, 500, 'lost')
  await shop.expectEvents('DISPUTE_CLOSED', 'END')
  assert.deepEqual(await invoiceOf(story), [500, 0, 500])
  assert.partialDeepStrictEqual(await shop.subscription(subscriptionId), { status: 'ENDED', endReason: 'DISPUTED' })
  const [invoice] = await shop.invoices()
  assert.partialDeepStrictEqual(invoice?.disputes, [{ amount: 500, status: 'LOST' }])
  await disputed(story, 500, 'won')
  await shop.expectEvents('DISPUTE_CLOSED')
  assert.equal((await shop.subscription(subscriptionId)).status, 'ENDED')
  await booksHold()
})

test('a dispute first reported at its decision is opened and closed, and a won dispute ends nothing', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const story = { shop, gatewayChargeId: await chargeObjectOf(shop) } as Story
  await disputed(story, 500, 'won')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'DISPUTE_OPENED', 'DISPUTE_CLOSED')
  assert.equal((await shop.subscription(subscriptionId)).status, 'ACTIVE')
})

test('an installation may keep the subscription of a lost dispute', async () => {
  const story = await paid(999)
  const { ports } = world.app
  const made = { gatewayDisputeId: 'dp kept', amount: 999, status: 'lost', beganAt: ports.clock.now() } as const
  const [{ invoiceId } = {}] = await story.shop.invoices()
  const keeps = { ...ports, settings: { ...ports.settings, endsDisputed: false } }
  await disputeAtGateway(ports, { ...story, disputeId: 'dp kept', amount: 999, status: 'lost' })
  assert.equal(await settleDispute(keeps, { invoiceId, gateway: 'sandbox', made }), true)
  const { status } = await world.call('GET', `/apps/${story.appId}/subscriptions/${story.subscriptionId}`)
  assert.equal(status, 'ACTIVE')
  await booksHold()
})

test('the gateway keeps the fee of a lost dispute: the developer pays it once', async () => {
  const story = await paid(999)
  const { ports } = world.app
  const [{ invoiceId } = {}] = await story.shop.invoices()
  const lost = (status: 'open' | 'lost') => {
    const fee = { amount: 1_500, currency: 'USD' }
    const made = { gatewayDisputeId: 'dp fee', amount: 999, status, beganAt: ports.clock.now(), fee }
    return settleDispute(ports, { invoiceId, gateway: 'sandbox', made })
  }
  await disputeAtGateway(ports, { ...story, disputeId: 'dp fee', amount: 999, status: 'lost' })
  assert.equal(await lost('open'), true)
  const before = (await world.call('GET', `/organizations/${story.organizationId}/balance`)).balances[0]
  assert.deepEqual((await Promise.all([lost('lost'), lost('lost')])).sort(), [false, true])
  const after = (await world.call('GET', `/organizations/${story.organizationId}/balance`)).balances[0]
  assert.deepEqual([before.fees ?? 0, after.fees], [0, 1_500])
  await booksHold()
})

test('the developer gets one mail for each step', async () => {
  await world.mails()
  const story = await paid(999)
  await disputed(story, 999, 'open')
  await disputed(story, 999, 'lost')
  const [{ disputeId }] = (await world.call('GET', `/disputes?businessId=${story.shop.businessId}`)).disputes
  const disputes = (await world.mails()).filter(({ subject }) => /dispute/.test(subject))
  assert.deepEqual(disputes.map(({ subject }) => subject.replace(/ for .* is/, ' is')).sort(), [
    'A dispute of $9.99 is lost',
    'A payment of $9.99 is disputed',
  ])
  for (const { html = '', text } of disputes) {
    assert.ok(html.includes(`/dev/disputes/${disputeId}`) && text.includes(disputeId))
  }
})

test('a refund, a dispute and a credit of one charge at the same moment return no more than was paid', async () => {
  for (let round = 0; round < 4; round++) {
    const story = await paid(999)
    const planId = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 200 }] }, story.appId)
    const [{ invoiceId } = {}] = await story.shop.invoices()
    const { ports } = world.app
    await disputeAtGateway(ports, { ...story, disputeId: `dp race ${round}`, amount: 999, status: 'lost' })
    const change = { body: { planId, when: 'NOW' } }
    await Promise.all([
      world.ask(OPERATOR_KEY, 'PATCH', `/apps/${story.appId}/subscriptions/${story.subscriptionId}`, change),
      world.ask(OPERATOR_KEY, 'POST', `/businesses/${story.shop.businessId}/invoices/${invoiceId}/refunds`, {
        body: {},
      }),
      reconcile(ports, ports.gateways.sandbox, story.gatewayChargeId),
    ])
    await world.work()
    const disputedInvoice = (await story.shop.invoices()).find((one: Json) => one.invoiceId === invoiceId)
    const { amountPaid, amountRefunded, amountChargedBack = 0 } = disputedInvoice ?? {}
    assert.equal(amountRefunded + amountChargedBack, amountPaid)
    await booksHold()
  }
})

test('a won dispute is never lost again, with late responses of the gateway', async () => {
  const story = await paid(999)
  const { ports } = world.app
  const { sandbox } = ports.gateways
  await disputed(story, 999, 'lost')
  const older = await sandbox.findMoney(story.gatewayChargeId)
  await disputed(story, 999, 'won')
  const late: Gateway = { ...sandbox, findMoney: async () => older }
  assert.equal((await reconcile(ports, late, story.gatewayChargeId)).repaired, 0)
  assert.deepEqual(await balanceOf(story), NOTHING_GONE)
  // The loss was never reported before.
  const other = await paid(999)
  await disputeAtGateway(ports, { ...other, disputeId: 'dp without an event', amount: 999, status: 'lost' })
  const moneyBefore = await sandbox.findMoney(other.gatewayChargeId)
  await disputed(other, 999, 'won', 'dp without an event')
  assert.equal(
    (await reconcile(ports, { ...sandbox, findMoney: async () => moneyBefore }, other.gatewayChargeId)).repaired,
    0,
  )
  assert.deepEqual(await balanceOf(other), NOTHING_GONE)
  await booksHold()
})

test('after a lost dispute nothing can be refunded, and the rejection says why', async () => {
  const story = await paid(999)
  await disputed(story, 600, 'lost')
  const [invoice] = await story.shop.invoices()
  const path = `/businesses/${story.shop.businessId}/invoices/${invoice?.invoiceId}/refunds`
  const declined = await world.call('POST', path, { amount: 400 }, 409)
  assert.deepEqual([declined.code, declined.developerMessage.includes('At most 399')], ['REFUND_EXCEEDS_PAID', true])
  assert.match(declined.developerMessage, /The payer's bank has taken back 600\.$/)
  await story.shop.refund(invoice?.invoiceId, {})
  assert.deepEqual(await invoiceOf(story), [999, 399, 600])
  assert.equal((await world.call('POST', path, {}, 409)).code, 'REFUND_EXCEEDS_PAID')
  assert.deepEqual(await balanceOf(story), { charged: 1_999, refunded: 399, chargedBack: 600, share: 200, owed: 800 })
  await booksHold()
})

test('a refunded amount is not charged back as well, in any order of reports, unless the refund is returned', async () => {
  const story = await paid(999)
  await refundThere(story, 999)
  const detail =
    "The payer's bank took back 999 USD. It is booked as charged back, but for 999: that much had been refunded as well."
  assert.deepEqual(await disputeWithoutEvent(story), [{ kind: 'DISPUTE_LOST', detail }])
  assert.deepEqual(await invoiceOf(story), [999, 999, 0])
  await booksHold()

  // The earlier refund is reported after the dispute.
  const other = await paid(999)
  const { ports } = world.app
  const id = await refundThere(other, 300)
  const there = await ports.gateways.sandbox.findMoney(other.gatewayChargeId)
  const disputes = [{ gatewayDisputeId: 'dp first', amount: 999, status: 'lost', beganAt: ports.clock.now() }] as const
  assert.ok(there)
  const first: Gateway = { ...ports.gateways.sandbox, findMoney: async () => ({ ...there, refunds: [], disputes }) }
  await disputeAtGateway(ports, { ...other, disputeId: 'dp first', amount: 999, status: 'lost' })
  await reconcile(ports, first, other.gatewayChargeId)
  assert.deepEqual(await invoiceOf(other), [999, 0, 999])
  await compare(other.gatewayChargeId)
  assert.deepEqual(await invoiceOf(other), [999, 300, 699])
  assert.deepEqual(await balanceOf(other), { charged: 1_999, refunded: 300, chargedBack: 699, share: 200, owed: 800 })
  await booksHold()

  await ports.db.sql`
    update sandbox_refunds set outcome = '{"kind": "failed", "code": "expired_or_canceled_card"}'
    where gateway_charge_id = ${other.gatewayChargeId} and key like ${`%${id}`}`
  await compare(other.gatewayChargeId)
  assert.deepEqual(await invoiceOf(other), [999, 0, 999])
  assert.deepEqual(await balanceOf(other), { charged: 1_999, refunded: 0, chargedBack: 999, share: 200, owed: 800 })
  await booksHold()
})

/** Refund and dispute arrive in one poll. */
async function disputeWithoutEvent({ gatewayChargeId }: Story): Promise<Json[]> {
  const { ports } = world.app
  await disputeAtGateway(ports, { gatewayChargeId, disputeId: 'dp without any event', amount: 999, status: 'lost' })
  const { discrepancies, repaired } = await reconcile(ports, ports.gateways.sandbox, gatewayChargeId)
  assert.equal(repaired, 2)
  return [...discrepancies]
}

test('credit for money that the bank took is taken back, and granted again when the bank returns the money', async () => {
  const story = await paid(999)
  const planId = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 200 }] }, story.appId)
  await world.call('PATCH', `/apps/${story.appId}/subscriptions/${story.subscriptionId}`, { planId, when: 'NOW' })
  const credit = async () => {
    const { balances } = await world.call('GET', `/businesses/${story.shop.businessId}/balance`)
    return balances[0].credit
  }
  assert.equal(await credit(), 799)
  await disputed(story, 999, 'lost')
  assert.equal(await credit(), -200)
  await booksHold()
  await disputed(story, 999, 'won')
  assert.equal(await credit(), 799)
  await booksHold()
})

test('two disputes of one charge take no more than there was', async () => {
  const story = await paid(999)
  await disputed(story, 600, 'lost', 'dp one')
  const [shown] = await disputed(story, 600, 'lost', 'dp two')
  assert.match(shown?.detail, /but for 201/)
  assert.deepEqual(await invoiceOf(story), [999, 0, 999])
  await disputed(story, 600, 'won', 'dp one')
  assert.deepEqual(await invoiceOf(story), [999, 0, 600])
  await booksHold()
})

test('a test merchant disputes on request: each step once, also concurrently, and decisions are final', async () => {
  const shop = await world.merchant()
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [{ invoiceId } = {}] = await shop.invoices()
  const path = `/businesses/${shop.businessId}/invoices/${invoiceId}/test-dispute`
  const put = (status: string, at = path) => world.ask(OPERATOR_KEY, 'PUT', at, { body: { status } })
  const opened = await Promise.all([put('OPEN'), put('OPEN')])
  assert.deepEqual(
    opened.map(({ status, body }) => [status, body.status, body.amount]),
    Array(2).fill([200, 'OPEN', 500]),
  )
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'DISPUTE_OPENED')
  const lost = await Promise.all([put('LOST'), put('LOST')])
  assert.deepEqual(new Set(lost.map(({ body }) => body.disputeId)), new Set([opened[0]?.body.disputeId]))
  await shop.expectEvents('DISPUTE_CLOSED', 'END')
  assert.equal((await shop.subscription(subscriptionId)).endReason, 'DISPUTED')
  assert.equal((await put('OPEN')).body.code, 'DISPUTE_DECIDED')
  assert.equal((await put('WON')).body.status, 'WON')
  await shop.expectEvents('DISPUTE_CLOSED')
  assert.equal((await put('LOST')).body.code, 'DISPUTE_DECIDED')
  assert.equal((await put('MAYBE')).body.code, 'INVALID_PARAMETER')
  const other = await world.merchant()
  assert.equal((await put('LOST', path.replace(shop.businessId, other.businessId))).body.code, 'INVOICE_NOT_FOUND')
  await booksHold()
})

test('neither a real merchant nor a refunded invoice can be disputed', async () => {
  const { shop: real } = await paid(999)
  const [invoice] = await real.invoices()
  const put = (businessId: string, invoiceId: string) =>
    world.call('PUT', `/businesses/${businessId}/invoices/${invoiceId}/test-dispute`, { status: 'LOST' }, 409)
  assert.equal((await put(real.businessId, invoice?.invoiceId)).code, 'NOT_A_TEST_MERCHANT')
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [{ invoiceId } = {}] = await shop.invoices()
  await shop.refund(invoiceId, {})
  assert.equal((await put(shop.businessId, invoiceId)).code, 'INVOICE_NOT_PAID')
})

test('a dispute that a crash left only at the sandbox is applied by the repeated request', async () => {
  const shop = await world.merchant()
  await shop.subscribe(await world.plan())
  const [{ invoiceId } = {}] = await shop.invoices()
  const gatewayChargeId = await chargeObjectOf(shop)
  await world.app.ports.gateways.sandbox.dispute({ gatewayChargeId, status: 'lost' })
  assert.equal((await shop.invoices())[0]?.disputes, undefined)
  await world.call('PUT', `/businesses/${shop.businessId}/invoices/${invoiceId}/test-dispute`, { status: 'LOST' }, 200)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'DISPUTE_OPENED', 'DISPUTE_CLOSED', 'END')
  assert.equal((await shop.invoices())[0]?.disputes?.length, 1)
  await booksHold()
})
