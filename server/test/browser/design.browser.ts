import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { type InPage, screenshot, VIEWPORTS, withPage } from './chromium.ts'
import { expectAccessible, expectNoSidewaysScroll, expectReachable } from './inspect.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'

let world: ListeningWorld
before(async () => {
  world = await listeningWorld()
})
after(() => world.close())

const LOOKS = Object.keys(VIEWPORTS) as (keyof typeof VIEWPORTS)[]

for (const viewport of LOOKS) {
  test(`every component is accessible, light and dark, on a ${viewport}`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      await page.goto('/design')
      await screenshot(page, `design-${viewport}`)
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }))
}

for (const path of ['/', '/design?theme=nonsense']) {
  test(`${path} is accessible, light and dark, on a phone and a desktop`, async () => {
    for (const viewport of LOOKS) {
      await withPage({ baseUrl: world.baseUrl, viewport }, async page => {
        await page.goto(path)
        await screenshot(page, `${path === '/' ? 'landing' : 'error'}-${viewport}`)
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        await expectReachable(page)
      })
    }
  })
}

for (const viewport of ['desktop', 'phone'] as const) {
  test(`on a ${viewport}, every control is reachable by keyboard and shows its focus`, () =>
    withPage({ baseUrl: world.baseUrl, viewport }, async page => {
      await page.goto('/design')
      await expectReachable(page)
    }))
}

test('a page sets its own theme, with any theme of the system', async () => {
  const backgroundOf = (page: Page) => page.evaluate(backgroundInPage)
  const seen: string[] = []
  for (const theme of ['light', 'dark'] as const) {
    await withPage({ baseUrl: world.baseUrl, theme }, async page => {
      for (const said of ['', '?theme=light', '?theme=dark']) {
        await page.goto(`/design${said}`)
        seen.push(await backgroundOf(page))
      }
    })
  }
  const [light, , dark] = seen
  assert.ok(light !== undefined && light !== dark)
  assert.deepEqual(seen, [light, light, dark, dark, light, dark])
})

test('the check finds text that is unreadable only in dark', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    await page.goto('/design')
    await page.evaluate(hideInTheDark)
    await assert.rejects(expectAccessible(page), /dark, color-contrast: (?!.*light, )/s)
  }))

test('the errors of a form come first and link to each field', () =>
  withPage({ baseUrl: world.baseUrl }, async page => {
    await page.goto('/design')
    assert.equal(await page.evaluate(focusInPage, 'role'), 'alert')
    await page.getByRole('link', { name: 'Choose a plan.' }).click()
    assert.equal(await page.evaluate(focusInPage, 'name'), 'plan')
  }))

for (const { script, posts } of [
  { script: true, posts: 1 },
  // The number of posts that script prevents: without script the server receives two and must recognize the repeat.
  { script: false, posts: 2 },
]) {
  test(`a button pressed twice posts ${posts === 1 ? 'once' : 'twice without script'}`, () =>
    withPage({ baseUrl: world.baseUrl, script }, async page => {
      await page.goto('/design')
      const held: Route[] = []
      let seen = () => {}
      await page.route('**/design', route => {
        held.push(route)
        seen()
      })
      const nextPost = () => new Promise<void>(resolve => (seen = resolve))
      const save = page.getByRole('button', { name: 'Save', exact: true })
      await save.scrollIntoViewIfNeeded()
      const { x, y } = (await save.boundingBox()) ?? assert.fail('the button is there')
      const first = nextPost()
      await page.mouse.click(x + 5, y + 5)
      await first
      const second = nextPost()
      await page.mouse.click(x + 5, y + 5)
      if (!script) await second
      // 204: the browser stays on the page.
      for (const route of held) await route.fulfill({ status: 204 })
      assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isVisible(), true)
      assert.equal(held.length, posts)
      if (!script) return
      assert.equal(await save.getAttribute('aria-disabled'), 'true')
      assert.equal(await page.getByText('Working on it').count(), 1)
    }))
}

test('a copy button copies, or selects the text where copying is not allowed', async () => {
  await withPage({ baseUrl: world.baseUrl }, async (page, context) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/design')
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await page.getByRole('status').getByText('Copied').waitFor()
    assert.match(await page.evaluate(clipboardInPage), /^https:\/\/pay\.example\/invitations\//)
  })
})

test('without script everything is present except the buttons that need script', () =>
  withPage({ baseUrl: world.baseUrl, script: false }, async page => {
    await page.goto('/design')
    assert.equal(await page.getByRole('button', { name: 'Copy the link' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isVisible(), true)
  }))

/** By a sheet of the script's own, which the page's policy allows. */
function hideInTheDark() {
  const { document, CSSStyleSheet } = globalThis as unknown as InPage
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('@media (prefers-color-scheme: dark) { :root { --ink: var(--paper) !important; } }')
  document.adoptedStyleSheets = [sheet]
}

function backgroundInPage() {
  const { document, getComputedStyle } = globalThis as unknown as InPage
  return getComputedStyle(document.body).backgroundColor ?? ''
}

function focusInPage(attribute: string) {
  return (globalThis as unknown as InPage).document.activeElement?.getAttribute(attribute)
}

function clipboardInPage() {
  return (globalThis as unknown as InPage).navigator.clipboard.readText()
}
