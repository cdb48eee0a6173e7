import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { reconcile } from '../../src/money/billing/reconcile.ts'
import { refundAtGateway } from '../support/sandbox-bench.ts'
import { createWorld, type Json, type Merchant, type World } from '../support/world.ts'

let world: World
let basic: string
let pro: string
let free: string
before(async () => {
  world = await createWorld()
  basic = await planOf('Basic', 100)
  pro = await planOf('Pro', 3_100)
  free = await planOf('Free', 0)
})
after(() => world?.close())

/** January has 2,678,400 seconds. A day of a plan of 31.00 is worth 1.00. */
const NEW_YEAR = '2026-01-01T00:00:00Z'
/** Subscribed, paid, changed. */
const CHANGED = ['START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE']

test('an upgrade in mid-period credits the unused days, charges the rest, and begins a new month', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const middle = await planOf('Middle', 1_550)
  const id = await subscribed(shop, middle)
  await shop.until('2026-01-11T00:00:00Z')
  const preview = await previewed(id, pro, 'NOW')
  const period = { periodStart: '2026-01-11T00:00:00Z', periodEnd: '2026-02-11T00:00:00Z' }
  assert.deepEqual(preview, {
    effectiveAt: '2026-01-11T00:00:00Z',
    currency: 'USD',
    amount: 2_050,
    lines: [
      { kind: 'PLAN', description: 'Pro', amount: 3_100, ...period },
      { kind: 'CREDIT', description: 'Credit', amount: -1_050, ...period },
    ],
    creditGranted: 1_050,
    creditBalance: 0,
  })
  const changed = await change(id, pro, 'NOW')
  assert.deepEqual(
    [changed.planId, changed.currentPeriodEnd, changed.pendingPlanId],
    [pro, period.periodEnd, undefined],
  )
  await world.work()
  const [, invoice] = await shop.invoices()
  assert.deepEqual(invoice?.lines, preview.lines)
  assert.deepEqual(
    [invoice?.amount, invoice?.creditApplied, invoice?.amountPaid, invoice?.status, invoice?.planId],
    [2_050, 1_050, 2_050, 'PAID', pro],
  )
  await shop.until('2026-02-11T00:00:00Z')
  assert.deepEqual(await paid(shop), [1_550, 2_050, 3_100])
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  await gatewayMatches(shop)
})

test("a downgrade's credit pays renewal after renewal, without charge and PAYMENT_SUCCESS, until it is used up", async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, pro)
  await shop.until('2026-01-29T12:00:00Z')
  await change(id, basic, 'NOW')
  await shop.until('2026-04-29T12:00:00Z')
  const [, ...later] = await shop.invoices()
  assert.deepEqual(
    later.map(({ amount, creditApplied, amountPaid, status, attempts }) => [
      ...[amount, creditApplied, amountPaid, status, attempts.length],
    ]),
    [
      [0, 100, 0, 'PAID', 0],
      [0, 100, 0, 'PAID', 0],
      [50, 50, 50, 'PAID', 1],
      [100, 0, 100, 'PAID', 1],
    ],
  )
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  await gatewayMatches(shop)
})

test('a change and its reverse in the same second begin a new month, paid with credit and cash', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, basic)
  await shop.until('2026-01-16T12:00:00Z')
  await change(id, pro, 'NOW')
  await world.work()
  await change(id, basic, 'NOW')
  await world.work()
  assert.deepEqual(await paid(shop), [100, 3_050, 0])
  assert.equal(await credit(shop), 3_000)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PLAN_CHANGE')
  await gatewayMatches(shop)
})

for (const [country, currency, from, to, credited, charged] of [
  ['JP', 'JPY', 1_000, 300, 483, 0],
  // Steps of ten fils: four fils of the credit remain.
  ['KW', 'KWD', 1_250, 9_990, 604, 9_390],
  ['DE', 'EUR', 999, 1_999, 483, 1_516],
] as const) {
  test(`${currency}: a share is rounded down to whole minor units`, async () => {
    const amounts = (value: number) => [{ country, currency, value }]
    const shop = await world.merchant({ at: NEW_YEAR, country })
    const id = await subscribed(shop, await world.plan({ amounts: amounts(from) }))
    await shop.until('2026-01-17T00:00:00Z')
    const target = await world.plan({ amounts: amounts(to) })
    const preview = await previewed(id, target, 'NOW')
    assert.deepEqual([preview.currency, preview.creditGranted], [currency, credited])
    await change(id, target, 'NOW')
    await world.work()
    const [, invoice] = await shop.invoices()
    assert.deepEqual([invoice?.currency, invoice?.amount], [currency, charged])
    assert.equal(preview.amount, invoice?.amount)
    await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', ...(charged > 0 ? ['PAYMENT_SUCCESS'] : []))
    await gatewayMatches(shop)
  })
}

test('from free to paid begins at that second without credit, and back to free keeps the credit beyond the end', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, free)
  await shop.until('2026-01-10T00:00:00Z')
  await change(id, pro, 'NOW')
  await world.work()
  await shop.until('2026-01-11T00:00:00Z')
  const record = await change(id, free, 'NOW')
  assert.equal(record.nextChargeAt, undefined)
  await shop.until('2026-03-20T00:00:00Z')
  await shop.cancel(id)
  assert.equal(await credit(shop), 3_000)
  await shop.expectEvents('START', 'PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', 'END')
  // The credit pays a new subscription to another plan of the same organization.
  await shop.subscribe(pro)
  const [, invoice] = await shop.invoices()
  assert.deepEqual([invoice?.creditApplied, invoice?.amount, invoice?.amountPaid], [3_000, 100, 100])
  assert.equal(await credit(shop), 0)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  await gatewayMatches(shop)
})

test("a plan change at the period's end is shown on the record, emitted when it applies, and charged", async () => {
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  const id = await subscribed(shop, basic)
  const preview = await previewed(id, pro, 'PERIOD_END')
  assert.deepEqual([preview.effectiveAt, preview.amount, preview.creditGranted], ['2026-02-28T00:00:00Z', 3_100, 0])
  const waiting = await change(id, pro, 'PERIOD_END')
  assert.deepEqual([waiting.planId, waiting.pendingPlanId], [basic, pro])
  assert.equal((await shop.subscription(id)).pendingPlanId, pro)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS')
  await shop.until('2026-03-31T00:00:00Z')
  const invoices = await shop.invoices()
  assert.deepEqual(
    invoices.map(({ periodStart, amountPaid }) => [periodStart, amountPaid]),
    [
      ['2026-01-31T00:00:00Z', 100],
      ['2026-02-28T00:00:00Z', 3_100],
      ['2026-03-31T00:00:00Z', 3_100],
    ],
  )
  assert.deepEqual(invoices[1]?.lines, preview.lines)
  await shop.expectEvents('PLAN_CHANGE', 'PAYMENT_SUCCESS', 'PAYMENT_SUCCESS')
  assert.equal((await shop.subscription(id)).pendingPlanId, undefined)
})

test('after a cancellation a pending plan never applies, and the subscription ends with the period', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, await planOf('Leaving', 500, { cancelPolicy: 'BILLING' }))
  await change(id, pro, 'PERIOD_END')
  const cancelled = await shop.cancel(id)
  assert.deepEqual([cancelled.cancelAt, cancelled.pendingPlanId], ['2026-02-01T00:00:00Z', pro])
  await rejected(id, { planId: basic, when: 'NOW' }, 'CANCEL_SCHEDULED')
  await shop.until('2026-04-01T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'CANCEL_SCHEDULED', 'END')
  assert.equal((await shop.subscription(id)).pendingPlanId, undefined)
  assert.equal((await shop.invoices()).length, 1)
})

test('a pending plan stays after an undone cancellation', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, await planOf('Staying', 500, { cancelPolicy: 'BILLING' }))
  const before = await change(id, pro, 'PERIOD_END')
  await shop.cancel(id)
  assert.deepEqual(await world.call('POST', `${one(id)}/restore`, {}, 200), before)
  await shop.until('2026-02-01T00:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'CANCEL_SCHEDULED', 'RESTORED', 'PLAN_CHANGE', 'PAYMENT_SUCCESS')
  assert.deepEqual(await paid(shop), [500, 3_100])
})

test('a plan change in the trial applies at once or at its end, and keeps the end of the trial', async () => {
  const trial = await planOf('Trial', 500, { trialPeriodDays: 14 })
  for (const when of ['NOW', 'PERIOD_END']) {
    const shop = await world.merchant({ at: NEW_YEAR })
    const id = await subscribed(shop, trial)
    await shop.until('2026-01-05T00:00:00Z')
    const changed = await change(id, pro, when)
    assert.deepEqual([changed.phase, changed.trialEndAt], ['TRIAL', '2026-01-15T00:00:00Z'])
    await shop.until('2026-01-15T00:00:00Z')
    assert.deepEqual(await paid(shop), [3_100])
    await shop.expectEvents('START', 'PLAN_CHANGE', 'PHASE_CHANGE', 'PAYMENT_SUCCESS')
  }
})

test('a change is rejected while the bank has not decided', async () => {
  const shop = await world.merchant({ at: NEW_YEAR, card: 'tok_pending' })
  await rejected(await subscribed(shop, basic), { planId: pro, when: 'NOW' }, 'CHARGE_IN_PROGRESS')
  await shop.expectEvents()
})

test('no plan changes while past due, and a declined upgrade ends the subscription and returns its credit', async () => {
  const shop = await world.merchant({ at: NEW_YEAR, card: 'tok_fail_after_1' })
  const id = await subscribed(shop, basic)
  await shop.until('2026-01-16T12:00:00Z')
  await change(id, pro, 'NOW')
  await world.work()
  assert.equal(await credit(shop), 0)
  await rejected(id, { planId: basic, when: 'NOW' }, 'PAYMENT_DUE')
  await shop.until('2026-01-23T12:00:00Z')
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'PLAN_CHANGE', ...Array(5).fill('PAYMENT_FAIL'), 'END')
  assert.deepEqual(
    (await shop.invoices()).map(({ status, amount }) => [status, amount]),
    [
      ['PAID', 100],
      ['UNCOLLECTIBLE', 3_050],
    ],
  )
  assert.equal(await credit(shop), 50)
  await gatewayMatches(shop)
})

test('a refund before a change reduces the credit, and credited money is not refunded as well', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, pro)
  const [invoice] = await shop.invoices()
  await shop.refund(invoice?.invoiceId, { amount: 1_100 })
  await shop.until('2026-01-16T12:00:00Z')
  assert.equal((await previewed(id, free, 'NOW')).creditGranted, 1_000)
  await change(id, free, 'NOW')
  await shop.refund(invoice?.invoiceId, { amount: 1_001 }, 409)
  await shop.refund(invoice?.invoiceId, { amount: 1_000 })
  await shop.refund(invoice?.invoiceId, { amount: 1 }, 409)
  await shop.expectEvents('START', 'PAYMENT_SUCCESS', 'REFUND_SUCCESS', 'PLAN_CHANGE', 'REFUND_SUCCESS')
  assert.equal(await credit(shop), 1_000)
  await gatewayMatches(shop)
})

test('credit that a refund at the gateway also pays in cash is taken back, from the next credit if it was spent, and never by a charge', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, pro)
  await shop.until('2026-01-16T12:00:00Z')
  await change(id, basic, 'NOW')
  assert.equal(await credit(shop), 1_450)
  await refundAllThere(shop)
  // 1,550 were granted for money that was returned, and 100 of them are spent.
  assert.equal(await credit(shop), -100)
  await gatewayMatches(shop)
  await shop.until('2026-02-16T12:00:00Z')
  const [, , renewal] = await shop.invoices()
  assert.deepEqual([renewal?.amount, renewal?.creditApplied, renewal?.amountPaid], [100, 0, 100])
  await change(id, free, 'NOW')
  await shop.expectEvents(...CHANGED, 'REFUND_SUCCESS', 'PAYMENT_SUCCESS', 'PLAN_CHANGE')
  assert.equal(await credit(shop), 0)
  await gatewayMatches(shop)
})

test('a refund at the gateway of uncredited money takes no credit, and a repeated report takes credit once', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, pro)
  await shop.until('2026-01-16T12:00:00Z')
  await change(id, free, 'NOW')
  await refundThere(shop, 1_550)
  assert.equal(await credit(shop), 1_550)
  await refundThere(shop, 50)
  await Promise.all([compareWithGateway(shop), compareWithGateway(shop)])
  assert.equal(await credit(shop), 1_500)
  await shop.expectEvents(...CHANGED, 'REFUND_SUCCESS', 'REFUND_SUCCESS')
  await gatewayMatches(shop)
})

test('an invoice paid by credit cannot be refunded', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, pro)
  await change(id, basic, 'NOW')
  const [, covered] = await shop.invoices()
  assert.deepEqual([covered?.status, covered?.amount], ['PAID', 0])
  await shop.refund(covered?.invoiceId, {}, 409)
  await shop.expectEvents(...CHANGED)
})

test("a change from free to paid at the period's end begins a new term with consecutive invoices", async () => {
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  const id = await subscribed(shop, free)
  await shop.until('2026-02-10T00:00:00Z')
  await change(id, pro, 'PERIOD_END')
  await shop.until('2026-04-28T00:00:00Z')
  const periods = (await shop.invoices()).map(({ periodStart, amountPaid }) => [periodStart, amountPaid])
  assert.deepEqual(periods, [
    ['2026-02-28T00:00:00Z', 3_100],
    ['2026-03-28T00:00:00Z', 3_100],
    ['2026-04-28T00:00:00Z', 3_100],
  ])
  await shop.expectEvents('START', 'PLAN_CHANGE', ...Array(3).fill('PAYMENT_SUCCESS'))
  const checks = await world.call('GET', '/operations/checks?check=periodsContiguous')
  assert.deepEqual(checks.checks[0].violations, [])
})

test('a plan retired while it is pending still applies', async () => {
  const shop = await world.merchant({ at: NEW_YEAR })
  const id = await subscribed(shop, basic)
  const leaving = await planOf('Retiring', 700)
  await change(id, leaving, 'PERIOD_END')
  await world.call('POST', `/apps/${world.appId}/plans/${leaving}/retire`, undefined, 200)
  await shop.until('2026-02-01T00:00:00Z')
  assert.deepEqual(await paid(shop), [100, 700])
  await shop.expectEvents(...CHANGED, 'PAYMENT_SUCCESS')
  await rejected(
    await subscribed(await world.merchant({ at: NEW_YEAR }), basic),
    { planId: leaving, when: 'NOW' },
    'PLAN_RETIRED',
  )
})

async function planOf(name: string, value: number, definition: Json = {}): Promise<string> {
  return await world.plan({ name, amounts: [{ country: 'US', currency: 'USD', value }], ...definition })
}

const one = (id: string) => `/apps/${world.appId}/subscriptions/${id}`

async function subscribed(shop: Merchant, planId: string): Promise<string> {
  return (await shop.subscribe(planId)).subscriptionId
}

function change(id: string, planId: string, when: string): Promise<Json> {
  return world.call('PATCH', one(id), { planId, when })
}

function previewed(id: string, planId: string, when: string): Promise<Json> {
  return world.call('POST', `${one(id)}/preview`, { planId, when }, 200)
}

async function rejected(id: string, body: Json, code: string): Promise<void> {
  assert.equal((await world.call('PATCH', one(id), body, 409)).code, code)
  assert.equal((await world.call('POST', `${one(id)}/preview`, body, 409)).code, code)
}

async function paid(shop: Merchant): Promise<number[]> {
  return (await shop.invoices()).map(({ amountPaid }) => amountPaid)
}

/** A refund of the first invoice at the gateway, found by comparing the books. */
async function refundThere(shop: Merchant, amount: number): Promise<void> {
  const { db, clock } = world.app.ports
  const gatewayChargeId = await chargeObjectOf(shop)
  const outcome = await refundAtGateway({ db, clock }, { gatewayChargeId, id: randomUUID(), amount })
  assert.equal(outcome.kind, 'succeeded')
  await compareWithGateway(shop)
}

async function refundAllThere(shop: Merchant): Promise<void> {
  const [invoice] = await shop.invoices()
  await refundThere(shop, invoice?.amountPaid ?? 0)
}

async function compareWithGateway(shop: Merchant): Promise<void> {
  await reconcile(world.app.ports, world.app.ports.gateways.sandbox, await chargeObjectOf(shop))
}

async function chargeObjectOf(shop: Merchant): Promise<string> {
  const [invoice] = await shop.invoices()
  const [row] = await world.app.ports.db.sql<{ gatewayChargeId: string }[]>`
    select gateway_charge_id as "gatewayChargeId" from charge_objects where invoice_id = ${invoice?.invoiceId}`
  assert.ok(row)
  return row.gatewayChargeId
}

async function credit({ businessId }: Merchant): Promise<number> {
  const [row] = await world.app.ports.db.sql<{ balance: number }[]>`
    select balance from credit_balances where business_id = ${businessId}`
  return row?.balance ?? 0
}

/** Ledger and credit balance match, and the charges match the invoices. */
async function gatewayMatches(shop: Merchant): Promise<void> {
  const [sums] = await world.app.ports.db.sql<{ cash: number; credit: number }[]>`
    select sum(gateway)::bigint as cash, -sum(business_credit)::bigint as credit
    from ledger_transactions where business_id = ${shop.businessId}`
  const invoices = await shop.invoices()
  const cash = invoices.reduce((sum, { amountPaid, amountRefunded }) => sum + amountPaid - amountRefunded, 0)
  assert.deepEqual(sums, { cash, credit: await credit(shop) })
}
