import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { newPerson, proveSecondFactor } from '../../../test/support/people.ts'
import { createWorld, type Merchant, type World } from '../../../test/support/world.ts'
import { countByHour } from '../../core/hook-hours.ts'
import { addHookHours } from '../../webhooks/hooks/hours.ts'
import { formOf, visiting } from '../merchant/merchant.fixture.ts'
import { operator } from '../webhooks/webhooks.fixture.ts'

const NASTY = '<script>alert(1)</script> قهوة'
const PAGES = [
  ...['/ops/terminals', '/ops/endpoints', '/ops/money/past-due', '/ops/money/disputes', '/ops/money/upcoming'],
  ...['/ops/reports', '/ops/reports/file.csv', '/ops/reports/countries.csv', '/ops/reports/owed.csv'],
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
  assert.equal((await viewer.get(`${path}/close`)).status, 403)
  assert.match((await olga.get(`${path}/close`)).words, /No subscription is for this terminal alone/)
  const own = { businessId: late.businessId, deviceId: `urn:tid:${deviceId}` }
  const planId = await world.plan({ scope: 'DEVICE', trialPeriodDays: 14 })
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, { ...own, planId })
  const asked = await olga.get(`${path}/close`)
  assert.match(asked.text, new RegExp(`still charged[^]*href="[^"]*${subscriptionId}"`))
  const closed = await olga.send(`${path}/close`)
  assert.equal(closed.location, `${path}?done=closed`)
  const page = await olga.get(closed.location)
  assert.match(page.words, /Till 7 Closed .*Terminal closed/)
  assert.ok(!page.text.includes(activate))
  assert.equal((await olga.get(`${path}/close`)).location, path)
})

test("a merchant's store is closed with its terminals once nothing is paid for the store; a viewer cannot close it", async () => {
  const olga = await operator(world)
  const { businessId } = await world.merchant({ type: 'MERCHANT' })
  const stores = `/businesses/${businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Pier 4' })
  await world.call('POST', `${stores}/${storeId}/devices`, { name: 'Till 9', serialNumber: 'P400-9' })
  const merchant = `/ops/merchants/${businessId}`
  const path = `${merchant}/stores/${storeId}/close`
  assert.ok((await olga.get(merchant)).text.includes(`href="${path}"`))
  const viewer = await operator(world, 'VIEWER')
  assert.ok(!(await viewer.get(merchant)).text.includes(path))
  assert.equal((await viewer.get(path)).status, 403)
  assert.equal((await olga.get(path.replace(businessId, late.businessId))).status, 404)
  const { hidden } = formOf((await olga.get(path)).text) ?? assert.fail('no form')
  const body = { businessId, storeId, planId: await world.plan({ scope: 'STORE', trialPeriodDays: 14 }) }
  const { subscriptionId } = await world.call('POST', `/apps/${world.appId}/subscriptions`, body)
  const asked = await olga.get(path)
  assert.equal(formOf(asked.text), null)
  assert.match(asked.text, new RegExp(`still has subscriptions[^]*href="[^"]*${subscriptionId}"`))
  assert.equal((await olga.post(path, hidden)).status, 409)
  await world.call('DELETE', `/apps/${world.appId}/subscriptions/${subscriptionId}`)
  const closed = await olga.send(path)
  assert.equal(closed.location, `${merchant}?done=storeClosed`)
  const { words, text } = await olga.get(closed.location)
  assert.match(words, /Store closed .*Pier 4 \(closed\) .*Till 9 P400-9 Closed/)
  assert.ok(!text.includes(path))
  assert.equal((await olga.get(path)).location, merchant)
})

test('all apps of an organization are disabled and enabled at once, twice without harm, and no other organization is touched', async () => {
  const olga = await operator(world)
  const { organizationId, appId } = await world.developer('Orchard')
  const other = await world.developer('Quince')
  const app = { name: 'Second', packageName: 'com.orchard.second', organizationId }
  const apps = [appId, (await world.call('POST', '/apps', app)).appId]
  const states = () => Promise.all(apps.map(async id => (await world.call('GET', `/apps/${id}`)).status))
  const path = `/ops/organizations/${organizationId}`
  assert.match((await olga.get(`${path}/disable`)).words, /Second, .*sign in, read their statements/)
  const { hidden } = formOf((await olga.get(`${path}/disable`)).text) ?? assert.fail('no form')
  const twice = await Promise.all([olga.post(`${path}/disable`, hidden), olga.post(`${path}/disable`, hidden)])
  for (const { location } of twice) assert.equal(location, `${path}?done=disabled`)
  assert.deepEqual(await states(), ['DISABLED', 'DISABLED'])
  assert.equal((await olga.get(`${path}/disable`)).location, path)
  const dora = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const enabled = await world.ask(dora.token, 'PATCH', `/apps/${appId}`, { body: { status: 'ACTIVE' } })
  assert.equal(enabled.status, 403)
  assert.equal((await olga.send(`${path}/enable`)).location, `${path}?done=enabled`)
  assert.deepEqual(await states(), ['ACTIVE', 'ACTIVE'])
  assert.equal((await world.call('GET', `/apps/${other.appId}`)).status, 'ACTIVE')
  const viewer = await operator(world, 'VIEWER')
  assert.equal((await viewer.get(`${path}/disable`)).status, 403)
  assert.doesNotMatch((await viewer.get(path)).words, /Disable all apps/)
  assert.equal((await olga.get(`/ops/organizations/${v7()}/disable`)).status, 404)
})

test('endpoints are listed by the share of failed attempts in the last 24 hours, worst first', async () => {
  const hook = async (name: string) => {
    const made = { applicationId: world.appId, deliveryUrl: `https://${name}.example/`, secret: 's', eventTypes: TYPES }
    return (await world.call('POST', '/hooks', made)).id as string
  }
  const now = world.clock.now()
  const attempts = (hookId: string, count: number, isAcknowledged: boolean, at = now) =>
    Array.from({ length: count }, () => ({
      ...{
        hookId,
        attemptedAt: at,
        durationMs: 40,
        httpStatus: isAcknowledged ? 200 : 500,
        acknowledged: isAcknowledged,
      },
    }))
  const [bad, half, good, old] = [await hook('bad'), await hook('half'), await hook('good'), await hook('old')]
  const long = new Date(now.getTime() - 26 * 3_600_000)
  const counts = [
    ...[...attempts(bad, 3, false), ...attempts(bad, 1, true), ...attempts(half, 5, false), ...attempts(half, 5, true)],
    ...[...attempts(good, 9, true), ...attempts(old, 9, false, long), ...attempts(v7(), 1, false)],
  ]
  await addHookHours(world.app.ports.db.sql, countByHour(counts))
  const { words, text } = await (await operator(world)).get('/ops/endpoints')
  assert.match(words, /bad\.example.* 75% 4 .*half\.example.* 50% 10 /)
  assert.doesNotMatch(words, /good\.example|old\.example/)
  assert.ok(text.includes(`href="/webhooks/${bad}"`))
  const home = (await (await operator(world)).get('/ops')).words
  assert.match(home, /Webhook attempts, last 24 hours Hour \(UTC\) Acknowledged Failed .* 15 9 /)
})

const TYPES = ['APPLICATION_SUBSCRIPTION_START']

test('past-due subscriptions, disputes and upcoming charges are listed, live and test merchants apart', async () => {
  const olga = await operator(world)
  assert.match((await olga.get('/ops/reports/countries.csv')).text, /\r\nUS,USD,27\.09,3,15\.00,0\.00\r\n/)
  const tested = visiting(world, `${olga.person.token}; tillhook-mode=test.${olga.person.membershipId}`)
  const pastDue = await olga.get('/ops/money/past-due')
  assert.match(pastDue.words, /قهوة/)
  assert.doesNotMatch(pastDue.text, /<script>alert/)
  assert.match((await olga.get('/ops/money/past-due?q=nobody')).words, /Nothing found for “nobody”/)
  assert.match((await tested.get('/ops/money/past-due')).words, /Nothing is past due/)
  assert.match((await olga.get('/ops/money/disputes')).words, /\$5\.00 .*Open/)
  assert.match((await olga.get('/ops')).words, /1 dispute waits for evidence .*Send evidence/)
  assert.match((await olga.get('/ops/money/disputes?status=WON')).words, /No disputes/)
  assert.match((await tested.get('/ops/money/disputes')).words, /No disputes/)
  const { words } = await olga.get('/ops/money/upcoming')
  assert.match(words, /\$\d+\.00 in \d+ charges\. Charges by day, USD/)
  assert.match(words, /Days with charges, USD .*2026 1 \$5\.00/)
})

test('reports show the platform’s revenue by day, and as CSV', async () => {
  const olga = await operator(world)
  await world.work()
  const { words } = await olga.get('/ops/reports')
  assert.match(words, /Last|90 days, USD/)
  assert.match(words, /MRR/)
  const { organizationId } = world
  const payouts = `/ops/organizations/${organizationId}/payouts`
  assert.match((await olga.get(payouts)).text, /href="[^"]*\/payouts\/book\?currency=USD"[^>]*>Book a payout of \$/)
  assert.match(words, /Revenue by app since \w+ 2025, USD App Developer MRR .* \$27\.09 3 \$15\.00 \$0\.00 \$3\.00 /)
  assert.match(
    words,
    /Revenue by country since \w+ 2025, USD Country .* United States 100% \$27\.09 3 \$15\.00 \$0\.00 /,
  )
  assert.match(words, /Owed to developers, USD .* \$15\.00 \$3\.00 \$0\.00 \$12\.00 /)
  assert.match(words, /\w+ 2026 is open until 1 \w+ 2026\. A month closes by itself/)
  const owed = await olga.get('/ops/reports/owed.csv')
  assert.match(owed.text, new RegExp(`^${organizationId},.*,USD,15\\.00,0\\.00,3\\.00,0\\.00,0\\.00,12\\.00\r$`, 'm'))
  const tested = visiting(world, `${olga.person.token}; tillhook-mode=test.${olga.person.membershipId}`)
  assert.doesNotMatch((await tested.get('/ops/reports')).words, /Revenue by app|Revenue by country|Owed to developers/)
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
  assert.match(waiting.words, /Looking up \$5\.00 of .* Waiting for the bank Sandbox/)
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

test('a failed refund of a late payment is sent again or marked as paid, once however often, with the books of any refund', async () => {
  const { sql } = world.app.ports.db
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan())
  await shop.subscribe(await world.plan())
  const invoices = await shop.invoices()
  const owe = async (invoiceId: string) => {
    const refundId = v7()
    await sql`
      insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, failure, created_at,
        updated_at, poll_count)
      select ${refundId}, invoice_id, business_id, 500, 'USD', '', 'LATE_SUCCESS', 'FAILED', 'expired_card', created_at,
        created_at, 1
      from invoices where invoice_id = ${invoiceId}`
    return `/ops/money/owed/${refundId}`
  }
  const [paid, sent] = [await owe(invoices[0]?.invoiceId), await owe(invoices[1]?.invoiceId)]
  const olga = await operator(world)
  assert.match((await olga.get('/ops/money')).words, /failed and are owed .*expired_card Refund again .* Mark as paid/)
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get('/ops/money')).words, /Refund again|Mark as paid/)
  assert.deepEqual(
    [
      (await vera.get(paid)).status,
      (await vera.post(paid, { csrf: csrfIn(await vera.get('/account')), reference: 'x' })).status,
    ],
    [403, 403],
  )
  assert.match((await olga.send(paid, { reference: ' ' }, paid)).words, /Enter the reference of the payment/)
  const reference = { reference: 'Transfer 4711' }
  const csrf = csrfIn(await olga.get(paid))
  const marked = await Promise.all([0, 1].map(() => olga.post(paid, { csrf, ...reference })))
  assert.deepEqual(marked.map(({ location }) => location).sort(), ['/ops/money?done=noneOwed', '/ops/money?done=paid'])
  const again = await Promise.all([0, 1].map(() => olga.post(`${sent}/again`, { csrf })))
  assert.deepEqual(again.map(({ location }) => location).sort(), [
    '/ops/money?done=noneOwed',
    '/ops/money?done=refunding',
  ])
  assert.equal((await olga.get(sent)).location, '/ops/money?done=noneOwed')
  await world.work()
  const notified = await sql`
    select distinct resource_id from notifications
    where business_id = ${shop.businessId} and event_type = 'APPLICATION_SUBSCRIPTION_REFUND_SUCCESS'`
  assert.equal(notified.length, 2)
  assert.deepEqual(
    (await shop.invoices()).map(({ amountRefunded, refunds }) => [amountRefunded, refunds.length]),
    [
      [500, 2],
      [500, 2],
    ],
  )
  const booked = await sql`
    select gateway from ledger_transactions where kind = 'REFUND' and business_id = ${shop.businessId}`
  assert.deepEqual(
    booked.map(({ gateway }) => gateway),
    [-500, -500],
  )
  await world.app.jobs.reconciliation?.runOnce()
  const { checks } = await world.call('GET', '/operations/checks')
  const violations = checks.flatMap((check: { violations: { id: string }[] }) => check.violations)
  const ids = invoices.map(({ invoiceId }) => invoiceId)
  assert.deepEqual(
    violations.filter(({ id }: { id: string }) => ids.includes(id)),
    [],
  )
})

test('a quarantined row is retried now, and a row that a process may have claimed stays as it is', async () => {
  const { sql } = world.app.ports.db
  const [now, soon, later] = [0, 30_000, 3_600_000].map(ms => new Date(world.clock.now().getTime() + ms))
  const shop = await world.merchant({ type: 'MERCHANT' })
  const { subscriptionId } = await shop.subscribe(await world.plan())
  const [invoice] = await shop.invoices()
  await shop.refund(invoice?.invoiceId, { amount: 100 })
  await sql`
    update subscriptions set failures = 1, last_error = 'Error: <b>', retry_at = ${later ?? null}
    where subscription_id = ${subscriptionId}`
  const ids = await sql<{ refundId: string; notificationId: string }[]>`
    with refund as (
      update refunds set status = 'PENDING', failures = 1, last_error = 'Error', next_poll_at = ${later ?? null}
      where business_id = ${shop.businessId} returning refund_id),
    delivery as (
      update deliveries set failures = 1, last_error = 'Error', due_at = ${later ?? null}
      where notification_id = (
        select notification_id from deliveries where business_id = ${shop.businessId} order by notification_id limit 1)
      returning notification_id)
    select refund_id as "refundId", notification_id as "notificationId" from refund, delivery`
  const { refundId = '', notificationId = '' } = ids[0] ?? {}
  const olga = await operator(world)
  const list = await olga.get('/ops/money')
  const csrf = csrfIn(list)
  assert.match(list.words, /Quarantined rows .* Error: &lt;b&gt;|Error: <b> /)
  for (const [kind, id] of [
    ['subscription', subscriptionId],
    ['refund', refundId],
    ['delivery', notificationId],
    ['redelivery', v7()],
    ['charge', v7()],
  ]) {
    const path = `/ops/money/retry/${kind}/${id}`
    assert.equal(list.text.includes(path), kind !== 'redelivery' && kind !== 'charge', kind)
    assert.equal((await olga.post(path, { csrf })).location, '/ops/money?done=retry', kind)
  }
  const due = async () => {
    const [row] = await sql`
      select s.retry_at, r.next_poll_at, d.due_at from subscriptions as s, refunds as r, deliveries as d
      where s.subscription_id = ${subscriptionId} and r.refund_id = ${refundId} and d.notification_id = ${notificationId}`
    return Object.values(row ?? {})
  }
  assert.deepEqual(await due(), [now, now, now])
  await sql`update refunds set next_poll_at = ${soon ?? null} where refund_id = ${refundId}`
  await olga.post(`/ops/money/retry/refund/${refundId}`, { csrf })
  assert.deepEqual(await due(), [now, soon, now])
  const vera = await operator(world, 'VIEWER')
  assert.doesNotMatch((await vera.get('/ops/money')).words, /Retry now|Try now/)
  const own = csrfIn(await vera.get('/account'))
  assert.equal((await vera.post(`/ops/money/retry/refund/${refundId}`, { csrf: own })).status, 403)
  assert.equal((await olga.post(`/ops/money/retry/user/${v7()}`, { csrf })).status, 400)
})

const csrfIn = ({ text }: { readonly text: string }) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''

test('the review queue begins with the release that has waited longest', async () => {
  const { appId } = await world.developer()
  const submit = async (version: string) =>
    (await world.call('POST', `/apps/${appId}/releases`, { version, plans: [] })).releaseId
  const [first, second] = [await submit('1.0'), await submit('1.1')]
  const { text } = await (await operator(world)).get('/ops/reviews')
  assert.ok(text.indexOf(first) > 0 && text.indexOf(first) < text.indexOf(second))
})
