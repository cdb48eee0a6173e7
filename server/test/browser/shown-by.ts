import type { BrowserContext } from 'playwright-core'

const LONGEST = 1_500
const WITHIN_MS = 5_000

/** What each frame of each page shows, in words: a wait that found nothing says only what it looked for. */
export async function shownBy(context: BrowserContext): Promise<string> {
  const frames = context.pages().flatMap(page => page.frames())
  const shown = frames.map(async frame => {
    const text = await frame
      .locator('body')
      .innerText({ timeout: WITHIN_MS })
      .catch((error: Error) => `(${error.message.split('\n')[0]})`)
    return `${frame.url()} shows:\n${text.slice(0, LONGEST)}`
  })
  return (await Promise.all(shown)).join('\n')
}
