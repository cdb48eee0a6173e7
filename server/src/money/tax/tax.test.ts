import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type Json, type Merchant, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { applyGatewayRefund } from '../billing/money-back.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  await world.call('PUT', `/organizations/${world.organizationId}/seller`, {
    legalName: 'Example Apps GmbH',
    address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
    taxId: 'DE123456789',
  })
  await rate('DE', '2026-01-01', 'EXCLUSIVE', '19')
  await rate('FR', '2026-01-01', 'INCLUSIVE', '20')
})
after(() => world?.close())

const EUR = (value: number) =>
  ['DE', 'FR', 'AT', 'US'].map(country => ({ country, currency: country === 'US' ? 'USD' : 'EUR', value }))

const rate = (country: string, validFrom: string, behavior: string, percent: string) =>
  world.call('PUT', `/tax-rates/${country}/${validFrom}`, { behavior, name: 'VAT', rate: percent })

const plan = (value = 500) => world.plan({ amounts: EUR(value) })

async function onlyInvoice(shop: Merchant): Promise<Json> {
  const [invoice, ...more] = await shop.invoices()
  assert.ok(invoice && more.length === 0)
  return invoice
}

/** The books pass every check, and the collected tax is this. */
async function assertCollected(organizationId: string, tax: Readonly<Record<string, number>>): Promise<void> {
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.flatMap(({ violations }: Json) => violations),
    [],
  )
  const { testBalances } = await world.call('GET', `/organizations/${organizationId}/balance`)
  assert.deepEqual(Object.fromEntries(testBalances.map((one: Json) => [one.currency, one.tax ?? 0])), tax)
}

test('an exclusive rate adds the tax to the charge, and the ledger books the tax separately', async () => {
  const shop = await world.merchant({ country: 'DE' })
  await shop.subscribe(await plan(999))
  const { amount, amountPaid, lines, tax } = await onlyInvoice(shop)
  assert.deepEqual([amount, amountPaid], [1_189, 1_189])
  assert.deepEqual(
    lines.map((line: Json) => [line.kind, line.net, line.tax, line.taxRate, line.amount]),
    [['PLAN', 999, 190, '19', 1_189]],
  )
  assert.deepEqual(tax, {
    ...{ name: 'VAT', behavior: 'EXCLUSIVE', rate: '19', net: 999, tax: 190, gross: 1_189 },
    ...{ reverseCharge: false, sellerTaxId: 'DE123456789' },
  })
  await assertCollected(world.organizationId, { EUR: 190 })
  const { testBalances } = await world.call('GET', `/organizations/${world.organizationId}/balance`)
  // The operator's 20 % are a share of the net.
  assert.deepEqual([testBalances[0].share, testBalances[0].owed], [200, 799])
})

test('an inclusive rate splits the price, and a country without a rate has no tax', async () => {
  const [french, american] = [await world.merchant({ country: 'FR' }), await world.merchant({ country: 'US' })]
  const planId = await plan(500)
  await french.subscribe(planId)
  await american.subscribe(planId)
  const { amount, tax } = await onlyInvoice(french)
  assert.deepEqual([amount, tax.net, tax.tax, tax.gross], [500, 417, 83, 500])
  assert.equal('tax' in (await onlyInvoice(american)), false)
})

test('a business in another member state with a tax id owes the tax itself', async () => {
  const shop = await world.merchant({ country: 'FR' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { taxId: 'FR 12 345678901' })
  await shop.subscribe(await plan(500))
  const { amount, tax } = await onlyInvoice(shop)
  assert.deepEqual(
    [amount, tax.rate, tax.tax, tax.net, tax.reverseCharge, tax.buyerTaxId],
    [500, '0', 0, 500, true, 'FR12345678901'],
  )
})

test('a rate that changes at midnight applies to invoices issued from midnight on', async () => {
  const shop = await world.merchant({ country: 'AT', at: '2026-05-31T23:59:59Z' })
  await rate('AT', '2026-05-01', 'EXCLUSIVE', '20')
  await rate('AT', '2026-06-01', 'EXCLUSIVE', '22')
  await shop.subscribe(await world.plan({ amounts: EUR(1_000), interval: 'DAY' }))
  await shop.until('2026-06-02T00:00:00Z')
  const rates = (await shop.invoices()).map(({ tax }) => [tax.rate, tax.gross])
  assert.deepEqual(rates, [
    ['20', 1_200],
    ['22', 1_220],
  ])
  // Documents never change: not with the rate of their day, and not with the name of the seller.
  await rate('AT', '2026-05-01', 'INCLUSIVE', '10')
  assert.deepEqual(
    (await shop.invoices()).map(({ tax }) => [tax.rate, tax.gross]),
    rates,
  )
})

test('a rate that changes at midnight during renewals taxes each invoice completely by the old or the new rate', async () => {
  const { organizationId, appId } = await world.developer('midnight')
  await world.call('PUT', `/organizations/${organizationId}/tax`, { source: 'OWN' })
  const setRate = (from: string, percent: string) => {
    const body = { behavior: 'EXCLUSIVE', name: 'VAT', rate: percent }
    return world.call('PUT', `/organizations/${organizationId}/tax-rates/DE/${from}`, body)
  }
  await setRate('2026-01-01', '19')
  world.clock.set('2026-01-31T00:00:00Z')
  const planId = await world.plan({ amounts: EUR(1_000), interval: 'DAY' }, appId)
  const shops: Merchant[] = []
  for (let n = 0; n < 8; n++) {
    const shop = await world.merchant({ country: 'DE', type: 'MERCHANT' })
    await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId })
    shops.push(shop)
  }
  world.clock.set('2026-02-01T00:00:00Z')
  const { renewals, charges } = world.app.jobs
  await Promise.all([renewals.runOnce(), setRate('2026-02-01', '22'), renewals.runOnce(), charges.runOnce()])
  await world.work()
  const invoices = (await Promise.all(shops.map(shop => shop.invoices()))).flat()
  assert.equal(invoices.length, 2 * shops.length)
  for (const { status, amountPaid, tax, periodStart } of invoices) {
    const [rateThen, gross] = tax.rate === '22' && periodStart.startsWith('2026-02') ? ['22', 1_220] : ['19', 1_190]
    assert.deepEqual([status, amountPaid, tax.rate, tax.gross], ['PAID', gross, rateThen, gross])
  }
  const { checks } = await world.call('GET', '/operations/checks')
  assert.deepEqual(
    checks.flatMap(({ violations }: Json) => violations),
    [],
  )
  world.clock.set('2026-01-10T12:00:00Z')
})

test('a catch-up after a stop taxes each missed period by the rate at the issue', async () => {
  const { organizationId, appId } = await world.developer('late')
  await world.call('PUT', `/organizations/${organizationId}/tax`, { source: 'OWN' })
  for (const [from, percent] of [
    ['2026-01-01', '10'],
    ['2026-01-12', '30'],
  ]) {
    const body = { behavior: 'EXCLUSIVE', name: 'VAT', rate: percent }
    await world.call('PUT', `/organizations/${organizationId}/tax-rates/DE/${from}`, body)
  }
  const shop = await world.merchant({ country: 'DE', type: 'MERCHANT' })
  const planId = await world.plan({ amounts: EUR(1_000), interval: 'DAY' }, appId)
  await world.ask(OPERATOR_KEY, 'POST', `/apps/${appId}/subscriptions`, {
    body: { businessId: shop.businessId, planId },
  })
  world.clock.set('2026-01-12T13:00:00Z')
  await world.work()
  assert.deepEqual(
    (await shop.invoices()).map(({ tax }) => tax.rate),
    ['10', '30', '30'],
  )
})

test('partial refunds return exactly the tax, and their credit notes show the tax', async () => {
  const shop = await world.merchant({ country: 'DE' })
  await shop.subscribe(await plan(101))
  const { invoiceId, amount, tax } = await onlyInvoice(shop)
  assert.deepEqual([amount, tax.tax], [120, 19])
  for (const part of [1, 50, 69]) await shop.refund(invoiceId, { amount: part })
  const { creditNotes } = await onlyInvoice(shop)
  assert.deepEqual(
    creditNotes.map((note: Json) => note.amount),
    [1, 50, 69],
  )
  const taxes = creditNotes.map((note: Json) => note.tax ?? 0)
  assert.equal(
    taxes.reduce((sum: number, one: number) => sum + one, 0),
    19,
  )
})

test('a plan change issues a credit note for the unused part, and the next invoice has its complete tax', async () => {
  const { organizationId, appId } = await world.developer('change')
  const shop = await world.merchant({ country: 'DE', at: '2026-01-01T00:00:00Z' })
  const [small, large] = [
    await world.plan({ amounts: EUR(1_000) }, appId),
    await world.plan({ amounts: EUR(3_000) }, appId),
  ]
  const path = `/apps/${appId}/subscriptions`
  const { body } = await world.ask(OPERATOR_KEY, 'POST', path, { body: { businessId: shop.businessId, planId: small } })
  await shop.until('2026-01-16T12:00:00Z')
  const change = { planId: large, when: 'NOW' }
  const preview = await world.call('POST', `${path}/${body.subscriptionId}/preview`, change, 200)
  await world.call('PATCH', `${path}/${body.subscriptionId}`, change)
  await world.work()
  const [first = {}, second = {}] = await shop.invoices()
  assert.deepEqual(
    first.creditNotes.map(({ amount, tax, refundId }: Json) => [amount, tax, refundId]),
    [[595, 95, undefined]],
  )
  assert.deepEqual([second.amount, second.creditApplied, second.tax.net, second.tax.tax], [2_975, 595, 3_000, 570])
  assert.deepEqual(preview.lines, second.lines)
  assert.equal(preview.amount, 2_975)
  // 190 − 95 + 570.
  await assertCollected(organizationId, { EUR: 665 })
})

test('a refund at the gateway of credited money has one credit note', async () => {
  const { organizationId, appId } = await world.developer('twice')
  const shop = await world.merchant({ country: 'DE', at: '2026-01-01T00:00:00Z' })
  const [dear, cheap] = [
    await world.plan({ amounts: EUR(1_000) }, appId),
    await world.plan({ amounts: EUR(100) }, appId),
  ]
  const path = `/apps/${appId}/subscriptions`
  const { body } = await world.ask(OPERATOR_KEY, 'POST', path, { body: { businessId: shop.businessId, planId: dear } })
  await shop.until('2026-01-16T12:00:00Z')
  await world.call('PATCH', `${path}/${body.subscriptionId}`, { planId: cheap, when: 'NOW' })
  await world.work()
  const [first = {}] = await shop.invoices()
  const outcome = { kind: 'succeeded' } as const
  const made = { gatewayRefundId: `re_${first.invoiceId}`, amount: 1_190, outcome }
  assert.equal(await applyGatewayRefund(world.app.ports, { invoiceId: first.invoiceId, made }), true)
  const [after = {}] = await shop.invoices()
  assert.deepEqual(
    after.creditNotes.map(({ amount, tax, refundId }: Json) => [amount, tax, refundId !== undefined]),
    [
      [595, 95, false],
      [595, 95, true],
    ],
  )
  const { testBalances } = await world.call('GET', `/organizations/${organizationId}/balance`)
  // The second invoice is paid by credit alone.
  assert.equal(testBalances[0].tax, 19)
})

test("an organization chooses the operator's rates, its own rates, or no tax", async () => {
  const { organizationId, appId } = await world.developer('own')
  const settings = `/organizations/${organizationId}/tax`
  const planId = await world.plan({ amounts: EUR(1_000) }, appId)
  const taxOfNext = async () => {
    const shop = await world.merchant({ country: 'DE' })
    const body = { businessId: shop.businessId, planId }
    await world.ask(OPERATOR_KEY, 'POST', `/apps/${appId}/subscriptions`, { body })
    return (await onlyInvoice(shop)).tax?.rate
  }
  assert.equal((await world.call('GET', settings)).source, 'OPERATOR')
  assert.equal(await taxOfNext(), '19')
  await world.call('PUT', settings, { source: 'OWN' })
  assert.equal(await taxOfNext(), undefined)
  const body = { behavior: 'EXCLUSIVE', name: 'MwSt.', rate: '7' }
  await world.call('PUT', `/organizations/${organizationId}/tax-rates/DE/2026-01-01`, body)
  assert.equal(await taxOfNext(), '7')
  assert.deepEqual((await world.call('GET', settings)).rates, [{ country: 'DE', validFrom: '2026-01-01', ...body }])
  await world.call('DELETE', `/organizations/${organizationId}/tax-rates/DE/2026-01-01`, undefined, 204)
  await world.call('DELETE', `/organizations/${organizationId}/tax-rates/DE/2026-01-01`, undefined, 404)
  await world.call('PUT', settings, { source: 'NONE' })
  assert.equal(await taxOfNext(), undefined)
})

test('two concurrent identical rates create one, and wrong input is rejected by field name', async () => {
  const body = { behavior: 'INCLUSIVE', name: 'GST', rate: '15' }
  await Promise.all([1, 2, 3].map(() => world.call('PUT', '/tax-rates/NZ/2026-01-01', body)))
  const { list } = await world.call('GET', '/tax-rates')
  assert.deepEqual(
    list.filter(({ country }: Json) => country === 'NZ'),
    [{ country: 'NZ', validFrom: '2026-01-01', ...body }],
  )
  await world.call('DELETE', '/tax-rates/NZ/2026-01-01', undefined, 204)
  await world.call('DELETE', '/tax-rates/NZ/2026-01-01', undefined, 404)
  for (const [path, sent, field] of [
    ['/tax-rates/XX/2026-01-01', body, 'country'],
    ['/tax-rates/NZ/2026-02-30', body, 'validFrom'],
    ['/tax-rates/NZ/2026-01-01', { ...body, rate: '101' }, 'rate'],
    ['/tax-rates/NZ/2026-01-01', { ...body, rate: 15 }, 'rate'],
    ['/tax-rates/NZ/2026-01-01', { ...body, behavior: 'NONE', byAddress: true }, 'byAddress'],
    ['/tax-rates/NZ/2026-01-01', { ...body, behavior: 'SOMETIMES' }, 'behavior'],
    ['/tax-rates/NZ/2026-01-01', { behavior: 'INCLUSIVE', rate: '15' }, 'name'],
  ] as const) {
    const { fields } = await world.call('PUT', path, sent, 400)
    assert.equal(fields[0].path, field)
  }
  await world.call('PUT', '/organizations/019a3c7e-5c00-7000-8000-0000000000ff/tax', { source: 'OWN' }, 404)
})

test('the first charge of a taxed plan needs a payment method unless credit covers the gross', async () => {
  const shop = await world.merchant({ country: 'DE', card: 'none' })
  await shop.subscribe(await plan(500), 409)
})
