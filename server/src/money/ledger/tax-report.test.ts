import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type Json, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { visiting } from '../../pages/merchant/merchant.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-10T12:00:00Z' })
  await world.call('PUT', `/organizations/${world.organizationId}/seller`, {
    legalName: 'Example Apps GmbH',
    address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
    taxId: 'DE123456789',
  })
  for (const [country, rate] of [
    ['DE', '19'],
    ['FR', '20'],
  ]) {
    await world.call('PUT', `/tax-rates/${country}/2026-01-01`, { behavior: 'EXCLUSIVE', name: 'VAT', rate })
  }
})
after(() => world?.close())

const EUR = (value: number) => ['DE', 'FR', 'US'].map(country => ({ country, currency: 'EUR', value }))

test('the report sums the tax of a month by country and rate, and a refund counts in its own month', async () => {
  const planId = await world.plan({ amounts: EUR(1_000), interval: 'YEAR' })
  const buy = async (country: string, taxId?: string, appId = world.appId, plan = planId) => {
    const { businessId } = await world.merchant({ country, type: 'MERCHANT' })
    if (taxId !== undefined) await world.call('PATCH', `/businesses/${businessId}`, { taxId })
    await world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId: plan })
    await world.work()
    const [invoice] = (await world.call('GET', `/businesses/${businessId}/invoices`)).list
    return `/businesses/${businessId}/invoices/${invoice.invoiceId}/refunds`
  }
  const refunds = await buy('DE')
  await buy('DE')
  await buy('FR')
  await buy('FR', 'FR12345678901')
  await buy('US')
  const test = await world.merchant({ country: 'DE' })
  await test.subscribe(planId)
  const other = await world.developer('other')
  await buy('FR', undefined, other.appId, await world.plan({ amounts: EUR(500), interval: 'YEAR' }, other.appId))
  world.clock.set('2026-02-02T00:00:00Z')
  await world.call('POST', refunds, { amount: 595 }, 201)
  await world.work()

  const lines = async (query: string) =>
    (await world.call('GET', `/reports/tax/${query}`)).list.map((one: Json) =>
      [one.country, one.rate, one.reverseCharge, one.net, one.collected, one.returned, one.tax].join(' '),
    )
  const january = ['DE 19 false 2000 380 0 380', 'FR 20 false 1500 300 0 300', 'FR 0 true 1000 0 0 0']
  assert.deepEqual(await lines('2026-01'), january)
  while ((await world.app.jobs.ledgerTotals.runOnce()) > 0);
  assert.deepEqual(await lines('2026-01'), january)
  const { checks } = await world.call('GET', '/operations/checks?check=taxTotalsMatch')
  assert.deepEqual(checks[0].violations, [])
  assert.deepEqual(await lines('2026-02'), ['DE 19 false -500 0 95 -95'])
  assert.deepEqual(await lines(`2026-01?organizationId=${other.organizationId}`), ['FR 20 false 500 100 0 100'])
  assert.deepEqual(await lines('2026-01?merchantType=TEST_MERCHANT'), ['DE 19 false 1000 190 0 190'])
  assert.deepEqual(await lines('2025-12'), [])
  const { balances } = await world.call('GET', '/operator/balance')
  assert.equal(balances[0].tax, 380 + 300 - 95)

  const csv = await world.ask(OPERATOR_KEY, 'GET', '/reports/tax/2026-02/lines.csv')
  assert.equal(
    csv.text,
    'month,country,currency,name,rate,reverseCharge,net,collected,returned,tax\r\n' +
      '2026-02,DE,EUR,VAT,19,no,-5.00,0.00,0.95,-0.95\r\n',
  )
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  const olga = visiting(world, person.token)
  assert.match((await olga.get('/ops/tax')).text, /href="\/ops\/tax\/collected"/)
  const page = await olga.get('/ops/tax/collected?month=2026-01')
  assert.match(
    page.words,
    /Collected tax, January 2026 Closed.*Total .*EUR €45\.00 €6\.80 €0\.00 €6\.80 .*Germany 19% VAT €20\.00 €3\.80 €0\.00 €3\.80/,
  )
  assert.match(page.words, /France VAT \(reverse charge\) €10\.00/)
  assert.equal((await olga.get('/ops/tax/collected/2026-02/lines.csv')).text, csv.text)
  assert.match((await olga.get('/ops/tax/collected?month=2025-12')).words, /No tax in this month/)
})

test('a malformed month is rejected, and only the operator reads the report', async () => {
  assert.equal((await world.ask(OPERATOR_KEY, 'GET', '/reports/tax/2026-13')).status, 400)
  const developer = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  assert.equal((await world.ask(developer.token, 'GET', '/reports/tax/2026-01')).status, 403)
  assert.equal((await visiting(world, developer.token).get('/ops/tax/collected')).status, 404)
})
