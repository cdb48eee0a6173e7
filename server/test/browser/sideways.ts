import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { InPage } from './in-page.ts'

/** Everything is as wide as the screen at the most. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { wide, there } = await page.evaluate(widthsInPage)
  assert.ok(wide <= there, `${wide} px wide on a screen of ${there} px: ${page.url()}`)
}

function widthsInPage() {
  const { scrollWidth: wide, clientWidth: there } = (globalThis as unknown as InPage).document.documentElement
  return { wide, there }
}
