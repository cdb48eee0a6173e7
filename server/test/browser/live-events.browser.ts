import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

const START = ' SUBSCRIPTION_START'

for (const [viewport, theme] of [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const) {
  test(`a developer sees live events, pauses them, and misses none after a lost connection, on a ${viewport}`, async () => {
    const { organizationId, appId } = await world.developer(`lakeside-${viewport}`)
    const planId = await world.plan({ name: 'Pro' }, appId)
    const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
    const subscribe = async () => {
      const { businessId } = await world.merchant()
      return world.call('POST', `/apps/${appId}/subscriptions`, { businessId, planId }, 201)
    }
    await withPage({ baseUrl: world.baseUrl, viewport, theme }, async (page, context) => {
      await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
      await page.goto('/dev/events')
      await page.getByText('Connected', { exact: true }).waitFor()
      await expectAccessible(page)
      await screenshot(page, `live-events-none-${viewport}`)

      const { subscriptionId } = await subscribe()
      const events = page.locator('#live-events > li')
      const started = events.filter({ hasText: START })
      await started.first().waitFor()
      await started.first().locator('summary').click()
      assert.match(await started.first().locator('pre').innerText(), new RegExp(`"resourceId": "${subscriptionId}"`))
      await screenshot(page, `live-events-${viewport}`)
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
      if (viewport === 'desktop') await expectReachable(page)

      await started.first().getByRole('link', { name: 'Endpoints of this event' }).waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await subscribe()
      await page.getByText(/^Paused, [12] waiting$/).waitFor()
      assert.equal(await started.count(), 1)
      await page.getByRole('button', { name: 'Resume' }).click()
      await started.nth(1).waitFor()

      // Another connection of the same stream ends the browser's, as a restart does.
      const body = await started.first().locator('pre').textContent()
      const { hookId: streamId } = JSON.parse(body ?? '')
      const path = `/apps/${appId}/events/stream?after=${streamId}.0.0`
      assert.equal((await world.ask(token, 'GET', path)).status, 200)
      await subscribe()
      await started.nth(2).waitFor()
      assert.equal(await started.count(), 3, 'an event was shown twice')

      await page.getByRole('link', { name: 'Open the subscription' }).first().waitFor({ state: 'attached' })
      await events.last().getByRole('link', { name: 'Open the subscription' }).click()
      await page.waitForURL(/\/subscriptions\/[0-9a-f-]{36}$/)
    })
  })
}

test('without script the page explains itself, and a stranger gets no stream', async () => {
  const { organizationId, appId } = await world.developer('Hillside')
  const stranger = await world.developer('Seaside')
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  await withPage({ baseUrl: world.baseUrl, script: false, expected: /404/ }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    await page.goto('/dev/events')
    assert.match(await page.locator('main').innerText(), /needs JavaScript\n+In a terminal, tillhook events tail/)
    const uuidOf = (id: string) => id.replace('urn:aid:', '')
    for (const path of [uuidOf(stranger.appId), `${uuidOf(stranger.appId)}/stream`]) {
      assert.equal((await page.goto(`/dev/events/${path}`))?.status(), 404)
    }
    assert.equal((await page.goto(`/dev/events/${uuidOf(appId)}`))?.status(), 200)
  })
})
