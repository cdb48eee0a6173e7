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

const START = 'SUBSCRIPTION_START'

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
      const path = `/dev/events/stream?merchantType=TEST_MERCHANT&after=${streamId}.0.0`
      assert.equal((await context.request.get(path)).status(), 200)
      await subscribe()
      await started.nth(2).waitFor()
      assert.equal(await started.count(), 3, 'an event was shown twice')

      await page.getByRole('link', { name: 'Open the subscription' }).first().waitFor({ state: 'attached' })
      await events.last().getByRole('link', { name: 'Open the subscription' }).click()
      await page.waitForURL(/\/subscriptions\/[0-9a-f-]{36}$/)
    })
  })
}

test('the page shows all apps or one app, live or test merchants, and a stranger’s app is not found', async () => {
  const { organizationId, appId } = await world.developer('Hillside')
  const named = { organizationId, name: `${'قهوة '.repeat(30)}<script>`, packageName: 'example.hillside.second' }
  const second = await world.call('POST', '/apps', named)
  const stranger = await world.developer('Seaside')
  const [planId, secondPlanId] = [await world.plan({}, appId), await world.plan({}, second.appId)]
  const { token, membershipId } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER')
  const uuidOf = (id: string) => id.replace('urn:aid:', '')
  const subscribe = async (app: string, plan: string, type: 'MERCHANT' | 'TEST_MERCHANT' = 'TEST_MERCHANT') => {
    const { businessId } = await world.merchant({ type })
    await world.call('POST', `/apps/${app}/subscriptions`, { businessId, planId: plan }, 201)
  }
  await withPage({ baseUrl: world.baseUrl, expected: /404|400/ }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    await page.goto('/dev/events')
    await page.getByText('Connected', { exact: true }).waitFor()
    await subscribe(appId, planId, 'MERCHANT')
    await subscribe(appId, planId)
    await subscribe(second.appId, secondPlanId)
    const started = page.locator('#live-events > li').filter({ hasText: START })
    await started.nth(1).waitFor()
    assert.equal(await started.count(), 2)
    assert.match((await started.first().textContent()) ?? '', /قهوة.*<script>/)
    await started.first().locator('summary').click()
    await screenshot(page, 'live-events-two-apps-desktop')
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    const link = started.first().getByRole('link', { name: 'Endpoints of this event' })
    assert.ok((await link.getAttribute('href'))?.includes(uuidOf(second.appId)))

    const mode = { name: 'tillhook-mode', value: `live.${membershipId}`, url: world.baseUrl }
    await context.addCookies([mode])
    await page.goto(`/dev/events?appId=${uuidOf(appId)}`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await subscribe(second.appId, secondPlanId, 'MERCHANT')
    await subscribe(appId, planId)
    await subscribe(appId, planId, 'MERCHANT')
    await started.first().waitFor()
    assert.deepEqual(
      (await page.locator('#live-events pre').allTextContents()).map(body => JSON.parse(body).applicationId),
      (await page.locator('#live-events pre').allTextContents()).map(() => appId),
    )
    assert.equal(await started.count(), 1)
    const path = '/dev/events/stream?merchantType=MERCHANT'
    for (const [address, status] of [
      [`/dev/events?appId=${uuidOf(stranger.appId)}`, 404],
      [`${path}&appId=${uuidOf(stranger.appId)}`, 404],
      ['/dev/events?appId=nonsense', 400],
      [`${path}&after=nonsense`, 400],
      ['/dev/events/stream?merchantType=OTHER', 400],
    ] as const) {
      assert.equal((await page.goto(address))?.status(), status, address)
    }
  })
})

test('without script the page explains itself', async () => {
  const { organizationId } = await world.developer('Mill Lane')
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  await withPage({ baseUrl: world.baseUrl, script: false }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    await page.goto('/dev/events')
    assert.match(await page.locator('main').innerText(), /needs JavaScript\n+In a terminal, tillhook events tail/)
  })
})
