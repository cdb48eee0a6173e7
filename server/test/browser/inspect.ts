import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import type { InPage } from './chromium.ts'

/** WCAG 2.2 to level AA and axe's best practices. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The rules that a theme can affect. A theme changes colours only, as `web/tokens.test.ts` verifies. */
const COLOUR_RULES = axe.getRules(RULES).flatMap(({ ruleId, tags }) => (tags.includes('cat.color') ? [ruleId] : []))

const NO_COLOUR_RULES = Object.fromEntries(COLOUR_RULES.map(ruleId => [ruleId, { enabled: false }]))

/**
 * Fails on every axe violation and names the elements: all rules in light, the colour rules in dark. Without colours: only the rules that no
 * theme can affect. The debugger injects axe, so the page keeps its own content security policy.
 */
export async function expectAccessible(page: Page, { hasColours = true } = {}): Promise<void> {
  const debuggerOfPage = await withAxe(page)
  const found = (await violationsOf(debuggerOfPage, RULES, hasColours ? {} : NO_COLOUR_RULES)).map(
    line => `light, ${line}`,
  )
  if (hasColours) {
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await violationsOf(debuggerOfPage, COLOUR_RULES)).map(line => `dark, ${line}`))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await debuggerOfPage.detach()
  assert.deepEqual(found, [])
}

/** Fails on every axe violation in the theme that the page has. */
export async function expectNoViolations(page: Page): Promise<void> {
  const debuggerOfPage = await withAxe(page)
  const found = await violationsOf(debuggerOfPage, RULES)
  await debuggerOfPage.detach()
  assert.deepEqual(found, [])
}

async function withAxe(page: Page): Promise<CDPSession> {
  await settled(page)
  const debuggerOfPage = await page.context().newCDPSession(page)
  await evaluate(debuggerOfPage, `${axe.source}; undefined`)
  return debuggerOfPage
}

/** Waits for the page that a click or a form has begun to bring, by script or by a page load. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState()
  await page.locator('html:not([data-visiting])').waitFor({ state: 'attached' })
}

async function violationsOf(debuggerOfPage: CDPSession, runOnly: readonly string[], rules = {}): Promise<string[]> {
  // Describe violations only; a full report is slow.
  const options = JSON.stringify({ runOnly, rules, resultTypes: ['violations'] })
  const text = await evaluate(debuggerOfPage, `axe.run(document, ${options}).then(found => JSON.stringify(found))`)
  const { violations, passes } = JSON.parse(String(text)) as AxeResults
  assert.ok(passes.length > 0, 'axe looked at something')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

async function evaluate(debuggerOfPage: CDPSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await debuggerOfPage.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description)
  return result.value
}

interface Stop {
  readonly mark: string
  readonly isVisible: boolean
  readonly words: string
}

/** More than any page has. */
const MOST_STOPS = 300

/** Walks through a page by Tab: every control is reached, and the focused control is visible. */
export async function expectReachable(page: Page): Promise<void> {
  await settled(page)
  const expected = await page.evaluate(markAll)
  assert.ok(expected.length > 0, 'there is something to use')
  const stops: Stop[] = []
  let ends = 0
  for (let i = 0; i < MOST_STOPS; i++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(stopOf)
    // A page may begin in its middle, where something is wrong: once around is past the end, and on from the start.
    if (stop === null && ++ends > 1) break
    if (stop === null) continue
    // A date has a stop for each of its parts.
    if (stops.at(-1)?.mark === stop.mark) continue
    if (stops.some(one => one.mark === stop.mark)) break
    stops.push(stop)
  }
  const reached = new Set(stops.map(({ mark }) => mark))
  assert.deepEqual(
    expected.filter(({ mark }) => !reached.has(mark)).map(({ words }) => words),
    [],
    'not reached by Tab',
  )
  assert.deepEqual(
    stops.filter(({ isVisible }) => !isVisible).map(({ words }) => words),
    [],
    'focus not seen',
  )
}

/** Runs in the page: marks every control. Radio buttons of one name are one tab stop. */
function markAll() {
  const { document } = globalThis as unknown as InPage
  const fields = 'input:not([type=hidden], :disabled), select:not(:disabled), textarea'
  const usable = `a[href], button:not(:disabled), ${fields}, summary, [tabindex="0"]`
  const groups = new Set<string>()
  const found: { mark: string; words: string }[] = []
  for (const [i, element] of [...document.querySelectorAll(usable)].entries()) {
    if (element.getClientRects().length === 0 || !element.checkVisibility()) continue
    const mark = element.type === 'radio' ? `radio ${element.name}` : String(i)
    element.dataset.mark = mark
    if (groups.has(mark)) continue
    groups.add(mark)
    found.push({ mark, words: element.outerHTML.slice(0, 120) })
  }
  return found
}

/** Runs in the page: the focused element, and whether its focus is visible. */
function stopOf() {
  const { document, getComputedStyle, innerHeight, innerWidth } = globalThis as unknown as InPage
  const element = document.activeElement
  if (element === null || element === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  return {
    mark: element.dataset.mark ?? element.outerHTML.slice(0, 120),
    isVisible: isInView && outlineStyle !== 'none' && Number.parseFloat(outlineWidth ?? '') >= 2,
    words: element.outerHTML.slice(0, 120),
  }
}

const LONGEST = 1_500
const WITHIN_MS = 5_000

/** The visible text of every frame, because a timeout names only the missing element. */
export async function shownBy(context: BrowserContext): Promise<string> {
  const frames = context.pages().flatMap(page => page.frames())
  const shown = frames.map(async frame => {
    const isPage = (await frame.locator('main').count()) > 0
    const text = await frame
      .locator(isPage ? 'main' : 'body')
      .innerText({ timeout: WITHIN_MS })
      .catch((error: Error) => `(${error.message.split('\n')[0]})`)
    return `${frame.url()} shows:\n${text.slice(0, LONGEST)}`
  })
  return (await Promise.all(shown)).join('\n')
}

/** Everything is as wide as the screen at the most. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await settled(page)
  const { wide, there } = await page.evaluate(widthsInPage)
  assert.ok(wide <= there, `${wide} px wide on a screen of ${there} px: ${page.url()}`)
}

function widthsInPage() {
  const { scrollWidth: wide, clientWidth: there } = (globalThis as unknown as InPage).document.documentElement
  return { wide, there }
}
