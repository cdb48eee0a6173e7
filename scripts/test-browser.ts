import { globSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromium, NO_CHROMIUM } from '../server/test/browser/find-chromium.ts'
import { OPTIONS, runTests, withFolder } from './test-run.ts'

/** Runs the tests in the system's Chromium. All other tests need only Node and npm. */
if (findChromium() === null) {
  process.stderr.write(`${NO_CHROMIUM}\n`)
  process.exit(1)
}
const given = process.argv.slice(2)
// Every page, or every job, at both widths in both themes; minutes long.
const WHOLE: Readonly<Record<string, { readonly file: string; readonly settings: Record<string, string> }>> = {
  '--sweep': { file: 'sweep', settings: { TILLHOOK_TEST_SWEEP: 'whole', TILLHOOK_TEST_SCREENSHOTS: '1' } },
  '--jobs': { file: 'jobs', settings: { TILLHOOK_TEST_JOBS: 'whole' } },
}
const whole = WHOLE[given[0] ?? '']
const tests = 'server/test/browser'

const passed = await withFolder(async folder => {
  const files = whole ? [`${tests}/${whole.file}.browser.ts`] : given.length > 0 ? given : await longestFirst(folder)
  // The tests wait for pages much of their time: more at once than cores keep the cores busy.
  return await runTests([...OPTIONS, '--test-concurrency=3', ...files], folder, whole?.settings ?? {})
})
process.exitCode = passed ? 0 : 1

/** An entry for each file. The runner starts files in the order of their names, and a long file at the end leaves a core idle. */
async function longestFirst(folder: string): Promise<string[]> {
  const files = globSync(`${tests}/*.browser.ts`).toSorted((a, b) => statSync(b).size - statSync(a).size)
  return await Promise.all(
    files.map(async (file, n) => {
      const path = join(folder, `${String(n).padStart(3, '0')}.mjs`)
      await writeFile(path, `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`)
      return path
    }),
  )
}
