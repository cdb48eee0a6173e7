import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson } from '../../../test/support/people.ts'
import { tokenOf } from '../../../test/support/tokens.ts'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { visiting } from '../merchant/merchant.fixture.ts'
import { textOfPdf } from '../merchant/pdf-text.fixture.ts'

const LISTS = ['/dev/subscriptions', '/dev/merchants', '/dev/invoices', '/dev/disputes']
const NASTY = '<script>alert(1)</script> قهوة'

let world: World
let live: Merchant
let tested: Merchant
let late: Merchant
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  const planId = await world.plan()
  live = await world.merchant({ type: 'MERCHANT' })
  await named(live, 'Live Shop')
  await live.subscribe(planId)
  tested = await world.merchant()
  await named(tested, 'Trial Run')
  await tested.subscribe(planId)
  late = await world.merchant({ type: 'MERCHANT' })
  await named(late, NASTY)
  await late.renewWith(planId, 'tok_insufficient_funds')
  const { sql } = world.app.ports.db
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    select ${v7()}, 'sandbox', ${v7()}, invoice_id, 500, 'OPEN', created_at, created_at
    from invoices where business_id = ${late.businessId} order by invoice_id limit 1`
})
after(() => world?.close())

const named = ({ businessId }: Merchant, doingBusinessAs: string) =>
  world.call('PATCH', `/businesses/${businessId}`, { doingBusinessAs })

async function visitor(organizationId = world.organizationId, mode: 'live' | 'test' = 'live') {
  return visiting(world, await cookieOf(organizationId, mode))
}

async function cookieOf(organizationId: string, mode: 'live' | 'test') {
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  return `${person.token}; tillhook-mode=${mode}.${person.membershipId}`
}

const testVisitor = (organizationId?: string) => visitor(organizationId, 'test')

test('subscriptions are listed by state with totals, live and test merchants separately', async () => {
  const ann = await visitor()
  const active = await ann.get('/dev/subscriptions')
  assert.match(active.words, /All active 2 On trial 0 Past due 1 Pending 0 Ended 0/)
  assert.match(active.words, /Live Shop/)
  assert.doesNotMatch(active.words, /Trial Run/)
  const pastDue = await ann.get('/dev/subscriptions?state=PAST_DUE')
  assert.match(pastDue.words, /قهوة/)
  assert.doesNotMatch(pastDue.words, /Live Shop/)
  const test = await (await testVisitor()).get('/dev/subscriptions')
  assert.match(test.words, /All active 1 On trial 0 Past due 0/)
  assert.match(test.words, /Trial Run/)
  assert.doesNotMatch(test.words, /Live Shop/)
  assert.match((await ann.get('/dev/subscriptions?q=live')).words, /Live Shop/)
  assert.match((await ann.get('/dev/subscriptions?q=nobody')).words, /Nothing found for “nobody”/)
})

test('the totals follow a cancellation before and after the fold', async () => {
  const organization = await world.developer('counted')
  const planId = await world.plan({ trialPeriodDays: 14 }, organization.appId)
  const path = `/apps/${organization.appId}/subscriptions`
  for (const type of ['MERCHANT', 'MERCHANT', 'TEST_MERCHANT'] as const) {
    const { businessId } = await world.merchant({ type, card: 'none' })
    await world.call('POST', path, { businessId, planId })
  }
  const { organizationId } = organization
  const visitors = { live: await visitor(organizationId), test: await testVisitor(organizationId) }
  const words = async (mode: 'live' | 'test') => (await visitors[mode].get('/dev/subscriptions')).words
  for (let turn = 0; turn < 2; turn++) {
    assert.match(await words('live'), /All active 2 On trial 2 Past due 0 Pending 0 Ended 0/)
    assert.match(await words('test'), /All active 1 On trial 1 Past due 0 Pending 0 Ended 0/)
    while ((await world.app.jobs.subscriptionCounts.runOnce()) > 0);
  }
})

test('the CSV has the rows of the filter and no formulas', async () => {
  await named(live, '=HYPERLINK("x")')
  const ann = await visitor()
  const { text, status } = await ann.get('/dev/subscriptions/file.csv?state=ACTIVE')
  await named(live, 'Live Shop')
  assert.equal(status, 200)
  const [head, ...rows] = text.trim().split('\r\n')
  assert.match(head ?? '', /^subscriptionId,app,merchant,/)
  assert.equal(rows.length, 2)
  assert.ok(rows.some(row => row.includes(`"'=HYPERLINK`)))
  assert.ok(
    rows.every(row => /,CURRENT,5\.00,USD,|,PAST_DUE,5\.00,USD,/.test(row)),
    text,
  )
})

test("a merchant's page shows the lifetime value, subscriptions and invoices", async () => {
  const ann = await visitor()
  assert.match((await ann.get('/dev/merchants')).words, /Live Shop/)
  assert.match((await (await testVisitor()).get('/dev/merchants')).words, /Trial Run/)
  const { words } = await ann.get(`/dev/merchants/${late.businessId}`)
  assert.match(words, /Lifetime value, USD \$5\.00 Active subscriptions 1 Customer since/)
  assert.match(words, /Past due/)
  assert.match(words, /Latest invoices/)
})

test("a merchant's page shows the latest orders by their events, and amounts only of own test merchants", async () => {
  const ann = await visitor()
  assert.doesNotMatch((await ann.get(`/dev/merchants/${live.businessId}`)).words, /Latest orders/)
  await world.call('POST', '/hooks', {
    ...{ applicationId: world.appId, deliveryUrl: 'http://127.0.0.1:9/', secret: 'a secret word' },
    eventTypes: ['ORDER_OPENED', 'ORDER_COMPLETED'],
  })
  const own = await world.call('POST', '/businesses', {
    ...{ type: 'TEST_MERCHANT', organizationId: world.organizationId, legalName: 'Own', doingBusinessAs: 'Own' },
    ...{ emailAddress: 'own@merchant.test', country: 'US' },
  })
  const sell = async (businessId: string) => {
    const at = `/businesses/${businessId}`
    await world.call('POST', `${at}/approvals`, { appId: world.appId, rights: ['READ'] })
    const { storeId } = await world.call('POST', `${at}/stores`, { displayName: 'Main St' })
    const till = { name: 'Till', serialNumber: v7() }
    const { deviceId } = await world.call('POST', `${at}/stores/${storeId}/devices`, till)
    const money = { amount: 1_234, currency: 'USD', reference: '<table> 4' }
    const { orderId } = await world.call('POST', `${at}/orders`, { storeId, deviceId, ...money })
    await world.call('PATCH', `${at}/orders/${orderId}`, { status: 'COMPLETED' })
    return { orderId, page: await ann.get(`/dev/merchants/${businessId}`) }
  }
  const sold = await sell(live.businessId)
  assert.match(
    sold.page.words,
    new RegExp(`Latest orders Order Last event …${sold.orderId.slice(-12)} ORDER_COMPLETED`),
  )
  assert.doesNotMatch(sold.page.words, /12\.34|table/)
  const [event = ''] = /\/webhooks\/apps\/[^"]*/.exec(sold.page.text) ?? []
  assert.match((await ann.get(event)).words, /ORDER_COMPLETED/)
  const tried = await sell(own.businessId)
  assert.match(tried.page.words, /Latest orders .*&lt;table&gt; 4 Completed \$12\.34 ORDER_COMPLETED/)
  const { organizationId } = await world.developer('orderless')
  const stranger = await visitor(organizationId)
  assert.equal((await stranger.get(`/dev/merchants/${live.businessId}`)).status, 404)
})

test('invoices are found by state, number, merchant and day, and disputes have a list', async () => {
  const ann = await visitor()
  const open = await ann.get('/dev/invoices?status=OPEN')
  assert.match(open.words, /قهوة/)
  assert.doesNotMatch(open.words, /Live Shop/)
  const [{ number, invoiceId } = {}] = await live.invoices()
  const file = await ann.get(`/dev/invoices/${invoiceId}.pdf`)
  assert.equal(file.headers['content-type'], 'application/pdf')
  assert.match(file.text, /^%PDF/)
  const stranger = await visitor((await world.developer('fileless')).organizationId)
  assert.equal((await stranger.get(`/dev/invoices/${invoiceId}.pdf`)).status, 404)
  const found = await ann.get(`/dev/invoices?q=${number}`)
  assert.match(found.words, /Live Shop/)
  assert.doesNotMatch(found.words, /قهوة/)
  assert.match((await ann.get('/dev/invoices?to=2020-01-01')).words, /No invoices here/)
  assert.match((await ann.get('/dev/invoices?from=2020-01-01&to=')).words, /Live Shop/)
  assert.match((await ann.get('/dev/disputes')).words, /\$5\.00 .*Open/)
  assert.match((await (await testVisitor()).get('/dev/disputes')).words, /No disputes/)
})

test('a dispute is shown to viewers without a form, keeps what an administrator typed, and is nothing for others', async () => {
  const [{ disputeId }] = (await world.call('GET', `/disputes?businessId=${late.businessId}`)).disputes
  const path = `/dev/disputes/${disputeId}`
  const shown = await (await visitor()).get(path)
  assert.match(shown.words, /Dispute of invoice .*The bank asks for evidence/)
  assert.doesNotMatch(shown.text, /<textarea/)
  const { organizationId } = await world.developer('curious')
  assert.equal((await (await visitor(organizationId)).get(path)).status, 404)
  const admin = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  const ann = visiting(world, admin.token)
  const texts = { productDescription: ' ', customerCommunication: '', uncategorizedText: '' }
  const empty = await ann.send(path, texts)
  assert.equal(empty.status, 400)
  assert.match(empty.words, /Fill in at least one of the texts/)
  // The sandbox does not know the dispute of this test.
  const rejected = await ann.send(path, { ...texts, uncategorizedText: 'Bought <in> person' })
  assert.equal(rejected.status, 409)
  assert.match(rejected.text, /did not accept the evidence[\s\S]*Bought &lt;in&gt; person/)
})

test('the charts of test data end on the last day of a test clock', async () => {
  const { organizationId, appId } = await world.developer('ahead')
  const planId = await world.plan({}, appId)
  const { businessId } = await world.merchant({ at: '2031-05-01T09:00:00Z' })
  await world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId })
  await world.work()
  const test = await testVisitor(organizationId)
  assert.match((await test.get('/dev')).words, /Last 30 days until 1 May 2031 MRR \$5\.00/)
  assert.match((await test.get('/dev/revenue')).words, /90 days until 1 May 2031, USD MRR \$5\.00/)
  const live = await visitor(organizationId)
  assert.match((await live.get('/dev/revenue')).words, /No revenue yet/)
})

test('revenue has key figures and charts with tables, live and test merchants separately', async () => {
  const ann = await visitor()
  const { words, text } = await ann.get('/dev/revenue?days=30')
  assert.match(words, /MRR \$10\.00/)
  assert.match(words, /Subscribers 2/)
  assert.match(text, /Show as a table/)
  assert.match(words, /Revenue by country since .*, USD Country .* United States 100% \$10\.00 2 /)
  assert.match((await (await testVisitor()).get('/dev/revenue?days=365')).words, /MRR \$5\.00/)
  const idle = await world.plan({ name: 'Idle' })
  const planned = (await ann.get('/dev/revenue?days=30')).text
  const [, paying] = /<option value="([0-9a-f-]{36})"/.exec(planned) ?? assert.fail('a filter by plan')
  const ofPlan = (await ann.get(`/dev/revenue?days=30&planId=${paying}`)).words
  assert.match(ofPlan, /MRR \$10\.00 .*Revenue by country has no figures of a single plan/)
  assert.doesNotMatch(ofPlan, /United States/)
  assert.match((await ann.get(`/dev/revenue?days=30&planId=${idle}`)).words, /No revenue yet/)
  const chosen = await ann.get(`/dev/subscriptions?planId=${paying}`)
  assert.match(chosen.text, new RegExp(`<option value="${paying}" selected>`))
  assert.match(chosen.words, /Live Shop/)
  assert.match((await ann.get(`/dev/subscriptions?planId=${idle}`)).words, /No subscriptions here/)
  const csv = await ann.get('/dev/revenue/file.csv?days=90')
  assert.equal(csv.text.trim().split('\r\n').length, 91)
  assert.match((await ann.get('/dev/revenue/countries.csv?days=90')).text, /\r\nUS,USD,10\.00,2,/)
  const home = await ann.get('/dev')
  assert.match(home.words, /Last 30 days MRR \$10\.00/)
  assert.match(home.words, /Needs you Past-due subscriptions 1 Open disputes 1/)
  const { organizationId } = await world.developer('beginner')
  const beginner = await visitor(organizationId)
  assert.match((await beginner.get('/dev/revenue')).words, /No revenue yet/)
  assert.match((await beginner.get('/dev')).words, /Create an app/)
})

test('statements show the balance, each month and its plans; test merchants have statements of their own', async () => {
  const ann = await visitor()
  const list = await ann.get('/dev/statements')
  assert.match(list.words, /Owed to you, USD \$\d+\.\d\d/)
  assert.match(list.words, /January 2026 \$10\.00/)
  const { words } = await ann.get('/dev/statements/2026-01')
  assert.match(words, /Opening balance \$0\.00 Charged \$10\.00/)
  assert.match(words, /Share of the operator −\$2\.00/)
  assert.match(words, /By plan, USD/)
  assert.match((await ann.get('/dev/statements/2026-01/lines.csv')).text, /2026-01/)
  assert.match((await (await testVisitor()).get('/dev/statements/2026-01')).words, /Charged \$5\.00/)
  assert.equal((await ann.get('/dev/statements/2025-01')).status, 404)
  assert.equal((await ann.get('/dev/statements/2026-13')).status, 400)
})

test('the PDF of a statement has the balances and lines of its page and its CSV', async () => {
  const cookie = await cookieOf(world.organizationId, 'live')
  const url = '/dev/statements/2026-01'
  const ann = visiting(world, cookie)
  const { words, text } = await ann.get(url)
  assert.ok(text.includes(`href="${url}/statement.pdf"`))
  const saved = await world.app.http.inject({ url: `${url}/statement.pdf`, headers: { cookie: `tillhook=${cookie}` } })
  assert.equal(saved.headers['content-type'], 'application/pdf')
  const file = textOfPdf(saved.rawPayload).replaceAll('\n', ' ')
  const [, figures = ''] = /USD (Opening balance .*?) By plan, USD/.exec(words) ?? []
  assert.match(figures, /^Opening balance \$0\.00 .* Closing balance \$8\.00$/)
  assert.ok(file.includes(figures), `${file} lacks ${figures}`)
  assert.match(file, /Statement January 2026 .* To Stories .* Pro \(Stories\) 2 \$10\.00 \$0\.00 \$2\.00 \$8\.00/)
  const rows = (await ann.get(`${url}/lines.csv`)).text.split('\r\n').map(row => row.split(','))
  const balances = rows.filter(([line]) => line === 'OPENING' || line === 'CLOSING').map(row => row.at(-1))
  assert.deepEqual(balances, ['0.00', '8.00'])
  assert.equal((await ann.get('/dev/statements/2025-01/statement.pdf')).status, 404)
})

test('the API log shows the requests of an app by outcome, and of no other app', async () => {
  const token = await tokenOf(world, world.credentials)
  await world.ask(token, 'GET', '/hooks', { headers: { 'service-request-id': 'seen-in-the-log' } })
  await world.ask(token, 'GET', `/apps/${world.appId}/subscriptions/${v7()}`)
  await world.app.jobs.apiLog.runOnce()
  const ann = await visitor()
  assert.match((await ann.get('/dev/requests')).words, /GET \/hooks seen-in-the-log 200/)
  const rejected = await ann.get('/dev/requests?status=4xx')
  assert.match(rejected.words, /subscriptionId \S+ 404/)
  assert.doesNotMatch(rejected.words, /GET \/hooks/)
  assert.match((await ann.get('/dev/requests?requestId=seen-in-the-log&method=')).words, /GET \/hooks \S+ 200/)
  const { organizationId } = await world.developer('logless')
  const stranger = await visitor(organizationId)
  const foreign = world.appId.slice('urn:aid:'.length)
  assert.equal((await stranger.get(`/dev/requests?appId=${foreign}`)).status, 404)
  assert.match((await stranger.get('/dev/requests')).words, /No requests here/)
})

test('names are text, never markup', async () => {
  const ann = await visitor()
  for (const path of [...LISTS, `/dev/merchants/${late.businessId}`]) {
    const { text } = await ann.get(path)
    assert.ok(!text.includes('<script>alert'), path)
  }
})

test('another organization sees none of it, and people of other workspaces cannot open the pages', async () => {
  const { organizationId } = await world.developer('stranger')
  const stranger = await visitor(organizationId)
  for (const path of LISTS) {
    const { status, words } = await stranger.get(path)
    assert.equal(status, 200, path)
    assert.doesNotMatch(words, /Live Shop|قهوة/, path)
  }
  assert.equal((await stranger.get(`/dev/merchants/${live.businessId}`)).status, 404)
  assert.doesNotMatch((await stranger.get('/dev/subscriptions/file.csv')).text, /Live Shop/)
  for (const file of ['file.csv', 'countries.csv']) {
    assert.equal((await stranger.get(`/dev/revenue/${file}`)).text.trim().split('\r\n').length, 1)
  }
  const shop = await newPerson(world, { kind: 'MERCHANT', businessId: live.businessId }, 'OWNER')
  for (const path of LISTS) assert.equal((await visiting(world, shop.token).get(path)).status, 404, path)
})

test('a wrong filter is rejected', async () => {
  const ann = await visitor()
  for (const query of ['state=GONE', 'after=1', 'appId=1']) {
    assert.equal((await ann.get(`/dev/subscriptions?${query}`)).status, 400, query)
  }
})
