import type { Sql } from 'postgres'
import postgres from 'postgres'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

/** Proves that the server is ours: it accepts our password, and serves our folder. Makes the database if missing. */
export async function prepareDatabase(url: string, cluster: string): Promise<void> {
  const sql = connectOnce(url)
  try {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
    if (row?.folder !== cluster)
      throw new EmbeddedDatabaseError(`The server found serves ${row?.folder}, not ${cluster}.`)
  } catch (error) {
    const code = codeOf(error)
    if (code === NO_PASSWORD_MATCH) {
      throw new EmbeddedDatabaseError(
        `The PostgreSQL of ${cluster} refuses the password in postgres.password. Put that file back from a backup.`,
        { cause: error },
      )
    }
    if (code !== NO_DATABASE) throw error
    await createDatabase(url)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** One connection, for one errand. */
export function connectOnce(url: string, options: postgres.Options<Record<string, never>> = {}): Sql {
  return postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {}, ...options })
}

const NO_PASSWORD_MATCH = '28P01'
const NO_DATABASE = '3D000'

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}

async function createDatabase(url: string): Promise<void> {
  const target = new URL(url)
  const name = target.pathname.slice(1)
  target.pathname = '/postgres'
  const sql = connectOnce(target.href)
  try {
    await sql`create database ${sql(name)}`
  } finally {
    await sql.end({ timeout: 1 })
  }
}
