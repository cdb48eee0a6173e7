import { after, before, test } from 'node:test'
import { v7 } from 'uuid'
import { countByHour } from '../../src/core/hook-hours.ts'
import { addHookHours } from '../../src/webhooks/hooks/hours.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
let token: string
let deviceId: string
let payouts: string
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
  const shop = await world.merchant({ type: 'MERCHANT' })
  await shop.subscribe(await world.plan({ interval: 'WEEK' }))
  const late = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${late.businessId}`, { doingBusinessAs: 'W'.repeat(200) })
  await late.renewWith(await world.plan(), 'tok_insufficient_funds')
  const { sql } = world.app.ports.db
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    select ${v7()}, 'sandbox', ${v7()}, invoice_id, 500, 'OPEN', created_at, created_at
    from invoices where business_id = ${late.businessId} order by invoice_id limit 1`
  const stores = `/businesses/${late.businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Harbour' })
  const device = { name: 'Till 7', serialNumber: 'P400-4711' }
  deviceId = (await world.call('POST', `${stores}/${storeId}/devices`, device)).deviceId.slice('urn:tid:'.length)
  const hook = { applicationId: world.appId, deliveryUrl: 'https://orders.example/webhooks/tillhook', secret: 's' }
  const { id: hookId } = await world.call('POST', '/hooks', { ...hook, eventTypes: ['APPLICATION_SUBSCRIPTION_START'] })
  const of = { hookId, attemptedAt: world.clock.now(), durationMs: 40, httpStatus: 500, acknowledged: false }
  await addHookHours(sql, countByHour([of, { ...of, httpStatus: 200, acknowledged: true }]))
  payouts = `/ops/organizations/${world.organizationId}/payouts`
  const fee = { kind: 'FEE', amount: 950, currency: 'EUR', reason: 'Transfer abroad' }
  await world.call('POST', `/organizations/${world.organizationId}/adjustments`, fee, 201)
  await world.work()
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  token = person.token
})
after(() => world?.close())

test('an operator reads terminals, endpoints, money and reports on a dark phone', async () => {
  await withPage({ baseUrl: world.baseUrl, viewport: 'phone', theme: 'dark' }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    for (const [path, words] of [
      ['/ops/terminals', 'P400-4711'],
      [`/ops/terminals/${deviceId}`, 'New activation code'],
      ['/ops/endpoints', '50%'],
      [payouts, 'The developer owes you €9.50'],
      [`${payouts}/book`, 'A booking moves no money'],
      ['/ops/money', 'Open payments'],
      ['/ops/money/past-due', 'Past-due subscriptions'],
      ['/ops/money/disputes', 'Disputes, newest first'],
      ['/ops/money/upcoming', 'Days with charges'],
      ['/ops', 'Open breakers'],
      ['/ops/system', 'This page comes from'],
      ['/ops/reports', 'MRR movements'],
      ['/ops/audit', 'Changes, newest first'],
    ] as const) {
      await page.goto(path)
      await page.getByText(words).first().waitFor()
      await screenshot(
        page,
        `ops${path.replace(deviceId, 'one').replace(world.organizationId, 'one').replaceAll('/', '-')}-phone`,
      )
      await expectNoSidewaysScroll(page)
      await expectReachable(page)
    }
  })
})
