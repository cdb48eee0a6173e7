import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { commandOf, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts'

/** The number of the PostgreSQL that runs on a data folder; null when none does. */
export async function findPostgres(dataDir: string): Promise<number | null> {
  const note = await readFile(join(await clusterOf(dataDir), 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(note.split('\n')[0])
  return (await commandOf(pid))?.includes('postgres') ? pid : null
}

/**
 * Stops and deletes the cluster outside the service's folder: as root without user namespaces, PostgreSQL runs in a folder that `nobody`
 * can reach. The scratch folder covers the rest.
 */
export async function removeElsewhere(dataDir: string): Promise<void> {
  const place = await placeOf(dataDir)
  // Named after the data folder by a digest: nothing else is ever taken away.
  if (place === null || !/^[0-9a-f]{16}$/.test(basename(place))) return
  const pid = await findPostgres(dataDir)
  if (pid !== null) await stopPostmaster({ pid }, await clusterOf(dataDir))
  await rm(place, { recursive: true, force: true, maxRetries: 3 })
}

async function clusterOf(dataDir: string): Promise<string> {
  return join((await placeOf(dataDir)) ?? dataDir, 'postgres')
}

async function placeOf(dataDir: string): Promise<string | null> {
  return (await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => '')).trim() || null
}
