import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

for (const look of [
  { viewport: 'desktop', theme: 'light' },
  { viewport: 'phone', theme: 'dark' },
] as const) {
  test(`an operator sees as a merchant and a developer, and stops: ${look.viewport}, ${look.theme}`, async () => {
    const { businessId, subscribe } = await world.merchant()
    await subscribe(await world.plan({ name: 'Espresso' }))
    await world.work()
    const { organizationId } = await world.call('GET', `/apps/${world.appId}`)
    const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
    await proveSecondFactor(world, person)
    await withPage({ baseUrl: world.baseUrl, ...look }, async (page, context) => {
      await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
      for (const [path, home] of [
        [`/ops/merchants/${businessId}`, '/my/subscriptions'],
        [`/ops/organizations/${organizationId}`, '/dev'],
      ] as const) {
        await page.goto(path)
        await page.getByRole('button', { name: 'See as' }).press('Enter')
        await page.getByText('Nothing can be changed').waitFor()
        assert.equal(new URL(page.url()).pathname, home)
        await screenshot(page, `see-as-${home.split('/')[1]}-${look.viewport}`)
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        if (look.viewport === 'desktop') await expectReachable(page)
        await page.getByRole('button', { name: 'Stop seeing as' }).press('Enter')
        await page.waitForURL(`**${path}`)
        assert.equal(await page.getByText('Nothing can be changed').count(), 0)
      }
    })
  })
}
