import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { countByHour } from '../../core/hook-hours.ts'
import { addHookHours } from '../../webhooks/hooks/hours.ts'
import { visiting } from '../merchant/merchant.fixture.ts'
import { operator } from '../webhooks/webhooks.fixture.ts'

const NASTY = '<script>alert(1)</script> قهوة'
const PAGES = [
  ...['/ops/terminals', '/ops/endpoints', '/ops/money/past-due', '/ops/money/disputes', '/ops/money/upcoming'],
  ...['/ops/reports', '/ops/reports/file.csv', '/ops/reports/owed.csv'],
]

let world: World
let late: Merchant
let deviceId: string
before(async () => {
  world = await createWorld({ at: '2026-01-31T00:00:00Z' })
  const live = await world.merchant({ type: 'MERCHANT' })
  await live.subscribe(await world.plan({ interval: 'YEAR' }))
  late = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${late.businessId}`, { doingBusinessAs: NASTY })
  await late.renewWith(await world.plan(), 'tok_insufficient_funds')
  const weekly = await world.merchant({ type: 'MERCHANT' })
  await weekly.subscribe(await world.plan({ interval: 'WEEK' }))
  const { sql } = world.app.ports.db
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    select ${v7()}, 'sandbox', ${v7()}, invoice_id, 500, 'OPEN', created_at, created_at
    from invoices where business_id = ${late.businessId} order by invoice_id limit 1`
  const stores = `/businesses/${late.businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Harbour' })
  const device = { name: 'Till 7', serialNumber: 'P400-4711' }
  deviceId = (await world.call('POST', `${stores}/${storeId}/devices`, device)).deviceId.slice('urn:tid:'.length)
})
after(() => world?.close())

test("terminals of all merchants are found by serial number and state, and a terminal's page issues its activation code", async () => {
  const olga = await operator(world)
  for (const query of ['', '?q=4711', '?status=NEW', `?q=${deviceId}`]) {
    const { words, text } = await olga.get(`/ops/terminals${query}`)
    assert.match(words, /Till 7 P400-4711 .* Harbour Not activated Never/, query)
    assert.doesNotMatch(text, /<script>alert/)
  }
  assert.match((await olga.get('/ops/terminals?status=ACTIVE')).words, /No terminals found/)
  const path = `/ops/terminals/${deviceId}`
  assert.match((await olga.get(path)).words, /Till 7 Not activated/)
  const activate = `/ops/merchants/${late.businessId}/terminals/${deviceId}/activate`
  const code = await olga.send(path, {}, activate)
  assert.match(code.text, /QR code that holds the activation code/)
  assert.equal((await olga.get('/ops/terminals/00000000-0000-7000-8000-000000000000')).status, 404)
  const viewer = await operator(world, 'VIEWER')
  assert.ok(!(await viewer.get(path)).text.includes(activate))
})

test('endpoints are listed by the share of failed attempts in the last 24 hours, worst first', async () => {
  const hook = async (name: string) => {
    const made = { applicationId: world.appId, deliveryUrl: `https://${name}.example/`, secret: 's', eventTypes: TYPES }
    return (await world.call('POST', '/hooks', made)).id as string
  }
  const now = world.clock.now()
  const attempts = (hookId: string, count: number, isHeard: boolean, at = now) =>
    Array.from({ length: count }, () => ({
      ...{ hookId, attemptedAt: at, durationMs: 40, httpStatus: isHeard ? 200 : 500, acknowledged: isHeard },
    }))
  const [bad, half, good, old] = [await hook('bad'), await hook('half'), await hook('good'), await hook('old')]
  const long = new Date(now.getTime() - 26 * 3_600_000)
  const counts = [
    ...[...attempts(bad, 3, false), ...attempts(bad, 1, true), ...attempts(half, 5, false), ...attempts(half, 5, true)],
    ...[...attempts(good, 9, true), ...attempts(old, 9, false, long), ...attempts(v7(), 1, false)],
  ]
  await addHookHours(world.app.ports.db.sql, countByHour(counts))
  const { words, text } = await (await operator(world)).get('/ops/endpoints')
  assert.match(words, /bad\.example.* 75\.0 % 4 .*half\.example.* 50\.0 % 10 /)
  assert.doesNotMatch(words, /good\.example|old\.example/)
  assert.ok(text.includes(`href="/webhooks/${bad}"`))
  const home = (await (await operator(world)).get('/ops')).words
  assert.match(home, /Webhook attempts, last 24 hours Hour \(UTC\) Acknowledged Failed .* 15 9 /)
})

const TYPES = ['APPLICATION_SUBSCRIPTION_START']

test('past-due subscriptions, disputes and upcoming charges are listed, live and test merchants apart', async () => {
  const olga = await operator(world)
  const tested = visiting(world, `${olga.person.token}; tillhook-mode=test.${olga.person.membershipId}`)
  const pastDue = await olga.get('/ops/money/past-due')
  assert.match(pastDue.words, /قهوة/)
  assert.doesNotMatch(pastDue.text, /<script>alert/)
  assert.match((await olga.get('/ops/money/past-due?q=nobody')).words, /Nothing is past due/)
  assert.match((await tested.get('/ops/money/past-due')).words, /Nothing is past due/)
  assert.match((await olga.get('/ops/money/disputes')).words, /\$5\.00 .*Open/)
  assert.match((await olga.get('/ops/money/disputes?status=WON')).words, /No disputes/)
  assert.match((await tested.get('/ops/money/disputes')).words, /No disputes/)
  const { words } = await olga.get('/ops/money/upcoming')
  assert.match(words, /Charges by day, USD/)
  assert.match(words, /Days with charges, USD .*2026 1 \$5\.00/)
})

test('reports show the platform’s revenue by day, and as CSV', async () => {
  const olga = await operator(world)
  await world.work()
  const { words } = await olga.get('/ops/reports')
  assert.match(words, /Last|90 days, USD/)
  assert.match(words, /MRR/)
  const { organizationId } = world
  assert.match(words, /Revenue by app since \w+ 2025, USD App Developer MRR .* \$27\.09 3 \$15\.00 \$0\.00 \$3\.00 /)
  assert.match(words, /Owed to developers, USD .* \$15\.00 \$3\.00 \$0\.00 \$12\.00 /)
  const owed = await olga.get('/ops/reports/owed.csv')
  assert.match(owed.text, new RegExp(`^${organizationId},.*,USD,15\\.00,0\\.00,3\\.00,0\\.00,0\\.00,12\\.00\r$`, 'm'))
  const tested = visiting(world, `${olga.person.token}; tillhook-mode=test.${olga.person.membershipId}`)
  assert.doesNotMatch((await tested.get('/ops/reports')).words, /Revenue by app|Owed to developers/)
  const csv = await olga.get('/ops/reports/file.csv?days=30')
  assert.match(String(csv.headers['content-disposition']), /revenue-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv/)
  assert.match(csv.text, /USD/)
})

test('a developer cannot open these pages, and an unknown cursor or filter is not a server error', async () => {
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId: world.organizationId }, 'ADMIN')
  await proveSecondFactor(world, person)
  const ann = visiting(world, person.token)
  const olga = await operator(world)
  for (const path of PAGES) {
    assert.equal((await ann.get(path)).status, 404, path)
    assert.equal((await olga.get(path)).status, 200, path)
    for (const query of ['after=nonsense', 'status=NONSENSE', 'q=%00', `q=${'x'.repeat(201)}`, 'days=1&currency=usd']) {
      assert.ok((await olga.get(`${path}?${query}`)).status < 500, `${path}?${query}`)
    }
  }
})

test('a past-due payment is retried once, with repeated presses, and a hard decline and a foreign id are explained', async () => {
  const path = '/ops/money/past-due'
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await shop.renewWith(await world.plan(), 'tok_insufficient_funds')
  const olga = await operator(world)
  const retry = `${path}/${subscriptionId}/retry`
  assert.match((await olga.get(path)).words, /Retry now/)
  const pressed = await Promise.all([olga.send(path, {}, retry), olga.send(path, {}, retry)])
  assert.deepEqual(pressed.map(({ location }) => location).sort(), [`${path}?retried=pending`, `${path}?retried=yes`])
  assert.match((await olga.get(`${path}?retried=pending`)).words, /Nothing is charged twice/)
  await world.work()
  const [, invoice] = await shop.invoices()
  const { sql } = world.app.ports.db
  const charges = await sql`select status from charges where invoice_id = ${invoice?.invoiceId} order by charge_id`
  assert.deepEqual(
    charges.map(({ status }) => status),
    ['DECLINED_SOFT', 'DECLINED_SOFT'],
  )
  const csrf = /name="csrf" value="([^"]+)"/.exec((await olga.get(path)).text)?.[1] ?? ''
  assert.equal((await olga.post(`${path}/${v7()}/retry`, { csrf })).status, 404)
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get(path)).words, /Retry now/)
})

test('a charge is looked up now: the page shows the lookup under way, then the answer; a viewer and a developer cannot', async () => {
  const path = '/ops/money?state=WAITING'
  const shop = await world.merchant({ card: 'tok_pending' })
  await shop.subscribeAfterTrial()
  await world.work()
  const olga = await operator(world)
  const action =
    /action="([^"]+\/poll\?state=WAITING)"/.exec((await olga.get(path)).text)?.[1] ?? assert.fail('a button')
  const [first, second] = await Promise.all([olga.send(path, {}, action), olga.send(path, {}, action)])
  assert.deepEqual([first.status, first.location], [303, second.location])
  const waiting = await olga.get(first.location)
  assert.match(waiting.words, /Looking up \$5\.00 of .* pending Sandbox/)
  assert.match(waiting.text, /data-refresh="2"/)
  await world.work()
  const answered = await olga.get(first.location)
  assert.match(
    answered.words,
    /\$5\.00 of .* still waits for the payer or the bank The gateway was asked\. The next poll/,
  )
  assert.doesNotMatch(answered.text, /data-refresh/)
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get(path)).words, /Look up now/)
  const csrf = /name="csrf" value="([^"]+)"/.exec((await vera.get(path)).text)?.[1] ?? ''
  assert.equal((await vera.post(action, { csrf })).status, 403)
  const own = /name="csrf" value="([^"]+)"/.exec((await olga.get(path)).text)?.[1] ?? ''
  assert.equal((await olga.post(`/ops/money/charges/${v7()}/poll`, { csrf: own })).status, 404)
  assert.equal((await olga.get(`/ops/money?polled=${v7()}`)).status, 200)
})
