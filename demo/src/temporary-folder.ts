import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** Holds all that the demo writes, and goes with it. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  /** The service's. */
  readonly dataDir: string
}

export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'tillhook-demo-'))
  const dataDir = join(path, 'data')
  return {
    path,
    dataDir,
    [Symbol.asyncDispose]: async () => {
      const elsewhere = await findDatabaseElsewhere(dataDir)
      if (elsewhere !== null) await rm(elsewhere, { recursive: true, force: true, maxRetries: 3 })
      await rm(path, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** As root, where PostgreSQL cannot run in a user namespace, the service puts its database where `nobody` can reach it. */
async function findDatabaseElsewhere(dataDir: string): Promise<string | null> {
  const place = (await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => '')).trim()
  // Named after the data folder by a digest: nothing else is ever taken away.
  return /^[0-9a-f]{16}$/.test(basename(place)) ? place : null
}
