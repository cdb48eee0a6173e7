import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Options of every test run. The limit per test ends a hang; no test comes near it, however slow the machine. */
export const OPTIONS = ['--test', '--test-timeout=3600000', '--test-global-setup=server/test/global-setup.ts']

// Most of what a test allocates is gone before its next request: in more room it is collected seldom, and costs nothing then.
const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`.trim()

/** Does the work with a folder of its own, of which nothing is left. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tillhook-tests-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Runs Node with these arguments; true when all is well. */
export async function runTests(args: readonly string[], folder: string, settings: Record<string, string> = {}) {
  // Every file is a process, and most load the whole service: what one has compiled the others take, in half of the time.
  const compiled = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const env = { ...process.env, NODE_OPTIONS, ...compiled, ...settings }
  const child = spawn(process.execPath, args, { stdio: 'inherit', env })
  // Ctrl-C reaches the tests as well; they clean up, and this process waits for them.
  const wait = () => {}
  process.on('SIGINT', wait)
  try {
    return await new Promise<boolean>(resolve => child.on('close', code => resolve(code === 0)))
  } finally {
    process.off('SIGINT', wait)
  }
}
