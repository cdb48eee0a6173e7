import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** WCAG 2.2 to level AA, and what axe's authors recommend beyond it. */
const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

/**
 * Fails with every violation that axe finds, each with its elements. axe comes in through the debugger, which the page's
 * policy does not bind: the page is checked as it is, under its own policy.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A click ends once the next page begins to come in.
  await page.waitForLoadState()
  const debuggerOfPage = await page.context().newCDPSession(page)
  const run = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await debuggerOfPage.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description)
    return result.value
  }
  await run(`${axe.source}; undefined`)
  const text = await run(`axe.run(document, ${JSON.stringify(RULES)}).then(found => JSON.stringify(found))`)
  await debuggerOfPage.detach()
  const { violations, passes } = JSON.parse(String(text)) as AxeResults
  assert.ok(passes.length > 0, 'axe looked at something')
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
  assert.deepEqual(found, [])
}
