import { findChromium, NO_CHROMIUM } from '../server/test/browser/chromium.ts'
import { OPTIONS, runTests, withFolder } from './test-run.ts'

/** Tests in the system's Chromium, apart from all others, which need nothing but Node and npm. */
if (findChromium() === null) {
  process.stderr.write(`${NO_CHROMIUM}\n`)
  process.exit(1)
}
const given = process.argv.slice(2)
const files = given.length > 0 ? given : ['server/**/*.browser.ts']
// A browser is several processes, and busy ones.
const passed = await withFolder(folder => runTests([...OPTIONS, '--test-concurrency=2', ...files], folder))
process.exitCode = passed ? 0 : 1
