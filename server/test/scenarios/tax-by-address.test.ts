import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { findOperatorNeeds } from '../../src/money/daily-summary/operator-needs.ts'
import { visiting } from '../../src/pages/merchant/merchant.fixture.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { type FakeStripe, startStripe } from '../support/stripe/server.ts'
import { transactionsAt } from '../support/stripe/tax.ts'
import { createWorld, type Json, type World } from '../support/world.ts'

let stripe: FakeStripe
let world: World
before(async () => {
  stripe = await startStripe({ now: () => world?.clock.now() ?? new Date() })
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const account = { secretKey, webhookSecret, apiBase }
  world = await createWorld({ at: START, stripe: account, stripeTax: { taxCode: 'txcd_10103001' } })
  for (const country of ['US', 'CA']) await world.call('PUT', `/tax-rates/${country}/2026-01-01`, BY_ADDRESS)
  await world.call('PUT', '/tax-rates/DE/2026-01-01', { behavior: 'EXCLUSIVE', name: 'VAT', rate: '19' })
})
after(async () => {
  await world?.close()
  await stripe?.close()
})

const START = '2026-01-10T12:00:00Z'
const BY_ADDRESS = { behavior: 'EXCLUSIVE', name: 'Sales tax', rate: '6', byAddress: true }
const NEW_YORK = { line1: '350 5th Ave', city: 'New York', territory: 'NY', postalCode: '10001', countryCode: 'US' }
const MINUTE = 60_000
const later = (ms: number) => world.clock.set(new Date(world.clock.now().getTime() + ms))
const lookUp = () => world.app.jobs.taxRates.runOnce()
const calls = () => stripe.calls.filter(call => call === 'POST /v1/tax/calculations').length
const COUNTRIES = ['US', 'CA', 'DE'].map(country => ({ country, currency: 'USD', value: 999 }))

beforeEach(async () => {
  world.clock.set(START)
  while ((await lookUp()) > 0);
})

async function merchant(address: Json | undefined, country = 'US', changed: Json = {}) {
  const shop = await world.merchant({ gateway: 'stripe', card: 'pm_card_visa', country })
  if (address !== undefined) await world.call('PATCH', `/businesses/${shop.businessId}`, { address, ...changed })
  const taxes = async () => (await shop.invoices()).map(({ tax }) => tax)
  return { ...shop, taxes, subscribe: async (definition: Json = {}) => shop.subscribe(await plan(definition)) }
}

const needs = async () =>
  (await findOperatorNeeds(world.app.ports)).filter(({ at }) => at === 'tax').map(({ words }) => words)

const plan = (definition: Json = {}) => world.plan({ amounts: COUNTRIES, ...definition })

test('the rate of the address is the sum of its jurisdictions, and the invoice names them', async () => {
  const shop = await merchant(NEW_YORK)
  const quebecer = await merchant({ city: 'Montréal', territory: 'QC', postalCode: 'H2Y 1C6' }, 'CA')
  const before = calls()
  const answered = await Promise.all([lookUp(), lookUp()])
  assert.equal(answered[0] + answered[1], 2)
  // Today and tomorrow, for each address.
  assert.equal(calls(), before + 4)
  assert.equal(await lookUp(), 0)
  await shop.subscribe()
  const [tax] = await shop.taxes()
  assert.deepEqual(tax, {
    ...{ name: 'Sales tax', behavior: 'EXCLUSIVE', rate: '8.875', net: 999, tax: 89, gross: 1_088 },
    ...{ rateSource: 'ADDRESS', reverseCharge: false },
    jurisdictions: [
      { name: 'New York', rate: '4' },
      { name: 'New York City', rate: '4.5' },
      { name: 'Metropolitan Commuter Transportation District', rate: '0.375' },
    ],
  })
  await quebecer.subscribe()
  const [quebec] = await quebecer.taxes()
  assert.deepEqual([quebec.rate, quebec.tax], ['14.975', 150])
  const [sent] = [...stripe.state.things.values()].filter(({ object }) => object === 'tax.calculation')
  assert.equal(sent?.line_items.data[0].tax_code, 'txcd_10103001')
})

test('the page shows the provider, the countries and the merchants without a rate', async () => {
  const shop = await merchant({ city: 'New York' })
  await lookUp()
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  const olga = visiting(world, person.token)
  const { words, text } = await olga.get('/ops/tax')
  for (const shown of [
    'United States 1 January 2026 Sales tax By address, else 6%',
    'Provider Stripe Tax Countries Canada, United States',
    'Corner Shop The provider cannot locate the address.',
  ]) {
    assert.ok(words.includes(shown), words)
  }
  assert.ok(text.includes(`/ops/merchants/${shop.businessId}`))
  const form = { country: 'US', validFrom: '2027-01-01', behavior: 'EXCLUSIVE', name: 'Sales tax', rate: '7' }
  await olga.send('/ops/tax', { ...form, byAddress: 'on' }, '/ops/tax/rates')
  const [latest] = (await world.call('GET', '/tax-rates')).list.filter(({ country }: Json) => country === 'US')
  assert.deepEqual([latest.validFrom, latest.byAddress], ['2027-01-01', true])
  await world.call('DELETE', '/tax-rates/US/2027-01-01', undefined, 204)
  await world.call('PATCH', `/businesses/${shop.businessId}`, { address: NEW_YORK })
})

test('an organization with rates of its own has none by address', async () => {
  const { organizationId, appId } = await world.developer('own')
  const path = `/organizations/${organizationId}`
  await world.call('PUT', `${path}/tax`, { source: 'OWN' })
  const set = await world.call('PUT', `${path}/tax-rates/US/2026-01-01`, BY_ADDRESS)
  assert.equal('byAddress' in set, false)
  const shop = await merchant(NEW_YORK)
  await lookUp()
  const planId = await world.plan({ amounts: COUNTRIES }, appId)
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId: shop.businessId, planId })
  const [tax] = await shop.taxes()
  assert.deepEqual([tax.rate, 'rateSource' in tax], ['6', false])
})

test('a state that taxes a part of the price has the rate of that part', async () => {
  const shop = await merchant({ territory: 'TX', postalCode: '78701' })
  await lookUp()
  await shop.subscribe()
  assert.equal((await shop.taxes())[0].rate, '6.6')
})

test('a place without a registration has the rate 0, and a country without rates by address asks nobody', async () => {
  const unregistered = await merchant({ territory: 'OR', postalCode: '97201' })
  const german = await merchant({ city: 'Hamburg', postalCode: '20457' }, 'DE')
  const before = calls()
  await lookUp()
  assert.equal(calls(), before + 2)
  await unregistered.subscribe()
  const [tax] = await unregistered.taxes()
  assert.deepEqual([tax.rate, tax.tax, tax.rateSource, 'jurisdictions' in tax], ['0', 0, 'ADDRESS', false])
  await german.subscribe()
  const [vat] = await german.taxes()
  assert.deepEqual([vat.rate, 'rateSource' in vat], ['19', false])
})

test('while the provider is away or limits the rate of calls, the rate of the table applies; the look-up repeats', async () => {
  for (const fault of ['closed before', '500 before', '429'] as const) {
    const shop = await merchant(NEW_YORK)
    // The SDK repeats a call whose connection was closed.
    stripe.fail(/tax\/calculations$/, fault, fault === 'closed before' ? 2 : 1)
    assert.equal(await lookUp(), 0, fault)
    assert.equal(await lookUp(), 0, 'the lease holds')
    await shop.subscribe()
    assert.deepEqual(
      (await shop.taxes()).map(tax => [tax.rate, tax.rateSource]),
      [['6', 'FALLBACK']],
    )
    assert.deepEqual(await needs(), ['1 merchant has no tax rate of its address'])
    later(15 * MINUTE)
    while ((await lookUp()) > 0);
    assert.deepEqual(await needs(), [])
    await shop.subscribe()
    assert.equal((await shop.taxes()).at(-1).rateSource, 'ADDRESS')
  }
})

test('an address that the provider cannot locate, and one in another country, has the rate of the table until it changes', async () => {
  for (const [address, isAsked] of [
    [{ city: 'New York' }, true],
    [{ ...NEW_YORK, countryCode: 'CA' }, false],
  ] as const) {
    const shop = await merchant(address)
    const before = stripe.state.things.size
    stripe.calls.length = 0
    await lookUp()
    assert.deepEqual([stripe.state.things.size, calls() > 0], [before, isAsked])
    assert.deepEqual(await needs(), ['1 merchant has no tax rate of its address'])
    await shop.subscribe()
    assert.equal((await shop.taxes())[0].rateSource, 'FALLBACK')
    await world.call('PATCH', `/businesses/${shop.businessId}`, { address: NEW_YORK })
    await lookUp()
    await shop.subscribe()
    assert.equal((await shop.taxes()).at(-1).rate, '8.875')
  }
})

test('a merchant that moves never has the rate of the old address, also while an answer about it is on its way', async () => {
  const shop = await merchant(NEW_YORK)
  await lookUp()
  const texas = { territory: 'TX', postalCode: '78701' }
  await world.call('PATCH', `/businesses/${shop.businessId}`, { address: texas })
  await shop.subscribe()
  assert.equal((await shop.taxes())[0].rateSource, 'FALLBACK')
  stripe.meanwhile(/tax\/calculations$/, () =>
    world.call('PATCH', `/businesses/${shop.businessId}`, { address: NEW_YORK }),
  )
  await lookUp()
  await shop.subscribe()
  assert.notEqual((await shop.taxes()).at(-1).rate, '6.6')
  while ((await lookUp()) > 0);
  await shop.subscribe()
  assert.equal((await shop.taxes()).at(-1).rate, '8.875')
})

const recordTaxes = () => world.app.jobs.taxRecords.runOnce()
const booksAtStripe = () =>
  transactionsAt(stripe.state).map(({ type, reference, line_items: { data } }) => ({
    ...{ type, number: String(reference).split('/')[0], amount: data[0].amount, tax: data[0].amount_tax },
  }))
const providerOf = async (month = '2026-01') => (await world.call('GET', `/reports/tax/${month}`)).provider

/** A merchant of New York with a paid invoice, whose booking is not recorded at Stripe yet. */
async function paid() {
  const shop = await merchant(NEW_YORK)
  while ((await lookUp()) + (await recordTaxes()) > 0);
  await shop.subscribe()
  const before = booksAtStripe().length
  const [invoice = {}] = await shop.invoices()
  return { ...shop, invoice, made: () => booksAtStripe().slice(before) }
}

test('money received and returned is recorded in the books of Stripe once, with what Stripe rounds otherwise', async () => {
  const shop = await paid()
  const { number, invoiceId } = shop.invoice
  await Promise.all([recordTaxes(), recordTaxes()])
  // Stripe rounds each of three jurisdictions: 40 + 45 + 4 of $9.99.
  assert.deepEqual(shop.made(), [{ type: 'transaction', number, amount: 1_088, tax: 89 }])
  await shop.refund(invoiceId, { amount: 500, reason: 'part' })
  await shop.refund(invoiceId, { amount: 588, reason: 'rest' })
  while ((await recordTaxes()) > 0);
  assert.deepEqual(
    shop.made().map(({ type, amount }) => [type, amount]),
    [
      ['transaction', 1_088],
      ['reversal', -500],
      ['reversal', -588],
    ],
  )
  assert.equal(
    shop.made().reduce((sum, { tax }) => sum + tax, 0),
    0,
  )
  const [usd] = await providerOf()
  assert.deepEqual([usd.currency, usd.difference], ['USD', usd.providerTax - usd.tax])
})

test('an invoice that credit paid in part is reversed over both of its transactions', async () => {
  const shop = await merchant(NEW_YORK)
  await lookUp()
  while ((await recordTaxes()) > 0);
  const [small, large] = [await plan(), await plan({ amounts: COUNTRIES.map(one => ({ ...one, value: 2_000 })) })]
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, {
    ...{ businessId: shop.businessId, planId: small },
  })
  const before = booksAtStripe().length
  for (const [day, planId] of [
    ['2026-01-20T12:00:00Z', large],
    ['2026-01-20T12:05:00Z', small],
  ] as const) {
    world.clock.set(day)
    await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId, when: 'NOW' })
    await world.work()
  }
  while ((await recordTaxes()) > 0);
  const made = booksAtStripe().slice(before)
  const [, second = {}] = (await shop.invoices()).toSorted((one, other) => one.number.localeCompare(other.number))
  const ofSecond = made.filter(({ number }) => number === second.number)
  // Credit and card, then the unused part.
  assert.deepEqual(ofSecond.map(({ type }) => type).toSorted(), ['reversal', 'reversal', 'transaction', 'transaction'])
  const { sql } = world.app.ports.db
  const [held] = await sql<{ amount: number }[]>`
    select sum(gateway + business_credit)::int as amount from ledger_transactions where invoice_id = ${second.invoiceId}`
  assert.equal(
    ofSecond.reduce((sum, { amount }) => sum + amount, 0),
    held?.amount,
  )
})

test('a process that ends between Stripe’s transaction and its mark records once', async () => {
  const shop = await paid()
  const dying = await world.openAnother({
    wrap: ports => {
      const { taxProvider } = ports
      assert.ok(taxProvider)
      const recordSale: typeof taxProvider.recordSale = async sale => {
        await taxProvider.recordSale(sale)
        throw new Error('the process ends')
      }
      return { ...ports, taxProvider: { ...taxProvider, recordSale } }
    },
  })
  await assert.rejects(dying.jobs.taxRecords.runOnce(), /the process ends/)
  assert.equal(shop.made().length, 1)
  assert.equal((await providerOf())[0].waiting, 1)
  assert.equal(await recordTaxes(), 0)
  later(10 * MINUTE)
  assert.deepEqual(await Promise.all([recordTaxes(), recordTaxes()]).then(counts => counts.toSorted()), [0, 1])
  assert.deepEqual([shop.made().length, (await providerOf())[0].waiting], [1, 0])
})

test('every fault of the network leaves one transaction and one reversal', async () => {
  for (const fault of ['closed before', 'closed after', '500 before', '429', '409'] as const) {
    const shop = await paid()
    await shop.refund(shop.invoice.invoiceId, { amount: 1_088, reason: 'all' })
    stripe.fail(/tax\/(calculations|transactions\/create)/, fault, 3)
    for (let n = 0; n < 6; n++) {
      await recordTaxes()
      later(10 * MINUTE)
    }
    assert.deepEqual(
      shop.made().map(({ type, amount }) => [type, amount]),
      [
        ['transaction', 1_088],
        ['reversal', -1_088],
      ],
      fault,
    )
  }
})

test('a booking that Stripe rejects is shown and repeated a day later; bookings of other invoices go on', async () => {
  const shop = await merchant({ city: 'New York' })
  await lookUp()
  await shop.subscribe()
  const other = await paid()
  while ((await recordTaxes()) > 0);
  assert.equal(other.made().length, 1)
  assert.ok((await needs()).includes('1 booking is not in the books of the tax provider'))
  await world.call('PATCH', `/businesses/${shop.businessId}`, { address: NEW_YORK })
  later(25 * 60 * MINUTE)
  while ((await lookUp()) + (await recordTaxes()) > 0);
  assert.deepEqual(await needs(), [])
  const number = (await shop.invoices())[0]?.number
  const [recorded] = booksAtStripe().filter(one => one.number === number)
  // The fallback of 6 % collected $0.60 of $10.59, and the address owes $0.87.
  assert.deepEqual([recorded?.amount, recorded?.tax], [1_059, 87])
})

test('a rate that changes at midnight is known the day before, and counts from midnight on while renewals run', async () => {
  const postalCode = '60601'
  const rateFrom = (from: string, percent: string) =>
    stripe.state.taxLocations.push({ postalCode, from, parts: [['Illinois', percent]] })
  rateFrom('2020-01-01', '6.25')
  world.clock.set('2026-01-30T12:00:00Z')
  const planId = await plan({ interval: 'DAY' })
  const shops = []
  for (let n = 0; n < 3; n++) {
    const shop = await merchant({ postalCode })
    await lookUp()
    await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId: shop.businessId, planId })
    shops.push(shop)
  }
  rateFrom('2026-02-01', '6.5')
  world.clock.set('2026-01-31T00:05:00Z')
  const before = calls()
  await world.app.jobs.taxRatesAhead.runOnce()
  assert.equal(await lookUp(), 3)
  assert.equal(calls(), before + 3)
  world.clock.set('2026-01-31T12:00:00Z')
  await world.work()
  // The provider is not asked at midnight.
  stripe.fail(/tax\/calculations$/, '500 before', 99)
  world.clock.set('2026-02-01T12:00:00Z')
  await Promise.all([world.work(), lookUp(), world.app.jobs.taxRatesAhead.runOnce()])
  await world.work()
  for (const shop of shops) {
    assert.deepEqual(
      (await shop.invoices()).map(({ periodStart, tax }) => [periodStart.slice(0, 10), tax.rate]).toSorted(),
      [
        ['2026-01-30', '6.25'],
        ['2026-01-31', '6.25'],
        ['2026-02-01', '6.5'],
      ],
    )
  }
})
