import type { Sql } from 'postgres'
import postgres from 'postgres'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

/** The role and the database that the service uses. */
export interface ServiceAccess {
  readonly user: string
  readonly password: string
  readonly database: string
}

/**
 * Proves that the server is ours: the server accepts the administrator's password and serves our folder. Creates the service's role and
 * database if they are missing. The role owns its database and has no other right: a statement of the service can neither read files of the
 * server (`pg_read_file` would read the master key) nor start programs.
 */
export async function prepareDatabase(adminUrl: string, cluster: string, service: ServiceAccess): Promise<void> {
  // The service's own database may not exist yet.
  const sql = connectOnce(adminUrl, { database: 'postgres' })
  try {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
    if (row?.folder !== cluster)
      throw new EmbeddedDatabaseError(`The server found serves ${row?.folder}, not ${cluster}.`)
    await createMissing(sql, service)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === WRONG_PASSWORD)) throw error
    throw new EmbeddedDatabaseError(
      `The PostgreSQL of ${cluster} rejects the password in postgres.password. Restore that file from a backup. Data of Tillhook 0.1.0 cannot be used: set another TILLHOOK_DATA_DIR.`,
      { cause: error },
    )
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** One connection for one task. */
export function connectOnce(url: string, options: postgres.Options<Record<string, never>> = {}): Sql {
  return postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {}, ...options })
}

const WRONG_PASSWORD = '28P01'

/** The start lock lets one process at a time come here. */
async function createMissing(sql: Sql, { user, password, database }: ServiceAccess): Promise<void> {
  const [found] = await sql<{ hasRole: boolean; hasDatabase: boolean }[]>`
    select exists (select 1 from pg_roles where rolname = ${user}) as "hasRole",
      exists (select 1 from pg_database where datname = ${database}) as "hasDatabase"`
  if (!found?.hasRole) {
    // A utility statement takes no parameters: PostgreSQL itself quotes the values.
    const [made] = await sql<{ statement: string }[]>`
      select format('create role %I login nosuperuser nocreatedb nocreaterole password %L',
        ${user}::text, ${password}::text) as statement`
    await sql.unsafe(made?.statement ?? '')
  }
  if (!found?.hasDatabase) await sql`create database ${sql(database)} owner ${sql(user)}`
}
