import assert from 'node:assert/strict'
import axe, { type AxeResults } from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

/** WCAG 2.2 to level AA, and what axe's authors recommend beyond it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Those of them whose outcome a theme can change: it changes colours and nothing else, as `web/tokens.test.ts` holds. */
const COLOUR_RULES = axe.getRules(RULES).flatMap(({ ruleId, tags }) => (tags.includes('cat.color') ? [ruleId] : []))

/**
 * Fails with every violation that axe finds, each with its elements: by all rules in light, then by those about colours in dark.
 * axe comes in through the debugger, which the page's policy does not bind: the page is checked as it is, under its own policy.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // A click ends once the next page begins to come in.
  await page.waitForLoadState()
  const debuggerOfPage = await page.context().newCDPSession(page)
  await evaluate(debuggerOfPage, `${axe.source}; undefined`)
  const found = (await violationsOf(debuggerOfPage, RULES)).map(line => `light, ${line}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await violationsOf(debuggerOfPage, COLOUR_RULES)).map(line => `dark, ${line}`))
  await page.emulateMedia({ colorScheme: 'light' })
  await debuggerOfPage.detach()
  assert.deepEqual(found, [])
}

async function violationsOf(debuggerOfPage: CDPSession, runOnly: readonly string[]): Promise<string[]> {
  // What is well is not described element by element.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
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
