import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openStudio } from '../../src/pages/webhooks/webhooks.fixture.ts'
import { openFromMenu, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

test('a developer finds a failing webhook and its reason, tests it, switches it off and on, and resends the missed notifications', async t => {
  const { listener, hook, notify, developer, businessId, appId, hookId } = await openStudio(t, world)
  const { person } = await developer()
  await notify()
  listener.reply = (_received, response) => void response.writeHead(500).end(`<html>${'no thanks '.repeat(40)}</html>`)
  await notify(2)
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId })
  await hook({ businessId, deliveryUrl: `${listener.url}/${'a-very-long-path/'.repeat(20)}` })
  for (const viewport of ['desktop', 'phone'] as const) {
    await withPage({ baseUrl: world.baseUrl, viewport }, async (page, context) => {
      const look = async (name: string) => {
        await inspect(page, `webhooks-${name}-${viewport}`)
        // The order of what can be used is the same on each.
        if (viewport === 'desktop') await expectReachable(page)
      }
      await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
      await page.goto('/account')
      await openFromMenu(page, 'Webhooks')
      await page.getByText('It failed 2 times in a row').waitFor()
      await look('list')
      await page.locator(`a[href="/webhooks/${hookId}"]`).click()
      await expectFiltered(page, { by: 'Failed', status: 'ERRORED', found: 0 })
      await page.getByText('No matching deliveries').waitFor()
      await expectFiltered(page, { by: 'Delivered', status: 'DELIVERED', found: 1 })
      await expectFiltered(page, { by: 'Retrying', status: 'ERRORED_RETRYING', found: 2 })
      await look('hook')
      await page.getByRole('link', { name: 'SUBSCRIPTION_START' }).first().click()
      if (viewport === 'desktop') {
        await page.getByRole('dialog').waitFor()
        await inspect(page, 'webhooks-drawer')
        await page.getByRole('link', { name: 'Open as a page' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.getByText('Show of').first().click()
      await look('notification')
    })
  }
  listener.reply = 200
  await withPage({ baseUrl: world.baseUrl, viewport: 'phone' }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
    await page.goto(`/webhooks/${hookId}`)
    await page.getByRole('link', { name: 'Send a test' }).click()
    await page.getByLabel('Event').selectOption('APPLICATION_SUBSCRIPTION_PAYMENT_SUCCESS')
    await inspect(page, 'webhooks-test')
    await press('Send the test')
    await page.getByText('Acknowledged: HTTP 200').waitFor()
    await page.getByRole('link', { name: 'Back to the endpoint' }).click()
    await page.getByRole('link', { name: 'Send deliveries again' }).click()
    await inspect(page, 'webhooks-resend')
    await press('Send again')
    await page.getByText('Running').waitFor()
    await inspect(page, 'webhooks-resending')
    await press('Cancel')
    await page.getByText('Cancelled').waitFor()
    await page.getByRole('link', { name: 'Back to the endpoint' }).click()
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('link', { name: 'Switch off' }).click()
    await inspect(page, 'webhooks-off')
    await press('Switch off')
    await page.getByText('Endpoint disabled').waitFor()
    await page.getByRole('link', { name: 'Switch on' }).click()
    await inspect(page, 'webhooks-on')
    await page.getByRole('radio', { name: /^Resend them/ }).check()
    await press('Switch on')
    await page.getByText('Missed events are being resent').waitFor()
    assert.equal((await world.call('GET', `/hooks/${hookId}`)).active, true)
  })
})

/** The filtered list names its filter and has a URL of its own. */
async function expectFiltered(page: Page, asked: { by: string; status: string; found: number }): Promise<void> {
  const filter = page.getByRole('search', { name: 'Filter deliveries' })
  await filter.getByLabel('State').selectOption({ label: asked.by })
  await filter.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(url => url.searchParams.get('status') === asked.status)
  await filter.getByRole('link', { name: `Remove the filter State: ${asked.by}` }).waitFor()
  const states = await page.getByRole('row').locator('td:nth-of-type(2) .badge').allInnerTexts()
  assert.deepEqual(
    states,
    Array.from({ length: asked.found }, () => asked.by),
  )
}

async function inspect(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
}
