import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts'

/** The other end of scratch.ts, a process of its own: `node scratch-watchdog.ts <folder>`. */
const folder = process.argv[2]
if (folder === undefined) throw new Error('which folder?')

for await (const _ of process.stdin);
await stopAll(folder)
// Removed until nothing comes back: an initdb whose starter was killed may still be writing.
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

async function stopAll(root: string): Promise<void> {
  const files = await readdir(root, { recursive: true })
  for (const file of files.filter(name => name.endsWith('/postmaster.pid'))) {
    const path = join(root, file)
    const [pid] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
    await stopPostmaster({ pid: Number(pid) }, dirname(path), 10_000).catch(() => {})
  }
}
