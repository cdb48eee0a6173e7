import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newTill } from '../../../test/support/purchases.ts'
import { newVisitor } from '../../../test/support/visitor.ts'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visitor } from './merchant.fixture.ts'
import { textOfPdf } from './pdf-text.fixture.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  await world.call('PUT', `/organizations/${world.organizationId}/seller`, {
    legalName: 'Example Apps GmbH',
    address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
    taxId: 'DE123456789',
  })
  for (const [country, behavior, rate] of [
    ['DE', 'EXCLUSIVE', '19'],
    ['FR', 'INCLUSIVE', '20'],
    ['US', 'EXCLUSIVE', '8.875'],
  ]) {
    await world.call('PUT', `/tax-rates/${country}/2026-01-01`, { behavior, name: 'VAT', rate })
  }
})
after(() => world?.close())

const plan = (name: string, value: number) =>
  world.plan({ name, amounts: ['DE', 'FR'].map(country => ({ country, currency: 'EUR', value })) })

function assertSays(words: string, parts: readonly string[]): void {
  for (const part of parts) assert.ok(words.includes(part), `missing ${part}: ${words}`)
}

test('invoice, plan change preview and credit note show net, tax and total on the page and in the file', async () => {
  const shop = await world.merchant({ country: 'DE', at: '2026-01-01T00:00:00Z' })
  const [small, large] = [await plan('Pro', 1_000), await plan('Max', 3_000)]
  const { subscriptionId } = await shop.subscribe(small)
  const ann = await visitor(world, shop.businessId)
  await shop.until('2026-01-16T12:00:00Z')
  const change = `/my/subscriptions/${subscriptionId}/change/preview?planId=${large}&when=NOW`
  assertSays((await ann.get(change)).words, [
    ...[
      '€30.00 + 19% VAT per month',
      'Max',
      '€30.00',
      '19% VAT',
      '€5.70',
      'Credit',
      '−€5.95',
      'Charged today',
      '€29.75',
      // A renewal has the tax as well.
      'Next charge: €35.70 on 16 February 2026.',
    ],
  ])
  await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId: large, when: 'NOW' })
  await world.work()
  const [first = {}, second = {}] = await shop.invoices()
  const shown = ['Max', 'Net', '€30.00', '19% VAT', '€5.70', 'Total', '€35.70', 'Credit', '−€5.95', 'To pay', '€29.75']
  const path = `/my/invoices/${second.invoiceId}`
  const save = async (url: string) =>
    textOfPdf(
      (await world.app.http.inject({ url, headers: { cookie: `tillhook=${ann.person.token}` } })).rawPayload,
    ).replaceAll(/\s+/g, ' ')
  for (const words of [(await ann.get(path)).words, await save(`${path}.pdf`)]) {
    assertSays(words, [...shown, '20457 Hamburg', 'Tax ID: DE123456789'])
  }
  const note = await save(`/my/invoices/credit-notes/${first.creditNotes[0].creditNoteId}.pdf`)
  assertSays(note, ['Credit note T-C-2026-', 'Credited', `Unused part of invoice ${first.number}`])
  assertSays(note, ['Net', '−€5.00', '19% VAT', '−€0.95', 'Total', '−€5.95'])
})

test('the overview counts and shows the tax that is added to a price', async () => {
  const shop = await world.merchant({ country: 'DE' })
  for (const value of [1_000, 3_000]) await shop.subscribe(await plan(`For ${value}`, value))
  const { words } = await (await visitor(world, shop.businessId)).get('/my/subscriptions')
  assertSays(words, ['Price per month €47.60 2 subscriptions', '€10.00 + 19% VAT per month', 'Next charge: €11.90 on'])
})

test('a reverse charge is shown on the invoice with the law and both tax ids', async () => {
  const shop = await world.merchant({ country: 'FR' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, { taxId: 'FR12345678901' })
  await shop.subscribe(await plan('Pro', 1_000))
  const [invoice = {}] = await shop.invoices()
  const ann = await visitor(world, shop.businessId)
  assertSays((await ann.get(`/my/invoices/${invoice.invoiceId}`)).words, [
    ...['Net', '€10.00', 'VAT (reverse charge)', '€0.00', 'Tax ID: DE123456789', 'Tax ID: FR12345678901'],
    'Reverse charge: the recipient owes the tax (Directive 2006/112/EC, article 196).',
  ])
})

test('the purchase screen shows the tax before a charge, also after a trial', async () => {
  const till = await newTill(world)
  const prices = { amounts: [{ country: 'US', currency: 'USD', value: 500 }] }
  for (const [planId, words] of [
    [
      await world.plan(prices),
      ['$5.00', '+ 8.875% VAT per month', '$0.44', '$5.44 is charged today.', 'Then $5.00 + 8.875% VAT per month'],
    ],
    [
      await world.plan({ ...prices, trialPeriodDays: 7 }),
      ['then $5.00 + 8.875% VAT per month', 'First charge: $5.44 on'],
    ],
  ] as const) {
    const screen = await till.open({ planId })
    const browser = newVisitor(world.app)
    await browser.get(screen.url)
    const { body } = await browser.get(screen.path)
    assertSays(body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), words)
  }
})
