import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { unzipSync } from 'fflate'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, OPERATOR_KEY, type World } from '../../../test/support/world.ts'
import { visitor } from './merchant.fixture.ts'
import { textOfPdf } from './pdf-text.fixture.ts'

let world: World
let monthly: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  monthly = await world.plan({ name: 'Pro' })
})
after(() => world?.close())

async function billed() {
  const shop = await world.merchant({ at: '2026-10-31T00:00:00Z' })
  await shop.subscribe(monthly)
  await shop.until('2027-02-01T00:00:00Z')
  return { shop, invoices: await shop.invoices(), ann: await visitor(world, shop.businessId) }
}

async function download(url: string, headers: Record<string, string>) {
  const answer = await world.app.http.inject({ url, headers })
  return { ...answer, status: answer.statusCode, files: answer.statusCode === 200 ? unzipSync(answer.rawPayload) : {} }
}

const operator = () => ({ authorization: `Bearer ${OPERATOR_KEY}` })

test('a merchant saves the invoices and credit notes of one UTC year as one ZIP file', async () => {
  const { shop, invoices, ann } = await billed()
  const [first, second, third, next] = invoices.map(({ number }) => number)
  assert.ok(next)
  const path = `/businesses/${shop.businessId}/invoices/${invoices[0]?.invoiceId}/refunds`
  await world.call('POST', path, { amount: 100 }, 201)
  await shop.until('2027-02-02T00:00:00Z')
  const page = await ann.get('/my/invoices')
  for (const year of [2026, 2027]) assert.match(page.text, new RegExp(`href="/my/invoices\\.zip\\?year=${year}"`))
  const cookie = { cookie: `tillhook=${ann.person.token}` }
  const saved = await download('/my/invoices.zip?year=2026', cookie)
  assert.equal(saved.headers['content-type'], 'application/zip')
  assert.match(String(saved.headers['content-disposition']), /filename="Invoices 2026\.zip"/)
  const names = Object.keys(saved.files)
  assert.deepEqual(
    names.filter(name => name.startsWith('Invoice')),
    [first, second, third].map(number => `Invoice ${number}.pdf`),
  )
  assert.equal(names.filter(name => name.startsWith('Credit note')).length, 1)
  const text = textOfPdf(Buffer.from(saved.files[`Invoice ${first}.pdf`] ?? []))
  assert.ok(text.includes(`Invoice ${first}`), text)
  const same = await download(`/businesses/${shop.businessId}/invoices.zip?year=2026`, operator())
  assert.deepEqual(Object.keys(same.files), names)
  assert.equal(same.headers['content-disposition'], 'attachment; filename="invoices-2026.zip"')
  const current = await download(`/businesses/${shop.businessId}/invoices.zip`, operator())
  assert.deepEqual(Object.keys(current.files), [`Invoice ${next}.pdf`])
  const filtered = await ann.get('/my/invoices?year=2027')
  assert.ok(filtered.text.includes(String(next)) && !filtered.text.includes(String(first)))
  const csv = await world.app.http.inject({ url: '/my/invoices.csv?year=2026', headers: cookie })
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  const [head, row, ...more] = csv.body.trimEnd().split('\r\n')
  assert.match(
    String(head),
    /^number,date,app,developer,description,periodStart,periodEnd,status,currency,net,tax,amount,/,
  )
  assert.match(
    String(row),
    new RegExp(`^${first},2026-10-31,[^,]+,[^,]+,[^,]+,2026-10-31,2026-11-30,PAID,USD,,,5\\.00,5\\.00,1\\.00,0\\.00,`),
  )
  assert.equal(more.length, 2)
  const later = await download('/my/invoices.zip?year=2027', cookie)
  assert.deepEqual(Object.keys(later.files), [`Invoice ${next}.pdf`])
})

test('a year without invoices says so, and no other merchant gets a file', async () => {
  const { shop, ann } = await billed()
  for (const file of ['zip', 'csv']) {
    const none = await ann.get(`/my/invoices.${file}?year=2025`)
    assert.equal(none.status, 404)
    assert.match(none.words, /No invoices of 2025/)
  }
  const api = `/businesses/${shop.businessId}/invoices.zip`
  assert.equal((await download(`${api}?year=2025`, operator())).json().code, 'RESOURCE_NOT_FOUND')
  for (const year of ['', '26', '20260', 'x', '1999']) {
    assert.equal((await download(`${api}?year=${year}`, operator())).status, 400, year)
  }
  const other = await world.merchant({ at: '2026-10-31T00:00:00Z' })
  const bob = await visitor(world, other.businessId)
  assert.equal((await bob.get('/my/invoices.zip?year=2026')).status, 404)
  assert.equal((await bob.get('/my/invoices.csv?year=2026')).status, 404)
  assert.deepEqual((await bob.get('/my/invoices')).text.match(/invoices\.zip/g), null)
  const unknown = '00000000-0000-7000-8000-000000000000'
  assert.equal((await download(`/businesses/${unknown}/invoices.zip?year=2026`, operator())).status, 404)
})

test('an app gets the invoices of its own subscriptions only', async () => {
  const { shop } = await billed()
  const api = `/businesses/${shop.businessId}/invoices.zip?year=2026`
  const own = await download(api, { authorization: `Bearer ${await tokenOf(world, world.credentials)}` })
  assert.equal(Object.keys(own.files).length, 3)
  const foreign = await world.developer('Other')
  const otherPlan = await world.plan({ name: 'Basic' }, foreign.appId)
  await world.call(
    'POST',
    `/apps/${foreign.appId}/subscriptions`,
    { businessId: shop.businessId, planId: otherPlan },
    201,
  )
  const others = await download(api.replace('2026', '2027'), {
    authorization: `Bearer ${await tokenOf(world, foreign)}`,
  })
  assert.equal(Object.keys(others.files).length, 1)
  const none = await download(api, { authorization: `Bearer ${await tokenOf(world, foreign)}` })
  assert.equal(none.status, 404)
})
