import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { v7 } from 'uuid'
import { visiting } from '../../src/pages/merchant/merchant.fixture.ts'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { screenshot, VIEWPORTS, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/**
 * `npm run test:browser -- --sweep`: axe inspects each page at both widths in both themes. By default on a phone and without colours, which
 * `design.browser.ts` inspects by component.
 */
const isWhole = process.env.TILLHOOK_TEST_SWEEP === 'whole'

/** The limit of a page's HTML, compressed. */
const MOST_BYTES = 60_000

/** About 100 pages. */
const LIMIT_MS = 1_200_000

/** Pages that no link of a furnished installation leads to, and the test that opens them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  streamOwnEvents: 'live-events.browser.ts: a stream of events',
  previewOwnPlanChange: 'merchant.browser.ts: the answer to a form',
  showTerminal: 'jobs.browser.ts: the answer to a form',
  showTestTerminal: 'developer.browser.ts: the answer to a form',
  showChangeStaff: 'staff.test.ts: a cashier of the merchant',
  askBeforeRemovingStaff: 'staff.test.ts: a cashier of the merchant',
  showNewTerminal: 'ops/pages.test.ts: a merchant with a store',
  showTestDispute: 'test-merchants.test.ts: a redirect to the test merchant',
  askBeforeSwitchingOn: 'webhooks.browser.ts: a disabled endpoint',
  showResend: 'webhooks.browser.ts: a redelivery under way',
  showPurchaseScreen: 'purchase.browser.ts: a screen of a terminal',
  enterCardForPurchase: 'purchase.browser.ts: a screen of a terminal',
  askAtTestBank: 'purchase.browser.ts: a payment that waits for the payer',
  askForApproval: 'approval.browser.ts: a link of an app',
  showDeviceLogin: 'device-login.browser.ts: a link of the command line',
  showSetUp: 'sign-in.browser.ts: an installation without operators',
  showJoinConfirmation: 'sign-in.browser.ts: a link of a mail',
  showInvitation: 'sign-in.browser.ts: a link of a mail',
  showNewPassword: 'sign-in.browser.ts: a link of a mail',
  showSecret: 'sign-in.browser.ts: the answer to a form',
}

let world: ListeningWorld
let people: Record<'operator' | 'developer' | 'merchant', { readonly token: string; readonly membershipId: string }>
/** Pages of things in another state than the first of their list. */
const asides: Record<'operator' | 'merchant', string[]> = { operator: [], merchant: [] }
before(async () => {
  world = await listeningWorld({ at: '2026-01-31T00:00:00Z' })
  people = await furnish()
})
after(() => world?.close())

test('every linked page is small, accessible, and fits the screen', async t => {
  const opened = new Set<string>()
  for (const [who, ...begin] of [
    ['developer', '/dev'],
    ['operator', '/ops', ...asides.operator],
    ['merchant', '/my', ...asides.merchant],
    ['nobody', '/sign-in', '/design'],
  ] as const) {
    await t.test(who, async () => {
      await withPage({ baseUrl: world.baseUrl, viewport: 'phone', limitMs: LIMIT_MS }, async (page, context) => {
        if (who !== 'nobody') {
          const { token, membershipId } = people[who]
          const mode = { name: 'tillhook-mode', value: `live.${membershipId}`, url: world.baseUrl }
          await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }, mode])
        }
        await walk(page, [...begin, '/'], opened)
      })
    })
  }
  // A page that is added needs a link here or a row above; the sweep says which.
  if (!isWhole) return
  const expected = world.app.pages.filter(({ method, path }) => method === 'GET' && !isFile(path))
  const missed = expected.filter(({ name }) => !opened.has(name) && !(name in ELSEWHERE))
  assert.deepEqual(
    missed.map(({ name, path }) => `${name} ${path}`),
    [],
    'pages that no link leads to',
  )
})

/** Opens one address of each page. */
async function walk(page: Page, begin: readonly string[], opened: Set<string>): Promise<void> {
  const waiting = [...begin]
  const seen = new Set<string>()
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const found = pageAt(path)
    if (found === undefined || seen.has(found.name)) continue
    seen.add(found.name)
    // Everybody sees the same.
    if (found.signIn === 'none' && opened.has(found.name)) continue
    opened.add(found.name)
    const answer = await page.goto(path)
    assert.equal(answer?.status(), 200, path)
    await settled(page)
    const shown = pageAt(page.url())?.name ?? found.name
    seen.add(shown)
    opened.add(shown)
    const content = await page.content()
    const bytes = gzipSync(content).length
    assert.ok(bytes < MOST_BYTES, `${path} has ${bytes} bytes compressed, of at most ${MOST_BYTES}`)
    waiting.push(...linksIn(content))
    await inspect(page, found.name)
  }
}

async function inspect(page: Page, name: string): Promise<void> {
  try {
    await page.setViewportSize(VIEWPORTS.phone)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, { hasColours: isWhole })
    if (isWhole) await screenshot(page, `sweep-${name}-phone`)
    await page.setViewportSize(VIEWPORTS.desktop)
    await expectNoSidewaysScroll(page)
    // A page that is added needs a link here or a row above; the sweep says which.
    if (!isWhole) return
    await expectAccessible(page)
    await screenshot(page, `sweep-${name}-desktop`)
  } catch (error) {
    throw new Error(`${name} at ${page.url()}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const isFile = (path: string) => /\.\w+$/.test(path)

/** The page that answers an address. A fixed segment goes before a parameter. */
function pageAt(address: string) {
  const { pathname } = new URL(address, world.baseUrl)
  const fits = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
  const found = world.app.pages.filter(({ method, path }) => method === 'GET' && !isFile(path) && fits(path))
  return found.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0]
}

function linksIn(content: string): string[] {
  return [...content.matchAll(/<a [^>]*?href="(\/[^"#]*)/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
}

/** An installation in which each list has a row. */
async function furnish(): Promise<typeof people> {
  const { organizationId, appId } = world
  const yearly = await world.plan({ interval: 'YEAR' })
  const trial = await world.plan({ trialPeriodDays: 7 })
  const plans = [await world.plan(), await world.plan({ name: 'Large', cancelPolicy: 'BILLING' })]
  const shop = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${shop.businessId}`, {
    doingBusinessAs: `Café ${'في المدينة '.repeat(15)}<script>`,
  })
  await shop.subscribe(plans[0] ?? '')
  await world.call('POST', `/businesses/${shop.businessId}/approvals`, { appId })
  const late = await world.merchant({ type: 'MERCHANT' })
  const hook = { applicationId: appId, deliveryUrl: 'https://orders.example/webhooks/tillhook', secret: 's' }
  await world.call('POST', '/hooks', { ...hook, eventTypes: ['APPLICATION_SUBSCRIPTION_START'] })
  const { subscriptionId } = await late.subscribe(yearly)
  asides.merchant.push(`/my/subscriptions/${subscriptionId}/change`)
  asides.merchant.push(`/my/subscriptions/${await subscribeTerminal(late.businessId)}/move`)
  await world.call('POST', `/businesses/${late.businessId}/approvals`, { appId })
  await late.renewWith(plans[1] ?? '', 'tok_insufficient_funds')
  const { sql } = world.app.ports.db
  await sql`
    insert into disputes (dispute_id, gateway, gateway_dispute_id, invoice_id, amount, status, created_at, updated_at)
    select ${v7()}, 'sandbox', ${v7()}, invoice_id, 500, 'OPEN', created_at, created_at
    from invoices where business_id = ${late.businessId} order by invoice_id limit 1`
  await sql`
    insert into refunds (refund_id, invoice_id, business_id, amount, currency, reason, origin, status, failure, created_at,
      updated_at, poll_count)
    select ${v7()}, invoice_id, business_id, 100, currency, '', 'LATE_SUCCESS', 'FAILED', 'expired_card', created_at,
      created_at, 1
    from invoices where business_id = ${late.businessId} order by invoice_id limit 1`
  const stores = `/businesses/${shop.businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Harbour' })
  await world.call('POST', `${stores}/${storeId}/devices`, { name: 'Till 7', serialNumber: 'P400-4711' })
  await world.call('POST', `/apps/${appId}/releases`, { version: '2.0', plans: [] })
  await world.work()
  const disabled = await world.developer('Hillside')
  await world.call('PATCH', `/apps/${disabled.appId}`, { status: 'DISABLED' })
  const path = `/ops/apps/${disabled.appId.slice('urn:aid:'.length)}`
  asides.operator.push(`${path}/enable`, `${path}/end`, `/ops/apps/${appId.slice('urn:aid:'.length)}/disable`)
  asides.operator.push(`/ops/organizations/${organizationId}/disable`)
  const operator = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, operator)
  const visitor = visiting(world, operator.token)
  const merchant = `/ops/merchants/${shop.businessId}`
  await visitor.send(merchant, { text: `https://shop.example/${'x'.repeat(180)}` }, `${merchant}/notes`)
  asides.operator.push(merchant)
  const colleague = await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  await newPerson(world, { kind: 'OPERATOR' }, 'VIEWER')
  await visitor.send(`/people/${colleague.membershipId}/disable`)
  asides.operator.push(`/people/${colleague.membershipId}/enable`)
  const developer = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const ann = visiting(world, developer.token)
  const { location } = await ann.send('/dev/test-merchants', { name: 'Test café', country: 'US' })
  const cafe = location.replace(/\?.*/, '')
  await ann.send(cafe, { planId: trial }, cafe)
  const release = `/dev/apps/${appId.slice('urn:aid:'.length)}/release`
  await ann.send(release, { version: '3.0' }, release)
  return {
    operator,
    developer,
    merchant: await newPerson(world, { kind: 'MERCHANT', businessId: late.businessId }, 'OWNER'),
  }
}

/** Subscribes the first of two terminals. */
async function subscribeTerminal(businessId: string): Promise<string> {
  const stores = `/businesses/${businessId}/stores`
  const { storeId } = await world.call('POST', stores, { displayName: 'Mill Lane' })
  const devices = `${stores}/${storeId}/devices`
  const { deviceId } = await world.call('POST', devices, { name: 'Till 1', serialNumber: 'P400-1' })
  await world.call('POST', devices, { name: 'Till 2', serialNumber: 'P400-2' })
  const planId = await world.plan({ name: 'Kiosk', scope: 'DEVICE', interval: 'YEAR' })
  const made = await world.call('POST', `/apps/${world.appId}/subscriptions`, { businessId, planId, deviceId })
  return made.subscriptionId
}
