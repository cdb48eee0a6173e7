import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { InPage } from './chromium.ts'
import { settled } from './inspect.ts'

/** A person at a page, who knows controls by their accessible names. */
export interface Actor {
  /** Follows a link, presses a button or opens a menu. */
  press(name: string | RegExp): Promise<void>
  fill(label: string | RegExp, text: string): Promise<void>
  see(text: string | RegExp): Promise<void>
  /** Opens a page from the sidebar; on a phone from the menu. */
  go(name: string): Promise<void>
}

type Reach = (page: Page, target: Locator) => Promise<void>

/** The mouse presses, and the keyboard only types into the field that was clicked. */
export const mouse = (page: Page) => actor(page, { focus: click, press: click })

/** Only keys: Tab until the control has the focus, then Enter. */
export const keyboard = (page: Page) =>
  actor(page, {
    focus: tabTo,
    press: async (of, target) => {
      await tabTo(of, target)
      await of.keyboard.press('Enter')
    },
  })

function actor(page: Page, { focus, press }: { readonly focus: Reach; readonly press: Reach }): Actor {
  const pressAt = async (target: Locator) => {
    await settled(page)
    await target.waitFor()
    await press(page, target)
    await settled(page)
  }
  const named = (name: string | RegExp, within: Page | Locator = page) =>
    within
      .getByRole('link', { name, exact: true })
      .or(within.getByRole('button', { name, exact: true }))
      .filter({ visible: true })
      .first()
  return {
    press: name => pressAt(named(name)),
    fill: async (label, text) => {
      const field = page.getByRole('textbox', { name: label, exact: true }).filter({ visible: true }).first()
      await settled(page)
      await field.waitFor()
      await focus(page, field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },
    see: text => page.getByText(text).filter({ visible: true }).first().waitFor(),
    go: async name => {
      const menu = page.locator('.phone-menu summary')
      if (await menu.isVisible()) await pressAt(menu)
      const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
      await pressAt(pages.getByRole('link', { name: new RegExp(`^${name}`) }))
    },
  }
}

/** A click at the middle of the control. Fails where another element covers the control. */
async function click(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  assert.ok(box, 'the control has a place')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // A trial makes Playwright fail, and name the covering element, without a click.
  await target.click({ trial: true })
  await page.mouse.click(x, y)
}

/** More than any page has. */
const MOST_STOPS = 150

/** Fails where Tab does not reach the control, and where the focus is not visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const found = await target.evaluate(focusOf)
    if (found !== null) {
      assert.ok(found.isVisible, `the focus is not visible: ${found.words}`)
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${target}`)
}

/** Runs in the page: how the focus of the control shows; null without the focus. */
function focusOf(element: unknown) {
  const { document, getComputedStyle } = globalThis as unknown as InPage
  const focused = document.activeElement
  if (focused === null || focused !== element) return null
  const { outlineStyle, boxShadow } = getComputedStyle(focused)
  return { isVisible: outlineStyle !== 'none' || boxShadow !== 'none', words: focused.outerHTML.slice(0, 120) }
}
