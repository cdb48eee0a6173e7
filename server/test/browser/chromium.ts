import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = 'TILLHOOK_TEST_CHROMIUM'

/** Where systems have it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const NO_CHROMIUM = `These tests need Chromium. Install it (Debian: apt-get install chromium), or name it in ${CHROMIUM}.`

/** The system's Chromium. Null: there is none. */
export function findChromium(): string | null {
  const named = process.env[CHROMIUM]
  return (named ? [named] : PLACES).find(path => existsSync(path)) ?? null
}

/** Without anything that it does by itself, and with no way out of this machine. Its profile is removed when it is closed. */
export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error(NO_CHROMIUM)
  return chromium.launch({
    executablePath,
    // Its sandbox refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}
