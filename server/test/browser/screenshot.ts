import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const FOLDER = fileURLToPath(new URL('../../../.screenshots', import.meta.url))

/** For somebody to look at, light and dark, and only if somebody wants to (TILLHOOK_TEST_SCREENSHOTS=1): tests leave nothing behind. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.TILLHOOK_TEST_SCREENSHOTS) return
  await mkdir(FOLDER, { recursive: true })
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), fullPage: true })
  }
}
