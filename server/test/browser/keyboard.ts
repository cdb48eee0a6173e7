import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { InPage } from './in-page.ts'

interface Stop {
  readonly mark: string
  readonly isVisible: boolean
  readonly words: string
}

/** More than any page has. */
const MOST_STOPS = 300

/** Walks through a page by Tab: everything that can be used is reached, and what has the focus is seen to have it. */
export async function expectReachable(page: Page): Promise<void> {
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

/** Runs in the page: gives each thing that can be used a mark. Of radio buttons of one name one is a stop for all. */
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

/** Runs in the page: what has the focus, and whether a person sees that it has. */
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
