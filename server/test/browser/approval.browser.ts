import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../src/platform/db/embedded/postmaster.ts'
import { newPerson, PASSWORD } from '../support/people.ts'
import { screenshot, VIEWPORTS, withPage } from './chromium.ts'
import { expectAccessible, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
/** The app's callback page as the merchant sees it. */
let back: string
const arrived: URL[] = []
const appServer = createServer((request, response) => {
  const url = new URL(request.url ?? '', back)
  if (url.pathname === '/back') arrived.push(url)
  response.setHeader('content-type', 'text/html')
  response.end(
    '<!doctype html><html lang="en"><title>Back</title><link rel="icon" href="data:,"><h1>Back in the app</h1>',
  )
})
before(async () => {
  world = await listeningWorld({ at: '2026-03-01T10:00:00Z' })
  const port = await freePort('127.0.0.1')
  back = `http://127.0.0.1:${port}/back`
  await new Promise<void>(resolve => appServer.listen(port, '127.0.0.1', resolve))
})
after(async () => {
  await world?.close()
  appServer.closeAllConnections()
  await new Promise(resolve => appServer.close(resolve))
})

async function newApp(): Promise<string> {
  const { appId } = await world.developer('BeanCounter')
  await world.call('PATCH', `/apps/${appId}`, { callbackUrls: [back] })
  return appId
}

async function newOwner() {
  const { businessId } = await world.merchant({ card: 'none' })
  return { businessId, ...(await newPerson(world, { kind: 'MERCHANT', businessId }, 'OWNER')) }
}

async function signIn(page: Page, email: string) {
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const addressOf = (client_id: string, more: Record<string, string> = {}) =>
  `/applications/authorize?${new URLSearchParams({ client_id, redirect_uri: back, ...more })}`
/** The app's own address is elsewhere, as it should be. */
const open = (work: Parameters<typeof withPage>[1], more: object = {}) =>
  withPage({ baseUrl: world.baseUrl, expected: /^elsewhere: .*\/back\?/, ...more }, work)
const inApp = (page: Page) => page.getByRole('heading', { name: 'Back in the app' }).waitFor()

for (const script of [true, false]) {
  test(`from the app through the sign-in to the question and back, ${script ? 'with' : 'without'} script`, () =>
    open(
      async page => {
        const [appId, owner] = [await newApp(), await newOwner()]
        const asked = addressOf(appId, { context: 'table 7 & more', rights: 'READ,SUBSCRIBE' })
        await page.goto(asked)
        await signIn(page, owner.email)
        await page.getByRole('heading', { name: 'Let BeanCounter in?' }).waitFor()
        await page.getByRole('button', { name: 'Cancel' }).click()
        await inApp(page)
        assert.deepEqual(Object.fromEntries(arrived.at(-1)?.searchParams ?? []), {
          status: 'fail',
          context: 'table 7 & more',
        })
        await page.goto(asked)
        await page.getByRole('button', { name: 'Approve for Corner Shop' }).click()
        await inApp(page)
        const { code, ...parameters } = Object.fromEntries(arrived.at(-1)?.searchParams ?? [])
        assert.ok(code)
        assert.deepEqual(parameters, { status: 'success', businessId: owner.businessId, context: 'table 7 & more' })
        const approvals = await world.call('GET', `/businesses/${owner.businessId}/approvals`)
        assert.equal(approvals.list.length, 1)
      },
      { script },
    ))
}

test('an approved app is redirected at once, also after a sign-in', async () => {
  const [appId, owner] = [await newApp(), await newOwner()]
  await world.call('POST', `/businesses/${owner.businessId}/approvals`, { appId })
  await open(async page => {
    await page.goto(addressOf(appId))
    await signIn(page, owner.email)
    await inApp(page)
    const before = arrived.length
    await page.goto(addressOf(appId))
    await inApp(page)
    assert.equal(arrived.length, before + 1)
  })
})

for (const viewport of Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[]) {
  test(`the question is accessible, light and dark, on a ${viewport}`, () =>
    open(
      async page => {
        const [appId, owner] = [await newApp(), await newOwner()]
        await page.goto(addressOf(appId, { rights: 'READ,SUBSCRIBE' }))
        await signIn(page, owner.email)
        await page.getByRole('heading', { name: 'Let BeanCounter in?' }).waitFor()
        for (const [name, address] of [
          ['approval', page.url()],
          ['approval-broken', `${page.url()}x`],
        ] as const) {
          await page.goto(address)
          await screenshot(page, `${name}-${viewport}`)
          await expectAccessible(page)
          await expectReachable(page)
        }
      },
      { viewport },
    ))
}
