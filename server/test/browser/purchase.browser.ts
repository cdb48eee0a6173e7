import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Ports } from '../../src/ports.ts'
import { newPerson, PASSWORD } from '../support/people.ts'
import { pngOf } from '../support/pictures.ts'
import { newTill } from '../support/purchases.ts'
import { tokenWithin } from '../support/tokens.ts'
import { sendIcon } from '../support/upload.ts'
import { OPERATOR_KEY } from '../support/world.ts'
import { screenshot, VIEWPORTS, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-02-26T10:00:00Z', wrap: ports => withLookUps(ports, lookUps) })
  await sendIcon(world, OPERATOR_KEY, { appId: world.appId, icon: pngOf({ width: 96 }) })
})
after(() => world?.close())

/** Whether the gateway's lookups fail, so that the charge stays unknown. */
const lookUps = { areLost: false }

function withLookUps({ gateways, ...ports }: Ports, state: typeof lookUps): Ports {
  const { sandbox } = gateways
  const findConfirmation: typeof sandbox.findConfirmation = async asked =>
    state.areLost ? { kind: 'unknown', reason: 'timeout' } : sandbox.findConfirmation(asked)
  return { ...ports, gateways: { ...gateways, sandbox: { ...sandbox, findConfirmation } } }
}

const DESCRIPTION = 'Points for every coffee, and a free one for ten. Your guests need no card and no app.'
const amounts = (value: number) => ({ amounts: [{ country: 'US', currency: 'USD', value }] })
const buy = (page: Page) => page.getByRole('button', { name: 'BUY NOW' })
const addThisCard = (page: Page) => page.getByRole('button', { name: 'Add this card' })
const title = (page: Page) => page.getByRole('heading', { level: 1 }).innerText()

/** As everybody sees it: looked at, checked, and used by keyboard. */
async function expectGood(page: Page, name: string) {
  await screenshot(page, name)
  await expectAccessible(page)
  await expectReachable(page)
}

for (const viewport of Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[]) {
  test(`a plan with a trial is bought on a ${viewport}: cost and date first, then the result`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      const till = await newTill(world)
      const planId = await world.plan({ name: 'Loyalty Plus', trialPeriodDays: 14, description: DESCRIPTION })
      const screen = await till.open({ planId })
      await page.goto(screen.url)
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, screen.path)
      await page.getByText('Free for 14 days, then $5.00 per month.').waitFor()
      await page.getByText('First charge: $5.00 on 12 March 2026.').waitFor()
      await expectGood(page, `purchase-trial-${viewport}`)
      await buy(page).click()
      await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
      await expectGood(page, `purchase-done-${viewport}`)
      assert.equal((await till.purchase(screen)).status, 'COMPLETED')
    }))
}

for (const viewport of ['smallTill', 'phone'] as const) {
  test(`without a card, a card is added during the purchase and pays, on a ${viewport}`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      const till = await newTill(world, { card: 'none' })
      const screen = await till.open({ planId: await world.plan({ name: 'Loyalty Plus', description: DESCRIPTION }) })
      await page.goto(screen.url)
      await expectGood(page, `purchase-no-card-${viewport}`)
      await page.getByRole('link', { name: 'ADD A CARD' }).click()
      await addThisCard(page).waitFor()
      await expectGood(page, `purchase-card-${viewport}`)
      await addThisCard(page).click()
      await page.getByRole('link', { name: 'Choose a card.' }).waitFor()
      await page.getByText('A card that works').click()
      await addThisCard(page).click()
      await buy(page).waitFor()
      await expectGood(page, `purchase-with-card-${viewport}`)
      await buy(page).click()
      await page.getByRole('heading', { name: 'The payment is being confirmed' }).waitFor()
      await expectGood(page, `purchase-pending-${viewport}`)
      await world.work()
      // The page polls by itself.
      await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
      assert.equal((await till.merchant.invoices()).length, 1)
    }))
}

test('a plan change shows its cost to the cent, and a cancellation is undone', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async page => {
    const till = await newTill(world)
    const basic = await world.plan({ name: 'Loyalty Basic', cancelPolicy: 'BILLING' })
    const { subscriptionId } = await till.merchant.subscribe(basic)
    const plan = await world.plan({ name: 'Loyalty Plus', ...amounts(2000), cancelPolicy: 'BILLING' })
    await page.goto((await till.open({ planId: plan, replace: true })).url)
    await expectGood(page, 'purchase-change-terminal')
    await buy(page).click()
    await world.work()
    await page.getByRole('heading', { name: 'Done: plan changed' }).waitFor()
    await till.merchant.cancel(subscriptionId)
    await page.goto((await till.open({ restore: true, subscriptionId })).url)
    await expectGood(page, 'purchase-restore-terminal')
    await page.getByRole('button', { name: 'KEEP IT' }).click()
    await page.getByRole('heading', { name: 'Done: it goes on' }).waitFor()
    assert.equal((await till.merchant.subscription(subscriptionId)).cancelAt, undefined)
  }))

test('a declined payment shows advice, and another card pays', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async page => {
    const till = await newTill(world, { card: 'tok_insufficient_funds' })
    const screen = await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })
    await page.goto(screen.url)
    await buy(page).click()
    await world.work()
    await page.getByText('The payment was declined').first().waitFor()
    await expectGood(page, 'purchase-declined-terminal')
    await page.getByRole('link', { name: 'Use another card' }).click()
    await page.getByText('A card that works').click()
    await addThisCard(page).click()
    await buy(page).click()
    await world.work()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    const invoices = await till.merchant.invoices()
    assert.deepEqual(
      invoices.map(({ status, amountPaid }) => [status, amountPaid]),
      [
        ['VOID', 0],
        ['PAID', 500],
      ],
    )
  }))

test('a hard decline leads to another card, and a confirmation at the bank is one press away', async () => {
  await withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async page => {
    const till = await newTill(world, { card: 'tok_stolen' })
    await page.goto((await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })).url)
    await buy(page).click()
    await world.work()
    await page.getByText('The payment was declined').first().waitFor()
    await expectGood(page, 'purchase-ended-terminal')
  })
  await withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async page => {
    const till = await newTill(world, { card: 'tok_action_required' })
    await page.goto((await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })).url)
    await buy(page).click()
    await world.work()
    const link = page.getByRole('link', { name: 'Confirm with your bank' })
    await link.waitFor()
    await expectGood(page, 'purchase-asked-terminal')
    await link.click()
    await page.getByRole('heading', { name: 'Confirm the payment of $5.00?' }).waitFor()
    await expectGood(page, 'test-bank-terminal')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    const back = page.getByRole('link', { name: 'Go back' })
    await back.waitFor()
    await world.work()
    await back.click()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
  })
})

test('after the purchase, reloading, going back and another screen show the result', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async (page, context) => {
    const till = await newTill(world)
    const screen = await till.open({ planId: await world.plan() })
    await page.goto(screen.url)
    const beside = await context.newPage()
    await beside.goto(screen.url)
    await buy(page).click()
    await world.work()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    await page.reload()
    assert.equal(await title(page), 'Done')
    // After the Back button the browser loads the page anew, or the old button has no effect.
    await page.goBack()
    await page.goto(screen.path)
    assert.equal(await title(page), 'Done')
    await buy(beside).click()
    await beside.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    assert.equal((await till.merchant.invoices()).length, 1)
  }))

test('without script a purchase works in the same way, and cancelling takes one press', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal', script: false }, async page => {
    const till = await newTill(world)
    const bought = await till.open({ planId: await world.plan() })
    await page.goto(bought.url)
    await buy(page).click()
    await world.work()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    const left = await till.open({ planId: await world.plan() })
    await page.goto(left.url)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cancelled' }).waitFor()
    await screenshot(page, 'purchase-cancelled-terminal')
    assert.equal((await till.purchase(left)).status, 'CANCELLED')
    await page.goto('/purchases/01900000-0000-7000-8000-000000000000')
    await page.getByRole('heading', { level: 1, name: 'There is no such purchase here' }).waitFor()
    await screenshot(page, 'purchase-foreign-terminal')
  }))

test('while the gateway’s response is lost the screen shows that it waits, and then the payment', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal' }, async page => {
    const till = await newTill(world, { card: 'tok_timeout_then_ok' })
    const screen = await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })
    await page.goto(screen.url)
    await buy(page).click()
    await page.getByText('The bank has not answered yet.').waitFor()
    const attempts = async () => (await till.merchant.invoices()).flatMap(invoice => invoice.attempts)
    const again = page.getByRole('link', { name: 'Refresh now' })
    const start = world.clock.now()
    lookUps.areLost = true
    try {
      await world.work()
      assert.deepEqual(
        (await attempts()).map(({ outcome }) => outcome),
        ['UNKNOWN'],
      )
      const loaded = page.waitForEvent('load')
      await again.click()
      await loaded
      await page.getByText('The bank has not answered yet.').waitFor()
      await page.getByText('nothing is charged twice').waitFor()
      await expectGood(page, 'purchase-unknown-terminal')
    } finally {
      lookUps.areLost = false
    }
    await again.focus()
    // The page is not reloaded: changed parts are replaced and announced.
    await page.evaluate(`document.documentElement.dataset.stays = 'yes'`)
    world.clock.set(new Date(start.getTime() + 60_000))
    await world.work()
    assert.deepEqual(
      (await attempts()).map(({ outcome }) => outcome),
      ['SUCCEEDED'],
    )
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.stays'), 'yes')
    assert.equal(await page.getByRole('status').innerText(), 'Done')
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.match(await page.title(), /^Done/)
    await expectGood(page, 'purchase-unknown-then-done-terminal')
    assert.equal((await till.merchant.invoices())[0]?.amountPaid, 500)
  }))

test('an expired screen, and a screen of a signed-out user, show advice', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'terminal', expected: /410|403/ }, async page => {
    const till = await newTill(world)
    const late = await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })
    const left = await till.open({ planId: await world.plan({ name: 'Loyalty Plus' }) })
    await page.goto(late.url)
    const start = world.clock.now()
    world.clock.set(new Date(start.getTime() + 30 * 60_000))
    try {
      await buy(page).click()
      await page.getByRole('heading', { level: 1, name: 'This took too long' }).waitFor()
      await expectGood(page, 'purchase-expired-terminal')
    } finally {
      world.clock.set(start)
    }
    await page.goto(left.url)
    await world.ask(till.token, 'DELETE', '/terminal/sessions/current', { headers: till.headers })
    await buy(page).click()
    await page.getByText('no longer signed in on the terminal').waitFor()
    await expectGood(page, 'purchase-signed-out-terminal')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cancelled' }).waitFor()
    assert.equal((await till.merchant.invoices()).length, 0)
  }))

test('paid on two terminals at once, and pressed twice without script: one charge', async () => {
  await withPage({ baseUrl: world.baseUrl, viewport: 'terminal', expected: /409/ }, async (page, context) => {
    const till = await newTill(world)
    const planId = await world.plan({ name: 'Loyalty Plus' })
    const pages = [page, await context.newPage()]
    for (const one of pages) await one.goto((await till.open({ planId })).url)
    await Promise.all(pages.map(one => buy(one).click()))
    await Promise.all(
      pages.map(one =>
        one
          .getByText(/is being confirmed|cannot be bought now|^Done$/)
          .first()
          .waitFor(),
      ),
    )
    await world.work()
    const invoices = await till.merchant.invoices()
    assert.deepEqual(
      invoices.map(({ amountPaid, attempts }) => [amountPaid, attempts.length]),
      [[500, 1]],
    )
  })
  await withPage({ baseUrl: world.baseUrl, viewport: 'terminal', script: false }, async page => {
    const till = await newTill(world)
    await page.goto((await till.open({ planId: await world.plan() })).url)
    await buy(page).dblclick()
    await page.getByText('is being confirmed').waitFor()
    await world.work()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    assert.equal((await till.merchant.invoices()).length, 1)
  })
})

test('a person who is signed out during an app’s purchase signs in and returns to the purchase', () =>
  withPage({ baseUrl: world.baseUrl, viewport: 'phone', expected: /403/ }, async page => {
    const { businessId, merchant } = await newTill(world)
    await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights: ['READ'] })
    const token = await tokenWithin(world, world.credentials, businessId)
    const body = { businessId, planId: await world.plan({ name: 'Loyalty Plus' }) }
    const asked = await world.ask(token, 'POST', `/apps/${world.appId}/subscriptions`, { body })
    const person = await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')
    const signIn = async () => {
      await page.getByLabel('E-mail').fill(person.email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto(asked.body.url)
    await signIn()
    await page.getByRole('heading', { level: 1, name: 'Loyalty Plus' }).waitFor()
    await screenshot(page, 'purchase-signed-in-phone')
    for (const { sessionId } of (await world.ask(person.token, 'GET', '/sessions')).body.list) {
      await world.ask(person.token, 'DELETE', `/sessions/${sessionId}`)
    }
    await buy(page).click()
    await signIn()
    await page.getByRole('heading', { level: 1, name: 'Loyalty Plus' }).waitFor()
    assert.equal((await merchant.invoices()).length, 0)
    await buy(page).click()
    await page.getByText('is being confirmed').waitFor()
    await world.work()
    await page.getByRole('heading', { level: 1, name: 'Done' }).waitFor()
    assert.equal((await merchant.invoices()).length, 1)
  }))
