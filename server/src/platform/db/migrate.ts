import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import postgres from 'postgres'
import { MigrationChanged } from './migration-changed.ts'

/** A glob, made from a path that may itself hold the glob's special characters. */
const MIGRATIONS = `${fileURLToPath(new URL('../../../migrations', import.meta.url)).replace(/[*?[\]{}()!]/g, '[$&]')}/*.sql`

/** Any constant: two processes that migrate at once take turns. */
const MIGRATION_LOCK = 7_461_001

/**
 * Brings the database to the newest schema. All of it in one transaction: a crash half way leaves the schema as it was.
 * Returns the names of the migrations that ran.
 */
export async function migrate({ url }: { url: string }): Promise<readonly string[]> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'tillhook migrate' },
  })
  try {
    return (await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
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

/** The runner names a changed file by its number only, and in words: the file is the one that it looked at last. */
async function migrateWith(postgrator: Postgrator) {
  let compared = ''
  postgrator.on('validation-started', migration => {
    compared = basename(migration.filename)
  })
  try {
    return await postgrator.migrate()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('MD5 checksum failed')) throw new MigrationChanged(compared)
    throw error
  }
}
