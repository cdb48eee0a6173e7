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
}
