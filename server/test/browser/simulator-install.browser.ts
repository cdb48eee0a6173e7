import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addTerminal } from '../support/terminals.ts'
import { MULTIPART, multipart, packageOf } from '../support/upload.ts'
import { OPERATOR_KEY } from '../support/world.ts'
import { screenshot, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world?.close())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

test('an app with declared permissions is installed only after the merchant’s approval', () =>
  withPage({ baseUrl: world.baseUrl, expected: /com\.example\.till\/\w+ 409$/ }, async page => {
    const { organizationId } = await world.developer('Permitted')
    const packageName = 'com.example.till'
    const { appId } = await world.call('POST', '/apps', { organizationId, name: 'Till', packageName })
    const apk = readFileSync(new URL('../vectors/apk/version-1.apk', import.meta.url))
    const body = multipart([{ name: 'release', content: '{"version":"1","plans":[]}' }, packageOf(apk)])
    const { body: release } = await world.ask(OPERATOR_KEY, 'POST', `/apps/${appId}/releases`, {
      body,
      headers: MULTIPART,
    })
    await world.call('POST', `/apps/${appId}/releases/${release.releaseId}/approve`, undefined, 200)
    const { businessId } = await world.merchant()
    const { activationCode } = await addTerminal(world, businessId)
    const user = { userId: 'kim', passcode: '2468', name: 'Kim Novak', role: 'MANAGER' }
    await world.call('POST', `/businesses/${businessId}/users`, user)
    await page.goto('/simulator')
    await page.getByLabel('Activation code').fill(activationCode)
    await press(page, 'Activate')
    await page.getByLabel('User ID').fill('kim')
    await page.getByLabel('Passcode').fill('2468')
    await press(page, 'Sign in')
    const openTill = async () => {
      await page.getByLabel('Open an app').fill(packageName)
      await press(page, 'Open')
      await heading(page, 'Permissions')
    }
    await openTill()
    await page.getByText('android.permission.CAMERA').waitFor()
    await screenshot(page, 'simulator-permissions-desktop')
    await expectAccessible(page)
    await expectReachable(page)
    await press(page, 'Not now')
    await page.getByText('getPlans → PERMISSIONS_NOT_APPROVED').waitFor()
    await press(page, 'Back')
    await openTill()
    await press(page, 'Allow')
    await page.getByText('getPlans → 0 in the list').waitFor()
  }))
