import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Scratch = { folder: string; remove(): Promise<void> }

/**
 * A folder for clusters that never outlives this process. Another process holds a pipe to this one; at its end, which
 * also a kill -9 brings, it stops every PostgreSQL in the folder and deletes all. `remove` ends the pipe and waits.
 */
export async function openScratch(): Promise<Scratch> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tillhook-test-')))
  // The account `nobody` must be able to pass through.
  await chmod(folder, 0o711)
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL('scratch-watchdog.ts', import.meta.url)), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const gone = once(watchdog, 'exit')
  watchdog.unref()
  return {
    folder,
    remove: async () => {
      watchdog.ref()
      watchdog.stdin.end()
      await gone
    },
  }
}
