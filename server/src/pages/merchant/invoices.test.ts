import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWorld, type World } from '../../../test/support/world.ts'
import { visitor } from './merchant.fixture.ts'
import { textOfPdf } from './pdf-text.fixture.ts'

let world: World
let monthly: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  monthly = await world.plan({ name: 'Pro' })
})
after(() => world?.close())

async function billed(until: string, card = 'tok_ok') {
  const isDeclined = card !== 'tok_ok'
  const shop = await world.merchant({ at: isDeclined ? '2025-12-31T00:00:00Z' : '2026-01-31T00:00:00Z' })
  if (isDeclined) await shop.renewWith(monthly, card)
  else await shop.subscribe(monthly)
  await shop.until(until)
  const invoices = await shop.invoices()
  return { shop, invoices, ann: await visitor(world, shop.businessId) }
}

const pathOf = ({ invoiceId }: { invoiceId?: string }) => `/my/invoices/${invoiceId}`

test('invoices are listed newest first with links, page by page', async () => {
  const { ann, invoices } = await billed('2028-04-01T00:00:00Z')
  assert.equal(invoices.length, 27)
  const first = await ann.get('/my/invoices')
  assert.match(first.words, /27 invoices, page 1/)
  const newest = invoices.at(-1) ?? {}
  const oldest = invoices[0] ?? {}
  assert.ok(first.text.indexOf(newest.number) > 0 && !first.text.includes(oldest.number))
  assert.match(first.text, /href="\/my\/invoices\?page=2"/)
  const second = await ann.get('/my/invoices?page=2')
  assert.match(second.text, new RegExp(oldest.number))
  assert.doesNotMatch(second.text, /page=3/)
  assert.match((await ann.get('/my/invoices?page=9')).words, /No invoices on this page/)
  for (const page of ['0', '-1', 'x', '1.5', '99999999']) {
    assert.equal((await ann.get(`/my/invoices?page=${page}`)).status, 400, page)
  }
})

test('the page and the file equal the record, line by line', async () => {
  const { ann, invoices, shop } = await billed('2026-02-10T00:00:00Z')
  await world.call('PATCH', `/businesses/${shop.businessId}`, {
    ...{ legalName: 'Καφέ Żółty Дом', doingBusinessAs: 'مقهى في المدينة' },
    address: { line1: 'Hauptstraße 5', city: 'Kraków', postalCode: '31-002', countryCode: 'PL' },
  })
  assert.equal(invoices.length, 1)
  await shop.until('2026-03-10T00:00:00Z')
  const invoice = (await shop.invoices()).at(-1) ?? {}
  const page = (await ann.get(pathOf(invoice))).words
  const saved = await world.app.http.inject({
    url: `${pathOf(invoice)}.pdf`,
    headers: { cookie: `tillhook=${ann.person.token}` },
  })
  assert.equal(saved.statusCode, 200)
  assert.equal(saved.headers['content-type'], 'application/pdf')
  assert.match(String(saved.headers['content-disposition']), /^attachment; filename="Invoice T-2026-\d+\.pdf"/)
  const file = textOfPdf(saved.rawPayload).replaceAll('\n', ' ')
  for (const said of [
    ...[`Invoice ${invoice.number}`, 'Stories', 'Καφέ Żółty Дом', 'Hauptstraße 5', '31-002 Kraków', 'Poland'],
    ...['Pro', '28 February 2026 to 31 March 2026', '$5.00', 'Total', 'Paid on 28 February 2026 by Test card ok'],
    ...['Dates are in UTC.', 'A test invoice: no real money was charged.'],
  ]) {
    assert.ok(page.includes(said), `the page lacks ${said}: ${page}`)
    assert.ok(file.includes(said), `the file lacks ${said}: ${file}`)
  }
  assert.ok(page.includes('مقهى في المدينة'))
  assert.ok(file.includes([...'مقهى في المدينة'].toReversed().join('')), 'the glyphs stand in the order of the eye')
})

test('an invoice keeps the name that the seller had when the invoice was issued', async () => {
  const { organizationId } = await world.call('GET', `/apps/${world.appId}`)
  const name = (legalName: string, line1: string) => {
    const body = { legalName, taxId: 'VAT DE1', address: { line1, city: 'Bonn', countryCode: 'DE' } }
    return world.call('PUT', `/organizations/${organizationId}/seller`, body, 200)
  }
  const { ann, invoices: before, shop } = await billed('2026-02-01T00:00:00Z')
  await name('First GmbH', 'Seestr. 1')
  await shop.until('2026-03-01T00:00:00Z')
  await name('Second GmbH', 'Seestr. 2')
  await shop.until('2026-04-01T00:00:00Z')
  const invoices = await shop.invoices()
  assert.deepEqual([before.length, invoices.length], [1, 3])
  const said = [
    /Seller Stories \S+@/,
    /Seller First GmbH Stories Seestr\. 1 Bonn Germany .* VAT DE1/,
    /Seller Second GmbH .*Seestr\. 2/,
  ]
  for (const [i, words] of said.entries()) {
    assert.match((await ann.get(pathOf(invoices[i] ?? {}))).words, words)
    const file = await world.app.http.inject({
      url: `${pathOf(invoices[i] ?? {})}.pdf`,
      headers: { cookie: `tillhook=${ann.person.token}` },
    })
    assert.match(textOfPdf(file.rawPayload).replaceAll('\n', ' '), words)
  }
})

test('an invoice keeps the name that the buyer had when the invoice was issued', async () => {
  const { ann, shop } = await billed('2026-02-01T00:00:00Z')
  const change = (body: object) => world.call('PATCH', `/businesses/${shop.businessId}`, body)
  const address = { line1: 'Main St 1', city: 'Dover', countryCode: 'US' }
  await change({ legalName: 'First Inc.', address })
  await shop.until('2026-03-01T00:00:00Z')
  await change({ legalName: 'Second Ltd.', country: 'GB', address: { line1: 'High St 2', city: 'London' } })
  // Changes of other fields keep the name.
  await change({ timezone: 'Europe/London', legalName: 'Second Ltd.' })
  await shop.until('2026-04-01T00:00:00Z')
  const stranger = await world.merchant({ at: '2026-01-31T00:00:00Z' })
  await world.call('PATCH', `/businesses/${stranger.businessId}`, { legalName: 'Stranger' })
  await change({ emailAddress: 'third@example.com', doingBusinessAs: 'The Third' })
  const said = [
    /Bill to Corner Shop United States shop@example\.com/,
    /Bill to First Inc\. Corner Shop Main St 1 Dover United States shop@example\.com/,
    /Bill to Second Ltd\. Corner Shop High St 2 London United Kingdom shop@example\.com/,
  ]
  const invoices = await shop.invoices()
  assert.equal(invoices.length, said.length)
  for (const [i, words] of said.entries()) {
    assert.match((await ann.get(pathOf(invoices[i] ?? {}))).words, words)
    const file = await world.app.http.inject({
      url: `${pathOf(invoices[i] ?? {})}.pdf`,
      headers: { cookie: `tillhook=${ann.person.token}` },
    })
    assert.match(textOfPdf(file.rawPayload).replaceAll('\n', ' '), words)
  }
  await shop.until('2026-05-01T00:00:00Z')
  const newest = (await shop.invoices()).at(-1) ?? {}
  assert.match(
    (await ann.get(pathOf(newest))).words,
    /Bill to Second Ltd\. The Third High St 2 London United Kingdom third@/,
  )
  const [kept] = await world.app.ports.db.sql<{ count: number }[]>`
    select count(*) as count from former_business_names where business_id = ${shop.businessId}`
  assert.equal(kept?.count, 3)
})

test('a former name of a business never changes, and a rejected change adds none', async () => {
  const { db } = world.app.ports
  const shop = await world.merchant()
  await world.call('PATCH', `/businesses/${shop.businessId}`, { legalName: 'Other', country: 'XX' }, 400)
  await Promise.all(['A', 'B'].map(name => world.call('PATCH', `/businesses/${shop.businessId}`, { legalName: name })))
  const rows = await db.sql<{ name: string }[]>`
    select legal_name as name from former_business_names where business_id = ${shop.businessId} order by until_id`
  assert.equal(rows.length, 2)
  assert.equal(rows[0]?.name, 'Corner Shop')
  await assert.rejects(async () => db.sql`update former_business_names set legal_name = 'x'`, /append-only/)
  await assert.rejects(async () => db.sql`delete from former_business_names`, /append-only/)
  await assert.rejects(async () => db.sql`truncate former_business_names`, /append-only/)
})

test('an invoice keeps the name and e-mail that the organization had when the invoice was issued', async () => {
  const { organizationId, appId } = await world.developer('First Apps')
  const shop = await world.merchant()
  await world.call('POST', `/apps/${appId}/subscriptions`, {
    ...{ businessId: shop.businessId, planId: await world.plan({}, appId) },
  })
  const path = `/organizations/${organizationId}`
  await Promise.all(['Second Apps', 'Third Apps'].map(name => world.call('PATCH', path, { name })))
  await world.call('PATCH', path, { name: 'Last Apps', email: 'last@apps.example' })
  const ann = await visitor(world, shop.businessId)
  const [first] = await shop.invoices()
  const words = (await ann.get(pathOf(first ?? {}))).words
  assert.match(words, /Seller First Apps/)
  assert.doesNotMatch(words, /Last Apps|last@/)
  const [{ count } = { count: 0 }] = await world.app.ports.db.sql<{ count: number }[]>`
    select count(*)::int as count from former_organization_names where organization_id = ${organizationId}`
  assert.equal(count, 3)
  await assert.rejects(async () => world.app.ports.db.sql`delete from former_organization_names`, /append-only/)
})

test('the same invoice always has the same bytes', async () => {
  const { ann, invoices } = await billed('2026-02-10T00:00:00Z')
  const [invoice = {}] = invoices
  const save = async () =>
    (
      await world.app.http.inject({
        url: `${pathOf(invoice)}.pdf`,
        headers: { cookie: `tillhook=${ann.person.token}` },
      })
    ).rawPayload
  const first = await save()
  world.clock.set('2026-01-31T05:00:00Z')
  const second = await save()
  world.clock.set('2026-01-31T00:00:00Z')
  assert.ok(first.length > 1_000 && first.equals(second))
})

test('credit, refunds, and void and unpaid invoices are shown', async () => {
  const { shop, ann, invoices } = await billed('2026-02-10T00:00:00Z')
  const [paid = {}] = invoices
  await shop.refund(paid.invoiceId, { amount: 200 })
  const refunded = (await ann.get(pathOf(paid))).words
  assert.match(refunded, /Partly refunded/)
  assert.match(refunded, /Refunded on 10 February 2026 −\$2\.00/)

  const { ann: bob, shop: unpaid } = await billed('2026-01-31T00:00:00Z', 'tok_insufficient_funds')
  const [, open = {}] = await unpaid.invoices()
  assert.match((await bob.get(pathOf(open))).words, /Overdue .*Amount due \$5\.00/)
  await unpaid.until('2026-02-20T00:00:00Z')
  assert.match((await bob.get(pathOf(open))).words, /Uncollectible .*is no longer collected/)

  const { ann: eve, shop: gone } = await billed('2026-01-31T00:00:00Z', 'tok_insufficient_funds')
  const [, { subscriptionId, ...invoice } = {}] = await gone.invoices()
  await gone.cancel(subscriptionId)
  assert.match((await eve.get(pathOf(invoice))).words, /Void .*This invoice is void: nothing is to be paid\./)
})

test("another business's invoice is not found, as a page and as a file", async () => {
  const { invoices } = await billed('2026-02-01T00:00:00Z')
  const { ann: stranger } = await billed('2026-02-01T00:00:00Z')
  const [invoice = {}] = invoices
  for (const path of [pathOf(invoice), pathOf({ invoiceId: '018f0000-0000-7000-8000-000000000000' })]) {
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await stranger.get(`${path}.pdf`)).status, 404)
  }
  assert.equal((await stranger.get('/my/invoices/nonsense')).status, 400)
  assert.equal((await stranger.get('/my/invoices/nonsense.pdf')).status, 400)
})

test('a merchant without invoices reads when the first one will come', async () => {
  const ann = await visitor(world, (await world.merchant()).businessId)
  assert.match((await ann.get('/my/invoices')).words, /No invoices yet/)
})

test('a refund has a credit note, which only its business sees', async () => {
  const { ann, shop, invoices } = await billed('2026-02-10T00:00:00Z')
  const { ann: stranger } = await billed('2026-02-10T00:00:00Z')
  const [{ invoiceId } = {}] = invoices
  await shop.refund(String(invoiceId), { amount: 120 })
  await world.work()
  const [{ creditNotes: [note] = [] } = {}] = await shop.invoices()
  const path = `/my/invoices/credit-notes/${note.creditNoteId}.pdf`
  const page = await ann.get(`/my/invoices/${invoiceId}`)
  assert.ok(page.text.includes(`href="${path}"`) && page.words.includes(`Credit note ${note.number} as PDF`))
  const saved = await world.app.http.inject({ url: path, headers: { cookie: `tillhook=${ann.person.token}` } })
  assert.equal(saved.statusCode, 200)
  const file = textOfPdf(saved.rawPayload).replaceAll('\n', ' ')
  for (const said of [
    `Credit note ${note.number}`,
    `Refund of invoice ${invoices[0]?.number}`,
    '−$1.20',
    'A test invoice',
  ]) {
    assert.ok(file.includes(said), `the file lacks ${said}: ${file}`)
  }
  assert.equal((await stranger.get(path)).status, 404)
  assert.equal((await ann.get('/my/invoices/credit-notes/nonsense.pdf')).status, 404)
})
