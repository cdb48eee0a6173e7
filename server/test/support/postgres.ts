import { randomUUID } from 'node:crypto'
import postgres from 'postgres'

/** Left by global-setup.ts for the test processes. */
const ADMIN_URL = 'TILLHOOK_TEST_DATABASE_URL'
const TEMPLATE = 'tillhook_template'

export type FreshDatabase = { url: string; drop(): Promise<void> }

/** A migrated, empty database of its own: one for each file of tests. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const adminUrl = process.env[ADMIN_URL]
  if (!adminUrl) throw new Error('Run the tests with --test-global-setup=server/test/global-setup.ts')
  const name = `test_${randomUUID()}`
  // Files are copied in an eighth of the time that it takes block by block through the log: 0.15 s, not 1.2 s, on a busy machine.
  await asAdmin(adminUrl, sql => sql`create database ${sql(name)} template ${sql(TEMPLATE)} strategy file_copy`)
  return {
    url: urlOf(adminUrl, name),
    drop: () => asAdmin(adminUrl, sql => sql`drop database if exists ${sql(name)} with (force)`),
  }
}

/** Makes the template of all fresh databases, and tells this process's children where it is. */
export async function openTemplate(
  adminUrl: string,
  migrate: (options: { url: string }) => Promise<unknown>,
): Promise<void> {
  await asAdmin(adminUrl, sql => sql`create database ${sql(TEMPLATE)}`)
  await migrate({ url: urlOf(adminUrl, TEMPLATE) })
  // PostgreSQL cannot copy a database with a session in it, so no further session may connect.
  await asAdmin(adminUrl, sql => sql`alter database ${sql(TEMPLATE)} with allow_connections false`)
  process.env[ADMIN_URL] = adminUrl
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}

async function asAdmin(url: string, work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
