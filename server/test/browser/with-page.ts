import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { followPages, withinLimit } from './limit.ts'
import { shownBy } from './shown-by.ts'
import { watchPage } from './watch-page.ts'

export const VIEWPORTS = {
  phone: { width: 360, height: 740, isTouch: true },
  desktop: { width: 1280, height: 800, isTouch: false },
  terminal: { width: 480, height: 800, isTouch: true },
  smallTill: { width: 320, height: 480, isTouch: true },
} as const

export interface PageOptions {
  readonly baseUrl: string
  readonly theme?: 'light' | 'dark'
  readonly viewport?: keyof typeof VIEWPORTS
  /** `false`: as for somebody without script. */
  readonly script?: boolean
  /** What the browser says that is expected to be said. */
  readonly expected?: RegExp
}

/** Many times what any of it takes on a busy machine; less than the runner gives a test, which then could not say where it stood. */
const WORK_MS = 240_000
const CLOSE_MS = 30_000

/** One browser for a test process, from its first page on. */
let browser: Promise<Browser> | undefined
after(async () => {
  const opened = await browser
  if (opened) await withinLimit(opened.close(), { ms: CLOSE_MS, where: () => 'the browser closes' })
})

/**
 * A page of a browser that knows nothing yet. When the work is done, whatever the browser complained about meanwhile fails the
 * test: errors of scripts, what the policy forbade, what did not load, and every request to another address than ours.
 */
export async function withPage(options: PageOptions, work: (page: Page, context: BrowserContext) => Promise<void>) {
  const { baseUrl, theme = 'light', viewport = 'desktop', script = true, expected } = options
  const { width, height, isTouch } = VIEWPORTS[viewport]
  browser ??= launchChromium()
  const context = await (await browser).newContext({
    baseURL: baseUrl,
    colorScheme: theme,
    viewport: { width, height },
    hasTouch: isTouch,
    isMobile: isTouch,
    javaScriptEnabled: script,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  const where = followPages(context)
  const complaints = watchPage(context, new URL(baseUrl).origin)
  try {
    await withinLimit(
      context.newPage().then(page => work(page, context)),
      { ms: WORK_MS, where },
    )
    assert.deepEqual(
      complaints.filter(line => expected?.test(line) !== true),
      [],
      'the browser has nothing to complain about',
    )
  } catch (error) {
    const seen = [where(), await withinLimit(shownBy(context), { ms: CLOSE_MS, where }), ...complaints].join('\n')
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${seen}`, { cause: error })
  } finally {
    await withinLimit(context.close(), { ms: CLOSE_MS, where })
  }
}
