import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await screenshot(page, name)
}

for (const viewport of ['phone', 'desktop'] as const) {
  test(`rates are set by the operator and the developer, and the merchant reads the tax, on a ${viewport}`, async () => {
    const olga = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
    await proveSecondFactor(world, olga)
    const { organizationId } = world
    const dora = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
    const shop = await world.merchant({ country: 'DE' })
    const ann = await newPerson(world, { kind: 'MERCHANT', businessId: shop.businessId }, 'OWNER')
    await withPage({ baseUrl: world.baseUrl, viewport, script: true }, async (page, context) => {
      const as = (token: string) => context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
      await as(olga.token)
      await page.goto('/ops/tax')
      for (const [country, from, rate] of [
        ['DE', '2025-01-01', '16'],
        ['DE', '2026-01-01', '19'],
        ['FR', '2026-01-01', '20'],
        ['DE', '2099-01-01', '21'],
      ] as const) {
        await page.getByLabel('Country of the merchant').selectOption(country)
        await page.getByLabel('From', { exact: true }).fill(from)
        await page.getByLabel('Rate in percent').fill(rate)
        await page.getByRole('button', { name: 'Set the rate' }).click()
        await page.getByText('The rate is set').waitFor()
      }
      await look(page, `tax-ops-${viewport}`)
      await as(dora.token)
      await page.goto('/dev/tax')
      await look(page, `tax-dev-${viewport}`)
      await page.getByLabel('Our own rates').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('heading', { name: 'Set a rate' }).waitFor()
      await page.getByRole('button', { name: 'Set the rate' }).click()
      await page.getByText('Choose a country.').first().waitFor()
      await look(page, `tax-dev-own-${viewport}`)
      await page.getByLabel('The rates of the platform').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('The choice counts').waitFor()
      const amounts = [{ country: 'DE', currency: 'EUR', value: 1_999 }]
      await shop.subscribe(await world.plan({ name: 'Table planner', amounts }))
      const [invoice = {}] = await shop.invoices()
      await as(ann.token)
      await page.goto(`/my/invoices/${invoice.invoiceId}`)
      await page.getByText('€23.79').first().waitFor()
      await look(page, `tax-invoice-${viewport}`)
    })
  })
}
