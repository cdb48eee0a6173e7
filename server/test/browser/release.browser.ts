import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { newPerson } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

const APK = fileURLToPath(new URL('../vectors/apk/version-1.apk', import.meta.url))
let apps = 0

/** A developer with an app, at the first step of a new release. */
async function begin(page: Page, context: BrowserContext, packageName = `com.example.release${++apps}`) {
  const { organizationId } = await world.call('POST', '/organizations', { name: 'Lakeside', email: 'dev@lake.example' })
  const { appId } = await world.call('POST', '/apps', { organizationId, name: 'Till helper', packageName })
  const signIn = async () => {
    const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    return token
  }
  await signIn()
  const path = `/dev/apps/${appId.slice('urn:aid:'.length)}/release`
  await page.goto(path)
  return { path, appId, signIn }
}

for (const viewport of ['phone', 'desktop'] as const) {
  test(`an APK is uploaded, read and shown, on a ${viewport}`, async () => {
    await withPage({ baseUrl: world.baseUrl, viewport, theme: 'dark' }, async (page, context) => {
      await begin(page, context, viewport === 'phone' ? 'com.example.till' : undefined)
      await page.getByLabel(/^Package/).setInputFiles(APK)
      await page.getByRole('button', { name: 'Continue' }).click()
      if (viewport === 'desktop') {
        await page.getByText('has the package name com.example.till').first().waitFor()
      } else {
        await page.getByRole('heading', { name: 'Till helper', level: 2 }).waitFor()
        await page.getByText('CAMERA').waitFor()
      }
      await screenshot(page, `release-package-read-${viewport}`)
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    })
  })
}

test('a plan is entered by keyboard alone, with a preview card', async () => {
  await withPage({ baseUrl: world.baseUrl }, async (page, context) => {
    const { path } = await begin(page, context)
    await page.goto(`${path}/plans`)
    await page.getByRole('link', { name: 'Add a plan' }).focus()
    await page.keyboard.press('Enter')
    const card = page.getByRole('region', { name: 'The plan on the terminal' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus()
    await page.keyboard.type('Pro')
    await page.keyboard.press('Tab')
    await page.keyboard.type('All tables')
    for (const typed of ['DE', 'EUR', '4.50']) {
      await page.keyboard.press('Tab')
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(typed)
    }
    await card.getByText('€4.50 is charged today').waitFor()
    assert.match(await card.innerText(), /All tables/)
    await page.getByRole('button', { name: 'Add a country' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.locator(':focus').getAttribute('id'), 'country-1')
    await page.keyboard.type('US')
    await page.getByRole('button', { name: 'Remove price 1' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await page.getByLabel('Country').count(), 1)
    assert.equal(await page.getByLabel('Country').inputValue(), 'US')
    await page.getByLabel('Price', { exact: true }).fill('7')
    await page.getByLabel('Currency').fill('USD')
    await card.getByText('$7.00 is charged today').waitFor()
    // Enter in a field saves; it does not press the first button of a price.
    await page.getByLabel('Free trial').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Plans of this release').waitFor()
    assert.match(await page.getByRole('table').innerText(), /US \$7\.00/)
  })
})

test('entered values are restored after the session ends', async () => {
  await withPage({ baseUrl: world.baseUrl, expected: /40[13]/ }, async (page, context) => {
    const { path, signIn } = await begin(page, context)
    await page.goto(`${path}/plans`)
    await page.getByRole('link', { name: 'Add a plan' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pro')
    const editor = page.url()
    await page.getByLabel('Price', { exact: true }).fill('5.00')
    await page.getByRole('button', { name: 'Add a country' }).click()
    await page.getByLabel('Country').nth(1).fill('JP')
    await page.getByText('Per store').click()
    await context.clearCookies()
    await context.addCookies([{ name: 'tillhook', value: 'ses_ended', url: world.baseUrl }])
    await page.getByRole('button', { name: 'Save the plan' }).click()
    await page.waitForURL(/sign-in\?next=/)
    await signIn()
    await page.goto(editor)
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Pro')
    assert.equal(await page.getByLabel('Price', { exact: true }).first().inputValue(), '5.00')
    assert.equal(await page.getByLabel('Country').nth(1).inputValue(), 'JP')
    assert.ok(await page.getByRole('radio', { name: /Per store/ }).isChecked())
    await page.getByRole('button', { name: 'Remove price 2' }).click()
    await page.getByRole('button', { name: 'Save the plan' }).click()
    await page.getByText('Plans of this release').waitFor()
  })
})
