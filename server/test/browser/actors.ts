import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { InPage, PageElement } from './chromium.ts'
import { settled } from './inspect.ts'

type Name = string | RegExp

/** A file by its path, or with this content. */
interface FilePayload {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A person at a page, who knows controls by their accessible names. A name is the whole name, without the word "optional". */
export interface Actor {
  /** Follows a link, presses a button, or opens a menu or a folded part. `of`: words of the row, the form or the group around the control. */
  press(name: Name, of?: Name): Promise<void>
  fill(label: Name, text: string, of?: Name): Promise<void>
  /** An option of a list. */
  choose(label: Name, option: string): Promise<void>
  /** Turns a radio button or a check box on, or a check box off. */
  check(name: Name, isOn?: boolean): Promise<void>
  /** A file from the dialog of the operating system. */
  upload(label: Name, file: string | FilePayload): Promise<void>
  see(text: Name): Promise<void>
  /** Opens a page from the sidebar; on a phone from the menu. */
  go(name: string): Promise<void>
  /** Finds a page or a thing by the search of the header, and opens it. */
  search(text: string, result: RegExp): Promise<void>
  /** Closes a dialog: by Escape, or by its button. */
  dismiss(): Promise<void>
}

/** How a hand reaches controls. */
interface Hand {
  focus(page: Page, target: Locator): Promise<void>
  press(page: Page, target: Locator): Promise<void>
  choose(page: Page, target: Locator, option: string): Promise<void>
  check(page: Page, target: Locator): Promise<void>
  search(page: Page): Promise<void>
  dismiss(page: Page): Promise<void>
}

/** The mouse presses, and the keyboard only types into the field that was clicked. */
export const mouse = (page: Page) =>
  actor(page, {
    focus: click,
    press: click,
    async choose(page, target, option) {
      await clickable(page, target)
      // The browser draws the list outside of the page.
      await target.selectOption({ label: option })
    },
    check: click,
    async search(page) {
      const menu = page.locator('.phone-menu summary')
      if (!(await menu.isVisible())) {
        await click(page, page.getByRole('banner').getByRole('searchbox', { name: 'Search' }))
        await page.getByRole('dialog', { name: 'Search' }).waitFor()
        return
      }
      await click(page, menu)
      await click(page, page.locator('.phone-menu').getByRole('link', { name: 'Search', exact: true }))
      await click(page, page.getByRole('main').getByRole('searchbox'))
    },
    dismiss: page =>
      click(page, page.locator('dialog[open]').last().getByRole('button', { name: 'Close', exact: true })),
  })

/** Only keys: Tab until the control has the focus, then the key of the control. */
export const keyboard = (page: Page) =>
  actor(page, {
    focus: tabTo,
    press: async (page, target) => {
      await tabTo(page, target)
      await page.keyboard.press('Enter')
    },
    async choose(page, target, option) {
      await tabTo(page, target)
      const index = await target.getByRole('option').allTextContents()
      const wanted = index.findIndex(text => text.trim() === option)
      assert.ok(wanted >= 0, `the list has ${option}: ${index.join(', ')}`)
      await page.keyboard.press('Home')
      for (let i = 0; i < wanted; i++) await page.keyboard.press('ArrowDown')
    },
    async check(page, target) {
      if ((await target.getAttribute('type')) !== 'radio') {
        await tabTo(page, target)
        await page.keyboard.press('Space')
        return
      }
      await tabTo(page, target, { isGroup: true })
      // Radio buttons of a name are one stop; the arrows go round.
      for (let presses = 0; presses < MOST_OPTIONS && !(await target.isChecked()); presses++) {
        const isFocused = await target.evaluate(hasFocus)
        await page.keyboard.press(isFocused ? 'Space' : 'ArrowDown')
      }
    },
    search: async page => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog', { name: 'Search' }).waitFor()
    },
    dismiss: page => page.keyboard.press('Escape'),
  })

function actor(page: Page, hand: Hand): Actor {
  const dialogs = page.locator('dialog[open]')
  const ready = async (target: Locator) => {
    await settled(page)
    await target.waitFor()
    return target
  }
  const pressAt = async (target: Locator) => {
    const isOpener = (await (await ready(target)).getAttribute('data-opens')) !== null
    await hand.press(page, target)
    await settled(page)
    if (isOpener) await dialogs.last().waitFor()
  }
  /** Behind an open dialog nothing can be used. */
  const within = async (of?: Name): Promise<Page | Locator> => {
    await settled(page)
    const scope = (await dialogs.count()) > 0 ? dialogs.last() : page
    if (of === undefined) return scope
    const around = scope.locator('tr, li, section, article, form, .section').filter({ hasText: of })
    return around.or(scope.getByRole('group', { name: of })).last()
  }
  const field = async (label: Name, roles: readonly Role[], of?: Name) => {
    const scope = await within(of)
    const [first, ...more] = roles.map(role => scope.getByRole(role, { name: wholeName(label) }))
    assert.ok(first)
    return ready(
      more
        .reduce((all, one) => all.or(one), first)
        .filter({ visible: true })
        .first(),
    )
  }
  return {
    async press(name, of) {
      const scope = await within(of)
      const exact = { name: wholeName(name) }
      const target = scope
        .getByRole('link', exact)
        .or(scope.getByRole('button', exact))
        .or(scope.locator('summary').filter({ hasText: wholeName(name) }))
      await pressAt(target.filter({ visible: true }).first())
    },
    async fill(label, text, of) {
      const target = await field(label, ['textbox', 'searchbox', 'combobox', 'spinbutton'], of)
      await hand.focus(page, target)
      const isDate = (await target.getAttribute('type'))?.startsWith('date')
      if (!isDate) await page.keyboard.press('ControlOrMeta+a')
      const [day = '', time] = isDate ? text.split(/ (.*)/) : [text]
      await page.keyboard.type(isDate ? day.replaceAll(/\D/g, '') : day)
      if (time === undefined) return
      // A year may have six digits.
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type(time.replaceAll(/\W/g, ''))
    },
    async choose(label, option) {
      await hand.choose(page, await field(label, ['combobox']), option)
    },
    async check(name, isOn = true) {
      const target = await field(name, ['radio', 'checkbox'])
      if ((await target.isChecked()) !== isOn) await hand.check(page, target)
      assert.equal(await target.isChecked(), isOn, `${name} is ${isOn ? 'on' : 'off'}`)
    },
    async upload(label, file) {
      const target = await field(label, ['button'])
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), hand.press(page, target)])
      await chooser.setFiles(file)
    },
    see: async text => (await within()).getByText(text).filter({ visible: true }).first().waitFor(),
    async go(name) {
      const menu = page.locator('.phone-menu summary')
      await settled(page)
      // The drawer of a row.
      if ((await dialogs.count()) > 0) await this.dismiss()
      if (await menu.isVisible()) await pressAt(menu)
      const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true })
      await pressAt(pages.getByRole('link', { name: new RegExp(`^${name}`) }))
    },
    async search(text, result) {
      await settled(page)
      await hand.search(page)
      await page.keyboard.type(text)
      const scope = await within()
      const found = scope.getByRole('link', { name: result }).first()
      if (scope === page) await page.keyboard.press('Enter')
      await pressAt(found)
    },
    async dismiss() {
      await dialogs.last().waitFor()
      const count = await dialogs.count()
      await hand.dismiss(page)
      await dialogs.nth(count - 1).waitFor({ state: 'detached' })
    },
  }
}

type Role = Parameters<Page['getByRole']>[0]

function wholeName(name: Name): RegExp {
  if (typeof name !== 'string') return name
  return new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}( optional)?\\s*$`)
}

/** A click at the control. */
async function click(page: Page, target: Locator): Promise<void> {
  const { x, y } = await clickable(page, target)
  await page.mouse.click(x, y)
}

/** Where to click. Fails where another element covers the control. */
async function clickable(page: Page, target: Locator): Promise<{ readonly x: number; readonly y: number }> {
  await settled(page)
  await target.scrollIntoViewIfNeeded()
  const { cover, ...at } = await target.evaluate(placeOf)
  assert.equal(cover, null, `covered: ${target}`)
  return at
}

/** More than any page has. */
const MOST_STOPS = 250
const MOST_OPTIONS = 40

/** Fails where Tab does not reach the control, where the focus is not visible, and where something covers the control. */
async function tabTo(page: Page, target: Locator, { isGroup = false } = {}): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const found = await target.evaluate(focusOf, isGroup)
    if (found !== null) {
      assert.ok(found.isVisible, `the focus is not visible: ${found.words}`)
      assert.equal(found.cover, null, `covered: ${found.words}`)
      return
    }
    await page.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${target}`)
}

function hasFocus(element: unknown): boolean {
  return (globalThis as unknown as InPage).document.activeElement === element
}

/** Runs in the page: the middle of the control's first line, and what covers it. */
function placeOf(element: unknown) {
  const { document } = globalThis as unknown as InPage
  const control = element as PageElement
  const line = control.getClientRects()[0]
  const { left = 0, right = 0, top = 0, bottom = 0 } = line ?? {}
  // The parts of a date are at the left.
  const x = control.type?.startsWith('date') ? left + 20 : (left + right) / 2
  const y = (top + bottom) / 2
  const at = document.elementFromPoint(x, y)
  const isIt =
    at !== null && (at === control || control.contains(at) || at.closest('label')?.contains(control) === true)
  return { x, y, cover: isIt ? null : (at?.outerHTML.slice(0, 120) ?? 'nothing') }
}

/** Runs in the page: how the focus of the control shows; null without the focus. `isGroup`: any radio button of the name has it. */
function focusOf(element: unknown, isGroup: boolean) {
  const { document, getComputedStyle, innerWidth, innerHeight } = globalThis as unknown as InPage
  const focused = document.activeElement
  const wanted = element as PageElement
  if (focused === null) return null
  const isOfGroup = isGroup && focused.type === 'radio' && focused.name === wanted.name
  if (focused !== wanted && !isOfGroup) return null
  const { outlineStyle, boxShadow } = getComputedStyle(focused)
  // A long text may begin in the window and end outside of it.
  const { left = 0, right = 0, top = 0, bottom = 0 } = focused.getBoundingClientRect()
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const at = document.elementFromPoint(x, y)
  const isIt = at !== null && (at === focused || focused.contains(at) || at.contains(focused))
  return {
    isVisible: outlineStyle !== 'none' || boxShadow !== 'none',
    cover: isIt ? null : (at?.outerHTML.slice(0, 120) ?? 'outside of the window'),
    words: focused.outerHTML.slice(0, 120),
  }
}
