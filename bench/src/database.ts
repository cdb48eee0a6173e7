import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { stopPostmaster } from '../../server/src/platform/db/embedded/postmaster.ts'

export interface DatabaseDescription {
  readonly version: string
  readonly fsync: string
  readonly synchronousCommit: string
  readonly fullPageWrites: string
  readonly sharedBuffers: string
}

/** Reads the settings of the service's own PostgreSQL. */
export function describeDatabase(dataDir: string): Promise<DatabaseDescription> {
  return withDatabase(dataDir, async sql => {
    const [row] = await sql<DatabaseDescription[]>`
      select current_setting('server_version') as "version", current_setting('fsync') as "fsync",
        current_setting('synchronous_commit') as "synchronousCommit",
        current_setting('full_page_writes') as "fullPageWrites", current_setting('shared_buffers') as "sharedBuffers"`
    if (row === undefined) throw new Error('PostgreSQL did not describe itself.')
    return { ...row }
  })
}

/** Vacuums and analyzes all tables. PostgreSQL would do so by itself within a minute, and its plans would change in the middle of a run. */
export async function settleDatabase(dataDir: string): Promise<void> {
  await withDatabase(dataDir, sql => sql`vacuum (analyze)`)
}

/** The URL and the process id of the service's PostgreSQL. */
export async function findDatabase(dataDir: string): Promise<{ url: string; pid: number }> {
  const note = await readNote(await clusterOf(dataDir))
  if (note === null) throw new Error('PostgreSQL does not run.')
  return {
    url: `postgres://tillhook_admin:${await passwordOf(dataDir)}@127.0.0.1:${note.port}/tillhook`,
    pid: note.pid,
  }
}

/**
 * Stops the PostgreSQL of a killed service, which keeps running, and removes its files. A service that root started may keep them outside of the
 * data folder.
 */
export async function removeDatabase(dataDir: string): Promise<void> {
  const cluster = await clusterOf(dataDir)
  const note = await readNote(cluster)
  if (note !== null) await stopPostmaster(note, cluster)
  const place = await placeOf(dataDir)
  if (place !== null) await rm(place, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

async function withDatabase<T>(dataDir: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const { url } = await findDatabase(dataDir)
  const sql = postgres(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function passwordOf(dataDir: string): Promise<string> {
  return encodeURIComponent((await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim())
}

async function clusterOf(dataDir: string): Promise<string> {
  return join((await placeOf(dataDir)) ?? dataDir, 'postgres')
}

async function placeOf(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, 'postgres.place'), 'utf8').catch(() => null)
  return text === null ? null : text.trim()
}

/** Reads `postmaster.pid`, PostgreSQL's note about itself: the process in its first line, the port in its fourth. */
async function readNote(cluster: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}
