import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Options of every test run. The limit per test ends a hang; no test comes near it, however slow the machine. */
export const OPTIONS = ['--test', '--test-timeout=3600000', '--test-global-setup=server/test/global-setup.ts']

// A larger young generation makes garbage collection rare: most objects of a test die before the next request.
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`.trim()

/** Runs the work with a temporary folder and removes the folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-tests-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Runs Node with these arguments. Returns true if it succeeds. */
export async function runTests(args: readonly string[], folder: string, settings: Record<string, string> = {}) {
  // A shared compile cache halves the time that each test process needs to load the service.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const env = { ...process.env, NODE_OPTIONS, ...compiled, ...settings }
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  // Ctrl-C also reaches the tests. This process waits until they have cleaned up.
  const wait = () => {}
  process.on('SIGINT', wait)
  try {
    return await new Promise<boolean>(resolve => child.on('close', code => resolve(code === 0)))
  } finally {
    process.off('SIGINT', wait)
  }
}
