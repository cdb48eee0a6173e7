import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newPerson, PASSWORD } from '../support/people.ts'
import { type InPage, type PageOptions, withPage } from './chromium.ts'
import { expectAccessible, expectReachable, settled } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

/** Runs as a developer of a new organization. */
async function asDeveloper(
  options: Omit<PageOptions, 'baseUrl'>,
  work: (page: Page, organizationId: string) => Promise<void>,
): Promise<void> {
  const { organizationId } = await world.call('POST', '/organizations', { name: 'Lakeside', email: 'd@lake.example' })
  const { token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  await withPage({ baseUrl: world.baseUrl, ...options }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    await work(page, organizationId)
  })
}

/** Survives as long as the document does. */
function mark(page: Page): Promise<void> {
  return page.evaluate(() => {
    ;(globalThis as unknown as InPage).document.documentElement.dataset.marked = 'yes'
  })
}

function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => (globalThis as unknown as InPage).document.documentElement.dataset.marked === 'yes')
}

test('links, the back button and forms change the page without loading it', () =>
  asDeveloper({}, async page => {
    await page.goto('/dev')
    await mark(page)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Apps' }).click()
    await page.waitForURL('**/dev/apps')
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor()
    assert.match(await page.title(), /^Apps/)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await page.goto('/dev/apps/new')
    await mark(page)
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(new URL(page.url()).pathname, '/dev/apps/new')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Table Planner')
    await page.getByLabel('Package name').fill('com.example.visit')
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByText('BEGIN PRIVATE KEY').waitFor()
    assert.ok(await isMarked(page))
  }))

test('the focus moves to the new page, or to the errors of a form', () =>
  asDeveloper({}, async page => {
    const focused = (name: string) =>
      page.evaluate(name => (globalThis as unknown as InPage).document.activeElement?.getAttribute(name), name)
    await page.goto('/dev')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Apps' }).click()
    await page.waitForURL('**/dev/apps')
    await settled(page)
    assert.equal(await focused('id'), 'main')
    await page.goto('/dev/apps/new')
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByRole('alert').waitFor()
    await settled(page)
    assert.equal(await focused('role'), 'alert')
  }))

test('a page without navigation and a page of another workspace are loaded completely', () =>
  asDeveloper({}, async page => {
    await page.goto('/dev')
    await mark(page)
    await page.getByRole('link', { name: 'Guides' }).first().click()
    await page.waitForURL('**/guides')
    assert.equal(await isMarked(page), false)
  }))

test('an error in response to a form is shown, and a reload shows the form again', () =>
  asDeveloper({}, async page => {
    await page.goto('/dev/apps/new')
    await page.evaluate(`document.querySelector('main input[name="csrf"]').value = 'of another page'`)
    await page.getByRole('button', { name: 'Create the app' }).click()
    await page.getByText('This form is out of date.').waitFor()
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Apps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor()
  }))

test('an unknown address shows a page for people', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    const answer = await page.goto('/dev/no-such-page')
    assert.equal(answer?.status(), 404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0)
    await expectAccessible(page)
  }))

test('a signed-in person keeps the navigation and the search at an unknown address', () =>
  asDeveloper({}, async page => {
    for (const path of ['/dev/no-such-page', `/dev/apps/${crypto.randomUUID()}`]) {
      assert.equal((await page.goto(path))?.status(), 404)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await page.getByRole('searchbox', { name: 'Search' }).waitFor()
      await expectAccessible(page)
    }
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Apps' }).click()
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor()
  }))

test('a link that opens a dialog shows its page above the page, and Escape closes the dialog', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    await page.goto('/design')
    const link = page.getByRole('link', { name: 'Cancel the subscription in a dialog' })
    await link.click()
    const dialog = page.getByRole('dialog', { name: 'Design' })
    await dialog.getByRole('heading', { name: 'Design', exact: true }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/design')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await link.click()
    await page.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
  }))

for (const script of [true, false])
  test(`a toast says what a form did until the person closes the toast, ${script ? 'with' : 'without'} script`, () =>
    asDeveloper({ script, viewport: 'phone' }, async page => {
      await page.goto('/dev/organization')
      await page.getByRole('button', { name: 'Save' }).click()
      const toast = page.getByRole('status').filter({ hasText: 'Organization saved' })
      await toast.waitFor()
      if (script) {
        await expectAccessible(page)
        await expectReachable(page)
      }
      await toast.getByRole('link', { name: 'Close' }).click()
      await toast.waitFor({ state: 'detached' })
      assert.equal(page.url(), `${world.baseUrl}/dev/organization`)
      await page.reload()
      assert.equal(await toast.count(), 0)
    }))

test('a heading of a table sorts the table and keeps the focus', () =>
  asDeveloper({}, async (page, organizationId) => {
    await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'VIEWER', { name: 'Ben Cook' })
    await page.goto('/people')
    await mark(page)
    const heading = page.getByRole('columnheader', { name: 'Role' })
    for (const [direction, first] of [
      ['ascending', 'Administrator'],
      ['descending', 'Viewer'],
    ] as const) {
      await heading.getByRole('link').press('Enter')
      await page.locator(`th[aria-sort="${direction}"]`).waitFor()
      await settled(page)
      assert.match((await page.getByRole('row').nth(1).textContent()) ?? '', new RegExp(first))
      assert.equal(await heading.getByRole('link').evaluate(link => link.matches(':focus')), true)
    }
    assert.ok(await isMarked(page))
    await expectAccessible(page)
    await page.goto('/people?sort=nonsense')
    await page.getByRole('rowheader', { name: 'Ben Cook' }).waitFor()
  }))

test('j, k and o move through a list, and ? shows the keys', () =>
  asDeveloper({}, async page => {
    await page.goto('/design')
    const focusedText = () =>
      page.evaluate(() =>
        (globalThis as unknown as InPage).document.activeElement?.outerHTML.replaceAll(/<[^>]*>/g, ''),
      )
    await page.keyboard.press('j')
    await page.locator('tr :focus, tr:focus').waitFor()
    const first = await focusedText()
    const until = async (isThere: (text: string | undefined) => boolean) => {
      while (!isThere(await focusedText())) await page.waitForTimeout(20)
    }
    await page.keyboard.press('j')
    await until(text => text !== first)
    await page.keyboard.press('k')
    await until(text => text === first)
    await page.goto('/dev')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Open the row').waitFor()
    await expectAccessible(page)
  }))

test('a chart shows the values at the pointer', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    await page.goto('/design')
    const marks = page.getByRole('img', { name: 'Upcoming charges' })
    await marks.scrollIntoViewIfNeeded()
    await page.locator('.chart-marks[data-hover]').first().waitFor({ state: 'attached' })
    await marks.hover({ position: { x: 4, y: 20 } })
    await page.getByText('1 Mar\nRenewals: 3\nEnds of trials: 1').waitFor()
  }))

test('selected rows are counted, and the box in the header selects all', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    await page.goto('/design')
    await page.getByRole('checkbox', { name: 'Choose Payment succeeded' }).check()
    await page.getByText('1 chosen').waitFor()
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).check()
    await page.getByText('3 chosen').waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Choose Payment declined' }).isChecked(), true)
  }))

test('a form that is sent after the session has ended keeps what was typed until the person is back, once', async () => {
  const { organizationId, appId } = await world.developer('ended')
  const { email, token } = await newPerson(world, { kind: 'DEVELOPER', organizationId }, 'ADMIN')
  await withPage({ baseUrl: world.baseUrl, expected: /40[013]/ }, async (page, context) => {
    await context.addCookies([{ name: 'tillhook', value: token, url: world.baseUrl }])
    const path = `/dev/apps/${appId.replace('urn:aid:', '')}/endpoint`
    const url = page.getByLabel('URL', { exact: true })
    const trialEnding = page.getByRole('checkbox', { name: /TRIAL_ENDING/ })
    await page.goto(path)
    await url.fill('http://127.0.0.1:9/typed')
    await trialEnding.check()
    await context.clearCookies()
    await context.addCookies([{ name: 'tillhook', value: 'ses_ended', url: world.baseUrl }])
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.waitForURL(/sign-in\?next=/)
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`**${path}`)
    assert.equal(await url.inputValue(), 'http://127.0.0.1:9/typed')
    assert.ok(await trialEnding.isChecked())
    await page.getByRole('button', { name: 'Add the endpoint' }).click()
    await page.getByText('Copy the secret now').waitFor()
    await page.goto(path)
    assert.equal(await url.inputValue(), 'https://')
  })
})
