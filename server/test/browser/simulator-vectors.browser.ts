import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addTerminal } from '../support/terminals.ts'
import type { Json } from '../support/world.ts'
import { withPage } from './chromium.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

/* The simulator shows what an app on a terminal receives. The Android service is tested with the same file. */

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world?.close())

const PACKAGE = 'com.example.till'
const FILE = new URL('../../../contract/terminal/billing.json', import.meta.url)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('each case of the shared vectors has the response of the Android service', () =>
  withPage({ baseUrl: world.baseUrl, expected: /com\.example\.till\/\w+ (4\d\d|503)$/ }, async page => {
    const { cases } = JSON.parse(readFileSync(FILE, 'utf8').replaceAll('{base_url}', world.baseUrl))
    await openApp(page)
    for (const vector of cases) await checkCase(page, vector)
    assert.ok(cases.length >= 10)
  }))

async function openApp(page: Page): Promise<void> {
  const { organizationId } = await world.developer('Vectors')
  await world.call('POST', '/apps', { organizationId, name: 'Till', packageName: PACKAGE })
  const { businessId } = await world.merchant()
  const { activationCode } = await addTerminal(world, businessId)
  const user = { userId: 'kim', passcode: '2468', name: 'Kim Novak', role: 'MANAGER' }
  await world.call('POST', `/businesses/${businessId}/users`, user)
  await page.goto(`/simulator#activationCode=${activationCode}&packageName=${PACKAGE}`)
  await press(page, 'Activate')
  await page.getByLabel('User ID').fill('kim')
  await page.getByLabel('Passcode').fill('2468')
  await press(page, 'Sign in')
  await press(page, 'Open')
  await page.getByText('getPlans → 0 in the list').waitFor()
  await page.getByText('getSubscriptions → 0 in the list').waitFor()
  await page.getByText('getBillingIntent by hand').click()
}

async function checkCase(
  page: Page,
  { name, operation, requestId, extras, last, server, expect }: Json,
): Promise<void> {
  if (last)
    await checkCase(page, { name, operation, requestId, server: { ...server, status: 200, body: last }, expect: LAST })
  const asked: Json[] = []
  await page.route(`${world.baseUrl}${server.path}`, async route => {
    asked.push({ method: route.request().method(), body: route.request().postDataJSON() ?? undefined })
    await route.fulfill({ status: server.status, json: server.body })
  })
  const entries = page.locator('[data-received] > li')
  const known = await entries.count()
  if (operation === 'getBillingIntent') await fillExtras(page, extras)
  else await page.evaluate(id => Object.assign(crypto, { randomUUID: () => id }), requestId)
  const screens: string[] = []
  if (expect.opens) await closeAtOnce(page, expect.opens, screens)
  await press(page, operation)
  await entries.nth(known).waitFor()
  const shown =
    (await entries
      .filter({ hasText: `${operation} →` })
      .first()
      .locator('pre')
      .textContent()) ?? ''
  assert.deepEqual(asked, [{ method: server.method, body: server.sent }], name)
  if (operation !== 'getBillingIntent') {
    const result = expect.result === 'server.body' ? server.body : expect.result
    const resultJson = result && JSON.stringify(result)
    const wanted = linesOf({ resultJson, error: expect.error, requestId })
    assert.equal(shown.replace(/"staleSince":"[-\d]{10}T[:\d]{8}Z"/, '"staleSince":"{timestamp}"'), wanted, name)
  } else if (expect.opens) {
    const bundle = { BUY_INTENT: `PendingIntent (purchase ${expect.opens.purchaseId})` }
    assert.equal(bundleIn(shown), linesOf({ bundle }), name)
    await page.getByText('RESULT_CANCELED', { exact: true }).waitFor()
    assert.deepEqual(screens, [expect.opens.url], name)
    // The app begins anew: the bundle, the result and both lists are noted.
    await entries.nth(known + 3).waitFor()
    await page.getByText('getBillingIntent by hand').click()
  } else {
    const { RESPONSE_CODE, ERROR } = expect
    assert.equal(bundleIn(shown), linesOf({ bundle: { RESPONSE_CODE, ERROR } }), name)
  }
  await page.unrouteAll()
}

const LAST = { result: 'server.body', error: null }

/** The extras come first: the body of the call says whether they are right. */
const bundleIn = (shown: string) => shown.slice(shown.indexOf('bundle: '))

/** Values as the page prints them: text as it is, everything else as JSON. */
const linesOf = (values: Json) =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n')

async function fillExtras(page: Page, { plan_id = '', subscription_id = '', replace = false, restore = false }: Json) {
  await page.locator('[name="plan_id"]').fill(plan_id)
  await page.locator('[name="subscription_id"]').fill(subscription_id)
  await page.locator('[name="replace"]').setChecked(replace)
  await page.locator('[name="restore"]').setChecked(restore)
}

/** The purchase screen opens, and the service says that the merchant has cancelled. */
async function closeAtOnce(page: Page, { purchaseId, url }: Json, screens: string[]): Promise<void> {
  await page.route(url, async route => {
    screens.push(route.request().url())
    await route.fulfill({ contentType: 'text/html', body: '<title>Purchase</title>' })
  })
  await page.route(`${world.baseUrl}/terminal/purchases/${purchaseId}`, route =>
    route.fulfill({ json: { purchaseId, status: 'CANCELLED' } }),
  )
}
