import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPerson } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectNoSidewaysScroll, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

test('without script, a developer creates an app, submits a release and adds an endpoint', async () => {
  const { organizationId } = await world.call('POST', '/organizations', {
    name: 'Lakeside',
    email: 'dev@lake.example',
  })
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  await withPage({ baseUrl: world.baseUrl, script: false }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    const check = (name: string) => look(page, `dev-${name}-no-script`)
    await page.goto('/dev')
    await check('home')
    await page.getByRole('link', { name: 'Create an app' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Table Planner')
    await page.getByLabel('Package name').fill('com.example.noscript')
    await check('new-app')
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByText('BEGIN PRIVATE KEY').waitFor()
    await check('key')
    await page.getByRole('link', { name: 'Go to Table Planner' }).click()
    await page.getByRole('link', { name: 'New release' }).click()
    await page.getByLabel('Version').fill('1.0')
    await check('release-package')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('link', { name: 'Add a plan' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pro')
    await page.getByLabel('Price', { exact: true }).fill('5.00')
    await check('release-plan')
    await page.getByRole('button', { name: 'Add a country' }).click()
    await page.getByLabel('Country').nth(1).fill('DE')
    await page.getByLabel('Currency').nth(1).fill('EUR')
    await page.getByLabel('Price', { exact: true }).nth(1).fill('4.50')
    await page.getByRole('button', { name: 'Save the plan' }).click()
    await page.getByText('Plans of this release').waitFor()
    await check('release-plans')
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByLabel('Notes for the reviewer').fill('Try the table plan.')
    await check('release-notes')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Send for review' }).waitFor()
    await check('release-send')
    await page.getByRole('button', { name: 'Send for review' }).click()
    await page.getByText('Release submitted').waitFor()
    await check('release')
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Table Planner' }).click()
    await check('app')
    for (const tab of ['Plans', 'Releases', 'Keys', 'Settings']) {
      await page.getByRole('navigation', { name: 'App', exact: true }).getByRole('link', { name: tab }).click()
      await page.locator('.tabs a[aria-current]', { hasText: tab }).waitFor()
      await check(`app-${tab.toLowerCase()}`)
    }
    await page.getByRole('link', { name: 'Add an endpoint' }).click()
    await page.getByLabel('URL').fill('http://127.0.0.1:9/hooks')
    await check('endpoint')
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByText('whsec_').first().waitFor()
    await page.getByRole('link', { name: 'Open the endpoint' }).click()
    await page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/)
    await approveAll()
    await page.goto('/dev/test-merchants')
    await check('test-merchants')
    await page.getByRole('button', { name: 'Create a test merchant' }).click()
    await page.getByText('Test merchant created').waitFor()
    await press(page, 'Subscribe', 'Active')
    await page.getByRole('link', { name: 'Forward 1 month' }).click()
    await page.getByText('What will happen').first().waitFor()
    const merchant = page.url().replace(/[?/](clock|done).*/, '')
    await page.goto(`${merchant}/clock?by=month`)
    await check('clock-forecast')
    await press(page, 'Move the clock', 'The clock was moved')
    await page.getByText('What happened since').waitFor()
    await page.getByRole('cell', { name: /Paid/ }).nth(1).waitFor()
    await check('test-merchant')
    await page.getByRole('link', { name: 'Table Planner, Pro' }).click()
    await page.getByText('Invoices, newest first').waitFor()
    await check('subscription')
    const subscription = page.url()
    await page
      .getByRole('link', { name: /^Refund/ })
      .first()
      .click()
    await check('refund')
    await page.getByLabel('Amount in USD').fill('2.00')
    await page.getByLabel('Reason').fill('Two bad days')
    await page.getByRole('button', { name: 'Show the effect' }).click()
    await page.getByText('Taken from your balance').waitFor()
    await check('refund-preview')
    await page.getByRole('button', { name: 'Refund $2.00' }).click()
    await page.getByText('Refund ordered').waitFor()
    await page.goto(subscription)
    await page.goto(page.url().replace(/\/[^/]+$/, ''))
    await check('subscriptions')
    const [{ appId }] = (await world.call('GET', `/apps?organizationId=${organizationId}`)).apps
    await world.plan({ name: 'Large', amounts: [{ country: 'US', currency: 'USD', value: 2_000 }] }, appId)
    await page.goto(merchant)
    await page.getByRole('link', { name: /^Change plan/ }).press('Enter')
    await page.getByRole('button', { name: 'Show the effect' }).press('Enter')
    await page.getByText('Charged now').waitFor()
    await check('plan-change')
    await press(page, /^Charge \$\d+\.\d\d and change$/, 'The plan change was saved')
    await page.getByRole('link', { name: 'Table Planner, Large' }).waitFor()
  })
})

async function approveAll(): Promise<void> {
  for (const { appId, releaseId } of (await world.call('GET', '/releases?status=SUBMITTED')).releases) {
    await world.call('POST', `/apps/${appId}/releases/${releaseId}/approve`, {}, 200)
  }
}

/** Presses a button whose answer waits for a payment, while the background work runs. */
async function press(page: Page, name: string | RegExp, shown: string): Promise<void> {
  let isDone = false
  const pressed = page
    .getByRole('button', { name, exact: true })
    .click()
    .then(() => settled(page))
    .then(() => page.getByText(shown).waitFor())
    .finally(() => {
      isDone = true
    })
  for (let turns = 0; turns < 1_000 && !isDone; turns++) await world.work()
  await pressed
}

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectNoSidewaysScroll(page)
}
