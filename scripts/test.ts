import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EXERCISED } from '../server/test/support/exercised.ts'
import { writeEntries } from './test-processes.ts'
import { OPTIONS, runTests, withFolder } from './test-run.ts'

/**
 * All tests; then, as a run of its own, whether they have exercised everything that the contract declares. Each run ends
 * with its own counts. What is given on the command line goes to the first run, and the second is left out: part of the
 * tests exercises part of the contract.
 */
const ALL = ['server/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts']
const given = process.argv.slice(2)

await withFolder(async folder => {
  const path = join(folder, 'exercised')
  await writeFile(path, '')
  const run = (args: readonly string[]) => runTests(args, folder, { [EXERCISED]: path })
  // Much of a test's time is waiting for processes and databases: more files at once than cores, and the cores are busy.
  const passed = await run([...OPTIONS, '--test-concurrency=4', ...given, ...(await writeEntries(folder, ALL))])
  const isExercised = given.length > 0 || (await run(['--test', 'server/test/contract/exercised.ts']))
  process.exitCode = passed && isExercised ? 0 : 1
})
