import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { pngOf } from '../support/pictures.ts'
import { addTerminal } from '../support/terminals.ts'
import { sendIcon } from '../support/upload.ts'
import { type Json, type MerchantOptions, OPERATOR_KEY } from '../support/world.ts'
import { type PageOptions, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
  await sendIcon(world, OPERATOR_KEY, { appId: world.appId, icon: pngOf({ width: 96 }) })
})
after(() => world?.close())

const PASSCODE = '2468'

/** A merchant with an unactivated terminal and a user. */
async function newShop(role: 'MANAGER' | 'CLERK' = 'MANAGER', options: MerchantOptions = {}) {
  const merchant = await world.merchant(options)
  const { businessId } = merchant
  const { activationCode, deviceId } = await addTerminal(world, businessId)
  const user = { userId: 'kim', passcode: PASSCODE, name: 'Kim Novak', role }
  const { businessUserId } = await world.call('POST', `/businesses/${businessId}/users`, user)
  const { packageName } = await world.call('GET', `/apps/${world.appId}`)
  return { merchant, businessId, businessUserId, activationCode, deviceId, packageName }
}

const open = (work: (page: Page) => Promise<void>, more: Partial<PageOptions> = {}) =>
  withPage({ baseUrl: world.baseUrl, ...more }, work)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const purchaseOn = (page: Page) => page.frameLocator('iframe')

async function look(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectAccessible(page)
  await expectReachable(page)
}

async function activate(page: Page, activationCode: string): Promise<void> {
  await page.getByLabel('Activation code').fill(activationCode)
  await press(page, 'Activate')
  await heading(page, 'Sign in')
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('User ID').fill('kim')
  await page.getByLabel('Passcode').fill(PASSCODE)
  await press(page, 'Sign in')
  await heading(page, 'Apps')
}

/** A terminal with the app open and its lists loaded. */
async function openApp(page: Page, { activationCode, packageName }: Json): Promise<void> {
  await page.goto('/simulator')
  await activate(page, activationCode)
  await signIn(page)
  await page.getByLabel('Open an app').fill(packageName)
  await press(page, 'Open')
  await heading(page, packageName)
  await page.getByText(/^getPlans → \d+ in the list$/).waitFor()
  await page.getByText(/^getSubscriptions → \d+ in the list$/).waitFor()
}

/** The status of the terminal's last call to this path. */
const statusOf = (page: Page, call: string) =>
  page.locator('[data-calls] tr', { hasText: call }).first().locator('td').nth(1).innerText()

for (const { viewport, planName } of [
  { viewport: 'desktop', planName: 'Loyalty Plus' },
  { viewport: 'phone', planName: 'Loyalty Max' },
] as const) {
  test(`a terminal on a ${viewport} is activated, signs in and buys a plan, with RESULT_OK`, () =>
    open(
      async page => {
        const planId = await world.plan({ name: planName, trialPeriodDays: 14 })
        const shop = await newShop()
        const name = (what: string) => `simulator-${what}-${viewport}`
        await page.goto(`/simulator#activationCode=${shop.activationCode}&packageName=${shop.packageName}`)
        assert.equal(await page.getByLabel('Activation code').inputValue(), shop.activationCode)
        assert.equal(new URL(page.url()).hash, '', 'a code does not stay in the address')
        await look(page, name('activation'))
        await press(page, 'Activate')
        await heading(page, 'Sign in')
        await look(page, name('sign-in'))
        await signIn(page)
        await look(page, name('home'))
        await press(page, 'Open')
        const plan = page.getByRole('listitem').filter({ hasText: planName }).first()
        await plan.getByText('$5.00 per month, per business · 14 days free').waitFor()
        await page.getByText('None. Choose a plan below.').waitFor()
        await look(page, name('app'))
        await plan.getByRole('button', { name: 'Subscribe' }).click()
        await purchaseOn(page).getByRole('button', { name: 'BUY NOW' }).waitFor()
        await screenshot(page, name('purchase'))
        await expectAccessible(page)
        await purchaseOn(page).getByRole('button', { name: 'BUY NOW' }).click()
        await purchaseOn(page).getByRole('heading', { name: 'Done' }).waitFor()
        await screenshot(page, name('bought'))
        await press(page, 'Back')
        await page.getByText('RESULT_OK', { exact: true }).waitFor()
        await page.getByText(/Trial · next charge on/).waitFor()
        await look(page, name('result'))
        await press(page, 'Back')
        await page.getByRole('button', { name: 'Stories' }).getByText(shop.packageName).waitFor()
        await page.locator('.app-list img.app-icon').waitFor()
        await look(page, name('home-again'))
        const { list } = await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${shop.businessId}`)
        assert.deepEqual(
          list.map((one: Json) => [one.planId, one.phase]),
          [[planId, 'TRIAL']],
        )
      },
      { viewport },
    ))
}

test('a purchase cancelled on the screen, or by the Back button, is RESULT_CANCELED, and nothing is bought', () =>
  open(async page => {
    await world.plan({ name: 'Loyalty Basic' })
    const shop = await newShop()
    await openApp(page, shop)
    const subscribe = page.getByRole('button', { name: 'Subscribe to Loyalty Basic' }).first()
    await subscribe.click()
    await purchaseOn(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('RESULT_CANCELED', { exact: true }).waitFor()
    await subscribe.click()
    await purchaseOn(page).getByRole('button', { name: 'BUY NOW' }).waitFor()
    await press(page, 'Back')
    await page.getByText('onActivityResult → RESULT_CANCELED').nth(1).waitFor()
    await look(page, 'simulator-cancelled-desktop')
    assert.equal(await statusOf(page, 'DELETE /terminal/purchases/'), '200')
    const { total } = await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${shop.businessId}`)
    assert.equal(total, 0)
  }))

test('a completed purchase closed by the Back button before the result is RESULT_OK', () =>
  open(async page => {
    await world.plan({ name: 'Loyalty Quick', amounts: [{ country: 'US', currency: 'USD', value: 0 }] })
    const shop = await newShop()
    await openApp(page, shop)
    await page.getByRole('button', { name: 'Subscribe to Loyalty Quick' }).click()
    const frame = purchaseOn(page)
    const button = frame.locator('.buy-bar button').first()
    await button.waitFor()
    // The answer is held back: the service has done it, and the screen does not know yet.
    let isBought = () => {}
    const bought = new Promise<void>(resolve => (isBought = resolve))
    await page.route('**/purchases/*/buy', async route => {
      const response = await route.fetch({ maxRedirects: 0 })
      assert.equal(response.status(), 303)
      isBought()
    })
    await button.click()
    await bought
    await press(page, 'Back')
    await page.getByText('RESULT_OK', { exact: true }).waitFor()
    assert.equal(await page.locator('[data-calls] tr', { hasText: 'DELETE' }).count(), 0, 'nothing is left to cancel')
  }))

test('a plan is changed and a cancellation undone by the same three operations', () =>
  open(async page => {
    const basic = await world.plan({ name: 'Loyalty Small', cancelPolicy: 'BILLING' })
    await world.plan({
      name: 'Loyalty Large',
      amounts: [{ country: 'US', currency: 'USD', value: 2_000 }],
      cancelPolicy: 'BILLING',
    })
    const shop = await newShop()
    const { subscriptionId, createdAt } = await shop.merchant.subscribe(basic)
    await world.work()
    await openApp(page, shop)
    // The credit loses its first cent with the first second: shown before and pressed after, the screen would ask once more.
    await sleep(Math.max(0, Date.parse(createdAt) + 2_000 - Date.now()))
    await page.getByRole('button', { name: 'Change to this Loyalty Large' }).click()
    await purchaseOn(page).locator('.buy-bar button').first().click()
    await purchaseOn(page)
      .getByText(/confirmed|Done/)
      .first()
      .waitFor()
    await world.work()
    await press(page, 'Back')
    await page.getByText('RESULT_OK', { exact: true }).waitFor()
    await shop.merchant.cancel(subscriptionId)
    await press(page, 'getSubscriptions')
    await page.getByText(/ends on/).waitFor()
    await look(page, 'simulator-cancelled-later-desktop')
    await page.getByRole('button', { name: 'Restore Loyalty Large' }).click()
    await purchaseOn(page).getByRole('button', { name: 'KEEP IT' }).click()
    await purchaseOn(page).getByRole('heading', { name: 'Done: it goes on' }).waitFor()
    await press(page, 'Back')
    await page.getByText(/Active · next charge on/).waitFor()
    assert.equal((await shop.merchant.subscription(subscriptionId)).cancelAt, undefined)
  }))

test('a bundle without BUY_INTENT has its reason: an unknown plan, a held plan, a clerk, no plan', async () => {
  const planId = await world.plan({ name: 'Loyalty Held' })
  const expected = /purchases (400|403|404|409)$/
  await open(
    async page => {
      const shop = await newShop()
      await shop.merchant.subscribe(planId)
      await openApp(page, shop)
      await page.getByRole('button', { name: 'Subscribe again to Loyalty Held' }).click()
      await page.getByText(/The bundle has no BUY_INTENT/).waitFor()
      await look(page, 'simulator-no-intent-desktop')
      await page.getByText('getBillingIntent by hand').click()
      await press(page, 'getBillingIntent')
      await page.getByText(/no BUY_INTENT. planId/).waitFor()
      await page.getByLabel('plan_id').fill('01900000-0000-7000-8000-000000000000')
      await press(page, 'getBillingIntent')
      await page.getByText('getBillingIntent → no BUY_INTENT').nth(2).waitFor()
      assert.equal(await statusOf(page, 'purchases'), '404')
      assert.equal(await page.locator('iframe').count(), 0)
    },
    { expected },
  )
  await open(
    async page => {
      await openApp(page, await newShop('CLERK'))
      await page.getByRole('button', { name: 'Subscribe to Loyalty Held' }).click()
      await page.getByText(/The bundle has no BUY_INTENT/).waitFor()
      assert.equal(await statusOf(page, 'purchases'), '403')
    },
    { expected },
  )
})

test('an unknown package is an error for the app and is not remembered', () =>
  open(
    async page => {
      await openApp(page, await newShop())
      await press(page, 'Back')
      await page.getByLabel('Open an app').fill('com.example.nothing')
      await press(page, 'Open')
      await page.getByText('getPlans → APPLICATION_NOT_FOUND').waitFor()
      await page.getByText('There is no such app.', { exact: true }).waitFor()
      await press(page, 'Back')
      assert.equal(await page.getByRole('button', { name: 'com.example.nothing' }).count(), 0)
    },
    { expected: /com\.example\.nothing(\/\w+)? 404$/ },
  ))

test('a wrong, used or expired code activates nothing and is explained', () =>
  open(
    async page => {
      const { activationCode } = await newShop()
      await page.goto('/simulator')
      await page.getByLabel('Activation code').fill('0000-0000-0000-0000')
      await press(page, 'Activate')
      await page.getByRole('alert').getByText('This code is not valid or has expired.').waitFor()
      await look(page, 'simulator-wrong-code-desktop')
      await activate(page, activationCode)
      await press(page, 'Set up this terminal again')
      await look(page, 'simulator-set-up-again-desktop')
      await press(page, 'Forget this terminal')
      await page.getByLabel('Activation code').fill(activationCode)
      await press(page, 'Activate')
      await page.getByRole('alert').getByText('This code is not valid or has expired.').waitFor()
      await page.reload()
      await heading(page, 'Activate this terminal')
    },
    { expected: /devices\/activate 409$/ },
  ))

test('a wrong passcode is explained, and a reload shows the sign-in again', () =>
  open(
    async page => {
      const shop = await newShop()
      await page.goto('/simulator')
      await activate(page, shop.activationCode)
      await page.getByLabel('User ID').fill('kim')
      await page.getByLabel('Passcode').fill('1357')
      await press(page, 'Sign in')
      await page.getByRole('alert').getByText('Incorrect user ID or passcode.').waitFor()
      await look(page, 'simulator-wrong-passcode-desktop')
      await signIn(page)
      await page.reload()
      await heading(page, 'Sign in')
      await signIn(page)
      await press(page, 'Lock')
      await heading(page, 'Sign in')
      assert.equal(await page.getByRole('button', { name: 'Lock' }).count(), 0)
    },
    { expected: /sessions 400$/ },
  ))

test('a terminal that was activated elsewhere shows that it is no longer activated', () =>
  open(
    async page => {
      const shop = await newShop()
      await openApp(page, shop)
      const again = `/businesses/${shop.businessId}/devices/${shop.deviceId}/activation-code`
      const { activationCode } = await world.call('POST', again, {})
      await open(async other => {
        await other.goto('/simulator')
        await activate(other, activationCode)
      })
      await press(page, 'getPlans')
      await page.getByText('This terminal is not activated any more').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Lock' }).count(), 0, 'nobody is signed in on it')
      await look(page, 'simulator-revoked-desktop')
    },
    { expected: /(plans|token) 401$/ },
  ))

test('a revoked access token is renewed without the app noticing', () =>
  open(
    async page => {
      const tokens: Json[] = []
      page.on('response', async response => {
        if (response.url().endsWith('/token') && response.ok()) tokens.push(await response.json())
      })
      await openApp(page, await newShop())
      assert.equal(tokens.length, 1, 'both lists waited for one token')
      const body = new URLSearchParams({ token: tokens[0]?.accessToken }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal((await world.ask(null, 'POST', '/token/revoke', { body, headers })).status, 200)
      await press(page, 'getPlans')
      await page
        .getByText(/^getPlans → \d+ in the list$/)
        .nth(1)
        .waitFor()
      assert.equal(tokens.length, 2)
      assert.equal(await statusOf(page, '/plans'), '200')
    },
    { expected: /(plans|token) 401$/ },
  ))

test('after 15 idle minutes the terminal locks itself, and an open purchase is not bought', () =>
  open(async page => {
    await world.plan({ name: 'Loyalty Late' })
    const shop = await newShop()
    await page.clock.install()
    await openApp(page, shop)
    await page.clock.fastForward('14:00')
    await page.getByRole('button', { name: 'Subscribe to Loyalty Late' }).click()
    await purchaseOn(page).getByRole('button', { name: 'BUY NOW' }).waitFor()
    await page.clock.fastForward('14:00')
    await purchaseOn(page).getByRole('heading', { level: 1 }).click()
    await page.clock.fastForward('14:00')
    assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 0, 'a touch of the screen counts')
    await page.clock.fastForward('01:01')
    await page.getByText('Nobody has touched this terminal for 15 minutes.').waitFor()
    await look(page, 'simulator-locked-desktop')
    await page.locator('[data-calls] tr', { hasText: 'DELETE /terminal/sessions/current' }).waitFor()
    assert.equal(await statusOf(page, 'DELETE /terminal/purchases/'), '200')
    assert.equal(await statusOf(page, 'DELETE /terminal/sessions/current'), '204')
  }))

test('a session ended by the service leads to the sign-in', () =>
  open(
    async page => {
      const shop = await newShop()
      await openApp(page, shop)
      await world.call('PATCH', `/businesses/${shop.businessId}/users/${shop.businessUserId}`, { status: 'DISABLED' })
      await press(page, 'getPlans')
      await page.getByText('Please sign in again').waitFor()
    },
    { expected: /plans 401$/ },
  ))

test('without script the page says that it needs script', () =>
  open(
    async page => {
      await page.goto('/simulator')
      // Words within `noscript` are none to getByText.
      await page.locator('noscript .notice-title', { hasText: 'JavaScript' }).waitFor()
      await screenshot(page, 'simulator-no-script')
    },
    { script: false },
  ))
