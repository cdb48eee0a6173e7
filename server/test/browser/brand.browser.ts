import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newPerson, proveSecondFactor } from '../support/people.ts'
import { pngOf } from '../support/pictures.ts'
import { type InPage, type PageElement, screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
})
after(() => world?.close())

test('an operator previews a colour, saves the brand and uploads a logo by keyboard, and the next visitor sees them', async () => {
  const person = await newPerson(world, { kind: 'OPERATOR' }, 'ADMIN')
  await proveSecondFactor(world, person)
  for (const viewport of ['desktop', 'phone'] as const) {
    await withPage({ baseUrl: world.baseUrl, viewport }, async (page, context) => {
      const look = async (name: string) => {
        await screenshot(page, `brand-${name}-${viewport}`)
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        if (viewport === 'desktop') await expectReachable(page)
      }
      const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
      await context.addCookies([{ name: 'tillhook', value: person.token, url: world.baseUrl }])
      await page.goto('/ops/brand')
      await look('first')
      await page.getByLabel('Name').fill('Acme Apps')
      await page.getByLabel('Accent colour').fill('#ffd400')
      await press('Preview')
      await page
        .getByText(/nearest colour with enough contrast/)
        .first()
        .waitFor()
      await look('problem')
      await page.getByLabel('Accent colour').fill('#0b5bf5')
      await page.getByLabel('Terms').fill('https://acme.example/terms')
      await press('Preview')
      await page.getByText('This is a preview').waitFor()
      await look('preview')
      await press('Save')
      await page.getByText('Brand saved').waitFor()
      await page.getByLabel(/picture/i).setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pngOf() })
      await press('Upload the logo')
      await page.getByText('Logo saved').waitFor()
      await look('saved')
      await context.clearCookies()
      await page.goto('/sign-in')
      assert.equal(await page.title(), 'Sign in · Acme Apps')
      const color = () =>
        page
          .getByRole('button', { name: 'Sign in' })
          .evaluate(
            button =>
              (globalThis as unknown as InPage).getComputedStyle(button as unknown as PageElement).backgroundColor,
          )
      assert.equal(await color(), 'rgb(11, 91, 245)')
      await look('sign-in')
      await world.call('PUT', '/brand', { name: 'Tillhook' }, 200)
    })
  }
})
