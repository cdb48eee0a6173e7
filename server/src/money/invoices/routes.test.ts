import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tokenOf, tokenWithin } from '../../../test/support/tokens.ts'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

const UNKNOWN = '018f0000-0000-7000-8000-000000000000'

let world: World
let token: string
let planId: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  token = await tokenOf(world, world.credentials)
  planId = await world.plan()
})
after(() => world?.close())

const pathOf = (businessId: string) => `/businesses/${businessId}/invoices`

async function ask(bearer: string, path: string) {
  const { status, body } = await world.ask(bearer, 'GET', path)
  return { status, code: body.code, body }
}

/** A merchant on a test clock, billed three times. */
async function billed(): Promise<Merchant> {
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  await shop.subscribe(planId)
  await shop.until('2026-03-31T00:00:00Z')
  return shop
}

test('an invoice has the fields of the contract and no nulls', async () => {
  const shop = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  const { subscriptionId } = await shop.subscribe(planId)
  const { list } = (await ask(token, pathOf(shop.businessId))).body
  const { invoiceId, number, ...rest } = list[0]
  assert.match(number, /^T-2026-\d+$/)
  assert.deepEqual(rest, {
    businessId: shop.businessId,
    appId: world.appId,
    subscriptionId,
    planId,
    status: 'PAID',
    currency: 'USD',
    country: 'US',
    amount: 500,
    creditApplied: 0,
    amountPaid: 500,
    amountRefunded: 0,
    lines: [
      {
        kind: 'PLAN',
        description: 'Pro',
        amount: 500,
        periodStart: '2026-01-31T00:00:00Z',
        periodEnd: '2026-02-28T00:00:00Z',
      },
    ],
    attempts: [{ at: '2026-01-31T00:00:00Z', outcome: 'SUCCEEDED' }],
    refunds: [],
    periodStart: '2026-01-31T00:00:00Z',
    periodEnd: '2026-02-28T00:00:00Z',
    createdAt: '2026-01-31T00:00:00Z',
    updatedAt: '2026-01-31T00:00:00Z',
  })
  assert.deepEqual((await ask(token, `${pathOf(shop.businessId)}/${invoiceId}`)).body, list[0])
})

test('the list is oldest first, and each page of results has the total', async () => {
  const { businessId } = await billed()
  const path = pathOf(businessId)
  const whole = (await ask(token, path)).body
  assert.deepEqual([whole.start, whole.total, whole.count], [0, 3, 3])
  assert.deepEqual(
    whole.list.map((invoice: Json) => invoice.periodStart.slice(0, 10)),
    ['2026-01-31', '2026-02-28', '2026-03-31'],
  )
  const page = (await ask(token, `${path}?start=1&count=1`)).body
  assert.deepEqual(page, { list: [whole.list[1]], start: 1, total: 3, count: 1 })
  assert.deepEqual((await ask(token, `${path}?start=7&count=5000`)).body, { list: [], start: 7, total: 3, count: 0 })
  for (const [name, wrong] of [
    ['count', '0'],
    ['count', 'abc'],
    ['count', '-1'],
    ['count', ''],
    ['start', '-1'],
    ['start', 'abc'],
    ['start', '2026-01-31T00:00:00Z'],
  ]) {
    const { status, body } = await ask(token, `${path}?${name}=${wrong}`)
    assert.deepEqual([status, body.fields?.[0]?.path], [400, name], `${name}=${wrong}`)
  }
})

test('an app sees only the invoices of its own subscriptions of a shared merchant', async () => {
  const other = await world.developer()
  const foreign = await tokenOf(world, other)
  const shop = await world.merchant()
  await shop.subscribe(planId)
  const otherPlan = await world.plan({ amounts: [{ country: 'US', currency: 'USD', value: 700 }] }, other.appId)
  await world.call('POST', `/apps/${other.appId}/subscriptions`, { businessId: shop.businessId, planId: otherPlan })
  await world.work()
  const path = pathOf(shop.businessId)
  const amounts = async (bearer: string) => (await ask(bearer, path)).body.list.map((one: Json) => one.amount)
  assert.deepEqual(await amounts(token), [500])
  assert.deepEqual(await amounts(foreign), [700])
  assert.deepEqual(await amounts(await tokenWithin(world, world.credentials, shop.businessId)), [500])
  assert.equal((await ask(foreign, path)).body.total, 1)
  assert.deepEqual((await amounts(OPERATOR_KEY)).sort(), [500, 700])

  const own = (await ask(token, path)).body.list[0].invoiceId
  const [hidden, unknown] = [await ask(foreign, `${path}/${own}`), await ask(foreign, `${path}/${UNKNOWN}`)]
  assert.deepEqual([hidden.status, hidden.code], [404, 'INVOICE_NOT_FOUND'])
  assert.deepEqual({ ...hidden.body, requestId: '' }, { ...unknown.body, requestId: '' })
})

test('a business without a relation to the app answers 403, existing or not', async () => {
  const shop = await billed()
  const [{ invoiceId } = {}] = await shop.invoices()
  const foreign = await tokenOf(world, await world.developer())
  const stranger = await world.merchant()
  const elsewhere = await tokenWithin(world, world.credentials, stranger.businessId)
  for (const businessId of [shop.businessId, shop.businessId.toUpperCase(), UNKNOWN]) {
    for (const bearer of [foreign, elsewhere]) {
      for (const path of [pathOf(businessId), `${pathOf(businessId)}/${invoiceId}`]) {
        assert.deepEqual((await ask(bearer, path)).code, 'FORBIDDEN')
      }
    }
  }
})

test('an invoice of another business is not found, and an id in capitals is found', async () => {
  const [shop, other] = [await billed(), await billed()]
  const [{ invoiceId } = {}] = await shop.invoices()
  assert.equal((await ask(token, `${pathOf(other.businessId)}/${invoiceId}`)).code, 'INVOICE_NOT_FOUND')
  const capitals = `${pathOf(shop.businessId.toUpperCase())}/${invoiceId.toUpperCase()}`
  assert.equal((await ask(token, capitals)).body.invoiceId, invoiceId)
  assert.equal((await ask(token, pathOf(shop.businessId.toUpperCase()))).body.total, 3)
})

test('a declined attempt has its reason, and an unpaid invoice has no paid amount', async () => {
  const shop = await world.merchant()
  await shop.renewWith(planId, 'tok_insufficient_funds')
  const [, invoice] = await shop.invoices()
  assert.ok(invoice)
  assert.deepEqual([invoice.status, invoice.amountPaid], ['OPEN', 0])
  assert.deepEqual(
    invoice.attempts.map(({ outcome, reason }: Json) => [outcome, typeof reason]),
    [['DECLINED', 'string']],
  )
})
