import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../support/people.ts'
import { tokenOf } from '../support/tokens.ts'
import { type InPage, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
let token: string
let membershipId: string
before(async () => {
  world = await listeningWorld({ at: '2026-01-31T00:00:00Z' })
  const planId = await world.plan()
  for (const name of ['Café am See', 'Bistro Zürich', `The Longest Name of a Shop ${'in Town '.repeat(18)}`]) {
    const shop = await world.merchant({ type: 'MERCHANT' })
    await world.call('PATCH', `/businesses/${shop.businessId}`, { doingBusinessAs: name })
    await shop.subscribe(planId)
  }
  const late = await world.merchant({ type: 'MERCHANT' })
  await world.call('PATCH', `/businesses/${late.businessId}`, { doingBusinessAs: 'Corner Kiosk' })
  await late.renewWith(planId, 'tok_insufficient_funds')
  const app = await tokenOf(world, world.credentials)
  for (const path of ['/hooks', `/apps/${world.appId}/plans`, `/hooks/${world.organizationId}`])
    await world.ask(app, 'GET', path)
  await world.app.jobs.apiLog.runOnce()
  const { organizationId } = world
  ;({ token, membershipId } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN'))
})
after(() => world.close())

test('a row opens a drawer beside its list, which keeps its place and its filters', async () => {
  const other = await world.developer('Hillside')
  await withPage({ baseUrl: world.baseUrl }, async (page, context) => {
    const mode = { name: 'tillhook-mode', value: `live.${membershipId}`, url: world.baseUrl }
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }, mode])
    const list = `${world.baseUrl}/dev/subscriptions?q=kiosk`
    const row = page.getByRole('rowheader', { name: 'Corner Kiosk' }).getByRole('link')
    const drawer = page.getByRole('dialog')
    await page.goto(list)
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Corner Kiosk' }).getByRole('heading', { name: 'Timeline' }).waitFor()
    assert.equal(page.url(), list)
    await expectAccessible(page)
    await screenshot(page, 'dev-subscription-drawer')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    const focused = await page.evaluate(() => (globalThis as unknown as InPage).document.activeElement?.outerHTML)
    assert.match(focused ?? '', />Corner Kiosk</)
    await row.click()
    await drawer.waitFor()
    await page.goBack()
    await drawer.waitFor({ state: 'detached' })
    assert.equal(page.url(), list)
    await row.click()
    await drawer.waitFor()
    await page.mouse.click(100, 400)
    await drawer.waitFor({ state: 'detached' })
    // A row that is gone, and a row of another organization.
    for (const appId of [world.appId, other.appId]) {
      const gone = `/dev/apps/${appId.replace('urn:aid:', '')}/subscriptions/${crypto.randomUUID()}`
      await row.evaluate((link, href) => link.setAttribute('href', href), gone)
      await page.locator('[data-drawer] tbody th a').click()
      await drawer.getByRole('heading', { name: 'Page not found' }).waitFor()
      await drawer.getByRole('button', { name: 'Close' }).click()
      await drawer.waitFor({ state: 'detached' })
    }
    await page.reload()
    const href = await row.getAttribute('href')
    await row.click()
    await drawer.getByRole('link', { name: 'Open as a page' }).click()
    await page.waitForURL(`**${href}`)
    await settled(page)
    assert.equal(await drawer.count(), 0)
    await page.goBack()
    await page.waitForURL(list)
    await settled(page)
    await context.clearCookies()
    await row.click()
    await page.waitForURL(`**/sign-in?next=${encodeURIComponent(href ?? '')}`)
  })
})

test('subscriptions, merchants, invoices and disputes on a dark phone', async () => {
  await withPage({ baseUrl: world.baseUrl, viewport: 'phone', theme: 'dark' }, async (page, context) => {
    const mode = { name: 'tillhook-mode', value: `live.${membershipId}`, url: world.baseUrl }
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }, mode])
    const check = async (name: string) => {
      await screenshot(page, `dev-${name}-phone`)
      await expectNoSidewaysScroll(page)
      await expectReachable(page)
    }
    await page.goto('/dev/subscriptions')
    await check('all-subscriptions')
    await page.getByLabel('Merchant or ID').fill('kiosk')
    await page.keyboard.press('Enter')
    await page.getByText('Remove the filter').waitFor()
    await check('found-subscriptions')
    // A drawer would cover the list.
    await page.getByRole('rowheader').getByRole('link').click()
    await page.waitForURL('**/dev/apps/*/subscriptions/*')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.goto('/dev/merchants')
    await check('merchants')
    await page.getByRole('link', { name: 'Corner Kiosk' }).click()
    await page.getByText('Lifetime value').waitFor()
    await check('merchant')
    await page.goto('/dev/invoices')
    await check('invoices')
    await page.goto('/dev')
    await page.getByText('Last 30 days').waitFor()
    await check('home-figures')
    await page.goto('/dev/revenue')
    await check('revenue')
    await page.goto('/dev/statements')
    await check('statements')
    await page.getByRole('link', { name: 'January 2026' }).click()
    await page.getByText('Opening balance').waitFor()
    await check('statement')
    await page.goto('/dev/requests')
    await check('requests')
    await page.goto('/dev/disputes')
    await check('disputes')
  })
})
