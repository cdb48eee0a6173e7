import { existsSync } from 'node:fs'

const CHROMIUM = 'TILLHOOK_TEST_CHROMIUM'

/** Where systems have it. The headless shell is the same browser without windows, and takes a third less processor time. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
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
  return (named ? [named] : PATHS).find(path => existsSync(path)) ?? null
}
