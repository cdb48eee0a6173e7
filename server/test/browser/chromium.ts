import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from './find-chromium.ts'
import { settled, shownBy } from './inspect.ts'

/** Chromium without background traffic and without access to other machines. Its profile is removed when it closes. */
function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  return chromium.launch({
    executablePath,
    // The sandbox refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

export const VIEWPORTS = {
  phone: { width: 390, height: 740, isTouch: true },
  desktop: { width: 1280, height: 800, isTouch: false },
  terminal: { width: 480, height: 800, isTouch: true },
  smallTill: { width: 320, height: 480, isTouch: true },
} as const

export interface PageOptions {
  readonly baseUrl: string
  readonly theme?: 'light' | 'dark'
  readonly viewport?: keyof typeof VIEWPORTS
  /** `false` disables script. */
  readonly script?: boolean
  /** Browser messages that the test expects. */
  readonly expected?: RegExp
  /** The longest duration of the work. */
  readonly limitMs?: number
}

/** Many times the normal duration on a busy machine, and less than the runner's limit, whose error would not say where the work stood. */
const WORK_MS = 240_000
const CLOSE_MS = 30_000

/** One browser per test process, started by the first page. */
let browser: Promise<Browser> | undefined
after(async () => {
  const opened = await browser
  if (opened) await withinLimit(opened.close(), { ms: CLOSE_MS, where: () => 'the browser closes' })
})

/**
 * A page in a new browser context. After the work, every complaint of the browser fails the test: script errors, policy violations, failed
 * loads, and requests to other origins.
 */
export async function withPage(options: PageOptions, work: (page: Page, context: BrowserContext) => Promise<void>) {
  const { baseUrl, theme = 'light', viewport = 'desktop', script = true, expected, limitMs = WORK_MS } = options
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
      context.newPage().then(async page => {
        // Playwright waits for page loads before each action, but does not know of pages that the script brings.
        await page.addLocatorHandler(page.locator('html[data-visiting]'), async () => {})
        await work(page, context)
      }),
      { ms: limitMs, where },
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

/**
 * Fails work that exceeds the limit and describes the page's state. Without the limit a wait for a missing element would block the run
 * without an explanation.
 */
async function withinLimit<T>(
  work: Promise<T>,
  { ms, where }: { readonly ms: number; readonly where: () => string },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms / 1_000} s; ${where()}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const LAST = 12

/** Notes what the pages of a context asked for. Gives where they are by now, and the last requests with their answers. */
function followPages(context: BrowserContext): () => string {
  const asked: { readonly request: object; line: string }[] = []
  const note = (request: object, outcome: string) => {
    const found = asked.find(one => one.request === request)
    if (found !== undefined) found.line += ` → ${outcome}`
  }
  context.on('request', request => {
    asked.push({ request, line: `${request.method()} ${request.url()}` })
    if (asked.length > LAST) asked.shift()
  })
  context.on('response', response => note(response.request(), String(response.status())))
  context.on('requestfailed', request => note(request, request.failure()?.errorText ?? 'failed'))
  return () => {
    const pages = context.pages().map(page => page.url())
    return [`at ${pages.join(' and ') || 'no page'}, after:`, ...asked.map(({ line }) => line)].join('\n  ')
  }
}

const FOLDER = fileURLToPath(new URL('../../../.screenshots', import.meta.url))

/** Takes screenshots in light and dark if TILLHOOK_TEST_SCREENSHOTS=1. By default tests leave nothing behind. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.TILLHOOK_TEST_SCREENSHOTS) return
  await settled(page)
  await mkdir(FOLDER, { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), fullPage: true })
  }
}

/** Collects errors on every page of a context, and requests to other origins. */
function watchPage(context: BrowserContext, origin: string): readonly string[] {
  const complaints: string[] = []
  context.on('console', message => {
    // Said of every 404 as well; of what a page loads it is told below, of the page itself the test knows.
    if (message.text().startsWith('Failed to load resource')) return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`)
  })
  context.on('weberror', error => complaints.push(`script: ${error.error().message}`))
  context.on('request', request => {
    const url = new URL(request.url())
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`elsewhere: ${request.url()}`)
  })
  context.on('requestfailed', request => {
    // Leaving a page cancels its requests.
    if (request.isNavigationRequest() || request.failure()?.errorText === 'net::ERR_ABORTED') return
    complaints.push(`not loaded: ${request.url()} ${request.failure()?.errorText}`)
  })
  context.on('response', response => {
    // The page's script fetches a page in place of a navigation.
    const isPage = response.request().isNavigationRequest() || response.request().headers().accept === 'text/html'
    if (isPage || response.status() < 400) return
    complaints.push(`not loaded: ${response.url()} ${response.status()}`)
  })
  return complaints
}

/**
 * As much of a page's own world as functions that run there look at: `const { document } = globalThis as unknown as InPage`.
 * Written down here, since the compiler's own list would be there for the server's code, too.
 */
export interface InPage {
  readonly document: {
    readonly activeElement: PageElement | null
    readonly body: PageElement
    readonly documentElement: PageElement
    adoptedStyleSheets: readonly StyleSheet[]
    querySelector(selector: string): PageElement | null
    elementFromPoint(x: number, y: number): PageElement | null
    querySelectorAll(selector: string): Iterable<PageElement>
  }
  readonly innerWidth: number
  readonly innerHeight: number
  readonly navigator: { readonly clipboard: { readText(): Promise<string> } }
  readonly CSSStyleSheet: new () => StyleSheet
  getComputedStyle(element: PageElement): Readonly<Record<string, string>>
}

export interface PageElement {
  readonly outerHTML: string
  readonly tagName: string
  readonly scrollWidth: number
  readonly clientWidth: number
  readonly dataset: Record<string, string | undefined>
  /** Of inputs. */
  readonly type?: string
  readonly name?: string
  getAttribute(name: string): string | null
  getClientRects(): ArrayLike<Rect>
  contains(other: PageElement): boolean
  closest(selector: string): PageElement | null
  /** False inside closed `<details>`. */
  checkVisibility(): boolean
  getBoundingClientRect(): Rect
}

type Rect = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>

interface StyleSheet {
  replaceSync(text: string): void
}

/** Follows a link of the navigation. A phone shows the navigation in a menu. */
export async function openFromMenu(page: Page, name: string): Promise<void> {
  const menu = page.locator('.phone-menu summary')
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
}
