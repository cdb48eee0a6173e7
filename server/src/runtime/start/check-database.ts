import postgres from 'postgres'
import { StartRefused } from './start-refused.ts'

/** The oldest PostgreSQL that our SQL runs on: `unique nulls not distinct` came with it. */
const OLDEST_MAJOR = 15

/** Refuses a server that cannot be reached or is too old, in a sentence that names no password. */
export async function checkDatabase(url: string): Promise<void> {
  const { host, pathname } = new URL(url)
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    const [row] = await sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    const major = Math.floor(Number(row?.version) / 10_000)
    if (major < OLDEST_MAJOR) {
      throw new StartRefused(`The PostgreSQL at ${host} is version ${major}. Tillhook needs ${OLDEST_MAJOR} or newer.`)
    }
  } catch (error) {
    if (error instanceof StartRefused) throw error
    const why = error instanceof Error && error.message !== '' ? error.message : String(error)
    throw new StartRefused(
      `The database ${pathname.slice(1)} at ${host} cannot be used (${why}). Check that it runs, and TILLHOOK_DATABASE_URL.`,
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}
