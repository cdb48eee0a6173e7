import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inviteTo, newPerson, PASSWORD } from '../support/people.ts'
import { type PageOptions, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

/** A developer with an app, who belongs to two organizations. */
async function newDeveloper() {
  const organization = async (name: string) =>
    (await world.call('POST', '/organizations', { name, email: 'd@lake.example' })).organizationId as string
  const [organizationId, otherId] = [await organization('Lakeside Apps'), await organization('Hillside Apps')]
  const packageName = `com.example.a${Date.now()}`
  const { appId } = await world.call('POST', '/apps', { organizationId, name: 'Table Planner', packageName })
  const person = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  const { email } = person
  const { secret } = await inviteTo(world, { kind: 'DEVELOPER', organizationId: otherId }, 'ADMIN', { email })
  const body = { secret, password: PASSWORD }
  const accepted = await world.ask(null, 'POST', '/memberships', { body })
  assert.equal(accepted.status, 201, accepted.text)
  return { ...person, appId }
}

async function asPerson(token: string, options: Omit<PageOptions, 'baseUrl'>, work: (page: Page) => Promise<void>) {
  await withPage({ baseUrl: world.baseUrl, ...options }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    await work(page)
  })
}

for (const [viewport, script] of [
  ['phone', true],
  ['desktop', true],
  ['desktop', false],
] as const) {
  test(`a developer finds an app, sees live data, chooses a theme and changes the workspace, on a ${viewport} ${script ? 'with' : 'without'} script`, async () => {
    const { token } = await newDeveloper()
    await asPerson(token, { viewport, script }, async page => {
      await page.goto('/dev')
      await page.getByText('Lists show test merchants.').waitFor()
      await look(page, `frame-${viewport}`, script)
      await page.getByRole('button', { name: 'Live', exact: true }).click()
      await page.locator('button[value="live"][aria-pressed="true"]').waitFor()
      assert.equal(await page.getByText('Lists show test merchants.').count(), 0)
      await page.goto('/search?q=table')
      await page.getByRole('link', { name: /^Table Planner/ }).waitFor()
      await look(page, `search-${viewport}`, script)
      await page.locator('.who summary').click()
      await page.getByRole('button', { name: 'Dark' }).click()
      await page.locator('html[data-theme="dark"]').waitFor()
      await page.locator('.workspace-menu summary').click()
      await page.getByRole('button', { name: 'Hillside Apps' }).click()
      await settled(page)
      await page.locator('.workspace-menu summary').getByText('Hillside Apps').waitFor()
      await page.goto('/search?q=table')
      await page.getByText('Nothing found for “table”').waitFor()
      await page.locator('html[data-theme="dark"]').waitFor()
    })
  })
}

test('by keyboard alone, the palette finds an app and opens it', async () => {
  const { token, appId } = await newDeveloper()
  await asPerson(token, {}, async page => {
    await page.goto('/dev')
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search' })
    await palette.getByRole('searchbox').fill('tabl')
    await palette.getByRole('link', { name: /^Table Planner/ }).waitFor()
    await expectAccessible(page)
    await screenshot(page, 'palette-desktop')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dev/apps/${appId.replace('urn:aid:', '')}`)
    await palette.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search' }).waitFor()
  })
})

async function look(page: Page, name: string, script: boolean): Promise<void> {
  await settled(page)
  await screenshot(page, name)
  await expectNoSidewaysScroll(page)
  // The inspection itself needs script.
  if (!script) return
  await expectAccessible(page)
  await expectReachable(page)
}
