import { findChromium, NO_CHROMIUM } from '../server/test/browser/find-chromium.ts'
import { OPTIONS, runTests, withFolder } from './test-run.ts'

/** Runs the tests in the system's Chromium. All other tests need only Node and npm. */
if (findChromium() === null) {
  process.stderr.write(`${NO_CHROMIUM}\n`)
  process.exit(1)
}
const given = process.argv.slice(2)
// Every page at both widths in both themes, with screenshots; minutes long.
const isSweep = given[0] === '--sweep'
const sweep = { TILLHOOK_TEST_SWEEP: 'whole', TILLHOOK_TEST_SCREENSHOTS: '1' }
const files = isSweep ? ['server/test/browser/sweep.browser.ts'] : given.length > 0 ? given : ['server/**/*.browser.ts']
// Each browser runs several busy processes.
const passed = await withFolder(folder =>
  runTests([...OPTIONS, '--test-concurrency=2', ...files], folder, isSweep ? sweep : {}),
)
process.exitCode = passed ? 0 : 1
