import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXERCISED } from '../server/test/support/exercised.ts'

/**
 * All tests; then, as a run of its own, whether they have exercised everything that the contract declares. Each run ends
 * with its own counts. What is given on the command line goes to the first run, and the second is left out: part of the
 * tests exercises part of the contract.
 */
const ALL = ['server/**/*.test.ts', 'demo/**/*.test.ts', 'bench/**/*.test.ts']
// Most of a test's time is waiting for processes and databases: more files at once than cores, and the cores are busy.
const OPTIONS = [
  '--test',
  '--test-concurrency=4',
  '--test-timeout=300000',
  '--test-global-setup=server/test/global-setup.ts',
]
const given = process.argv.slice(2)

const folder = await mkdtemp(join(tmpdir(), 'tillhook-exercised-'))
const path = join(folder, 'lines')
await writeFile(path, '')
try {
  const passed = await run([...OPTIONS, ...given, ...ALL])
  const isExercised = given.length > 0 || (await run(['--test', 'server/test/contract/exercised.ts']))
  process.exitCode = passed && isExercised ? 0 : 1
} finally {
  await rm(folder, { recursive: true })
}

async function run(args: readonly string[]): Promise<boolean> {
  // Every file is a process, and most load the whole service: what one has compiled the others take, in half of the time.
  const env = { ...process.env, [EXERCISED]: path, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  // Ctrl-C reaches the tests as well; they clean up, and this process waits for them.
  const wait = () => {}
  process.on('SIGINT', wait)
  try {
    return await new Promise(resolve => child.on('close', code => resolve(code === 0)))
  } finally {
    process.off('SIGINT', wait)
  }
}
