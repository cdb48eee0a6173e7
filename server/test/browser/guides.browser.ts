import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

for (const viewport of ['phone', 'desktop'] as const) {
  test(`a reader follows the guides from the start page, light and dark, on a ${viewport}`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Guides' }).click()
      await page.getByRole('table').getByRole('link', { name: 'Quickstart' }).click()
      for (const title of [
        'Subscription lifecycle',
        'Verifying webhooks',
        'Calling the API',
        'Command line',
        'SDKs',
        'Testing with clocks',
      ]) {
        await page.getByText('Next:').getByRole('link', { name: title }).click()
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await screenshot(page, `guide-${title.replaceAll(' ', '-').toLowerCase()}-${viewport}`)
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      }
      await expectReachable(page)
    }))

  test(`a reader finds one operation in the reference, light and dark, on a ${viewport}`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      await page.goto('/docs')
      await page.getByRole('searchbox').fill('dispute test')
      const contents = page.getByRole('navigation', { name: 'Contents' })
      assert.equal(await contents.getByRole('link', { name: 'listPlans', exact: false }).isVisible(), false)
      await contents.getByRole('link', { name: 'disputeInvoice' }).click()
      await page.getByRole('heading', { level: 2, name: 'Open or decide a dispute' }).waitFor()
      assert.equal(await page.locator('article:visible').count(), 1)
      await page.locator('article:visible').getByText('Python', { exact: true }).click()
      await page.locator('article:visible').getByText('import ').waitFor()
      await screenshot(page, `reference-${viewport}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await screenshot(page, `reference-${viewport}-dark`)
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }))
}
