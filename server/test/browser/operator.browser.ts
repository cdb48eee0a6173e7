import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

const AMOUNTS = [
  { country: 'US', currency: 'USD', value: 500 },
  { country: 'DE', currency: 'EUR', value: 450 },
]
const PLAN = { name: 'Basic', interval: 'MONTH', scope: 'BUSINESS', amounts: AMOUNTS }

async function newOperator(): Promise<string> {
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  return person.token
}

test('an operator reviews a release, invites a developer and activates a terminal', async () => {
  const { businessId, subscribe } = await world.merchant()
  await subscribe(await world.plan({ name: 'Espresso' }))
  await world.work()
  const { storeId } = await world.call('POST', `/businesses/${businessId}/stores`, { displayName: 'Harbour' })
  const device = { name: 'Till 7', serialNumber: 'S-7' }
  await world.call('POST', `/businesses/${businessId}/stores/${storeId}/devices`, device)
  const token = await newOperator()
  for (const viewport of ['desktop', 'phone'] as const) {
    const plans = [
      { ...PLAN, trialPeriodDays: 14 },
      { ...PLAN, name: 'Large' },
    ]
    const version = viewport === 'desktop' ? '2.0' : '3.0'
    await world.call('POST', `/apps/${world.appId}/releases`, { version, plans })
    await withPage({ baseUrl: world.baseUrl, viewport }, async (page, context) => {
      const look = async (name: string) => {
        await inspect(page, `operator-${name}-${viewport}`)
        if (viewport === 'desktop') await expectReachable(page)
      }
      const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
      await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
      await page.goto('/ops')
      await look('home')
      await page.getByRole('link', { name: 'Approve or reject' }).click()
      await look('reviews')
      await page.getByRole('link', { name: new RegExp(version) }).click()
      await look('review')
      await press('Reject')
      await page.getByRole('link', { name: 'Say what the developer must change.' }).waitFor()
      await press('Approve')
      await page.getByText('Its plans are on sale').waitFor()
      await page.goto('/ops/organizations/new')
      await look('new-organization')
      await page.getByLabel('Name').fill('Orchard Apps')
      await page.getByLabel('E-mail').fill('dev@orchard.example')
      await press('Create the organization')
      await page.getByText('Organization created').waitFor()
      await look('organization')
      await page.goto('/ops/organizations')
      await look('organizations')
      await page.goto(`/ops/apps/${world.appId.slice('urn:aid:'.length)}`)
      await look('app')
      await page.goto('/ops/apps')
      await look('apps')
      await page.goto('/ops/merchants')
      await look('merchants')
      await page.getByRole('link', { name: 'New merchant' }).press('Enter')
      await page.getByLabel('Legal name').fill('Harbour Cafe Ltd')
      await page.getByLabel('E-mail').fill('cafe@harbour.example')
      await page.getByLabel('Country').selectOption('US')
      await look('new-merchant')
      await press('Create the merchant')
      await page.getByRole('link', { name: 'Add a store' }).press('Enter')
      await page.getByLabel('Name').fill('Pier 4')
      await press('Add the store')
      await page.getByRole('link', { name: 'Add a terminal to Pier 4' }).press('Enter')
      await page.getByLabel('Name').fill('Till 1')
      await page.getByLabel('Serial number').fill('H-1')
      await look('new-terminal')
      await press('Add the terminal')
      await page.getByRole('button', { name: 'New activation code' }).waitFor()
      await page.goto(`/ops/merchants/${businessId}`)
      await look('merchant')
      await page.getByRole('button', { name: 'New activation code for Till 7' }).press('Enter')
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await look('activation')
      await page.goto('/ops/money')
      await look('money')
      await page.goto('/ops/audit')
      await page
        .getByText(/values?$/)
        .first()
        .click()
      await look('audit')
    })
  }
})

async function inspect(page: Page, name: string): Promise<void> {
  await screenshot(page, name)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
}
