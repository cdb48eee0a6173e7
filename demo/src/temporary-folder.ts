import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** The folder for everything that the demo writes. Disposal removes the folder. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string
  /** The data folder of the service. */
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

/** The folder of the service's database if the service runs as root without user namespaces. */
async function findDatabaseElsewhere(dataDir: string): Promise<string | null> {
  const place = (await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => '')).trim()
  // The name contains a digest of the data folder, so no other folder is removed.
  return /^[0-9a-f]{16}$/.test(basename(place)) ? place : null
}
