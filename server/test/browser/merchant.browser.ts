import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { newPerson, type Person } from '../support/people.ts'
import type { Merchant } from '../support/world.ts'
import { type PageOptions, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

const AT = '2026-03-01T09:00:00Z'

let world: ListeningWorld
const plans = { pro: '', plus: '', trial: '', daily: '' }
before(async () => {
  world = await listeningWorld({ at: AT })
  const us = (value: number) => [{ country: 'US', currency: 'USD', value }]
  plans.pro = await world.plan({ name: 'Pro', cancelPolicy: 'BILLING', description: 'For one café.' })
  plans.plus = await world.plan({ name: 'Plus', amounts: us(1_900), description: 'Tables, reservations, reports.' })
  plans.trial = await world.plan({ name: 'Loyalty', trialPeriodDays: 14, amounts: us(900) })
  plans.daily = await world.plan({ name: 'Day pass', interval: 'DAY', amounts: us(150) })
})
after(() => world?.close())

async function openShop(card = 'tok_ok') {
  const shop = await world.merchant({ at: AT, card })
  const person = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
  return { shop, person }
}

/** Runs with a signed-in session. */
async function asPerson(
  person: Person,
  options: Omit<PageOptions, 'baseUrl'>,
  work: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  await withPage({ baseUrl: world.baseUrl, ...options }, async (page, context) => {
    await context.addCookies([
      { name: 'tillhook', value: person.token, url: world.baseUrl, httpOnly: true, sameSite: 'Lax' },
    ])
    await work(page, context)
  })
}

async function expectGood(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
}

/** A business with one of each resource. */
async function fullShop(): Promise<{ shop: Merchant; person: Person }> {
  const { shop, person } = await openShop()
  const { businessId } = shop
  await shop.subscribe(plans.pro)
  await shop.subscribe(plans.trial)
  const ending = await shop.subscribe(plans.plus)
  await shop.cancel(ending.subscriptionId)
  await world.call('POST', `/businesses/${businessId}/approvals`, { appId: world.appId, rights: ['READ', 'SUBSCRIBE'] })
  await shop.until('2026-03-10T09:00:00Z')
  await shop.subscribe(plans.daily)
  await shop.card('tok_insufficient_funds')
  await shop.until('2026-03-11T09:00:01Z')
  return { shop, person }
}

// The sweep inspects the same pages on a phone.
test('every page of a merchant is accessible, light and dark, on a desktop', async () => {
  const { shop, person } = await fullShop()
  const active = await world.call('GET', `/apps/${world.appId}/subscriptions?businessId=${shop.businessId}`)
  const pro = active.list.find(({ planId }: { planId: string }) => planId === plans.pro).subscriptionId
  const failed = active.list.find(({ paymentStatus }: { paymentStatus: string }) => paymentStatus === 'PAST_DUE')
  const [invoice = {}] = await shop.invoices()
  const [card] = (await world.call('GET', `/businesses/${shop.businessId}/payment-methods`)).list
  const pages = {
    subscriptions: '/my/subscriptions',
    subscription: `/my/subscriptions/${pro}`,
    failed: `/my/subscriptions/${failed.subscriptionId}`,
    cancel: `/my/subscriptions/${pro}/cancel`,
    change: `/my/subscriptions/${pro}/change`,
    preview: `/my/subscriptions/${pro}/change/preview?planId=${plans.plus}&when=NOW`,
    invoices: '/my/invoices',
    invoice: `/my/invoices/${invoice.invoiceId}`,
    'payment-methods': '/my/payment-methods',
    'add-card': '/my/payment-methods/add',
    remove: `/my/payment-methods/${card.paymentMethodId}/remove`,
    business: '/my/business',
    apps: '/my/apps',
    revoke: `/my/apps/${world.appId.replace('urn:aid:', '')}/revoke`,
  }
  await asPerson(person, { viewport: 'desktop' }, async page => {
    for (const [name, path] of Object.entries(pages)) {
      const answer = await page.goto(path)
      assert.equal(answer?.status(), 200, path)
      await expectGood(page, `my-${name}-desktop`)
      await expectReachable(page)
    }
  })
})

test('without script, a merchant changes the plan, cancels and restores', async () => {
  const { shop, person } = await openShop()
  const { subscriptionId } = await shop.subscribe(plans.pro)
  await asPerson(person, { script: false, viewport: 'phone' }, async page => {
    await page.goto('/my/subscriptions')
    await page.getByRole('link', { name: 'Details of Pro, Stories' }).click()
    await page.getByRole('link', { name: 'Change plan' }).click()
    await page.getByRole('button', { name: 'See what it costs' }).click()
    await page.getByRole('alert').getByText('Choose one of the plans.').waitFor()
    await page.getByRole('radio', { name: /^Plus/ }).check()
    await page.getByRole('button', { name: 'See what it costs' }).click()
    // All of the first period is left: its price is taken off.
    await page.getByRole('button', { name: 'Pay $14.00 and change now' }).click()
    await page.getByText('You are on Plus now').waitFor()
    assert.equal((await shop.subscription(subscriptionId)).planId, plans.plus)
    await world.work()
    await page.reload()
    await page.getByText('Next charge: $19.00 on 1 April 2026.').waitFor()
  })
  const { subscriptionId: second } = await shop.subscribe(plans.pro)
  await asPerson(person, { script: false }, async page => {
    await page.goto(`/my/subscriptions/${second}`)
    await page.getByRole('link', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await settled(page)
    await page.getByText('You can use it until 1 April 2026').waitFor()
    assert.equal((await shop.subscription(second)).cancelAt, '2026-04-01T09:00:00Z')
    await page.getByRole('button', { name: 'Keep it after all' }).click()
    await page.getByText('The cancellation was undone').waitFor()
    assert.equal((await shop.subscription(second)).cancelAt, undefined)
  })
})

test('a merchant pays an overdue invoice with one button by keyboard, and saves the company data', async () => {
  const { shop, person } = await openShop('tok_insufficient_funds')
  const { subscriptionId } = await shop.subscribe(plans.trial)
  await shop.until('2026-03-15T09:00:01Z')
  await asPerson(person, { viewport: 'phone' }, async page => {
    await page.goto(`/my/subscriptions/${subscriptionId}`)
    await page.getByText('Overdue').first().waitFor()
    await page.getByRole('button', { name: 'Pay $9.00 now' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Pending: $9.00 for Loyalty').waitFor()
    await world.work()
    await page.getByText('Declined: $9.00 for Loyalty').waitFor()
    await expectGood(page, 'my-declined-invoice-phone')
    await page.goto('/my/business')
    await page.getByLabel('Billing e-mail').fill('no address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter an e-mail address, or leave the field empty.').first().waitFor()
    await expectGood(page, 'my-business-problem-phone')
    await page.getByLabel('Billing e-mail').fill('books@example.com')
    await page.getByRole('radio', { name: 'Deutsch' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('New invoices show this data.').waitFor()
  })
})

test('an invoice is saved as a valid PDF file', async () => {
  const { shop, person } = await openShop()
  await shop.subscribe(plans.pro)
  await asPerson(person, {}, async page => {
    await page.goto('/my/invoices')
    await page.getByRole('link', { name: /^T-2026-/ }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as PDF' }).click()
    const saved = await saving
    assert.match(saved.suggestedFilename(), /^Invoice T-2026-\d+\.pdf$/)
    assert.equal(await saved.failure(), null)
    const chunks: Buffer[] = []
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk)
    assert.match(Buffer.concat(chunks).toString('latin1'), /^%PDF-1\.\d[\s\S]*%%EOF\s*$/)
  })
})
