import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { newPerson } from '../../../test/support/people.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'

let world: World
before(async () => {
  world = await createWorld({ at: '2026-01-01T00:00:00Z' })
  await nameSeller({ taxId: 'VAT DE 123 456 788' })
  for (const [country, behavior, rate] of [
    ['DE', 'EXCLUSIVE', '19'],
    ['FR', 'INCLUSIVE', '20'],
    ['AT', 'EXCLUSIVE', '0'],
    ['JP', 'EXCLUSIVE', '10'],
  ]) {
    await world.call('PUT', `/tax-rates/${country}/2026-01-01`, { behavior, name: 'VAT', rate })
  }
})
after(() => world?.close())

const nameSeller = (more: Record<string, unknown> = {}, organizationId = world.organizationId) =>
  world.call('PUT', `/organizations/${organizationId}/seller`, {
    legalName: 'Apps & Söhne <GmbH>',
    address: { line1: 'Hafenstr. 1', city: 'Hamburg', postalCode: '20457', countryCode: 'DE' },
    ...more,
  })

const plan = (name: string, value: number) =>
  world.plan({
    name,
    amounts: ['DE', 'FR', 'AT', 'JP'].map(country => ({ country, currency: country === 'JP' ? 'JPY' : 'EUR', value })),
  })

/** scripts/e-invoices.sh validates the kept files by the public schematron. */
function keep(name: string, file: string | Buffer): void {
  const folder = process.env.TILLHOOK_TEST_E_INVOICES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}`, file)
}

/** Downloads a document as a person of the business. */
async function save(token: string, url: string): Promise<Buffer> {
  const { statusCode, rawPayload } = await world.app.http.inject({ url, headers: { cookie: `tillhook=${token}` } })
  assert.equal(statusCode, 200)
  return rawPayload
}

async function download(businessId: string, invoiceId: string, name: string): Promise<string> {
  const path = `/businesses/${businessId}/invoices/${invoiceId}/e-invoice.xml`
  const { status, text, headers } = await world.ask(OPERATOR_KEY, 'GET', path)
  assert.equal(status, 200, text)
  assert.match(String(headers['content-type']), /^application\/xml/)
  keep(`${name}.xml`, text)
  return text
}

/** The texts of an element, in order. */
const textsOf = (xml: string, element: string) =>
  [...xml.matchAll(new RegExp(`<ram:${element}(?: [^>]*)?>([^<]*)</ram:${element}>`, 'g'))].map(([, text]) => text)

test('an e-invoice has the parties, the tax and the totals of its invoice, and text is escaped', async () => {
  const shop = await world.merchant({ country: 'DE' })
  await shop.subscribe(await plan('Pro <& more>', 999))
  const [invoice = {}] = await shop.invoices()
  const xml = await download(shop.businessId, invoice.invoiceId, 'exclusive')
  assert.deepEqual(textsOf(xml, 'Name'), ['Pro &lt;&amp; more&gt;', 'Apps &amp; Söhne &lt;GmbH&gt;', 'Corner Shop'])
  assert.deepEqual(textsOf(xml, 'ID'), ['urn:cen.eu:en16931:2017', invoice.number, 'DE123456788'])
  assert.deepEqual(textsOf(xml, 'CategoryCode'), ['S', 'S'])
  for (const [element, amount] of [
    ['TaxBasisTotalAmount', '9.99'],
    ['TaxTotalAmount', '1.90'],
    ['GrandTotalAmount', '11.89'],
    ['TotalPrepaidAmount', '0.00'],
    ['DuePayableAmount', '11.89'],
  ] as const) {
    assert.deepEqual(textsOf(xml, element), [amount], element)
  }
  // The file shows the issue: paying changes nothing.
  assert.equal(await download(shop.businessId, invoice.invoiceId, 'exclusive'), xml)
})

test('e-invoices cover inclusive tax, the rate zero, a reverse charge and a currency without decimals', async () => {
  const euro = await plan('Pro', 1_001)
  for (const [name, country, taxId, category, rate, totals] of [
    ['inclusive', 'FR', undefined, 'S', '20', ['8.34', '1.67', '10.01']],
    ['reverse-charge', 'FR', 'FR12345678901', 'AE', '0', ['10.01', '0.00', '10.01']],
    ['zero-rate', 'AT', undefined, 'Z', '0', ['10.01', '0.00', '10.01']],
    ['yen', 'JP', undefined, 'S', '10', ['1001', '100', '1101']],
  ] as const) {
    const shop = await world.merchant({ country })
    if (taxId !== undefined) await world.call('PATCH', `/businesses/${shop.businessId}`, { taxId })
    await shop.subscribe(euro)
    const [invoice = {}] = await shop.invoices()
    const xml = await download(shop.businessId, invoice.invoiceId, name)
    assert.deepEqual(textsOf(xml, 'CategoryCode'), [category, category], name)
    assert.deepEqual(textsOf(xml, 'RateApplicablePercent'), [rate, rate], name)
    const parts = ['TaxBasisTotalAmount', 'TaxTotalAmount', 'GrandTotalAmount'].map(one => textsOf(xml, one)[0])
    assert.deepEqual(parts, totals, name)
    if (taxId !== undefined) assert.ok(textsOf(xml, 'ID').includes(taxId))
  }
})

test('credit of a plan change is a credit note for its invoice, and a prepaid amount of the next invoice', async () => {
  const shop = await world.merchant({ country: 'DE', at: '2026-01-01T00:00:00Z' })
  const [small, large] = [await plan('Small', 1_000), await plan('Large', 3_000)]
  const { subscriptionId } = await shop.subscribe(small)
  await shop.until('2026-01-16T12:00:00Z')
  await world.call('PATCH', `/apps/${world.appId}/subscriptions/${subscriptionId}`, { planId: large, when: 'NOW' })
  await world.work()
  const [first = {}, second = {}] = await shop.invoices()
  const next = await download(shop.businessId, second.invoiceId, 'with-credit')
  assert.deepEqual(
    [textsOf(next, 'GrandTotalAmount'), textsOf(next, 'TotalPrepaidAmount'), textsOf(next, 'DuePayableAmount')],
    [['35.70'], ['5.95'], ['29.75']],
  )
  const { token } = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  const url = `/my/invoices/credit-notes/${first.creditNotes[0].creditNoteId}/e-invoice.xml`
  const saved = (await save(token, url)).toString()
  keep('credit-note.xml', saved)
  assert.deepEqual(textsOf(saved, 'IssuerAssignedID'), [first.number])
  assert.match(saved, /<ram:TypeCode>381</)
  assert.deepEqual([textsOf(saved, 'TaxTotalAmount'), textsOf(saved, 'GrandTotalAmount')], [['0.95'], ['5.95']])
  for (const [name, path] of [
    ['credit-note.pdf', url.replace('/e-invoice.xml', '.pdf')],
    ['invoice.pdf', `/my/invoices/${second.invoiceId}.pdf`],
  ] as const) {
    const pdf = await save(token, path)
    keep(name, pdf)
    assert.ok(pdf.includes('<pdfaid:part>3</pdfaid:part>') && pdf.includes('factur-x.xml'), name)
    assert.deepEqual(await save(token, path), pdf)
  }
  const stranger = await newPerson(
    world,
    { kind: 'MERCHANT', businessId: (await world.merchant()).businessId },
    'OWNER',
  )
  const denied = await world.app.http.inject({ url, headers: { cookie: `tillhook=${stranger.token}` } })
  assert.equal(denied.statusCode, 404)
})

test('an invoice without tax, or of a seller without a tax id, has no e-invoice', async () => {
  const { organizationId, appId } = await world.developer('nameless')
  await nameSeller({}, organizationId)
  const amounts = ['DE', 'US'].map(country => ({ country, currency: 'EUR', value: 500 }))
  const planId = await world.plan({ amounts }, appId)
  for (const country of ['DE', 'US']) {
    const shop = await world.merchant({ country })
    const body = { businessId: shop.businessId, planId }
    await world.ask(OPERATOR_KEY, 'POST', `/apps/${appId}/subscriptions`, { body })
    const [invoice = {}] = await shop.invoices()
    const path = `/businesses/${shop.businessId}/invoices/${invoice.invoiceId}/e-invoice.xml`
    assert.equal((await world.ask(OPERATOR_KEY, 'GET', path)).body.code, 'RESOURCE_NOT_FOUND')
  }
})
