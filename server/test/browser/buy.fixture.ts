import { chromium } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from './find-chromium.ts'

/** Buys in the purchase screen at the address given. The end-to-end test of the Android service runs it in place of a WebView. */
const [url = ''] = process.argv.slice(2)
const executablePath = findChromium()
if (executablePath === null) throw new Error(NO_CHROMIUM)
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 })
try {
  const page = await browser.newPage({ viewport: { width: 480, height: 800 } })
  await page.goto(url)
  await page.getByRole('button', { name: 'BUY NOW' }).click()
  await page.getByRole('heading', { name: 'Done' }).waitFor()
} finally {
  await browser.close()
}
