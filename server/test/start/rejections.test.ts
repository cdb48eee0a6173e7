import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import postgres from 'postgres'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { openScratch, type Scratch } from '../support/scratch.ts'
import { startStripe } from '../support/stripe/server.ts'
import { killPrograms, type MainOptions, startMain } from './program.ts'

const MASTER_KEY = '07'.repeat(32)

let scratch: Scratch
let database: FreshDatabase
before(async () => {
  scratch = await openScratch()
  database = await freshDatabase()
})
after(async () => {
  await killPrograms()
  await database.drop()
  await scratch.remove()
})

test('a port in use is named in the error', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  try {
    await isRejected(
      { ...withDatabase(database.url), TILLHOOK_PORT: String(port) },
      `Port ${port} on 127.0.0.1 is taken. Stop what listens there, or set TILLHOOK_PORT.`,
    )
  } finally {
    taken.close()
  }
})

test('an address of another machine is named in the error', async () => {
  await isRejected(
    { ...withDatabase(database.url), TILLHOOK_HOST: '192.0.2.1', TILLHOOK_PORT: '18080' },
    'This machine does not have the address 192.0.2.1. Set TILLHOOK_HOST to an address of this machine, for example 127.0.0.1.',
  )
})

test('a folder that cannot be created is named in the error', async () => {
  const file = join(scratch.folder, 'file')
  await writeFile(file, '')
  const dataDir = join(file, 'data')
  await isRejected(
    { TILLHOOK_DATA_DIR: dataDir },
    `The data folder ${dataDir} cannot be written (ENOTDIR). Make it writable for this user, or set TILLHOOK_DATA_DIR.`,
  )
})

const notWritable = asOrdinaryUser()
test('a folder without write permission is named in the error', { skip: notWritable === null }, async () => {
  const dataDir = join(scratch.folder, 'read-only')
  await mkdir(dataDir)
  await chmod(dataDir, 0o500)
  await isRejected(
    { TILLHOOK_DATA_DIR: dataDir },
    `The data folder ${dataDir} cannot be written (EACCES). Make it writable for this user, or set TILLHOOK_DATA_DIR.`,
    { prefix: notWritable ?? [] },
  )
})

test('an unreachable database is named in the error without its password', async () => {
  for (const host of ['127.0.0.1:1', 'localhost:1', 'nowhere.invalid:5432']) {
    await isRejected(
      withDatabase(`postgres://tillhook:s3cr3t-word@${host}/shop`),
      new RegExp(
        `^The database shop at ${host} cannot be used \\(.*\\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\\b.*\\)\\. ` +
          'Check that it runs, and TILLHOOK_DATABASE_URL\\.$',
      ),
    )
  }
})

test('a database that rejects the login or does not exist is named without its password', async () => {
  const { host } = new URL(database.url)
  const stranger = new URL(database.url)
  stranger.password = 's3cr3t-word'
  await isRejected(withDatabase(stranger.href), /cannot be used \(password authentication failed/)
  const missing = new URL(database.url)
  missing.pathname = '/not_there'
  await isRejected(
    withDatabase(missing.href),
    `The database not_there at ${host} cannot be used (database "not_there" does not exist). ` +
      'Check that it runs, and TILLHOOK_DATABASE_URL.',
  )
})

test('a password without percent-encoding is explained and not repeated', async () => {
  await isRejected(
    withDatabase('postgres://tillhook:s3cr3t-word%@127.0.0.1/shop'),
    /TILLHOOK_DATABASE_URL: .* %25 instead/,
  )
})

test('all wrong and unknown settings are named at once, and no secret is repeated', async () => {
  const { stderr } = await isRejected(
    {
      TILLHOOK_PORT: '70000',
      TILLHOOK_BASE_URL: 'ftp://example.com',
      TILLHOOK_DATABASE_URL: 'mysql://tillhook:s3cr3t-word@127.0.0.1/shop',
      TILLHOOK_OPERATOR_KEY: 's3cr3t-word',
      TILLHOOK_MASTER_KEY: 's3cr3t-word',
      TILLHOOK_ALLOWED_NETWORKS: 'everywhere',
      TILLHOOK_REQUIRE_HTTPS: 'perhaps',
      TILLHOOK_RATE_PER_APP: '-1',
      TILLHOOK_LOG_LEVEL: 'loud',
      TILLHOOK_COLOUR: 'blue',
    },
    /^Tillhook cannot start with these settings:$/m,
  )
  const named = [...stderr.matchAll(/^ {2}TILLHOOK_(\w+): \S/gm)].map(([, name]) => name)
  assert.deepEqual(named.sort(), [
    ...['ALLOWED_NETWORKS', 'BASE_URL', 'COLOUR', 'DATABASE_URL', 'LOG_LEVEL', 'MASTER_KEY', 'OPERATOR_KEY', 'PORT'],
    ...['RATE_PER_APP', 'REQUIRE_HTTPS'],
  ])
})

test('a database of Tillhook without a master key is rejected with advice', async () => {
  await isRejected({ TILLHOOK_DATABASE_URL: database.url }, /TILLHOOK_MASTER_KEY: required .* openssl rand -hex 32/)
})

test('an unknown role, an unknown flag, and a role without its shared settings are named in the error', async () => {
  const shared = { ...withDatabase(database.url), TILLHOOK_BASE_URL: 'http://tillhook.test' }
  await isRejected({ ...shared, TILLHOOK_ROLE: 'boss' }, /TILLHOOK_ROLE: must be one of api, worker, all, not "boss"\./)
  await isRejected(shared, /--rule.* The only flag is --role\./, { flags: ['--rule', 'api'] })
  await isRejected(
    { TILLHOOK_ROLE: 'all' },
    /TILLHOOK_DATABASE_URL: required with the role worker.*\n +TILLHOOK_BASE_URL: required with the role worker/,
    { flags: ['--role', 'worker'] },
  )
})

test('a Stripe account without the customers of this database is rejected, and no key is repeated', async () => {
  const [used, stripe] = [await freshDatabase(), await startStripe()]
  const sql = postgres(used.url, { max: 1, fetch_types: false })
  const keys = { TILLHOOK_STRIPE_SECRET_KEY: stripe.secretKey, TILLHOOK_STRIPE_API_BASE: stripe.url }
  try {
    await sql`
      insert into stripe_customers (business_id, customer_id, created_at)
      values (gen_random_uuid(), 'cus_ofanother', '2026-01-01')`
    const { stderr } = await isRejected(
      { ...withDatabase(used.url), ...keys },
      /^The Stripe account of TILLHOOK_STRIPE_SECRET_KEY has none of the customers .* or begin with a new database\.$/,
    )
    assert.ok(!stderr.includes(stripe.secretKey))
  } finally {
    await sql.end()
    await stripe.close()
    await used.drop()
  }
})

test('a database that does not match the migration files is rejected with advice', async () => {
  const used = await freshDatabase()
  const sql = postgres(used.url, { max: 1, fetch_types: false })
  try {
    await sql`insert into schema_version (version, name, md5) values (2, 'of-the-future', 'any')`
    await isRejected(
      withDatabase(used.url),
      'This database was migrated by a newer version of Tillhook (migration 2 "of-the-future"; this version knows ' +
        'migrations up to 1). Start that version or a later one.',
    )
    await sql`delete from schema_version where version = 2`
    await sql`update schema_version set md5 = 'of other bytes' where version = 1`
    await isRejected(
      withDatabase(used.url),
      'The migration server/migrations/0001.do.tillhook.sql was edited after it ran on this database. Restore the file as ' +
        'this version of Tillhook ships it, and put the change into a new migration.',
    )
    await sql`update schema_version set name = 'tenants' where version = 1`
    await sql`insert into schema_version (version, name, md5) values (2, 'idempotency', 'any')`
    await isRejected(
      withDatabase(used.url),
      'This database was made by Tillhook 0.1.0, and 0.1.0 data cannot be upgraded. Start with a new one: set ' +
        'TILLHOOK_DATA_DIR to another folder, or TILLHOOK_DATABASE_URL to an empty database.',
    )
  } finally {
    await sql.end()
    await used.drop()
  }
})

function withDatabase(url: string): Record<string, string> {
  return { TILLHOOK_DATABASE_URL: url, TILLHOOK_MASTER_KEY: MASTER_KEY }
}

/** Exit 1 and these words; no stack, no secret, and nothing that looks like a service which is ready. */
async function isRejected(settings: Record<string, string>, words: string | RegExp, options: MainOptions = {}) {
  const program = startMain({ TILLHOOK_LOG_LEVEL: 'warn', ...settings }, options)
  const code = await program.ended()
  const stderr = program.stderr()
  assert.equal(code, 1, stderr)
  assert.equal(program.stdout(), '')
  if (typeof words === 'string') assert.equal(stderr.trimEnd(), words)
  else assert.match(stderr.trimEnd(), words)
  assert.doesNotMatch(stderr, /^\s+at /m)
  assert.ok(!stderr.includes('s3cr3t-word'), stderr)
  assert.ok(!stderr.includes(MASTER_KEY), stderr)
  return { stderr }
}

/** Makes a command run as an ordinary user: as root, in a namespace that maps to `nobody`. Null: impossible here. */
function asOrdinaryUser(): readonly string[] | null {
  if (process.geteuid?.() !== 0) return []
  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  try {
    const [command = '', ...args] = prefix
    execFileSync(command, [...args, 'true'], { stdio: 'ignore' })
    return prefix
  } catch {
    return null
  }
}
