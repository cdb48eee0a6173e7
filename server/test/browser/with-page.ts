import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
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

/** One browser for a test process, from its first page on. */
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

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
  try {
    const complaints = watchPage(context, new URL(baseUrl).origin)
    await work(await context.newPage(), context)
    assert.deepEqual(
      complaints.filter(line => expected?.test(line) !== true),
      [],
      'the browser has nothing to complain about',
    )
  } finally {
    await context.close()
  }
}
