import { join } from 'node:path'
import { type Embedded, startEmbedded } from '../src/platform/db/embedded/start.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { openKeyPairs } from './support/key-pairs.ts'
import { openTemplate } from './support/postgres.ts'
import type { Scratch } from './support/scratch.ts'
import { openScratch } from './support/scratch.ts'

let scratch: Scratch | undefined
let embedded: Embedded | undefined

/** One PostgreSQL per test run; each file creates its own database. */
export async function globalSetup(): Promise<void> {
  scratch = await openScratch()
  openKeyPairs(join(scratch.folder, 'keys'))
  const ignore = () => {}
  embedded = await startEmbedded({
    dataDir: join(scratch.folder, 'data'),
    log: { info: ignore, warn: ignore, error: ignore },
    // Speed. Only here: no test pulls the plug of the machine.
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
  })
  await openTemplate(embedded.adminUrl, migrate)
}

/** The runner calls this also at SIGINT and SIGTERM; at a kill -9 the watchdog of the scratch folder does the same. */
export async function globalTeardown(): Promise<void> {
  await embedded?.stop()
  await scratch?.remove()
}
