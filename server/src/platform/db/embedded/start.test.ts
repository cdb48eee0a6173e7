import assert from 'node:assert/strict'
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Sql } from 'postgres'
import type { Scratch } from '../../../../test/support/scratch.ts'
import { openScratch } from '../../../../test/support/scratch.ts'
import { commandOf } from './postmaster.ts'
import { isRoot, killServices, NOBODY, query, rejection, spawnService, start } from './services.fixture.ts'
import { EmbeddedDatabaseError, findBinaries } from './site.ts'
import { startEmbedded } from './start.ts'

let scratch: Scratch
let dataDir: string
before(async () => {
  scratch = await openScratch()
  dataDir = join(scratch.folder, 'parent', 'data')
})
after(() => {
  killServices()
  return scratch.remove()
})

const ignore = () => {}

test("the service's role cannot read server files, change server settings, or create roles and databases", async () => {
  const dataDir = join(scratch.folder, 'unprivileged')
  const { url, stop } = await start({ dataDir })
  try {
    const [role] = await query(
      url,
      sql => sql`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as "isPrivileged"
      from pg_roles where rolname = current_user`,
    )
    assert.equal(role?.isPrivileged, false)
    const key = join(dataDir, 'master.key')
    const forbidden: ((sql: Sql) => Promise<unknown>)[] = [
      sql => sql`select pg_read_file(${key})`,
      sql => sql`select pg_ls_dir('/')`,
      sql => sql`copy (select 1) to program 'true'`,
      sql => sql`alter system set fsync = off`,
      sql => sql`create role other`,
      sql => sql`create database other`,
      sql => sql`set role tillhook_admin`,
    ]
    for (const attempt of forbidden) await assert.rejects(query(url, attempt), { code: '42501' })
    await query(url, sql => sql`create table own as select 1 as n`)
  } finally {
    await stop()
  }
})

test('a first start creates a durable UTF-8 database that only its owner can read', async () => {
  const { url, stop } = await startEmbedded({ dataDir, log: { info: ignore, warn: ignore, error: ignore } })
  const [settings] = await query(
    url,
    sql => sql`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('server_encoding') as encoding, current_setting('timezone') as zone, lower('ÉA') as lower`,
  )
  await stop()
  assert.deepEqual({ ...settings }, { fsync: 'on', commit: 'on', encoding: 'UTF8', zone: 'UTC', lower: 'éa' })
  for (const [name, mode] of Object.entries({
    '.': 0o700,
    postgres: 0o700,
    'postgres.password': 0o600,
    'postgres.log': 0o600,
  })) {
    assert.equal((await stat(join(dataDir, name))).mode & 0o777, mode, name)
  }
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log', 'postgres.password', 'service.lock'])
})

test('a killed PostgreSQL is started again on the same port, with its data', async () => {
  const { url, pid, stop } = await startEmbedded({ dataDir, log: { info: ignore, warn: ignore, error: ignore } })
  await query(url, sql => sql`create table survived as select 7 as n`)
  process.kill(pid, 'SIGKILL')
  let rows: unknown[] = []
  for (let attempts = 0; attempts < 200 && rows.length === 0; attempts++) {
    rows = await query(url, sql => sql`select n from survived`).catch(() => [])
    if (rows.length === 0) await new Promise(resolve => setTimeout(resolve, 100))
  }
  await stop()
  assert.deepEqual(
    rows.map(row => ({ ...(row as object) })),
    [{ n: 7 }],
  )
})

test('a restart finds the committed data, and a stop leaves no process', async () => {
  const first = await start({ dataDir })
  await query(first.url, sql => sql`create table kept as select 7 as n`)
  await first.stop()
  assert.equal(await commandOf(first.pid), null)
  const second = await start({ dataDir })
  assert.equal((await query(second.url, sql => sql`select n from kept`))[0]?.n, 7)
  await second.stop()
})

test('a wrong password and a missing password are rejected', async () => {
  const { url, adminUrl, stop } = await start({ dataDir })
  const { hostname, host, pathname } = new URL(url)
  const place = `${host}${pathname}`
  assert.equal(hostname, '127.0.0.1')
  assert.notEqual(new URL(url).password, new URL(adminUrl).password)
  await assert.rejects(
    query(`postgres://tillhook:guess@${place}`, sql => sql`select 1`),
    { code: '28P01' },
  )
  await assert.rejects(query(`postgres://tillhook@${place}`, sql => sql`select 1`))
  await stop()
})

test('a folder with spaces and a path beyond the limit of sockets works', async () => {
  const long = join(scratch.folder, 'a'.repeat(70), `b c é ${'d'.repeat(60)}`)
  await mkdir(dirname(long))
  await rename(dataDir, long)
  const { url, stop } = await start({ dataDir: long })
  assert.equal((await query(url, sql => sql`select 1 as one`))[0]?.one, 1)
  await stop()
  await rename(long, dataDir)
})

test('a folder without write permission is named in the error', {
  skip: !isRoot && 'needs root to become nobody',
}, async () => {
  const closed = join(scratch.folder, 'closed')
  await mkdir(closed, { mode: 0o700 })
  for (const path of [closed, join(closed, 'data'), '/proc/tillhook']) {
    const said = await rejection(spawnService({ dataDir: path, uid: NOBODY }))
    assert.match(said, /^EmbeddedDatabaseError: /)
    assert.ok(said.includes(`${path} cannot be written`), said)
  }
})

test('a file or a broken link in place of the folder is named in the error', async () => {
  const file = join(scratch.folder, 'file')
  const link = join(scratch.folder, 'link')
  await writeFile(file, '')
  await symlink(join(scratch.folder, 'nowhere', 'at-all'), link)
  for (const [path, code] of [
    [file, 'EEXIST'],
    [join(file, 'data'), 'ENOTDIR'],
    [link, 'ENOENT'],
    [join(link, 'data'), 'ENOENT'],
  ]) {
    await assert.rejects(start({ dataDir: path ?? '' }), error => {
      assert.ok(error instanceof EmbeddedDatabaseError)
      assert.ok(error.message.includes(`${path} cannot be written (${code})`), error.message)
      return true
    })
  }
})

test('on a platform without binaries the error asks for an external server', () => {
  assert.throws(
    () => findBinaries('plan9-mips'),
    /no PostgreSQL for this platform \(plan9-mips\); set TILLHOOK_DATABASE_URL/,
  )
})

test('if PostgreSQL cannot start, the error quotes its log', async () => {
  await assert.rejects(start({ dataDir, settings: { max_connections: 'many' } }), error => {
    assert.ok(error instanceof EmbeddedDatabaseError)
    return /postgres\.log.*invalid value for parameter "max_connections": "many"/s.test(error.message)
  })
})

test('a missing password file is an error and is not replaced', async () => {
  await rm(join(dataDir, 'postgres.password'))
  await assert.rejects(start({ dataDir }), /postgres\.password is missing/)
  await writeFile(join(dataDir, 'postgres.password'), 'another')
  await assert.rejects(start({ dataDir }), /rejects the password in postgres\.password/)
})
