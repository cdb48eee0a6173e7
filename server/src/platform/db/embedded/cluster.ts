import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { syncFolder } from './data-folder.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { commandFor } from './program.ts'
import type { Settings } from './settings.ts'
import type { Account, Site } from './unprivileged.ts'

const run = promisify(execFile)
const UNFINISHED = 'postgres.unfinished-'
/**
 * A new segment is filled with zeros and brought to the disk while every commit waits: 50 ms for the usual 16 MB, as often as
 * one is full. With small ones that is a few milliseconds at a time.
 */
const WAL_SEGMENT_MB = 1

/** Built beside its final name and renamed when complete, so that what is called `postgres` is always a whole cluster. */
export async function createCluster(site: Site, user: string, password: string, settings: Settings): Promise<void> {
  await sweep(site.parent)
  const folder = join(site.parent, `${UNFINISHED}${randomUUID()}`)
  const passwordFile = `${folder}.password`
  try {
    await mkdir(folder, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (site.account) await give([folder, passwordFile], site.account)
    await initialise(site, folder, user, passwordFile, settings)
    await rename(folder, site.cluster)
    await syncFolder(site.parent)
  } finally {
    await sweep(site.parent)
  }
}

/** An initdb left running by a killed start may still write there; what then resists is taken by a later sweep. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(UNFINISHED)) await rm(join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function give(paths: string[], account: Account): Promise<void> {
  for (const path of paths) await chown(path, account.uid, account.gid)
}

async function initialise(site: Site, folder: string, user: string, passwordFile: string, settings: Settings) {
  const { file, args, options } = commandFor(site, site.binaries.initdb, [
    ...['-D', folder, '--username', user, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
    // Sorts and folds the same on every machine: the C library's locales change under their users.
    ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    `--wal-segsize=${WAL_SEGMENT_MB}`,
    '--no-instructions',
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ])
  try {
    await run(file, args, options)
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().slice(-2_000) : ''
    throw new EmbeddedDatabaseError(
      `PostgreSQL could not make its database in ${site.parent}. Mend what it says, or set TILLHOOK_DATABASE_URL.\n` +
        (output || String(cause)),
      { cause },
    )
  }
}
