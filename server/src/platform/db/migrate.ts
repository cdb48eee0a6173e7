import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import type postgres from 'postgres'
import { connectOnce } from './db.ts'

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url))
/** A glob for the runner: special characters in the path of the folder are escaped. */
const MIGRATIONS = `${FOLDER.replace(/[*?[\]{}()!]/g, '[$&]')}/*.sql`

/** Any constant: two processes that migrate at the same time take turns. */
const MIGRATION_LOCK = 7_461_001

/** The database does not fit the migration files. The message says why and what to do. Exit 1, no stack. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * The running version keeps serving while a migration waits for its locks. Requests queue behind the migration, so it waits at most this long and
 * then retries.
 */
const LOCK_WITHIN_MS = 1_000
const TRIES = 60
const PAUSE_MS = 500
/** lock_not_available and deadlock_detected. */
const TRY_AGAIN = new Set(['55P03', '40P01'])

/**
 * Migrates the database to the newest schema in one transaction: a crash leaves the old schema. Repeats the transaction for half a minute
 * or longer while other processes hold its locks. Returns the names of the applied migrations.
 */
export async function migrate(options: { url: string }): Promise<readonly string[]> {
  for (let left = TRIES; ; left--) {
    try {
      return await migrateOnce(options)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (left === 1 || !TRY_AGAIN.has(code)) throw error
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  }
}

async function migrateOnce({ url }: { url: string }): Promise<readonly string[]> {
  const sql = connectOnce(url, { connection: { application_name: 'tillhook migrate' } })
  try {
    return (await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
      await tx`select set_config('lock_timeout', ${String(LOCK_WITHIN_MS)}, true)`
      await rejectUnknownVersions(tx)
      const postgrator = new Postgrator({
        driver: 'pg',
        migrationPattern: MIGRATIONS,
        schemaTable: 'schema_version',
        execQuery: async query => ({ rows: [...(await tx.unsafe(query))] }),
      })
      const applied = await migrateWith(postgrator)
      return applied.map(migration => basename(migration.filename))
    })) as readonly string[]
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** A database of another version of Tillhook: of 0.1.0, whose migrations were other files, or of a newer version. */
async function rejectUnknownVersions(sql: postgres.TransactionSql): Promise<void> {
  const [exists] =
    await sql`select 1 from pg_tables where schemaname = current_schema() and tablename = 'schema_version'`
  if (!exists) return
  const applied = await sql<{ version: number; name: string }[]>`
    select version::int as version, name from schema_version where version > 0 order by version`
  if (applied[0]?.name === 'tenants') {
    throw new MigrationError(
      'This database was made by Tillhook 0.1.0, and 0.1.0 data cannot be upgraded. Start with a new one: set ' +
        'TILLHOOK_DATA_DIR to another folder, or TILLHOOK_DATABASE_URL to an empty database.',
    )
  }
  const newest = Math.max(...readdirSync(FOLDER).map(file => Number.parseInt(file, 10)))
  const unknown = applied.find(({ version }) => version > newest)
  if (!unknown) return
  throw new MigrationError(
    `This database was migrated by a newer version of Tillhook (migration ${unknown.version} "${unknown.name}"; this ` +
      `version knows migrations up to ${newest}). Start that version or a later one.`,
  )
}

/** The runner reports an edited file by its number: the event before the error carries the file's name. */
async function migrateWith(postgrator: Postgrator) {
  let compared = ''
  postgrator.on('validation-started', migration => {
    compared = basename(migration.filename)
  })
  try {
    return await postgrator.migrate()
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('MD5 checksum failed'))) throw error
    throw new MigrationError(
      `The migration server/migrations/${compared} was edited after it ran on this database. Restore the file as this ` +
        'version of Tillhook ships it, and put the change into a new migration.',
    )
  }
}
